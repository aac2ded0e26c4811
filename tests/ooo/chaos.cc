// SPDX-License-Identifier: Apache-2.0
// Random predictions, violations, evictions, answers of the caches, of translation,
// writes of another agent, and interrupts.
#include "random_code.h"
#include "run.h"

namespace
{

enum { PROBE_WRITE = 2 }; // as in mem_pkg.sv

bool once(struct run *r, unsigned what)
{
	return r->rates[what] && r->random.once_in(r->rates[what]);
}

uint64_t draw_line(struct run *r)
{
	return (RANDOM_DATA >> 6) + r->random.below(2) * r->random.below(10);
}

/* Mostly one at which the program has been; or one that differs from it in a single bit,
 * all of which a core has to compare. */
uint64_t draw_target(struct run *r)
{
	uint64_t target = r->targets[r->random.below(CHAOS_TARGETS)];

	if (r->random.once_in(8))
		return r->random.next();
	if (r->random.once_in(8))
		target ^= UINT64_C(2) << r->random.below(63);
	return target;
}

} // namespace

void draw_chaos(struct run *r)
{
	static const unsigned rates[] = {0, 2, 3, 5, 20, 100};

	for (unsigned &rate : r->rates)
		rate = rates[r->random.below(6)];
}

void set_straps(struct run *r)
{
	Vdut *d = r->dut.get();

	d->fetch_no_i = once(r, NO_FETCH);
	d->load_no_i = once(r, NO_LOAD);
	d->store_no_i = once(r, NO_STORE);
	d->waits_i = once(r, WAITS);
	d->filled_i = r->random.once_in(3);
	d->chaos_predict_i = once(r, PREDICT);
	if (d->chaos_predict_i) {
		d->chaos_taken_i = r->random.once_in(2);
		d->chaos_last_i = static_cast<CData>(r->random.below(8));
		d->chaos_target_i = draw_target(r);
	}
	if (r->stubborn) {
		d->chaos_predict_i = 1;
		d->chaos_taken_i = 1;
		d->chaos_last_i = 0;
	}
	d->chaos_violate_i = once(r, VIOLATE);
	d->probe_i = once(r, PROBE);
	d->probe_op_i = static_cast<CData>(r->random.below(3));
	d->probe_line_i = draw_line(r);
	d->evict_i = once(r, EVICT);
	d->evict_line_i = draw_line(r);
	d->fetch_alone_i = once(r, FETCH_ALONE);
	d->walk_no_i = once(r, NO_WALK);
	d->page_no_i = once(r, NO_PAGE);
	d->page_alone_i = once(r, PAGE_ALONE);
	d->page_fault_i = once(r, PAGE_FAULT);
	d->irq_i = once(r, INTERRUPT);
	d->write_i = once(r, WRITE);
	if (d->write_i) {
		uint64_t word = (RANDOM_DATA - SOC_RAM_BASE) / 8 + r->random.below(16);

		d->write_word_i = static_cast<IData>(word);
		d->write_data_i = r->random.next();
		d->probe_i = 1;
		d->probe_op_i = PROBE_WRITE;
		d->probe_line_i = (SOC_RAM_BASE + 8 * word) >> 6;
		d->store_no_i = 1;
	}
}
