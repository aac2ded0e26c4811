/* SPDX-License-Identifier: Apache-2.0 */
/* random-program: writes a random program for the machine of sim/soc.h.
 *
 * The program is a list of chunks that run one after the other, some several times in a
 * row, and then again with other data, until approximately the requested number of
 * instructions. It prints nothing and powers the machine off with status 0; if it takes
 * far more traps than a chunk can cause, with one of STATUS_*. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunk.h"

static const char USAGE[] =
    "usage: random-program --seed N --instructions N [options] -o FILE.elf\n"
    "Writes a random program; the same arguments give the same bytes.\n"
    "\n"
    "      --seed N           which program\n"
    "      --instructions N   executed in all, about\n"
    "      --mix NAME         what it is about: all (default), plain (no time, no\n"
    "                         interrupts, what QEMU does alike), or one theme;\n"
    "                         float: for a machine with F and D\n"
    "      --skip LIST        leave out chunks, as in 3,5-9; all else stays\n"
    "      --iterations N     run the list of chunks so often\n"
    "      --repeats N        run no chunk more often than that in a row\n"
    "      --drop LIST        operations of each chunk that do nothing\n"
    "      --print            print a hash of the data at the end\n"
    "      --list             print a line about each chunk\n"
    "  -o FILE                the ELF file\n"
    "  -h, --help             show this help and exit\n";

struct settings {
	uint64_t seed, instructions, iterations, repeats;
	int theme;
	bool plain, print, list;
	bool skip[MAX_CHUNKS];
	bool drop[MAX_OPERATIONS];
	const char *output;
};

enum { OVERHEAD = 110, PER_CHUNK = 3000, MIN_CHUNKS = 4, MOST_CHUNKS = 64 };

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "random-program: %s: %s\n", what, why);
	exit(2);
}

static uint64_t number(const char *option, const char *text, const char **end)
{
	char *rest;

	errno = 0;
	uint64_t value = strtoull(text, &rest, 0);
	if (errno || rest == text || *text == '-' || (!end && *rest))
		fail(option, "not a number");
	if (end)
		*end = rest;
	return value;
}

/* Sets the elements that the list names, of `count`. */
static void parse_list(const char *option, const char *text, bool *set, uint64_t count)
{
	while (*text) {
		uint64_t first = number(option, text, &text), last = first;

		if (*text == '-')
			last = number(option, text + 1, &text);
		if (last >= count || first > last)
			fail(option, "no such number");
		while (first <= last)
			set[first++] = true;
		if (*text == ',')
			text++;
		else if (*text)
			fail(option, "not a list of numbers");
	}
}

static void parse_mix(struct settings *s, const char *name)
{
	s->plain = strcmp(name, "plain") == 0;
	if (s->plain || strcmp(name, "all") == 0)
		return;
	for (int i = 0; i < THEMES; i++)
		if (strcmp(name, theme_names[i]) == 0)
			s->theme = i;
	if (s->theme < 0)
		fail("--mix", "no such mix");
}

