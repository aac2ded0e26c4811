/* SPDX-License-Identifier: Apache-2.0 */
/* Creation and lookup. */
#include "index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/cli.h"
#include "index_state.h"
#include "model/load.h"

bool index_fail(struct replay_index *ix, const char *format, ...)
{
	va_list args;

	if (ix->failed)
		return false;
	ix->failed = true;
	int used = snprintf(ix->message, sizeof(ix->message), "%s: ", ix->source.index);
	va_start(args, format);
	if (used >= 0 && (size_t)used < sizeof(ix->message))
		vsnprintf(ix->message + used, sizeof(ix->message) - (size_t)used, format,
			  args);
	va_end(args);
	return false;
}

const char *replay_index_message(const struct replay_index *ix)
{
	return ix->failed ? ix->message : NULL;
}

uint64_t index_version(void)
{
	static const char version[] = "tr-replay " TR_VERSION ", index 3";

	return XXH64(version, sizeof(version), 0);
}

bool index_hash_trace(struct replay_index *ix, uint64_t from, uint64_t to, uint64_t *hash)
{
	enum { PIECE = 1 << 20 };
	XXH64_state_t *state = XXH64_createState();
	uint8_t *piece = malloc(PIECE);
	bool done = state && piece;

	if (state)
		XXH64_reset(state, 0);
	while (done && from < to) {
		size_t want = to - from < PIECE ? (size_t)(to - from) : PIECE;
		ssize_t got = pread(ix->trace, piece, want, (off_t)from);

		if (got < 0 && errno == EINTR)
			continue;
		done = got > 0;
		if (done)
			XXH64_update(state, piece, (size_t)got);
		from += done ? (uint64_t)got : 0;
	}
	if (done)
		*hash = XXH64_digest(state);
	XXH64_freeState(state);
	free(piece);
	return done;
}

/* Copies the pages that are not zero. */
static bool copy_base_pages(struct replay_index *ix)
{
	const struct soc_image *image = soc_image(ix->source.soc);
	static const uint8_t zero[INDEX_PAGE];

	ix->base = mmap(NULL, image->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ix->base == MAP_FAILED) {
		ix->base = NULL;
		return false;
	}
	for (uint64_t at = 0; at < image->size; at += INDEX_PAGE)
		if (memcmp(image->ram + at, zero, INDEX_PAGE) != 0)
			memcpy(ix->base + at, image->ram + at, INDEX_PAGE);
	return true;
}

static struct replay_index *new_index(const struct replay_index_source *source)
{
	struct replay_index *ix = calloc(1, sizeof(*ix));
	uint64_t pages = soc_image(source->soc)->size / INDEX_PAGE;

	if (!ix)
		return NULL;
	ix->source = *source;
	ix->trace = open(source->trace, O_RDONLY | O_CLOEXEC);
	ix->saver = tr_saver_new();
	ix->touched = calloc(pages, 1);
	ix->pages = malloc(INDEX_GROUP * INDEX_PAGE);
	ix->packed_room = ZSTD_compressBound(INDEX_GROUP * INDEX_PAGE);
	ix->packed = malloc(ix->packed_room);
	ix->zstd = ZSTD_createCCtx();
	if (!ix->saver || !ix->touched || !ix->pages || !ix->packed || !ix->zstd ||
	    (source->returns && !copy_base_pages(ix))) {
		replay_index_free(ix);
		return NULL;
	}
	if (ix->trace < 0)
		index_fail(ix, "%s: %s", source->trace, strerror(errno));
	return ix;
}

struct replay_index *replay_index_create(const struct replay_index_source *source,
					 FILE *file)
{
	struct replay_index *ix = new_index(source);

	if (!ix)
		return NULL;
	ix->file = file;
	if (!ix->failed)
		index_begin(ix);
	return ix;
}

struct replay_index *replay_index_open(const struct replay_index_source *source)
{
	struct replay_index *ix = new_index(source);

	if (!ix || ix->failed)
		return ix;
	ix->file = fopen(source->index, "rbe");
	ix->owns_file = ix->file != NULL;
	if (!ix->file)
		index_fail(ix, "%s", strerror(errno));
	else
		index_list(ix);
	return ix;
}

void replay_index_free(struct replay_index *ix)
{
	if (!ix)
		return;
	if (ix->owns_file)
		fclose(ix->file);
	if (ix->trace >= 0)
		close(ix->trace);
	if (ix->base)
		munmap(ix->base, soc_image(ix->source.soc)->size);
	tr_saver_free(ix->saver);
	tr_buffer_free(&ix->reader_part);
	tr_buffer_free(&ix->state);
	tr_buffer_free(&ix->body);
	ZSTD_freeCCtx(ix->zstd);
	free(ix->packed);
	free(ix->pages);
	free(ix->touched);
	free(ix->places);
	free(ix);
}

uint64_t replay_index_offset(const struct replay_index *ix, size_t place)
{
	return place < ix->nplaces ? ix->places[place].offset : UINT64_MAX;
}

uint64_t replay_index_instret(const struct replay_index *ix, size_t place, unsigned hart)
{
	return ix->places[place].instret[hart];
}

size_t replay_index_find_cycle(const struct replay_index *ix, unsigned hart,
			       uint64_t cycle)
{
	size_t place = ix->nplaces ? ix->nplaces - 1 : 0;

	while (place && ix->places[place].cycle[hart] >= cycle)
		place--;
	return place;
}

size_t replay_index_find_instruction(const struct replay_index *ix, unsigned hart,
				     uint64_t instret)
{
	size_t place = ix->nplaces ? ix->nplaces - 1 : 0;

	while (place && ix->places[place].instret[hart] > instret)
		place--;
	return place;
}
