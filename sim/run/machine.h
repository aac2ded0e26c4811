/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of a simulator to the command line, the triggers and the trace.
 *
 * Time is in cycles since reset. A token is a committed instruction. Rows and traps are
 * as in model/model.h; a machine with timing delivers single tokens, with classes of lost
 * cycles, in place of rows. */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include "cli/cli.h"
#include "model/load.h"
#include "model/model.h"
#include "model/state.h"
#include "stream/stream.h"
#include "trigger.h"

struct machine_hooks;
struct machine_state;

/* Of a sampled run, in which the machine executes all, and windows of the hardware: these
 * are told as those of a further hart, behind the others. */
struct machine_sample {
	const struct machine_sample_ops *ops;
	uint64_t interval, length, warm; /* instructions */
	bool on;			 /* windows are wanted: set by the session */
};

struct machine_sample_ops {
	/* Called when memory is loaded, before the run of up to so many instructions.
	 * Returns NULL, or why it cannot begin. */
	const char *(*begin)(struct machine_sample *sample, uint64_t instret);
	/* Called after the run: waits for the last windows, and passes all on, in their
	 * order, from `cycle` on. Returns NULL, or what is missing. */
	const char *(*tell)(struct machine_sample *sample, unsigned hart, uint64_t cycle,
			    void (*open)(void *user, unsigned hart,
					 const struct machine_state *state),
			    const struct machine_hooks *hooks);
};

struct machine {
	const struct machine_ops *ops;
	struct soc_image *image; /* RAM, to be filled before the run */
	struct soc_features features;
	struct soc_disk *disk; /* with features.disk */
	bool has_nic;	       /* a network interface */
	bool is_node;	       /* of a network: `node` is its number */
	unsigned node;
	unsigned harts;
	struct machine_sample *sample; /* NULL: the run is not sampled */
	const struct tr_run *runs;     /* timing runs of the trap in the hook */
	unsigned nruns;
};

enum machine_stop {
	MACHINE_LIMIT,	 /* one of the limits is reached */
	MACHINE_REQUEST, /* request_stop() */
	MACHINE_POWER,	 /* the target wrote the power-off register */
	MACHINE_BREAK,	 /* the next token matches the watched trigger */
	MACHINE_IDLE,	 /* WFI that nothing inside the machine will end */
	MACHINE_LOOP,	 /* endless traps without a commit */
	MACHINE_FAILED,	 /* cannot continue: explain() */
};

struct machine_state {
	uint64_t cycle; /* at MACHINE_BREAK: the end of the previous token */
	uint64_t instret;
	struct tr_context context;
	uint64_t sp; /* if known: the next token may have changed it */
	bool has_sp;
};

/* The next token. */
struct machine_next {
	uint64_t pc;
	uint32_t insn; /* 0 if it cannot be read */
	bool known;    /* else it is unknown until it commits */
	bool exit;     /* it powers the machine off */
	/* Programs of which it may be the first token; NULL: of none that is watched. */
	const struct exec_watch *begins;
};

/* Corresponds to struct soc_hooks. Each hook may be NULL. */
struct machine_hooks {
	void *user;
	void (*row)(void *user, unsigned hart, const struct soc_row *row);
	/* A batch does not extend past a trap, nor past a token with xret, satp or reg.
	 * The last token committed in `cycle`. */
	void (*tokens)(void *user, unsigned hart, const struct tr_batch *batch,
		       uint64_t cycle);
	void (*trap)(void *user, unsigned hart, const struct soc_trap *trap);
	void (*xret)(void *user, unsigned hart, unsigned priv);
	void (*satp)(void *user, unsigned hart, uint64_t satp);
	void (*reg)(void *user, unsigned hart, unsigned reg, uint64_t value);
	/* Called before the row or the tokens with the instruction. */
	void (*input)(void *user, unsigned hart, const struct soc_input *input);
	/* A device has written to memory in this cycle, before the tokens that commit in
	 * it: `size` bytes from a physical address. */
	void (*device_write)(void *user, uint64_t cycle, uint64_t address,
			     const uint8_t *data, uint32_t size);
	/* The hash of the registers, before the next token. */
	void (*registers)(void *user, unsigned hart, uint64_t hash);
	void (*uart)(void *user, uint8_t byte);
};

/* A counter read out of band: the sum of a signal, or the cycles at one of its values. */
struct machine_counter {
	const char *label; /* unique, without a comma */
	const char
	    *point; /* what all columns of a histogram begin with; else the label */
	const char *description;
	bool histogram;
	unsigned width; /* bits added in one cycle */
};

enum machine_count {
	MACHINE_COUNT_OFF,
	MACHINE_COUNT,
	MACHINE_COUNT_AHEAD, /* counts past it, see counts() */
};

