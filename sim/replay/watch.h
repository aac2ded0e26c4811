/* SPDX-License-Identifier: Apache-2.0 */
/* Stops of a replay before chosen instructions, where the model has the registers and the
 * memory that the machine had. */
#ifndef REPLAY_WATCH_H
#define REPLAY_WATCH_H

#include "replay.h"

/* What is known of an instruction that a hart is about to execute. */
struct replay_reached {
	unsigned hart;
	uint32_t space; /* as in notes: tr_note_space() */
	uint8_t priv;
	uint64_t pc, cycle; /* in which it commits */
	/* Its row, among all of the hart's in the trace, and its number there; both from
	 * 0. */
	uint64_t row;
	unsigned token;
	/* By tr-match: N of the header's bin.N and the address in its file, of watched
	 * code only; otherwise TR_NOTE_UNKNOWN. */
	uint32_t binary;
	uint64_t address;
	/* The instruction before it, if that has jumped here without a link; 0 otherwise.
	 * A trap in between does not count. */
	uint64_t jumped_from, behind_jump;
	uint64_t behind; /* the address of the next instruction in memory */
};

struct replay_watch {
	void *user;
	/* Returns whether the instruction at this address is watched, in any mode: it is
	 * asked once for each block of the trace. */
	bool (*wants)(void *user, uint64_t pc);
	/* The same by the code of the instruction; may be NULL. */
	bool (*wants_insn)(void *user, const uint8_t *code, unsigned size);
	/* Returns whether an instruction of bin.`binary` is watched whose address in the
	 * file is one of `size` from `address` on: it is asked for the notes of the
	 * trace. May be NULL. */
	bool (*wants_code)(void *user, uint32_t binary, uint64_t address, unsigned size);
	/* Returns whether the instruction at which a block of the trace begins is
	 * watched: that at this address, in any mode, or of this binary as above. May be
	 * NULL. */
	bool (*wants_block)(void *user, uint32_t binary, uint64_t address);
	/* Whether reached() gets the binary of any code, not only of watched code. */
	bool tells_binaries;
	void (*reached)(void *user, const struct replay_reached *reached);
	/* Called for each write of sp; may be NULL. */
	void (*wrote_sp)(void *user, uint64_t sp);
};
/* Call before the first frame. */
void replay_watch(struct replay *r, const struct replay_watch *watch);
/* Begins or ends to watch an address to which a call returns, and the call or jump before
 * it; reached() may also be called for other addresses. */
void replay_watch_return(struct replay *r, uint64_t pc, bool on);
/* Calls reached() before the first instruction of the hart that commits in this cycle or
 * later. */
void replay_watch_cycle(struct replay *r, unsigned hart, uint64_t cycle);
/* Calls it before the instruction of the hart that comes after `instret` others, or the
 * next one that the trace has. */
void replay_watch_instruction(struct replay *r, unsigned hart, uint64_t instret);
/* Ends both. */
void replay_watch_nothing(struct replay *r);
/* wants() now answers differently. Notes of frames before are forgotten. */
void replay_watch_others(struct replay *r);
struct replay_accesses {
	void *user;
	/* Called for each access of a hart to memory or a device. */
	void (*access)(void *user, unsigned hart, const struct soc_access *access);
	/* Called for the address of each load, store and atomic that commits, which takes
	 * less time: soc_hooks.data. */
	void (*data)(void *user, unsigned hart, const struct soc_data *data);
	/* The hart's next instruction is token `token` of a row, among all of the hart's
	 * in the trace: there the replay begins, or continues in a window. */
	void (*begins)(void *user, unsigned hart, uint64_t row, unsigned token);
	/* Called before bytes of memory change that no instruction of the trace writes,
	 * before the hart's next one: a device writes them or, with `untraced`, it
	 * happened before a window. */
	void (*external_write)(void *user, unsigned hart, uint64_t address,
			       const uint8_t *data, uint32_t size, bool untraced);
};
/* Calls these, of which each may be NULL, or with NULL nothing. Calls for each access
 * take time. */
void replay_watch_accesses(struct replay *r, const struct replay_accesses *accesses);

/* Called by reached(): the replay pauses there. replay_frame() and replay_end() then
 * return false without a message, as replay_resume() does, which continues after either.
 */
void replay_pause(struct replay *r);
bool replay_is_paused(const struct replay *r);
bool replay_resume(struct replay *r);

#endif
