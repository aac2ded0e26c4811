/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols, nodes and thread ids of the unwinder. */
#include "unwind/unwind_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Depth limit of the output, which tr-fold accepts. */
enum { NODE_DEPTH = 12288, HELD_NODES = 1 << 14 };

static uint32_t add_sym(struct tr_unwind *u, const struct sym *sym)
{
	if (!tr_unwind_reserve(u, (void **)&u->syms, &u->syms_capacity, u->nsyms + 1ULL,
			       sizeof(*u->syms)))
		return SYM_UNKNOWN;
	u->syms[u->nsyms] = *sym;
	u->syms[u->nsyms].func = TR_MAP_NONE;
	return u->nsyms++;
}

static uint32_t add_fixed(struct tr_unwind *u, const char *name, const char *program,
			  enum tr_frame_kind kind, enum sym_role role)
{
	return add_sym(u, &(struct sym){.name = name,
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

static const char *const gap_names[8] = {
    [TR_GAP_UNTRACED] = "[untraced]",
    [TR_GAP_RESET] = "[reset]",
    [TR_GAP_END] = "[end]",
    [TR_GAP_LOST] = "[lost]",
    [TR_GAP_SPLIT] = "[other]",
    [TR_GAP_LIMIT] = "[limit]",
    [6] = "[gap]",
    [7] = "[gap]",
};

static bool init_binaries(struct tr_unwind *u)
{
	uint32_t count = u->options.nprograms;
	u->binaries = calloc(count ? count : 1, sizeof(*u->binaries));
	if (!u->binaries)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const char *name = u->options.programs[i];
		if (u->options.roles)
			u->binaries[i].role = u->options.roles[i];
		if (u->options.entries)
			u->binaries[i].entry = u->options.entries[i];
		bool is_library = u->options.libraries && u->options.libraries[i] &&
				  u->binaries[i].role != TR_UNWIND_KERNEL &&
				  u->binaries[i].role != TR_UNWIND_FIRMWARE;
		u->binaries[i].program =
		    is_library ? SYM_UNKNOWN
			       : add_fixed(u, name, name, TR_FRAME_PROGRAM, ROLE_PLAIN);
		u->binaries[i].nameless =
		    add_fixed(u, "[no symbol]", name, TR_FRAME_UNKNOWN, ROLE_BLANK);
	}
	return true;
}

bool tr_names_init(struct tr_unwind *u)
{
	if (!tr_unwind_reserve(u, (void **)&u->nodes, &u->nodes_capacity, 1,
			       sizeof(*u->nodes)))
		return false;
	u->nodes[0] = (struct node){.parent = 0}; /* the root */
	add_fixed(u, "", "", TR_FRAME_UNKNOWN, ROLE_PLAIN);
	add_fixed(u, "[unknown]", "", TR_FRAME_UNKNOWN, ROLE_BLANK);
	add_fixed(u, "[ambiguous]", "", TR_FRAME_UNKNOWN, ROLE_BLANK);
	add_fixed(u, "[trap]", "", TR_FRAME_TRAP, ROLE_PLAIN);
	add_fixed(u, "[signal]", "", TR_FRAME_TRAP, ROLE_PLAIN);
	for (unsigned i = 0; i < TRAP_CAUSES; i++) {
		const char *name = exceptions[i] ? exceptions[i] : "[exception]";
		u->traps[0][i] = add_fixed(u, name, "", TR_FRAME_TRAP, ROLE_PLAIN);
		name = interrupts[i] ? interrupts[i] : "[interrupt]";
		u->traps[1][i] = add_fixed(u, name, "", TR_FRAME_TRAP, ROLE_PLAIN);
	}
	for (unsigned i = 0; i < 8; i++)
		u->gaps[i] = add_fixed(u, gap_names[i], "", TR_FRAME_GAP, ROLE_PLAIN);
	if (!init_binaries(u) || u->status)
		return false;
	u->nthread_ids = 1;
	unwind_fail(u, u->ops.thread(u->ops.user, &(struct tr_thread){.name = ""}));
	return true;
}

void tr_names_free(struct tr_unwind *u)
{
	for (uint32_t i = 0; u->binaries && i < u->options.nprograms; i++)
		tr_map_free(&u->binaries[i].functions);
	free(u->binaries);
	free(u->syms);
	tr_map_free(&u->node_ids);
	free(u->nodes);
	free(u->path);
	free(u->holds);
	free(u->held.rows);
	free(u->held.classes);
	tr_map_free(&u->identities);
	tr_map_free(&u->thread_ids);
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

uint32_t tr_names_function(struct tr_unwind *u, uint32_t binary,
			   const struct tr_function *function)
{
	struct binary *b = &u->binaries[binary];
	uint32_t sym = tr_map_get(&b->functions, function->entry);
	if (sym != TR_MAP_NONE)
		return sym;
	sym = add_sym(
	    u, &(struct sym){.name = function->name,
			     .program = u->options.programs[binary],
			     .entry = function->entry,
			     .kind = TR_FRAME_FUNCTION,
			     .role = (uint8_t)(function->is_nameless
						   ? ROLE_NAMELESS
						   : sym_role_by_name(function->name))});
	if (!tr_map_set(&b->functions, function->entry, sym))
		unwind_fail(u, TR_E_NOMEM);
	return sym;
}

uint32_t tr_names_leaf(struct tr_unwind *u, uint32_t binary, const char *name,
		       enum tr_frame_kind kind)
{
	return add_fixed(u, name, u->options.programs[binary], kind, ROLE_PLAIN);
}

uint32_t tr_names_trap(struct tr_unwind *u, uint64_t cause)
{
	uint64_t code = cause & ~TR_CAUSE_INTERRUPT;
	if (code < TRAP_CAUSES)
		return u->traps[cause >> 63][code];
	return cause & TR_CAUSE_INTERRUPT ? u->traps[1][0] : SYM_TRAP;
}

uint32_t tr_names_gap(struct tr_unwind *u, uint8_t reason)
{
	return u->gaps[reason < 8 ? reason : 7];
}

static uint32_t func_of(struct tr_unwind *u, struct sym *sym)
{
	if (sym->func != TR_MAP_NONE)
		return sym->func;
	struct tr_func func = {.name = sym->name,
			       .binary = sym->program,
			       .address = sym->entry,
			       .kind = sym->role == ROLE_NAMELESS ? TR_FRAME_UNKNOWN
								  : sym->kind};
	unwind_fail(u, u->ops.func(u->ops.user, &func));
	sym->func = u->nfuncs++;
	return sym->func;
}

uint32_t tr_names_func(struct tr_unwind *u, uint32_t sym)
{
	return func_of(u, &u->syms[sym]);
}

/* Returns 0 when out of memory. */
static uint32_t allocate_node(struct tr_unwind *u, const struct node *node)
{
	uint32_t id = u->free_node;
	if (id)
		u->free_node = u->nodes[id].parent;
	else if (tr_unwind_reserve(u, (void **)&u->nodes, &u->nodes_capacity,
				   u->nnodes + 2ULL, sizeof(*u->nodes)))
		id = ++u->nnodes;
	else
		return 0;
	u->nodes[id] = *node;
	u->nheld_nodes += node->is_held;
	return id;
}

uint32_t tr_names_node(struct tr_unwind *u, uint32_t parent, uint32_t sym)
{
	uint64_t key = tr_pair_key(parent, sym);
	uint32_t node = tr_map_get(&u->node_ids, key);
	if (node != TR_MAP_NONE)
		return node;
	struct node made = {.parent = parent, .sym = sym};
	if (parent) {
		made.depth = (uint16_t)(u->nodes[parent].depth + !sym_is_site(sym));
		made.is_held = u->nodes[parent].is_held;
	}
	if (made.depth >= NODE_DEPTH) {
		u->totals.depth_refused++;
		return parent;
	}
	if (u->nnodes >= TR_UNWIND_NODES && !u->free_node) {
		u->totals.nodes_refused++;
		return parent;
	}
	node = allocate_node(u, &made);
	if (!tr_map_set(&u->node_ids, key, node))
		unwind_fail(u, TR_E_NOMEM);
	return node;
}

/* Collects the nodes from `node` up to the first one that `ends` in u->path. Returns
 * their number. */
static uint32_t path_to(struct tr_unwind *u, uint32_t node,
			bool (*ends)(const struct node *))
{
	uint32_t count = 0;
	while (node && !ends(&u->nodes[node])) {
		if (!tr_unwind_reserve(u, (void **)&u->path, &u->path_capacity,
				       count + 1ULL, sizeof(*u->path)))
			return 0;
		u->path[count++] = node;
		node = u->nodes[node].parent;
	}
	return count;
}

static bool is_aliased(const struct node *node)
{
	return node->alias != 0;
}

static bool node_is_written(const struct node *node)
{
	return node->written != 0;
}

uint32_t tr_names_final(struct tr_unwind *u, uint32_t node)
{
	if (!node || !u->nodes[node].is_held)
		return node;
	uint32_t root = node;
	while (!u->nodes[root].alias)
		root = u->nodes[root].parent;
	uint32_t at = tr_names_final(u, u->nodes[root].alias);
	for (uint32_t count = path_to(u, node, is_aliased); count;) {
		uint32_t held = u->path[--count];
		at = tr_names_node(u, at, u->nodes[held].sym);
		u->nodes[held].alias = at;
	}
	return at;
}

/* Writes a node whose parent is written. */
static void write_node(struct tr_unwind *u, struct node *n)
{
	const struct node *parent = &u->nodes[n->parent];
	if (sym_is_site(n->sym)) {
		n->written = parent->written;
		return;
	}
	struct tr_node made = {.parent = parent->written,
			       .func = func_of(u, &u->syms[n->sym])};
	unwind_fail(u, u->ops.node(u->ops.user, &made));
	if (n->parent && sym_is_site(parent->sym))
		unwind_fail(u, u->ops.site(u->ops.user, sym_site(parent->sym)));
	n->written = ++u->nodes_written;
}

uint32_t tr_names_write(struct tr_unwind *u, uint32_t node)
{
	node = tr_names_final(u, node);
	if (u->nodes[node].written)
		return u->nodes[node].written;
	for (uint32_t count = path_to(u, node, node_is_written); count;)
		write_node(u, &u->nodes[u->path[--count]]);
	return u->nodes[node].written;
}

uint32_t tr_names_root(struct tr_unwind *u, uint32_t node)
{
	node = tr_names_final(u, node);
	while (u->nodes[node].parent)
		node = u->nodes[node].parent;
	return names_written(u, node);
}

bool tr_names_have_dead(const struct tr_unwind *u)
{
	return u->nheld_nodes >= HELD_NODES && !u->holds_open &&
	       u->held.next == u->held.count;
}

void tr_names_drop_dead(struct tr_unwind *u)
{
	tr_map_clear(&u->node_ids);
	u->free_node = u->nheld_nodes = 0;
	for (uint32_t i = 1; i <= u->nnodes; i++) {
		struct node *n = &u->nodes[i];
		if (n->is_held) {
			*n = (struct node){.parent = u->free_node, .is_held = true};
			u->free_node = i;
		} else if (!tr_map_set(&u->node_ids, tr_pair_key(n->parent, n->sym), i)) {
			unwind_fail(u, TR_E_NOMEM);
		}
	}
}

uint32_t tr_names_hold(struct tr_unwind *u)
{
	if (!u->holds_open && u->held.next == u->held.count)
		u->nholds = 0;
	if (!tr_unwind_reserve(u, (void **)&u->holds, &u->holds_capacity,
			       u->nholds + 1ULL, sizeof(*u->holds)))
		return HOLD_NONE;
	const struct node root = {.sym = SYM_NONE, .is_held = true};
	u->holds[u->nholds] = (struct held){.node = allocate_node(u, &root)};
	u->holds_open++;
	u->is_waiting = true;
	return u->nholds++;
}

uint32_t tr_names_held_node(const struct tr_unwind *u, uint32_t hold)
{
	return u->holds[hold].node;
}

/* Returns true if the resolution of a hold refers to the hold itself. */
static bool is_circular(const struct tr_unwind *u, uint32_t hold, uint32_t reference)
{
	while (reference & TR_HELD) {
		const struct held *h = &u->holds[reference & ~TR_HELD];
		if ((reference & ~TR_HELD) == hold)
			return true;
		if (!h->is_released)
			return false;
		reference = h->known.thread;
	}
	return false;
}

void tr_names_release(struct tr_unwind *u, uint32_t hold, const struct hold *known)
{
	struct held *h = &u->holds[hold];
	h->known = *known;
	if (is_circular(u, hold, known->thread))
		h->known.thread = 0;
	if (is_circular(u, hold, known->process))
		h->known.process = 0;
	h->is_released = true;
	u->nodes[h->node].alias = known->node;
	u->holds_open--;
	tr_rows_release(u);
}

bool tr_names_has_space(const struct tr_unwind *u, struct tr_space_id space)
{
	return tr_map_get(&u->identities, tr_space_hash(space)) != TR_MAP_NONE;
}

/* Threads with the same tp (or address space, without tp) and program share an id, so
 * that the table stays small however many processes come and go. */
uint32_t tr_names_thread(struct tr_unwind *u, const struct thread_name *t)
{
	const struct tr_space_id of_tp = {.satp = t->tp, .hgatp = t->space.hgatp};
	uint64_t who = tr_space_hash(t->tp ? of_tp : t->space) ^ (uint64_t)t->ordinal
								     << 40;
	uint32_t identity = tr_map_get(&u->identities, who);
	if (identity == TR_MAP_NONE) {
		if (u->nidentities >= TR_UNWIND_THREAD_IDS) {
			u->totals.threads_refused++;
			return 0;
		}
		identity = u->nidentities++;
		if (!tr_map_set(&u->identities, who, identity))
			unwind_fail(u, TR_E_NOMEM);
	}
	uint32_t id = tr_map_get(&u->thread_ids, tr_pair_key(identity, t->sym));
	if (id != TR_MAP_NONE)
		return id;
	if (u->nthread_ids >= TR_UNWIND_THREAD_IDS) {
		u->totals.threads_refused++;
		return 0;
	}
	const char *name = sym_is_blank(u, t->sym) ? "" : u->syms[t->sym].name;
	struct tr_thread made = {.tp = t->tp, .satp = t->space.satp, .name = name};
	unwind_fail(u, u->ops.thread(u->ops.user, &made));
	if (!tr_map_set(&u->thread_ids, tr_pair_key(identity, t->sym), u->nthread_ids))
		unwind_fail(u, TR_E_NOMEM);
	if (u->shells)
		tr_shells_thread(u, u->nthread_ids, t->sym);
	return u->nthread_ids++;
}
