/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and thread ids of the unwinder. */
#include "unwind/unwind_names.h"

#include <stdlib.h>
#include <string.h>

enum { VIRTUAL_NAMES = 1 << 18 };

/* In the place of a thread's id: another key has it. */
#define THREAD_MOVED (TR_MAP_NONE - 1)

static uint32_t add_sym(struct tr_names *names, const struct sym *sym)
{
	if (!tr_unwind_reserve(names->status, (void **)&names->syms,
			       &names->syms_capacity, names->nsyms + 1ULL,
			       sizeof(*names->syms)))
		return SYM_UNKNOWN;
	names->syms[names->nsyms] = *sym;
	names->syms[names->nsyms].func = TR_MAP_NONE;
	return names->nsyms++;
}

static uint32_t add_fixed(struct tr_names *names, const char *name, const char *program,
			  enum tr_frame_kind kind, enum sym_role role)
{
	return add_sym(names, &(struct sym){.name = name,
					    .program = program,
					    .kind = (uint8_t)kind,
					    .role = (uint8_t)role});
}

static const char *const exceptions[TRAP_CAUSES] = {
    "[misaligned fetch]",
    "[fetch access fault]",
    "[illegal instruction]",
    "[breakpoint]",
    "[misaligned load]",
    "[load access fault]",
    "[misaligned store]",
    "[store access fault]",
    "[ecall]",
    "[ecall]",
    "[ecall]",
    "[ecall]",
    "[fetch page fault]",
    "[load page fault]",
    NULL,
    "[store page fault]",
    [16] = "[double trap]",
    [18] = "[software check]",
    [19] = "[hardware error]",
    [20] = "[fetch guest-page fault]",
    [21] = "[load guest-page fault]",
    [22] = "[virtual instruction]",
    [23] = "[store guest-page fault]",
};

static const char *const interrupts[TRAP_CAUSES] = {
    [1] = "[software interrupt]",  [2] = "[software interrupt]",
    [3] = "[software interrupt]",  [5] = "[timer interrupt]",
    [6] = "[timer interrupt]",	   [7] = "[timer interrupt]",
    [9] = "[external interrupt]",  [10] = "[external interrupt]",
    [11] = "[external interrupt]", [12] = "[guest external interrupt]",
    [13] = "[counter interrupt]",
};

static const char *const gap_names[GAP_REASONS] = {
    [TR_GAP_UNTRACED] = "[untraced]",
    [TR_GAP_RESET] = "[reset]",
    [TR_GAP_END] = "[end]",
    [TR_GAP_LOST] = "[lost]",
    [TR_GAP_SPLIT] = "[other]",
    [TR_GAP_LIMIT] = "[limit]",
    [6] = "[gap]",
    [7] = "[gap]",
};

/* Firmware and kernels are programs, even if they are linked as libraries are. */
static bool binary_is_library(const struct tr_unwind_options *options, uint32_t binary)
{
	const uint8_t role = options->roles ? options->roles[binary] : TR_UNWIND_ANY;
	return options->libraries && options->libraries[binary] &&
	       role != TR_UNWIND_KERNEL && role != TR_UNWIND_FIRMWARE;
}

static bool name_binaries(struct tr_names *names, const struct tr_unwind_options *options)
{
	const uint32_t count = options->nprograms;
	names->programs = options->programs;
	names->binaries = calloc(count ? count : 1, sizeof(*names->binaries));
	if (!names->binaries)
		return false;
	names->nbinaries = count;
	for (uint32_t i = 0; i < count; i++) {
		const char *name = options->programs[i];
		names->binaries[i].program =
		    binary_is_library(options, i)
			? SYM_UNKNOWN
			: add_fixed(names, name, name, TR_FRAME_PROGRAM, ROLE_PLAIN);
		names->binaries[i].nameless =
		    add_fixed(names, "[no symbol]", name, TR_FRAME_UNKNOWN, ROLE_BLANK);
	}
	return true;
}

