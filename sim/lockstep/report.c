/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the difference as text. */
#include <inttypes.h>

#include "compare.h"
#include "model/cause.h"
#include "stream/mode.h"

enum { TEXT = 64 };

static const char *const PRIVS[TR_NOMINAL_PRIVS] = {"U", "S", "?", "M"};

/* ABI names of the registers. */
static const char *const REGISTERS[32] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static const char *register_name(unsigned rd)
{
	if (rd == 0)
		return "none";
	return rd < 32 ? REGISTERS[rd] : float_names[rd & 31];
}

const char *port_cause_name(unsigned cause)
{
	uint64_t interrupt = cause & COMMIT_INTERRUPT ? UINT64_C(1) << 63 : 0;

	return cause_name(interrupt | (cause & 31));
}

/* Returns the model's result in the form of the core's. */
static struct rtl_commit model_side(const struct lockstep *l)
{
	const struct soc_event *e = &l->event;
	struct rtl_commit c = {.pc = e->pc,
			       .value = e->value,
			       .satp = e->satp,
			       .address = e->address,
			       .data = e->data,
			       .insn = e->insn,
			       .priv = e->priv,
			       .next_priv = e->next_priv,
			       .rd = e->rd,
			       .trap = e->trap,
			       .xret = e->xret,
			       .wrote_satp = e->wrote_satp,
			       .load = e->load,
			       .store = e->store,
			       .device = e->device};

	c.cause = (uint8_t)((e->cause >> 63 ? COMMIT_INTERRUPT : 0) | (e->cause & 31));
	while (1U << c.size < e->size)
		c.size++;
	return c;
}

static uint64_t stored_bytes(const struct rtl_commit *c)
{
	return c->size < 3 ? c->data & ((UINT64_C(1) << (8 << c->size)) - 1) : c->data;
}

static const char *access_name(const struct rtl_commit *c)
{
	if (c->load)
		return c->store ? "load and store" : "load";
	return c->store ? "store" : "none";
}

/* Formats a field of one side; empty if that side does not have it. */
static void token_text(const struct rtl_commit *c, enum field field, char *text)
{
	switch (field) {
	case FIELD_INSN:
		snprintf(text, TEXT, "%0*" PRIx32, (c->insn & 3) == 3 ? 8 : 4, c->insn);
		break;
	case FIELD_RD:
		snprintf(text, TEXT, "%s", register_name(c->rd));
		break;
	case FIELD_VALUE:
		if (c->rd && c->rd < 32)
			snprintf(text, TEXT, "%016" PRIx64, c->value);
		break;
	case FIELD_XRET:
		snprintf(text, TEXT, "%s", c->xret ? "yes" : "no");
		break;
	case FIELD_WROTE_SATP:
		snprintf(text, TEXT, "%s", c->wrote_satp ? "yes" : "no");
		break;
	case FIELD_ACCESS:
		snprintf(text, TEXT, "%s", access_name(c));
		break;
	default:
		break;
	}
}

static void access_text(const struct rtl_commit *c, enum field field, char *text)
{
	switch (field) {
	case FIELD_DEVICE:
		snprintf(text, TEXT, "%s", c->device ? "device" : "RAM");
		break;
	case FIELD_SIZE:
		snprintf(text, TEXT, "%u", 1U << c->size);
		break;
	case FIELD_ADDRESS:
		snprintf(text, TEXT, "%016" PRIx64, c->address);
		break;
	case FIELD_DATA:
		if (c->store)
			snprintf(text, TEXT, "%0*" PRIx64, 2 << c->size, stored_bytes(c));
		break;
	default:
		break;
	}
}

static void trap_text(const struct rtl_commit *c, enum field field, char *text)
{
	if (field == FIELD_CAUSE)
		snprintf(text, TEXT, "%s (%u)", port_cause_name(c->cause),
			 c->cause & 31U);
	else if (field == FIELD_TVAL)
		snprintf(text, TEXT, "%016" PRIx64, c->value);
}

static void field_text(const struct rtl_commit *c, enum field field, char *text)
{
	text[0] = 0;
	switch (field) {
	case FIELD_KIND:
		snprintf(text, TEXT, "%s", c->trap ? "trap" : "commit");
		break;
	case FIELD_PC:
		snprintf(text, TEXT, "%016" PRIx64, c->pc);
		break;
	case FIELD_PRIV:
		snprintf(text, TEXT, "%s", PRIVS[tr_mode_of(c->priv).nominal]);
		break;
	case FIELD_NEXT_PRIV:
		snprintf(text, TEXT, "%s", PRIVS[tr_mode_of(c->next_priv).nominal]);
		break;
	case FIELD_SATP:
		snprintf(text, TEXT, "%016" PRIx64, c->satp);
		break;
	default:
		if (c->trap)
			trap_text(c, field, text);
		else
			token_text(c, field, text);
		if (!c->trap && (c->load || c->store))
			access_text(c, field, text);
		break;
	}
}

