/* SPDX-License-Identifier: Apache-2.0 */
/* A core with a single error: it is found at that commit, and named. */
#include "lockstep-player.h"
#include "stream/insn.h"

enum { AFTER = 150 };

struct fault {
	const char *name; /* of the line in the report */
	const char *elf;
	bool (*fits)(const struct rtl_commit *c);
	void (*apply)(struct rtl_commit *c);
};

static bool any(const struct rtl_commit *c)
{
	return !c->trap;
}

static bool writes_register(const struct rtl_commit *c)
{
	return c->rd != 0;
}

static bool writes_nothing(const struct rtl_commit *c)
{
	return !c->trap && c->rd == 0 && !c->store;
}

static bool stores(const struct rtl_commit *c)
{
	return c->store && !c->load;
}

static bool loads(const struct rtl_commit *c)
{
	return c->load && !c->store;
}

static bool is_amo(const struct rtl_commit *c)
{
	return c->load && c->store;
}

static bool uses_device(const struct rtl_commit *c)
{
	return c->device;
}

static bool is_exception(const struct rtl_commit *c)
{
	return c->trap && c->cause < COMMIT_INTERRUPT;
}

static bool is_page_fault(const struct rtl_commit *c)
{
	return c->trap && c->cause == 13;
}

static bool is_interrupt(const struct rtl_commit *c)
{
	return c->trap && c->cause >= COMMIT_INTERRUPT;
}

static bool returns(const struct rtl_commit *c)
{
	return c->xret;
}

static bool writes_satp(const struct rtl_commit *c)
{
	return c->wrote_satp;
}

static void wrong_pc(struct rtl_commit *c)
{
	c->pc += 4;
}

static void wrong_insn(struct rtl_commit *c)
{
	c->insn ^= 0x80;
}

static void wrong_value(struct rtl_commit *c)
{
	c->value ^= UINT64_C(1) << 63;
}

static void other_register(struct rtl_commit *c)
{
	c->rd ^= 1;
}

static void no_register(struct rtl_commit *c)
{
	c->rd = 0;
}

static void some_register(struct rtl_commit *c)
{
	c->rd = 7;
}

static void wrong_priv(struct rtl_commit *c)
{
	c->priv ^= 1;
}

static void wrong_next_priv(struct rtl_commit *c)
{
	c->next_priv ^= 1;
}

static void wrong_satp(struct rtl_commit *c)
{
	c->satp ^= 1;
}

static void other_cause(struct rtl_commit *c)
{
	c->cause ^= 2;
}

static void access_cause(struct rtl_commit *c)
{
	c->cause = 5;
}

static void no_trap(struct rtl_commit *c)
{
	c->trap = false;
}

static void some_trap(struct rtl_commit *c)
{
	*c = (struct rtl_commit){.trap = true,
				 .pc = c->pc,
				 .cause = 2,
				 .value = c->insn,
				 .satp = c->satp,
				 .priv = c->priv,
				 .next_priv = 3};
}

static void toggle_xret(struct rtl_commit *c)
{
	c->xret = !c->xret;
}

static void toggle_wrote_satp(struct rtl_commit *c)
{
	c->wrote_satp = !c->wrote_satp;
}

static void no_access(struct rtl_commit *c)
{
	c->load = c->store = false;
}

static void some_store(struct rtl_commit *c)
{
	c->store = true;
}

static void no_store(struct rtl_commit *c)
{
	c->store = false;
}

static void wrong_data(struct rtl_commit *c)
{
	c->data ^= UINT64_C(1) << (8 * (1U << c->size) - 1);
}

static void wrong_size(struct rtl_commit *c)
{
	c->size ^= 1;
}

static void wrong_address(struct rtl_commit *c)
{
	c->address += 64;
}

static void toggle_device(struct rtl_commit *c)
{
	c->device = !c->device;
}

static const char SFENCE[] = "build/isa/sv39-sfence.elf",
		  ASID[] = "build/isa/sv39-asid.elf", AMO[] = "build/isa/rv64a-amo.elf",
		  TIMER[] = "build/isa/irq-timer.elf", PLIC[] = "build/isa/dev-plic.elf",
		  STORES[] = "build/isa/rv64i-load-store.elf";

static const struct fault FAULTS[] = {
    {"pc", SFENCE, any, wrong_pc},
    {"pc", SFENCE, is_exception, wrong_pc},
    {"instruction", SFENCE, any, wrong_insn},
    {"register", SFENCE, writes_register, other_register},
    {"register", SFENCE, writes_register, no_register},
    {"register", SFENCE, writes_nothing, some_register},
    {"its value", SFENCE, writes_register, wrong_value},
    {"its value", SFENCE, loads, wrong_value},
    {"its value", AMO, is_amo, wrong_value},
    {"privilege", SFENCE, any, wrong_priv},
    {"privilege", SFENCE, is_exception, wrong_priv},
    {"privilege after", SFENCE, any, wrong_next_priv},
    {"privilege after", SFENCE, is_exception, wrong_next_priv},
    {"privilege after", SFENCE, returns, wrong_next_priv},
    {"satp", SFENCE, any, wrong_satp},
    {"satp", ASID, writes_satp, wrong_satp},
    {"writes satp", ASID, writes_satp, toggle_wrote_satp},
    {"writes satp", SFENCE, any, toggle_wrote_satp},
    {"mret or sret", SFENCE, returns, toggle_xret},
    {"mret or sret", SFENCE, any, toggle_xret},
    {"what", SFENCE, is_exception, no_trap},
    {"what", SFENCE, any, some_trap},
    {"cause", SFENCE, is_exception, other_cause},
    {"cause", SFENCE, is_page_fault, access_cause},
    {"tval", SFENCE, is_page_fault, wrong_value},
    {"machine timer interrupt (7) pending", TIMER, is_interrupt, no_trap},
    {"tval", TIMER, is_interrupt, wrong_value},
    {"pc", TIMER, is_interrupt, wrong_pc},
    {"privilege after", TIMER, is_interrupt, wrong_next_priv},
    {"memory access", STORES, stores, no_access},
    {"memory access", STORES, loads, no_access},
    {"memory access", STORES, loads, some_store},
    {"memory access", AMO, is_amo, no_store},
    {"stored", STORES, stores, wrong_data},
    {"stored", AMO, is_amo, wrong_data},
    {"bytes", STORES, stores, wrong_size},
    {"bytes", STORES, loads, wrong_size},
    {"physical", STORES, stores, wrong_address},
    {"physical", STORES, loads, wrong_address},
    {"physical", SFENCE, loads, wrong_address},
    {"to", STORES, stores, toggle_device},
    {"to", PLIC, uses_device, toggle_device},
};