/* Causes of the same name, as the calls of the environment from each privilege, are one
 * symbol, and one row of a table. */
static void add_trap_name(struct tr_names *names, unsigned kind, unsigned cause,
			  const char *name)
{
	unsigned i = 0;
	while (i < cause && strcmp(names->syms[names->traps[kind][i]].name, name) != 0)
		i++;
	names->traps[kind][cause] =
	    i < cause ? names->traps[kind][i]
		      : add_fixed(names, name, "", TR_FRAME_TRAP, ROLE_PLAIN);
}

/* Adds the symbols that do not depend on binaries, in the order of their numbers. */
static void add_predefined_names(struct tr_names *names)
{
	add_fixed(names, "", "", TR_FRAME_UNKNOWN, ROLE_PLAIN);
	add_fixed(names, "[unknown]", "", TR_FRAME_UNKNOWN, ROLE_BLANK);
	add_fixed(names, "[ambiguous]", "", TR_FRAME_UNKNOWN, ROLE_BLANK);
	add_fixed(names, "[trap]", "", TR_FRAME_TRAP, ROLE_PLAIN);
	add_fixed(names, "[signal]", "", TR_FRAME_TRAP, ROLE_PLAIN);
	add_fixed(names, "[inject]", "", TR_FRAME_TRAP, ROLE_PLAIN);
	add_fixed(names, "[JIT code]", "", TR_FRAME_UNKNOWN, ROLE_BLANK);
	for (unsigned i = 0; i < TRAP_CAUSES; i++) {
		add_trap_name(names, 0, i, exceptions[i] ? exceptions[i] : "[exception]");
		add_trap_name(names, 1, i, interrupts[i] ? interrupts[i] : "[interrupt]");
	}
	for (unsigned i = 0; i < GAP_REASONS; i++)
		names->gaps[i] =
		    add_fixed(names, gap_names[i], "", TR_FRAME_GAP, ROLE_PLAIN);
}

struct tr_names *tr_names_new(const struct tr_unwind_sink *sink,
			      const struct tr_unwind_options *options,
			      struct unwind_status *status)
{
	struct tr_names *names = calloc(1, sizeof(*names));
	if (!names)
		return NULL;
	names->sink = sink;
	names->status = status;
	add_predefined_names(names);
	if (!name_binaries(names, options) || unwind_failed(status)) {
		tr_names_free(names);
		return NULL;
	}
	names->nthread_ids = 1;
	unwind_fail(status, sink->thread(sink->user, &(struct tr_thread){.name = ""}));
	return names;
}

void tr_names_free(struct tr_names *names)
{
	if (!names)
		return;
	for (uint32_t i = 0; i < names->nbinaries; i++)
		tr_map_free(&names->binaries[i].functions);
	free(names->binaries);
	free(names->syms);
	tr_map_free(&names->identities);
	tr_map_free(&names->thread_ids);
	tr_map_free(&names->virtuals);
	tr_arena_reset(&names->texts);
	free(names);
}

static enum sym_role sym_role_by_name(const char *name)
{
	static const struct {
		const char *name;
		enum sym_role role;
	} roles[] = {
	    {"setjmp", ROLE_SETJMP},	{"_setjmp", ROLE_SETJMP},
	    {"sigsetjmp", ROLE_SETJMP}, {"__sigsetjmp", ROLE_SETJMP},
	    {"__clone", ROLE_CLONE},	{"clone", ROLE_CLONE},
	    {"__clone3", ROLE_CLONE},	{"clone3", ROLE_CLONE},
	};
	/* "setjmp (file.c:12)" is one of several functions of that name */
	const char *place = strstr(name, " (");
	size_t length = place ? (size_t)(place - name) : strlen(name);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strlen(roles[i].name) == length &&
		    memcmp(name, roles[i].name, length) == 0)
			return roles[i].role;
	return strncmp(name, "runtime.", 8) == 0 ? ROLE_CALLS_ON : ROLE_PLAIN;
}

