/* SPDX-License-Identifier: Apache-2.0 */
/* A model that acts as the core: it runs a program by itself, with devices and
 * interrupts, and passes its commits to the comparison. `spoil` may change them. */
#ifndef LOCKSTEP_PLAYER_H
#define LOCKSTEP_PLAYER_H

#include <stdlib.h>

#include "../../sim/lockstep/lockstep.h"
#include "check.h"

struct player {
	struct soc *core, *model;
	struct lockstep *l;
	struct rtl_commit c; /* under construction */
	uint8_t priv;	     /* the core's, before the event */
	uint64_t events, stopped_at;
	bool differs;
	/* Called before event number `events` is compared. */
	void (*spoil)(struct player *p, struct rtl_commit *c);
	void *user;
	/* The CSR that reads wrong: */
	unsigned wrong_csr;
	uint64_t wrong_bits;
};

static void player_deliver(struct player *p)
{
	p->c.priv = p->priv;
	p->c.next_priv = (uint8_t)soc_priv(p->core, 0);
	p->c.cycle = soc_cycle(p->core, 0);
	CHECK(soc_csr(p->core, 0, 0x180, &p->c.satp));
	p->priv = p->c.next_priv;
	if (p->differs)
		return;
	if (p->spoil)
		p->spoil(p, &p->c);
	if (!lockstep_commit(p->l, &p->c)) {
		p->differs = true;
		p->stopped_at = p->events;
	}
	p->events++;
	p->c = (struct rtl_commit){0};
}

static void player_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct player *p = user;

	(void)hart;
	p->c.pc = commit->pc;
	p->c.insn = commit->insn;
	p->c.rd = commit->rd;
	p->c.value = commit->value;
}

static void player_access(void *user, unsigned hart, const struct soc_access *access)
{
	struct player *p = user;

	(void)hart;
	p->c.address = access->address;
	p->c.device = access->device;
	p->c.size = (uint8_t)__builtin_ctz(access->size);
	if (access->write)
		p->c.data = access->value;
	if (access->write)
		p->c.store = true;
	else
		p->c.load = true;
}

static void player_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct player *p = user;

	(void)hart;
	p->c = (struct rtl_commit){.pc = trap->epc, .value = trap->tval, .trap = true};
	p->c.cause =
	    (uint8_t)((trap->cause >> 63 ? COMMIT_INTERRUPT : 0) | (trap->cause & 31));
	player_deliver(p);
}

static void player_xret(void *user, unsigned hart, unsigned priv)
{
	(void)hart, (void)priv;
	((struct player *)user)->c.xret = true;
}

static void player_satp(void *user, unsigned hart, uint64_t satp)
{
	(void)hart, (void)satp;
	((struct player *)user)->c.wrote_satp = true;
}

static bool player_csr(void *user, unsigned csr, uint64_t *value)
{
	struct player *p = user;

	if (!soc_csr(p->core, 0, csr, value))
		return false;
	if (csr == p->wrong_csr)
		*value ^= p->wrong_bits;
	return true;
}

static void player_init(struct player *p, bool fpu)
{
	const struct soc_config config = {.harts = SOC_HARTS, .features.fpu = fpu};
	const struct soc_hooks hooks = {.user = p,
					.trap = player_trap,
					.xret = player_xret,
					.satp = player_satp,
					.commit = player_commit,
					.access = player_access};
	const struct lockstep_side side = {.user = p, .csr = player_csr};

	*p = (struct player){.core = soc_new(&config), .model = soc_new(&config)};
	p->priv = 3;
	soc_set_hooks(p->core, &hooks);
	p->l = lockstep_new(p->model, &side);
	CHECK(p->l != NULL);
}

/* Loads an image into both sides, before the first step. */
static void player_load(struct player *p, const char *elf)
{
	if (!CHECK(soc_load_elf(p->core, elf)) || !CHECK(soc_load_elf(p->model, elf)))
		fprintf(stderr, "%s\n", soc_message(p->core));
}

static void player_release(struct player *p)
{
	lockstep_free(p->l);
	soc_free(p->core);
	soc_free(p->model);
}

/* Executes one commit of the core with the traps before it. Returns false when the run is
 * over. */
static bool player_step(struct player *p)
{
	if (soc_step(p->core) != SOC_STOP_LIMIT)
		return false;
	player_deliver(p);
	return !p->differs;
}

/* Returns the report, valid until the next call. */
static inline const char *player_report(const struct lockstep *l)
{
	static char text[16384];
	FILE *to = fmemopen(text, sizeof(text), "w");

	lockstep_report(l, to);
	fclose(to);
	return text;
}

#endif
