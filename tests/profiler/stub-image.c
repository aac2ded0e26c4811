/* SPDX-License-Identifier: Apache-2.0 */
/* stub-image: writes the memory of a machine, from its first byte on, into which PROGRAM
 * is loaded, with the stubs and entries that prof-extract has planned in FOLDER, if that
 * is given. It begins with a jump to the program. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "plan.h"

#define MEMORY UINT64_C(0x80000000)
enum { SIZE = 12 << 20 };

int main(int argc, char **argv)
{
	/* auipc t0, 0x400; jr t0: where stub_cycles.ld has the program's first one. */
	static const uint32_t start[] = {0x00400297, 0x00028067};
	static uint8_t image[SIZE];

	if (argc != 2 && argc != 3) {
		fputs("usage: stub-image PROGRAM [FOLDER]\n", stderr);
		return 2;
	}
	struct bench *bench = bench_new(argv[1]);
	if (argc == 3) {
		struct plan plan;
		plan_read(&plan, argv[2], PLAN_BESIDE);
		plan_install(&plan, bench);
		plan_free(&plan);
	}
	bench_write(bench, MEMORY, start, sizeof(start));
	bench_read(bench, MEMORY, image, sizeof(image));
	bench_free(bench);
	if (fwrite(image, sizeof(image), 1, stdout) != 1 || fclose(stdout)) {
		fputs("stub-image: cannot write\n", stderr);
		return 2;
	}
	return 0;
}
