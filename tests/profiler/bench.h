/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that runs one function of a program in U-mode: with random registers and a
 * window of memory, until it traps, which a return does as well. Everything but the
 * program's code, the window and the counters is out of its reach, so that each run ends
 * in the same way with and without stubs. */
#ifndef PROFILER_BENCH_H
#define PROFILER_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BENCH_STEPS = 4096, /* instructions of a run, at most */
	BENCH_WINDOW = 4096,
};
#define BENCH_CODE     UINT64_C(0x80010000) /* code is from here */
#define BENCH_CODE_END UINT64_C(0x86000000)
#define BENCH_COUNTERS UINT64_C(0x87000000)

struct bench_end {
	uint64_t x[32], f[32], fcsr, cause, tval, epc;
	uint8_t window[BENCH_WINDOW];
};

/* An instruction that was executed, or that trapped. */
struct bench_step {
	uint64_t pc;
	uint32_t rd; /* the register that it writes, or 0 */
};

struct bench {
	struct soc *soc;
	uint64_t stop; /* a run also ends before an instruction here, if not 0 */
	unsigned step_count;
	struct bench_step steps[BENCH_STEPS];
	bool trapped;
	struct bench_end end;
};

/* Returns a machine with the program, or NULL after a message. */
struct bench *bench_new(const char *program);
void bench_free(struct bench *bench);
void bench_write(struct bench *bench, uint64_t address, const void *data, size_t size);
void bench_read(const struct bench *bench, uint64_t address, void *data, size_t size);

/* Sets the registers and the window, which depend on the seed alone, and the pc. */
void bench_start(struct bench *bench, uint64_t pc, uint64_t seed);
/* Continues up to the trap, and fills in `end`, or up to bench->stop, and returns true.
 */
bool bench_execute(struct bench *bench);
void bench_set_pc(struct bench *bench, uint64_t pc);
uint64_t bench_pc(const struct bench *bench);

#endif
