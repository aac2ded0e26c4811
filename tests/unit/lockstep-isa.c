/* SPDX-License-Identifier: Apache-2.0 */
/* The self-checking programs run in lockstep without a difference. Those of the copy unit
 * do so on the hardware; lockstep-copies.c has its errors. */
#include <glob.h>

#include "lockstep-player.h"

enum { MOST = 20000000 };

/* Reads the standard input that run.sh gives the program; returns its size. */
static size_t input_of(const char *elf, uint8_t *data, size_t size)
{
	char path[256];
	const char *name = strrchr(elf, '/') + 1;

	snprintf(path, sizeof(path), "tests/isa/%.*s.in", (int)strcspn(name, "."), name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return 0;
	size = fread(data, 1, size, f);
	fclose(f);
	return size;
}

static uint64_t runs(const char *elf)
{
	struct player p;
	uint8_t input[256];
	size_t length = input_of(elf, input, sizeof(input)), sent = 0;

	player_init(&p, strstr(elf, "/float-") != NULL);
	player_load(&p, elf);
	while (player_step(&p) && p.events < MOST)
		if (sent < length)
			sent += soc_uart_receive(p.core, input + sent, length - sent);
	if (!CHECK(!p.differs) || !CHECK(soc_power_state(p.core) == SOC_POWERED_OFF)) {
		fprintf(stderr, "%s:\n", elf);
		lockstep_report(p.l, stderr);
	}
	uint64_t events = p.events;
	player_release(&p);
	return events;
}

int main(void)
{
	glob_t found;
	uint64_t events = 0;

	CHECK_EQ(glob("build/isa/*.elf", 0, NULL, &found), 0);
	CHECK(found.gl_pathc > 90);
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (!strstr(found.gl_pathv[i], "/copy-"))
			events += runs(found.gl_pathv[i]);
	CHECK(events > 100000);
	globfree(&found);
	return check_done();
}