uint32_t tr_names_function(struct tr_names *names, uint32_t binary,
			   const struct tr_function *function)
{
	struct binary_names *b = &names->binaries[binary];
	uint32_t sym = tr_map_get(&b->functions, function->entry);
	if (sym != TR_MAP_NONE)
		return sym;
	sym = add_sym(
	    names,
	    &(struct sym){.name = function->name,
			  .program = names->programs[binary],
			  .entry = function->entry,
			  .kind = TR_FRAME_FUNCTION,
			  .role = (uint8_t)(function->is_nameless
						? ROLE_NAMELESS
						: sym_role_by_name(function->name))});
	if (!tr_map_set(&b->functions, function->entry, sym))
		unwind_fail(names->status, TR_E_NOMEM);
	return sym;
}

uint32_t tr_names_leaf(struct tr_names *names, uint32_t binary, const char *name,
		       enum tr_frame_kind kind)
{
	return add_fixed(names, name, names->programs[binary], kind, ROLE_PLAIN);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = tr_mix(hash ^ (unsigned char)*text);
	return tr_mix(hash);
}

static const char *keep_text(struct tr_names *names, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *kept = tr_arena_take(&names->texts, size);
	if (kept)
		return memcpy(kept, text, size);
	unwind_fail(names->status, TR_E_NOMEM);
	return "";
}

uint32_t tr_names_virtual(struct tr_names *names, const char *name, const char *module)
{
	uint64_t key = hash_text(hash_text(1, name), module);
	uint32_t sym;
	for (; (sym = tr_map_get(&names->virtuals, key)) != TR_MAP_NONE; key++)
		if (strcmp(names->syms[sym].name, name) == 0 &&
		    strcmp(names->syms[sym].program, module) == 0)
			return sym;
	if (names->nvirtuals >= VIRTUAL_NAMES)
		return SYM_UNKNOWN;
	names->nvirtuals++;
	sym = add_fixed(names, keep_text(names, name), keep_text(names, module),
			TR_FRAME_FUNCTION, ROLE_PLAIN);
	if (!tr_map_set(&names->virtuals, key, sym))
		unwind_fail(names->status, TR_E_NOMEM);
	return sym;
}

uint32_t tr_names_program(const struct tr_names *names, uint32_t binary)
{
	return binary < names->nbinaries ? names->binaries[binary].program : SYM_UNKNOWN;
}

uint32_t tr_names_nameless(const struct tr_names *names, uint32_t binary)
{
	return names->binaries[binary].nameless;
}

uint32_t tr_names_trap(const struct tr_names *names, uint64_t cause)
{
	uint64_t code = cause & ~TR_CAUSE_INTERRUPT;
	if (code < TRAP_CAUSES)
		return names->traps[cause >> 63][code];
	return cause & TR_CAUSE_INTERRUPT ? names->traps[1][0] : SYM_TRAP;
}

uint32_t tr_names_gap(const struct tr_names *names, uint8_t reason)
{
	return names->gaps[reason < GAP_REASONS ? reason : GAP_REASONS - 1];
}

enum tr_frame_kind tr_names_kind(const struct tr_names *names, uint32_t sym)
{
	return (enum tr_frame_kind)names->syms[sym].kind;
}

const char *tr_names_text(const struct tr_names *names, uint32_t sym)
{
	return names->syms[sym].name;
}

uint32_t tr_names_func(struct tr_names *names, uint32_t sym)
{
	struct sym *s = &names->syms[sym];
	if (s->func != TR_MAP_NONE)
		return s->func;
	struct tr_func func = {.name = s->name,
			       .binary = s->program,
			       .address = s->entry,
			       .kind =
				   s->role == ROLE_NAMELESS ? TR_FRAME_UNKNOWN : s->kind};
	unwind_fail(names->status, names->sink->func(names->sink->user, &func));
	s->func = names->nfuncs++;
	return s->func;
}

