/* SPDX-License-Identifier: Apache-2.0 */
/* places [-o INDEX] EVERY TRACE PROGRAM...: replays a trace from each place of an index
 * in turn, last to first and back again, and compares registers and memory at the end
 * with those of a replay from the start. So does one that pauses at many instructions.
 * Then damages the index: a cut or changed one is refused. With -o the index is kept. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "../../sim/model/load.h"
#include "../../sim/model/model.h"
#include "../../sim/model/state.h"
#include "../../sim/replay/index.h"
#include "../../sim/replay/watch.h"
#include "../../sim/run/feature_text.h"

enum { MOST = 64 << 20 };
static uint8_t bytes[MOST];

struct run {
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	struct replay_index *index;
	uint64_t pauses;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "places: %s: %s\n", what, why);
	exit(2);
}

static void start(struct run *r, char **argv)
{
	struct soc_config config = {0};

	if (tr_reader_open(&r->reader, argv[2], 2) != TR_OK)
		die(argv[2], tr_reader_message(r->reader));
	const struct tr_header *header = tr_reader_header(r->reader);
	config.ram_size = tr_header_get_u64(header, "ram_size", 0);
	config.harts = (unsigned)tr_header_get_u64(header, "harts", 1);
	features_set_isa(&config.features, tr_header_get(header, "isa"));
	r->soc = soc_new(&config);
	for (char **path = argv + 3; *path; path++)
		if (!soc_load_elf(r->soc, *path))
			die(*path, soc_message(r->soc));
	for (unsigned i = 0; i < soc_harts(r->soc); i++)
		soc_set_x(r->soc, i, 11, tr_header_get_u64(header, "reset_a1", 0));
	r->replay = replay_new(r->soc, r->reader);
}

static void stop(struct run *r)
{
	replay_index_free(r->index);
	replay_free(r->replay);
	soc_free(r->soc);
	tr_reader_close(r->reader);
}

static struct replay_index_source source_of(const struct run *r, char **argv,
					    const char *path)
{
	return (struct replay_index_source){.soc = r->soc,
					    .reader = r->reader,
					    .replay = r->replay,
					    .trace = argv[2],
					    .index = path,
					    .every = strtoull(argv[1], NULL, 10),
					    .returns = true};
}

/* Ends the pauses that a frame, or the end, came to. */
static bool end_pauses(struct run *r, bool done)
{
	while (!done && replay_is_paused(r->replay))
		done = replay_resume(r->replay);
	return done;
}

/* Replays to the end. Returns a hash of registers, memory, and what was counted. */
static uint64_t finish(struct run *r, bool adds)
{
	const struct soc_image *image = soc_image(r->soc);
	const struct tr_frame *frame;
	struct soc_state state;

	while (tr_reader_next(r->reader, &frame) == TR_OK) {
		if (!end_pauses(r, replay_frame(r->replay, frame)))
			die("replay", replay_message(r->replay));
		if (adds && !replay_index_frame(r->index))
			die("index", replay_index_message(r->index));
	}
	if (!tr_reader_end(r->reader))
		die("reader", tr_reader_message(r->reader));
	if (!end_pauses(r, replay_end(r->replay)))
		die("replay", replay_message(r->replay));
	uint64_t hash = XXH64(image->ram, image->size, 0);
	for (unsigned i = 0; i < soc_harts(r->soc); i++) {
		soc_get_state(r->soc, i, &state);
		hash = XXH64(&state, sizeof(state), hash);
	}
	return XXH64(replay_counts(r->replay), sizeof(struct replay_counts), hash);
}

static void go(struct run *r, size_t place, uint64_t expected)
{
	if (!replay_index_check(r->index, place) || !replay_index_go(r->index, place))
		die("index", replay_index_message(r->index));
	if (finish(r, false) != expected) {
		fprintf(stderr, "places: another end from place %zu\n", place);
		exit(2);
	}
}

/* Opens the index in `path` from the start of a replay. Returns whether it can be used.
 */
static bool is_used(char **argv, const char *path, uint64_t expected)
{
	struct run r = {0};

	start(&r, argv);
	struct replay_index_source source = source_of(&r, argv, path);
	r.index = replay_index_open(&source);
	if (!r.index)
		die(path, "out of memory");
	size_t place = replay_index_find_cycle(r.index, 0, UINT64_MAX);
	bool used = !replay_index_message(r.index) && replay_index_check(r.index, place);
	if (used)
		go(&r, place, expected);
	stop(&r);
	return used;
}

static bool is_watched(void *user, uint64_t pc)
{
	(void)user;
	return pc % 6 == 0;
}

/* The model must be where the replay says. */
static void pause_here(void *user, const struct replay_reached *reached)
{
	struct run *r = user;
	struct soc_state state;

	soc_get_state(r->soc, reached->hart, &state);
	if (state.pc != reached->pc)
		die("pause", "the model is elsewhere");
	r->pauses++;
	replay_pause(r->replay);
}

static void go_with_pauses(char **argv, uint64_t expected)
{
	struct run r = {0};
	const struct replay_watch watch = {
	    .user = &r, .wants = is_watched, .reached = pause_here};

	start(&r, argv);
	replay_watch(r.replay, &watch);
	if (finish(&r, false) != expected)
		die("replay", "another end with pauses");
	if (r.pauses < 10)
		die("replay", "too few pauses");
	stop(&r);
}

static void write_bytes(const char *path, size_t size)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		die(path, "not written");
}

static void damage(char **argv, const char *path, size_t size, uint64_t expected)
{
	enum { TRIALS = 24 };
	unsigned refused = 0;

	for (unsigned i = 0; i < TRIALS; i++) {
		size_t at = (size_t)(i * (uint64_t)size / TRIALS);
		bytes[at] ^= (uint8_t)(1U << i % 8);
		write_bytes(path, size);
		refused += !is_used(argv, path, expected);
		bytes[at] ^= (uint8_t)(1U << i % 8);
		write_bytes(path, at);
		refused += !is_used(argv, path, expected);
	}
	write_bytes(path, size);
	if (refused != 2 * TRIALS || !is_used(argv, path, expected))
		die("index", "damage was not noticed");
}

int main(int argc, char **argv)
{
	char temporary[] = "/tmp/places.XXXXXX";
	const bool keeps = argc > 2 && strcmp(argv[1], "-o") == 0;
	const char *path = keeps ? argv[2] : temporary;
	struct run r = {0};

	argv += keeps ? 2 : 0;
	argc -= keeps ? 2 : 0;
	if (argc < 4)
		return 2;
	FILE *file = keeps ? fopen(path, "w+b") : fdopen(mkstemp(temporary), "w+b");
	if (!file)
		die(path, "not written");
	start(&r, argv);
	struct replay_index_source source = source_of(&r, argv, path);
	r.index = replay_index_create(&source, file);
	uint64_t expected = finish(&r, true);
	size_t last = replay_index_find_cycle(r.index, 0, UINT64_MAX);
	for (size_t i = last + 1; i-- > 0;)
		go(&r, i, expected);
	for (size_t i = 0; i <= last; i += 3)
		go(&r, i, expected);
	if (!replay_index_end(r.index))
		die("index", replay_index_message(r.index));
	rewind(file);
	size_t size = fread(bytes, 1, MOST, file);
	fclose(file);
	stop(&r);
	go_with_pauses(argv, expected);
	damage(argv, path, size, expected);
	if (!keeps)
		unlink(path);
	printf("%zu places, the last one with %s\n", last + 1,
	       last ? "others" : "no others");
	return last ? 0 : 1;
}
