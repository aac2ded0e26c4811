/* SPDX-License-Identifier: Apache-2.0 */
/* The mode that a hart runs in, as the privileged specification names it: the nominal
 * privilege, the virtualisation mode V of the hypervisor extension, and Debug mode.
 * Streams and records hold it in one number, `priv`; only this file takes that number
 * apart (`make test-modes`). */
#ifndef TR_MODE_H
#define TR_MODE_H

#include <stdbool.h>
#include <stdint.h>

/* Parts of the number. The first three are the nominal privileges, encoded as in the
 * privileged specification (1.2); TR_PRIV_V is added to U or S in VU and VS, TR_PRIV_D to
 * M in Debug mode. */
enum tr_priv {
	TR_PRIV_U = 0,
	TR_PRIV_S = 1,
	TR_PRIV_M = 3,
	TR_PRIV_V = 4,
	TR_PRIV_D = 8
};
enum { TR_NOMINAL_PRIVS = 4 }; /* for arrays; 2 is reserved */

struct tr_mode {
	uint8_t nominal; /* TR_PRIV_U, TR_PRIV_S or TR_PRIV_M; 2 in damaged sources */
	bool is_virtual; /* V is 1: the mode is VU or VS, and a guest runs */
	bool is_debug;
};

static inline struct tr_mode tr_mode_of(uint8_t priv)
{
	struct tr_mode mode;
	mode.nominal = priv & 3;
	mode.is_virtual = (priv & TR_PRIV_V) != 0;
	mode.is_debug = (priv & TR_PRIV_D) != 0;
	return mode;
}

/* Returns true in U and VU. */
static inline bool tr_mode_is_user(struct tr_mode mode)
{
	return mode.nominal == TR_PRIV_U;
}

/* Returns true in S, which is HS with the hypervisor extension, and in VS. */
static inline bool tr_mode_is_supervisor(struct tr_mode mode)
{
	return mode.nominal == TR_PRIV_S;
}

static inline bool tr_mode_is_machine(struct tr_mode mode)
{
	return mode.nominal == TR_PRIV_M;
}

#endif
