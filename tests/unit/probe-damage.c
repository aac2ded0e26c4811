/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged files and texts: probes are refused with a message, or can be evaluated. */
#include "../probe/machine.h"
#include "fixture.h"

static struct machine machine;

/* Evaluates all places, whatever they are. */
static void evaluate(struct tr_probes *probes)
{
	struct tr_probe_hit hit;
	FILE *null = fopen("/dev/null", "w");
	for (size_t i = 0; i < tr_probes_place_count(probes); i++) {
		const struct tr_probe_place *place = tr_probes_place(probes, i);
		void *saved = calloc(1, place->saved_size + 1);
		tr_probes_enter(probes, i, &machine.probe, saved);
		if (tr_probes_hit(probes, i, &machine.probe, saved, &hit))
			for (size_t n = 0; n < tr_probes_field_count(probes, hit.probe);
			     n++)
				tr_probe_value_print(&hit.values[n], null);
		free(saved);
	}
	fclose(null);
}

static bool try_file(const char *text, const char *path)
{
	struct tr_probes *probes = tr_probes_new();
	CHECK_EQ(tr_probes_read_text(probes, "test", text), TR_OK);
	int status = tr_probes_resolve(probes, "program", path);
	if (status == TR_OK)
		evaluate(probes);
	else
		CHECK(*tr_probes_message(probes) &&
		      !strchr(tr_probes_message(probes), '\n'));
	tr_probes_free(probes);
	return status == TR_OK;
}

/* Flips bits where the debug information is, mostly. */
static void damage_file(const char *text, const char *path)
{
	struct tr_buffer file = fixture_read(path);
	uint64_t random = 88172645463325252;
	unsigned good = 0;
	for (unsigned i = 0; i < 250; i++) {
		struct tr_buffer copy = {0};
		tr_buffer_add(&copy, file.data, file.size);
		for (unsigned n = i % 8 + 1; n; n--) {
			uint64_t bit = fixture_random(&random) % (file.size * 8);
			copy.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		}
		if (i % 10 == 9)
			copy.size = fixture_random(&random) % copy.size;
		good +=
		    try_file(text, fixture_write("damaged.elf", copy.data, copy.size));
		tr_buffer_free(&copy);
	}
	/* Some changes matter to the probes, and some do not. */
	CHECK(good > 20 && good < 230);
	tr_buffer_free(&file);
}

/* Removes, repeats and changes characters. */
static void damage_text(const char *text)
{
	uint64_t random = 1234567;
	size_t size = strlen(text);
	unsigned good = 0;
	for (unsigned i = 0; i < 20000; i++) {
		char *copy = strdup(text);
		size_t at = fixture_random(&random) % size;
		if (i % 3 == 0)
			memmove(copy + at, copy + at + 1, size - at);
		else if (i % 3 == 1)
			copy[at] = copy[fixture_random(&random) % size];
		else
			copy[at] = (char)(fixture_random(&random) % 255 + 1);
		struct tr_probes *probes = tr_probes_new();
		bool is_good = tr_probes_read_text(probes, "test", copy) == TR_OK;
		good += is_good;
		CHECK(is_good || *tr_probes_message(probes));
		tr_probes_free(probes);
		free(copy);
	}
	CHECK(good > 1000 && good < 19000);
}

/* Depth and length are limited. */
static void check_limits(void)
{
	struct tr_probes *probes = tr_probes_new();
	char text[4096];
	size_t used = (size_t)snprintf(text, sizeof(text), "p: b:f { a = ");
	memset(text + used, '(', 3000);
	text[used + 3000] = '\0';
	CHECK_EQ(tr_probes_read_text(probes, "test", text), TR_E_CORRUPT);
	CHECK_STR(tr_probes_message(probes),
		  "test: line 1, column 64: expressions nested "
		  "more than 100 deep");
	for (size_t i = 0; i < 3000; i++)
		text[used + i] = i % 2 ? '+' : '1';
	CHECK_EQ(tr_probes_read_text(probes, "test", text), TR_E_CORRUPT);
	CHECK_EQ(tr_probes_count(probes), 0);
	tr_probes_free(probes);
	/* Each variable is twice the one before. */
	used = (size_t)snprintf(text, sizeof(text), "p: program:use { $a = arg0; ");
	for (char c = 'b'; c <= 'z'; c++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "$%c = $%c + $%c; ", c, c - 1, c - 1);
	snprintf(text + used, sizeof(text) - used, "a = $z }");
	CHECK(!try_file(text, PROBES "/rv64-2.elf"));
}

static void check_files(void)
{
	struct tr_probes *probes = tr_probes_new();
	CHECK_EQ(tr_probes_read(probes, "/nonexistent/p"), TR_E_IO);
	CHECK_STR(tr_probes_message(probes), "/nonexistent/p: No such file or directory");
	CHECK_EQ(tr_probes_read(probes, fixture_write("p", (const uint8_t *)"a\0b", 3)),
		 TR_E_CORRUPT);
	CHECK_EQ(tr_probes_read(probes, fixture_write("p", (const uint8_t *)"", 0)),
		 TR_OK);
	CHECK_EQ(tr_probes_resolve(probes, "program", "/nonexistent/p"), TR_OK);
	CHECK_EQ(tr_probes_read_text(probes, "t", "p: program:use { a = arg0 }"), TR_OK);
	CHECK_STR(tr_probes_unresolved(probes), "program");
	CHECK_EQ(tr_probes_resolve(probes, "program", "/nonexistent/p"), TR_E_IO);
	CHECK_EQ(tr_probes_resolve(probes, "program", PROBES "/rv64-2.elf"), TR_OK);
	CHECK(!tr_probes_unresolved(probes));
	tr_probes_free(probes);
}

int main(void)
{
	fixture_begin();
	struct tr_buffer text = fixture_read("tests/probe/program.probes");
	tr_buffer_add(&text, "", 1);
	machine_load(&machine, PROBES "/rv64-2.elf");
	CHECK(try_file((const char *)text.data, PROBES "/rv64-2.elf"));
	CHECK(try_file((const char *)text.data, PROBES "/module.ko"));
	damage_text((const char *)text.data);
	check_limits();
	check_files();
	damage_file((const char *)text.data, PROBES "/rv64-2.elf");
	damage_file((const char *)text.data, PROBES "/module.ko");
	tr_buffer_free(&text);
	return fixture_end();
}