struct machine_ops {
	/* Runs until instret or cycle reach these values or something else stops it;
	 * returns the reason. After MACHINE_BREAK, continues with the matching token. */
	enum machine_stop (*run)(struct machine *m, uint64_t instret, uint64_t cycle);
	/* Called before the first run() if hooks for tokens will be set later. NULL if
	 * the machine need not know. */
	void (*observe)(struct machine *m);
	/* Makes run() return soon. Callable from a signal handler. */
	void (*request_stop)(struct machine *m);
	/* Gets the state of the hart that executes next, if it is known, else of any.
	 * With several harts, cycle is that of the one furthest ahead, and instret the
	 * sum. */
	void (*state)(const struct machine *m, struct machine_state *state);
	/* Gets the state of one hart. NULL if there is only one. */
	void (*hart)(const struct machine *m, unsigned hart, struct machine_state *state);
	void (*next)(const struct machine *m, struct machine_next *next);
	/* Requests MACHINE_BREAK before tokens that match the trigger. Returns false if
	 * the machine does not know tokens in advance. */
	bool (*watch)(struct machine *m, const struct trigger *trigger);
	/* Sets register a1 at reset, by default 0. Called before the first run(). */
	void (*set_a1)(struct machine *m, uint64_t value);
	/* Sets the state of all harts, and of the devices, which is the same in each, in
	 * place of that at reset. Called before the first run(), when RAM is loaded and
	 * before observe(). Returns false if memory runs out. */
	bool (*resume)(struct machine *m, const struct soc_state *states);
	/* Gets the hash of the registers as the last token or trap of a hart has left
	 * them. Returns false where that is not known: a token is shown by
	 * MACHINE_BREAK, or floating-point values are still being computed. */
	bool (*registers)(const struct machine *m, unsigned hart, uint64_t *hash);
	/* Gets the state of all harts before the next token, and lets image->ram have
	 * what memory has. Returns false if the state is not known here, but it is soon.
	 */
	bool (*save)(const struct machine *m, struct soc_state *states);
	/* Gets the last uses of RAM, of a machine of one hart. Returns false if memory
	 * runs out. */
	bool (*uses)(const struct machine *m, struct soc_line_uses *uses);
	/* Called after resume(): fills the caches as these uses, from the oldest, leave
	 * them; uses() has them as well. */
	void (*fill_caches)(struct machine *m, const struct soc_line_uses *uses);
	/* For the replay of a window: gets the state of a hart and its CSRs, not of
	 * devices, after its last token, or before it: then *back stays true. The state
	 * may have another pc than the hart. Returns false if it is not known here, but
	 * it is soon. */
	bool (*snapshot)(const struct machine *m, unsigned hart, struct soc_state *state,
			 bool *back);
	/* Passes on what memory has now, at physical addresses, wherever it may have
	 * changed since the last call, or the start of the run. With NULL nothing is
	 * passed on. */
	void (*changes)(struct machine *m, void *user,
			void (*put)(void *user, uint64_t address, const uint8_t *data,
				    uint32_t size));
	void (*set_hooks)(struct machine *m, const struct machine_hooks *hooks);
	/* Returns the number of all counters. This and the next three are NULL if the
	 * machine has none. */
	size_t (*counters)(const struct machine *m, const struct machine_counter **list);
	/* Selects the counters that counts() returns, by their indices. Returns false if
	 * memory runs out. */
	bool (*choose)(struct machine *m, const size_t *numbers, size_t n);
	void (*count)(struct machine *m, enum machine_count how);
	/* Gets the selected counters at the cycle of state(); before a token
	 * (MACHINE_BREAK) this requires MACHINE_COUNT_AHEAD. */
	void (*counts)(const struct machine *m, uint64_t *values);
	/* Offers bytes to the UART; returns how many it took. */
	size_t (*receive)(struct machine *m, const uint8_t *data, size_t size);
	enum soc_power (*power)(const struct machine *m, unsigned *status);
	/* After MACHINE_LOOP: the first and last trap since the last commit. */
	void (*chain)(const struct machine *m, struct soc_trap *first,
		      struct soc_trap *last);
	/* After MACHINE_FAILED: prints messages, and returns the word for the end
	 * record. */
	const char *(*explain)(const struct machine *m, const struct tr_cli *cli);
};

static inline struct machine_state machine_now(const struct machine *m)
{
	struct machine_state state;

	m->ops->state(m, &state);
	return state;
}

static inline struct machine_state machine_hart(const struct machine *m, unsigned hart)
{
	struct machine_state state;

	if (!m->ops->hart)
		return machine_now(m);
	m->ops->hart(m, hart, &state);
	return state;
}

#endif
