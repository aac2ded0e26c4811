/* SPDX-License-Identifier: Apache-2.0 */
/* The harness's own state, shared by harness*.c. */
#ifndef RTL_HARNESS_STATE_H
#define RTL_HARNESS_STATE_H

#include <signal.h>

#include "counters.h"
#include "harness.h"
#include "lockstep/lockstep.h"
#include "rtl.h"

enum { HARNESS_A1 = 11 }; /* the register */

struct harness {
	struct machine machine; /* first */
	struct rtl rtl;
	struct soc_image image;
	struct memory *memory;
	struct harness_options options;
	struct machine_hooks hooks;
	struct tr_context context; /* after the last token or trap */
	struct rtl_commit commit;  /* the token in hand */
	bool watches_exit;
	bool held; /* `commit` was shown to the caller, and is to be counted */
	bool off;  /* it switched the power off */
	volatile sig_atomic_t stop;
	struct {
		unsigned count; /* since the last token */
		uint64_t tokens;
		struct soc_trap first, last;
	} traps;
	struct {
		uint8_t bytes[16];
		unsigned first, count;
	} rx;
	uint64_t awake; /* the last cycle known to have been spent in WFI */
	uint64_t a1;	/* at reset */
	struct soc *model;
	struct lockstep *lockstep;
	struct counters *counters;
	const char *failure, *end;
};

static inline struct harness *harness_of(struct machine *m)
{
	return (struct harness *)m;
}

static inline const struct harness *harness_of_const(const struct machine *m)
{
	return (const struct harness *)m;
}

/* As machine_ops.run. */
enum machine_stop harness_run(struct machine *m, uint64_t instret, uint64_t cycle);

/* Does the token in hand switch the power off? */
bool harness_is_power_off(const struct harness *h);

#endif
