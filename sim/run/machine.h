/* SPDX-License-Identifier: Apache-2.0 */
/* A simulator as the command line, the triggers and the trace see it.
 *
 * Time is in cycles since reset. A token is an instruction that committed. Rows and
 * traps are the model's words (model/model.h); a machine with timing hands out tokens
 * one by one, and what cycles were lost for, in place of rows.
 */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include "cli/cli.h"
#include "model/load.h"
#include "model/model.h"
#include "stream/stream.h"
#include "trigger.h"

struct machine {
	const struct machine_ops *ops;
	struct soc_image *image;   /* RAM, to be loaded before the run */
	const struct tr_run *runs; /* of the trap in the hook */
	unsigned nruns;
};

enum machine_stop {
	MACHINE_LIMIT,	 /* one of the limits is reached */
	MACHINE_REQUEST, /* request_stop() */
	MACHINE_POWER,	 /* the target wrote the power-off register */
	MACHINE_BREAK,	 /* the next token meets what is watched for */
	MACHINE_IDLE,	 /* WFI, and nothing inside the machine will end it */
	MACHINE_LOOP,	 /* traps for ever without a commit */
	MACHINE_FAILED,	 /* it cannot go on: explain() */
};

struct machine_state {
	uint64_t cycle; /* before a token (MACHINE_BREAK): after the one before it */
	uint64_t instret;
	struct tr_context context;
	uint64_t sp; /* if it is known: the token that comes next may have changed it */
	bool has_sp;
};

/* The token that comes next. */
struct machine_next {
	uint64_t pc;
	uint32_t insn; /* 0 if it cannot be read */
	bool known;    /* else the machine will only see it when it commits */
	bool exit;     /* it switches the power off */
};

/* As struct soc_hooks; each may be NULL. */
struct machine_hooks {
	void *user;
	void (*row)(void *user, unsigned hart, const struct soc_row *row);
	/* Not past a trap, nor past a token with xret, satp or reg to tell. The last of
	 * them committed in `cycle`. */
	void (*tokens)(void *user, unsigned hart, const struct tr_batch *batch,
		       uint64_t cycle);
	void (*trap)(void *user, unsigned hart, const struct soc_trap *trap);
	void (*xret)(void *user, unsigned hart, unsigned priv);
	void (*satp)(void *user, unsigned hart, uint64_t satp);
	void (*reg)(void *user, unsigned hart, unsigned reg, uint64_t value);
	void (*uart)(void *user, uint8_t byte);
};

/* What it counts out of band: a sum of a signal, or the cycles at one of its values. */
struct machine_counter {
	const char *label; /* unique, without a comma */
	const char
	    *point; /* what all columns of a histogram begin with; else the label */
	const char *description;
	bool histogram;
	unsigned width; /* of what is added in a cycle, in bits */
};

enum machine_count {
	MACHINE_COUNT_OFF,
	MACHINE_COUNT,
	MACHINE_COUNT_AHEAD, /* MACHINE_BREAK comes after counting further, see counts()
			      */
};

struct machine_ops {
	/* Runs until instret or cycle reach these values, or another reason. After
	 * MACHINE_BREAK it begins with the token in question. */
	enum machine_stop (*run)(struct machine *m, uint64_t instret, uint64_t cycle);
	/* Before the first run(): hooks for tokens will be set, if not now. NULL if the
	 * machine need not know. */
	void (*observe)(struct machine *m);
	/* From a signal handler: run() returns soon. */
	void (*request_stop)(struct machine *m);
	void (*state)(const struct machine *m, struct machine_state *state);
	void (*next)(const struct machine *m, struct machine_next *next);
	/* MACHINE_BREAK before tokens that meet the trigger; false if the machine
	 * cannot see them ahead. */
	bool (*watch)(struct machine *m, const struct trigger *trigger);
	/* Before the first run(): register a1 has this value at reset, instead of 0. */
	void (*set_a1)(struct machine *m, uint64_t value);
	void (*set_hooks)(struct machine *m, const struct machine_hooks *hooks);
	/* All counters; NULL if the machine has none, as are the next three. */
	size_t (*counters)(const struct machine *m, const struct machine_counter **list);
	/* Those that counts() tells, by their numbers; false: out of memory. */
	bool (*choose)(struct machine *m, const size_t *numbers, size_t n);
	void (*count)(struct machine *m, enum machine_count how);
	/* Those chosen, at the cycle of state(); before a token (MACHINE_BREAK) this
	 * needs MACHINE_COUNT_AHEAD. */
	void (*counts)(const struct machine *m, uint64_t *values);
	/* Bytes for the UART; returns how many it took. */
	size_t (*receive)(struct machine *m, const uint8_t *data, size_t size);
	enum soc_power (*power)(const struct machine *m, unsigned *status);
	/* After MACHINE_LOOP: of the traps since the last commit. */
	void (*chain)(const struct machine *m, struct soc_trap *first,
		      struct soc_trap *last);
	/* After MACHINE_FAILED: messages, and the word for the end record. */
	const char *(*explain)(const struct machine *m, const struct tr_cli *cli);
};

static inline struct machine_state machine_now(const struct machine *m)
{
	struct machine_state state;

	m->ops->state(m, &state);
	return state;
}

#endif
