/* SPDX-License-Identifier: Apache-2.0 */
/* The ELF file of a memory, read again by the loader of the simulators: pages that are
 * far apart, more of them than it has segments, and a page outside. Which states are
 * refused that no machine writes. */
#include <stdlib.h>
#include <unistd.h>

#include "../../sim/model/csr.h"
#include "../../sim/restore/elf.h"
#include "../../sim/restore/page.h"
#include "base/little.h"
#include "check.h"

enum { PAGE = 4096, MOST_SEGMENTS = 1024 };

static char path[] = "/tmp/restore-elf.XXXXXX";

/* Writes a memory of `pages` pages, of which each `step`-th has a number; returns the
 * segments. */
static unsigned write_memory(uint8_t *ram, size_t pages, size_t step,
			     const struct restore_elf *outside)
{
	struct restore_elf elf = *outside;
	uint8_t header[64] = {0};

	memset(ram, 0, pages * PAGE);
	for (size_t i = 0; i < pages; i += step)
		tr_store64(ram + i * PAGE + PAGE - 8, i + 1);
	elf.ram = ram;
	elf.ram_size = pages * PAGE;
	FILE *file = fopen(path, "w+");
	if (!CHECK(file))
		return 0;
	CHECK(restore_write_elf(file, &elf));
	rewind(file);
	CHECK_EQ(fread(header, sizeof(header), 1, file), 1);
	CHECK_EQ(fclose(file), 0);
	return tr_load32(header + 56) & 0xffff;
}

/* Checks that a machine with this memory and a page more has the same contents. */
static void check_loaded(const uint8_t *ram, size_t pages, const uint8_t *last)
{
	struct soc_image image;

	CHECK(soc_image_init(&image, (pages + 1) * PAGE));
	CHECK(soc_image_load_elf(&image, path));
	CHECK_EQ(image.entry, SOC_RESET_PC);
	CHECK(memcmp(image.ram, ram, pages * PAGE) == 0);
	CHECK(memcmp(image.ram + pages * PAGE, last, PAGE) == 0);
	soc_image_free(&image);
}

static void check_segments(void)
{
	const size_t most = (size_t)2 * MOST_SEGMENTS * 8;
	uint8_t *ram = malloc(most * PAGE), page[PAGE] = {1, 2, 3};
	const struct {
		size_t pages, step;
		unsigned segments; /* and the page */
	} cases[] = {
	    {1, 1, 1},
	    {100, 1, 1},
	    {100, 5, 1},
	    {100, 6, 17},
	    {(MOST_SEGMENTS - 2) * 8 + 1, 8, MOST_SEGMENTS - 1},
	    {(MOST_SEGMENTS - 1) * 8 + 1, 8, 1},
	    {most, 8, 1},
	};

	if (!CHECK(ram))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct restore_elf outside = {
		    .page = page, .page_at = SOC_RAM_BASE + cases[i].pages * PAGE};

		CHECK_EQ(write_memory(ram, cases[i].pages, cases[i].step, &outside),
			 cases[i].segments + 1);
		check_loaded(ram, cases[i].pages, page);
	}
	/* Below memory the page is the first segment, where this machine has none. */
	const struct restore_elf below = {.page = page, .page_at = 0x1000};
	struct soc_image image;

	CHECK_EQ(write_memory(ram, 10, 1, &below), 2);
	CHECK(soc_image_init(&image, (uint64_t)10 * PAGE));
	CHECK(!soc_image_load_elf(&image, path));
	CHECK(strstr(image.message, "segment 0"));
	soc_image_free(&image);
	free(ram);
}

static void check_refusals(void)
{
	struct checkpoint c = {.harts = 1, .states[0].reservation = SOC_NOT_RESERVED};

	CHECK(!restore_refusal(&c, true));
	CHECK(!restore_doubt(&c, true, 0));
	c.states[0].mstatus = SOC_MSTATUS_MPRV;
	CHECK(strstr(restore_refusal(&c, true), "MPRV"));
	c.states[0].mstatus = 0;
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++) {
		c.states[0].pmpcfg = UINT64_C(0x1f) << 8 * i;
		CHECK(!restore_refusal(&c, true));
		c.states[0].pmpcfg = UINT64_C(0x80) << 8 * i;
		CHECK(strstr(restore_refusal(&c, false), "PMP"));
	}
}

int main(void)
{
	int fd = mkstemp(path);

	if (!CHECK(fd >= 0))
		return check_done();
	close(fd);
	check_segments();
	check_refusals();
	unlink(path);
	return check_done();
}