bool tr_names_has_space(const struct tr_names *names, struct tr_space_id space)
{
	return tr_map_get(&names->identities, tr_space_hash(space)) != TR_MAP_NONE;
}

/* Returns the number of who a thread is, without its program; TR_MAP_NONE if there are
 * too many. */
static uint32_t find_identity(struct tr_names *names, const struct thread_name *t)
{
	const struct tr_space_id of_tp = {.satp = t->tp, .hgatp = t->space.hgatp};
	uint64_t who = tr_space_hash(t->tp ? of_tp : t->space) ^ (uint64_t)t->ordinal
								     << 40;
	uint32_t identity = tr_map_get(&names->identities, who);
	if (identity != TR_MAP_NONE || names->nidentities >= TR_UNWIND_THREAD_IDS)
		return identity;
	identity = names->nidentities++;
	if (!tr_map_set(&names->identities, who, identity))
		unwind_fail(names->status, TR_E_NOMEM);
	return identity;
}

/* Returns the name of threads that are called after a symbol. */
static const char *text_of_thread(const struct tr_names *names, uint32_t sym)
{
	return names_is_blank(names, sym) ? "" : names->syms[sym].name;
}

/* Returns the thread of an identity and a symbol, TR_MAP_NONE if there is none. */
static uint32_t find_thread_id(const struct tr_names *names, uint32_t identity,
			       uint32_t sym)
{
	const uint32_t id = tr_map_get(&names->thread_ids, tr_pair_key(identity, sym));
	return id == THREAD_MOVED ? TR_MAP_NONE : id;
}

/* Threads with the same tp (or address space, without tp) and program share an id, so
 * that the table stays small however many processes come and go. */
uint32_t tr_names_thread(struct tr_names *names, const struct thread_name *t,
			 bool *is_new)

{
	*is_new = false;
	const uint32_t identity = find_identity(names, t);
	uint32_t id = identity == TR_MAP_NONE ? TR_MAP_NONE
					      : find_thread_id(names, identity, t->sym);
	if (id != TR_MAP_NONE)
		return id;
	if (identity == TR_MAP_NONE || names->nthread_ids >= TR_UNWIND_THREAD_IDS) {
		names->threads_refused++;
		return 0;
	}
	struct tr_thread made = {
	    .tp = t->tp, .satp = t->space.satp, .name = text_of_thread(names, t->sym)};
	unwind_fail(names->status, names->sink->thread(names->sink->user, &made));
	if (!tr_map_set(&names->thread_ids, tr_pair_key(identity, t->sym),
			names->nthread_ids))
		unwind_fail(names->status, TR_E_NOMEM);
	*is_new = true;
	return names->nthread_ids++;
}

void tr_names_move_thread(struct tr_names *names, const struct thread_name *from,
			  const struct thread_name *to)
{
	const struct tr_unwind_sink *sink = names->sink;
	const uint32_t was = find_identity(names, from), is = find_identity(names, to);
	if (was == TR_MAP_NONE || is == TR_MAP_NONE ||
	    find_thread_id(names, is, to->sym) != TR_MAP_NONE)
		return;
	const uint32_t id = find_thread_id(names, was, from->sym);
	if (id == TR_MAP_NONE)
		return;
	if (!tr_map_set(&names->thread_ids, tr_pair_key(was, from->sym), THREAD_MOVED) ||
	    !tr_map_set(&names->thread_ids, tr_pair_key(is, to->sym), id))
		unwind_fail(names->status, TR_E_NOMEM);
	if (sink->thread_tp && from->tp != to->tp)
		unwind_fail(names->status, sink->thread_tp(sink->user, id, to->tp));
	const struct tr_sname name = {id, text_of_thread(names, to->sym)};
	if (sink->thread_name && from->sym != to->sym)
		unwind_fail(names->status, sink->thread_name(sink->user, &name));
}

void tr_names_add_totals(const struct tr_names *names, struct tr_unwind_totals *totals)
{
	totals->threads_refused += names->threads_refused;
}