static void print_sides(const struct lockstep *l, FILE *to)
{
	static const char *const names[FIELDS] = {[FIELD_KIND] = "what",
						  [FIELD_PC] = "pc",
						  [FIELD_INSN] = "instruction",
						  [FIELD_RD] = "register",
						  [FIELD_VALUE] = "its value",
						  [FIELD_CAUSE] = "cause",
						  [FIELD_TVAL] = "tval",
						  [FIELD_PRIV] = "privilege",
						  [FIELD_NEXT_PRIV] = "privilege after",
						  [FIELD_XRET] = "mret or sret",
						  [FIELD_SATP] = "satp",
						  [FIELD_WROTE_SATP] = "writes satp",
						  [FIELD_ACCESS] = "memory access",
						  [FIELD_DEVICE] = "to",
						  [FIELD_SIZE] = "bytes",
						  [FIELD_ADDRESS] = "physical",
						  [FIELD_DATA] = "stored"};
	const struct rtl_commit model = model_side(l);
	char ours[TEXT], theirs[TEXT];

	fprintf(to, "\n  %-17s%-36s%s\n", "", "core", "model");
	for (unsigned f = 0; f < FIELDS; f++) {
		if (!names[f])
			continue;
		field_text(l->now, (enum field)f, theirs);
		field_text(&model, (enum field)f, ours);
		if (theirs[0] || ours[0])
			fprintf(to, "%c %-17s%-36s%s\n", l->differs >> f & 1 ? '*' : ' ',
				names[f], theirs[0] ? theirs : "-", ours[0] ? ours : "-");
	}
	for (unsigned i = 0; i < l->ncsrs; i++)
		fprintf(to, "* %-17s%016" PRIx64 "%20s%016" PRIx64 "\n", l->csrs[i].name,
			l->csrs[i].core, "", l->csrs[i].model);
}

static void print_model_registers(const struct lockstep *l, FILE *to)
{
	fputs("\n  the model's registers after that\n", to);
	for (unsigned i = 0; i < 32; i++)
		fprintf(to, "%s%4s %016" PRIx64 "%s", i % 4 ? "  " : "  ", REGISTERS[i],
			soc_x(l->model, l->hart, i), i % 4 == 3 ? "\n" : "");
	for (unsigned i = 0; i < FLOATS && l->core.f; i++)
		fprintf(to, "  %4s %016" PRIx64 "%s", float_names[i],
			soc_f(l->model, l->hart, i), i % 4 == 3 ? "\n" : "");
}

static void print_effects(const struct rtl_commit *c, FILE *to)
{
	if (c->trap) {
		fprintf(to, "  trap to %s: %s (%u), tval %" PRIx64,
			PRIVS[tr_mode_of(c->next_priv).nominal],
			port_cause_name(c->cause), c->cause & 31U, c->value);
		return;
	}
	if (c->rd >= 32)
		fprintf(to, "  %s", register_name(c->rd));
	else if (c->rd)
		fprintf(to, "  %s=%" PRIx64, register_name(c->rd), c->value);
	if (c->load || c->store)
		fprintf(to, "  %s of %u at %" PRIx64, access_name(c), 1U << c->size,
			c->address);
	if (c->store)
		fprintf(to, ": %" PRIx64, stored_bytes(c));
	if (c->xret)
		fprintf(to, "  return to %s", PRIVS[tr_mode_of(c->next_priv).nominal]);
	if (c->wrote_satp)
		fprintf(to, "  satp=%" PRIx64, c->satp);
}

static void print_last(const struct lockstep *l, FILE *to)
{
	uint64_t count = l->commits + l->traps;
	uint64_t first = count > LOCKSTEP_LAST ? count - LOCKSTEP_LAST : 0;

	fprintf(to, "\n  the core's last %u\n  %12s %-16s    instruction and effect\n",
		(unsigned)(count - first), "cycle", "pc");
	for (uint64_t i = first; i < count; i++) {
		const struct rtl_commit *c = &l->last[i % LOCKSTEP_LAST];

		fprintf(to, "%c %12" PRIu64 " %016" PRIx64 " %s  ",
			l->differs && i + 1 == count ? '*' : ' ', c->cycle, c->pc,
			PRIVS[tr_mode_of(c->priv).nominal]);
		if (c->trap)
			fputs("        ", to);
		else
			fprintf(to, "%s%0*" PRIx32, (c->insn & 3) == 3 ? "" : "    ",
				(c->insn & 3) == 3 ? 8 : 4, c->insn);
		print_effects(c, to);
		fputc('\n', to);
	}
}

void lockstep_report(const struct lockstep *l, FILE *to)
{
	fprintf(to,
		"lockstep: %" PRIu64 " instructions and %" PRIu64 " traps: ", l->commits,
		l->traps);
	if (!l->differs) {
		fputs("no difference\n", to);
	} else {
		fprintf(to, "core and model differ at cycle %" PRIu64 "\n",
			l->now->cycle);
		if (l->why[0])
			fprintf(to, "* %s\n", l->why);
		print_sides(l, to);
	}
	if (l->now)
		print_model_registers(l, to);
	print_last(l, to);
}