enum { SEED = 256, INSTRUCTIONS, MIX, SKIP, ITERATIONS, REPEATS, DROP, PRINT, LIST };
static const struct option options[] = {
    {"seed", required_argument, NULL, SEED},
    {"instructions", required_argument, NULL, INSTRUCTIONS},
    {"mix", required_argument, NULL, MIX},
    {"skip", required_argument, NULL, SKIP},
    {"iterations", required_argument, NULL, ITERATIONS},
    {"repeats", required_argument, NULL, REPEATS},
    {"drop", required_argument, NULL, DROP},
    {"print", no_argument, NULL, PRINT},
    {"list", no_argument, NULL, LIST},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

static void parse_option(struct settings *s, int option)
{
	switch (option) {
	case SEED:
		s->seed = number("--seed", optarg, NULL);
		break;
	case INSTRUCTIONS:
		s->instructions = number("--instructions", optarg, NULL);
		break;
	case MIX:
		parse_mix(s, optarg);
		break;
	case SKIP:
		parse_list("--skip", optarg, s->skip, MAX_CHUNKS);
		break;
	case ITERATIONS:
		s->iterations = number("--iterations", optarg, NULL);
		break;
	case REPEATS:
		s->repeats = number("--repeats", optarg, NULL);
		break;
	case DROP:
		parse_list("--drop", optarg, s->drop, MAX_OPERATIONS);
		break;
	case PRINT:
		s->print = true;
		break;
	case LIST:
		s->list = true;
		break;
	case 'o':
		s->output = optarg;
		break;
	case 'h':
		fputs(USAGE, stdout);
		exit(fclose(stdout) ? 2 : 0);
	default:
		exit(2);
	}
}

static void parse_args(struct settings *s, int argc, char **argv)
{
	int option;

	s->theme = -1;
	s->repeats = UINT32_MAX;
	while ((option = getopt_long(argc, argv, "ho:", options, NULL)) != -1)
		parse_option(s, option);
	if (optind != argc || s->instructions == 0 || s->repeats == 0 ||
	    s->repeats > UINT32_MAX || s->iterations > UINT32_MAX ||
	    (!s->output && !s->list))
		fail("usage", "see --help");
}

static void describe(const struct chunk *k, uint64_t cost, bool skipped)
{
	static const char *const views[] = {"flat", "window", "user"};

	printf("%u\t%s\truns %u\toperations %u\tinstructions %" PRIu64 "\tspace %d",
	       k->index, theme_names[k->theme], k->repeat, k->operations, cost,
	       k->env.space);
	for (unsigned i = 0; i < k->segments; i++)
		printf("\t%c %s 0x%" PRIx64, "USHM"[k->seg[i].priv],
		       views[k->seg[i].view], chunk_va(k, &k->seg[i]) + k->seg[i].start);
	puts(skipped ? "\tskipped" : "");
}

/* A skipped chunk is also written, elsewhere, to determine its length. */
static uint64_t write_chunks(struct program *p, const struct settings *s, unsigned count)
{
	struct image *image = p->image, *aside = image_new();
	static struct chunk k;
	uint64_t sum = 0, entry = CHUNK_TABLE;

	for (unsigned i = 0; i < count; i++) {
		p->image = s->skip[i] ? aside : image;
		uint64_t cost = chunk_write(p, &k, i);
		sum += cost + (uint64_t)OVERHEAD * k.repeat;
		if (s->list)
			describe(&k, cost, s->skip[i]);
		if (s->skip[i])
			continue;
		image_put64(image, entry, SETUP_BASE + (uint64_t)i * SETUP_SIZE);
		image_put64(image, entry + 8, k.repeat);
		entry += 16;
	}
	image_put64(image, entry, 0);
	image_free(aside);
	p->image = image;
	return sum;
}

static unsigned count_chunks(struct program *p, uint64_t instructions)
{
	uint64_t most = instructions / PER_CHUNK;

	if (most < MIN_CHUNKS)
		most = MIN_CHUNKS;
	if (most > MOST_CHUNKS)
		most = MOST_CHUNKS;
	return rng_range(&p->rng, (unsigned)most / 2, (unsigned)most);
}

int main(int argc, char **argv)
{
	static struct settings s;
	static struct program p;

	parse_args(&s, argc, argv);
	p.image = image_new();
	p.seed = s.seed;
	p.theme = s.theme;
	p.has_float = s.theme == THEME_FLOAT;
	p.plain = s.plain;
	p.print = s.print;
	p.repeats = (unsigned)s.repeats;
	memcpy(p.drop, s.drop, sizeof(p.drop));
	program_init(&p);
	unsigned count = count_chunks(&p, s.instructions);
	runtime_write(&p);
	uint64_t cost = write_chunks(&p, &s, count);
	uint64_t iterations =
	    s.iterations ? s.iterations : (s.instructions + cost - 1) / cost;
	runtime_iterate(&p, iterations);
	if (s.output && !image_write(p.image, s.output, SOC_RESET_PC))
		fail(s.output, strerror(errno));
	image_free(p.image);
	if (fclose(stdout) != 0)
		fail("<stdout>", strerror(errno));
	return 0;
}