struct plan {
	const struct fault *fault;
	unsigned csr;
	uint64_t after, at; /* events; at: UINT64_MAX until then */
	uint64_t address;
};

static void spoil(struct player *p, struct rtl_commit *c)
{
	struct plan *plan = p->user;

	if (p->events < plan->after || plan->at != UINT64_MAX || !plan->fault->fits(c))
		return;
	plan->at = p->events;
	plan->fault->apply(c);
}

/* Returns whether the report has a line that starts with "* name ". */
static bool names(const struct lockstep *l, const char *name)
{
	char line[64];

	snprintf(line, sizeof(line), "\n* %-17s", name);
	return strstr(player_report(l), line) != NULL;
}

/* Runs with this hook until the comparison ends the run, which must be at plan->at and
 * for this reason. */
static void finds(const char *elf, void (*hook)(struct player *, struct rtl_commit *),
		  struct plan *plan, const char *name)
{
	struct player p;

	player_init(&p, false);
	player_load(&p, elf);
	p.spoil = hook;
	p.user = plan;
	while (player_step(&p))
		;
	if (!CHECK(p.differs) || !CHECK_EQ(p.stopped_at, plan->at) ||
	    !CHECK(names(p.l, name)))
		fprintf(stderr, "%s in %s\n%s\n", name, elf, player_report(p.l));
	CHECK(!lockstep_commit(p.l, &p.c)); /* for ever */
	player_release(&p);
}

static const struct {
	unsigned number;
	const char *name;
} CSRS[] = {
    {0x300, "mstatus"},	   {0x304, "mie"},	  {0x344, "mip"},
    {0x305, "mtvec"},	   {0x341, "mepc"},	  {0x342, "mcause"},
    {0x343, "mtval"},	   {0x340, "mscratch"},	  {0x302, "medeleg"},
    {0x303, "mideleg"},	   {0x306, "mcounteren"}, {0x320, "mcountinhibit"},
    {0x30a, "menvcfg"},	   {0xb02, "minstret"},	  {0x323, "mhpmevent3"},
    {0x328, "mhpmevent8"}, {0x105, "stvec"},	  {0x141, "sepc"},
    {0x142, "scause"},	   {0x143, "stval"},	  {0x140, "sscratch"},
    {0x106, "scounteren"}, {0x10a, "senvcfg"},	  {0x180, "satp"},
    {0x3a0, "pmpcfg0"},	   {0x3b0, "pmpaddr0"},	  {0x3b7, "pmpaddr7"},
    {0x100, "sstatus"},	   {0x104, "sie"},
};

static bool is_looked_at(const struct rtl_commit *c)
{
	return c->trap || c->xret || tr_insn_writes_csr(c->insn);
}

/* The CSR reads wrong from now on: found when CSRs are next compared. */
static void break_csr(struct player *p, struct rtl_commit *c)
{
	struct plan *plan = p->user;

	if (p->events < plan->after)
		return;
	p->wrong_csr = plan->csr;
	p->wrong_bits = 2;
	if (plan->at == UINT64_MAX && is_looked_at(c))
		plan->at = p->events;
}

static bool covers(const struct rtl_commit *c, uint64_t address)
{
	return c->load && c->address <= address && address - c->address < 1U << c->size;
}

/* A store that is reported but does not reach the core's memory: found when the bytes are
 * next loaded. */
static void lose_store(struct player *p, struct rtl_commit *c)
{
	struct plan *plan = p->user;
	uint8_t inverted = (uint8_t)~c->data;

	if (p->events >= plan->after && plan->address == 0 && stores(c) && !c->device) {
		plan->address = c->address;
		soc_write_physical(p->core, c->address, &inverted, 1);
	} else if (plan->at == UINT64_MAX && covers(c, plan->address)) {
		plan->at = p->events;
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(FAULTS) / sizeof(FAULTS[0]); i++)
		for (uint64_t after = 0; after <= AFTER; after += AFTER) {
			struct plan plan = {&FAULTS[i], 0, after, UINT64_MAX, 0};

			finds(FAULTS[i].elf, spoil, &plan, FAULTS[i].name);
		}
	for (size_t i = 0; i < sizeof(CSRS) / sizeof(CSRS[0]); i++) {
		struct plan plan = {NULL, CSRS[i].number, AFTER, UINT64_MAX, 0};

		finds(SFENCE, break_csr, &plan, CSRS[i].name);
	}
	struct plan plan = {NULL, 0, AFTER, UINT64_MAX, 0};
	finds(AMO, lose_store, &plan, "its value");
	return check_done();
}
