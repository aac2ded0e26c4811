/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from windows whose errors are known: formulas are in the comments. */
#include <math.h>

#include "check.h"
#include "sample/estimate.h"

static bool is_near(double is, double want)
{
	return fabs(is - want) <= 1e-9 * (fabs(want) + 1);
}

static void add_leaf(struct tr_estimate *e, uint32_t leaf, uint64_t instructions,
		     double cycles)
{
	CHECK_EQ(tr_estimate_add(e, leaf, instructions, &cycles), 0);
}

static struct tr_bar bar_of(struct tr_estimate *e, uint32_t leaf, uint64_t instructions)
{
	const struct tr_estimate_part part = {leaf, instructions};
	return tr_estimate_sum(e, &part, 1, 1);
}

static void check_quantiles(void)
{
	CHECK(fabs(tr_estimate_quantile(1) - 12.706) < 0.001);
	CHECK(fabs(tr_estimate_quantile(2) - 4.303) < 0.001);
	CHECK(fabs(tr_estimate_quantile(5) - 2.571) < 0.005);
	CHECK(fabs(tr_estimate_quantile(9) - 2.262) < 0.002);
	CHECK(fabs(tr_estimate_quantile(30) - 2.042) < 0.001);
	CHECK(fabs(tr_estimate_quantile(1e9) - 1.960) < 0.001);
	CHECK(tr_estimate_quantile(1.5) < 12.706 && tr_estimate_quantile(1.5) > 4.303);
}

/* 100 windows of 10 instructions of a leaf, of 20 and 40 cycles in turn: CPI 3. Of 10^6
 * instructions the residual of each window is 1000 * (20 - 30) or 1000 * (40 - 30), so
 * with r = 10^4: squares 100 r^2, products of neighbours -99 r^2, together 199 r^2, times
 * 100 / 99 for the mean. The CPI of a window differs by 1, so that of one more window
 * adds 10^12 / (100 * 101). All times 1 - 1000 / 10^6 for what was not sampled. The
 * fourth moment is as small as can be, so there are 99 degrees of freedom. */
static void check_one_leaf(void)
{
	struct tr_estimate *e = tr_estimate_new(1);
	const struct tr_estimate_leaf leaf = {1000000, 0};
	const double r = 1e4;
	CHECK(e != NULL);
	for (unsigned k = 0; k < 100; k++) {
		CHECK_EQ(tr_estimate_begin(e), 0);
		add_leaf(e, 0, 4, k % 2 ? 30 : 10);
		add_leaf(e, 0, 6, 10);
	}
	CHECK_EQ(tr_estimate_finish(e, &leaf, 1), 0);
	CHECK_EQ(tr_estimate_windows(e), 100);
	CHECK_EQ(tr_estimate_instructions(e), 1000);
	CHECK(is_near(tr_estimate_rate(e, 0, 0), 3));
	const struct tr_bar bar = bar_of(e, 0, 1000000);
	CHECK(is_near(bar.value, 3e6));
	CHECK_EQ(bar.windows, 100);
	CHECK(is_near(bar.error, tr_estimate_quantile(99) *
				     sqrt((199 * r * r * 100 / 99 + 1e12 / (100 * 101)) *
					  (1 - 1e-3))));
	/* Half of the instructions have half the error. */
	CHECK(is_near(bar_of(e, 0, 500000).error, bar.error / 2));
	CHECK(bar_of(e, 0, 0).error == 0 && bar_of(e, 0, 0).value == 0);
	tr_estimate_free(e);
}

/* What one leaf takes more in a window, another one takes less: of the error of the sum
 * remains that of one more window each, in which the CPI differs by 0.5. A column of its
 * own follows the first. */
static void check_covariance(void)
{
	struct tr_estimate *e = tr_estimate_new(2);
	const struct tr_estimate_leaf leaves[] = {{50000, 0}, {50000, 0}};
	const struct tr_estimate_part both[] = {{0, 50000}, {1, 50000}};
	for (unsigned k = 0; k < 40; k++) {
		const double one[] = {k % 4 < 2 ? 15 : 25, k % 4 < 2 ? 5 : 15};
		const double other[] = {40 - one[0], 1};
		CHECK_EQ(tr_estimate_begin(e), 0);
		CHECK_EQ(tr_estimate_add(e, 0, 10, one), 0);
		CHECK_EQ(tr_estimate_add(e, 1, 10, other), 0);
	}
	CHECK_EQ(tr_estimate_finish(e, leaves, 2), 0);
	CHECK(is_near(bar_of(e, 0, 50000).value, 1e5));
	CHECK(is_near(bar_of(e, 0, 50000).error, bar_of(e, 1, 50000).error));
	CHECK(bar_of(e, 0, 50000).error > 1000);
	const struct tr_bar sum = tr_estimate_sum(e, both, 2, 1);
	const double more = 5e4 * 5e4 * 0.25 / (40 * 41) * (1 - 8e-3);
	CHECK(is_near(sum.value, 2e5));
	CHECK(is_near(sum.error, tr_estimate_quantile(39) * sqrt(2 * more)));
	CHECK_EQ(sum.windows, 40);
	CHECK(is_near(tr_estimate_sum(e, both, 2, 2).value, 5e4 + 5e3));
	const double t = tr_estimate_quantile(39), error = bar_of(e, 0, 50000).error;
	CHECK(is_near(tr_estimate_sum(e, both, 1, 2).error,
		      sqrt(error * error - t * t * more)));
	tr_estimate_free(e);
}

/* Leaves 1 and 2 of binary 1 run in three windows each, at CPI 2 and 4: they have 3; leaf
 * 3 never ran, and has it as well; leaves 4 and 5 are alone in
 * their binaries, in one window and in four: they have the CPI of both. */
static void check_pools(void)
{
	struct tr_estimate *e = tr_estimate_new(1);
	const struct tr_estimate_leaf leaves[] = {{1000, 0}, {300, 1}, {300, 1},
						  {60, 1},   {100, 2}, {100, 3}};
	double cycles = 0, instructions = 0;
	for (unsigned k = 0; k < 50; k++) {
		CHECK_EQ(tr_estimate_begin(e), 0);
		add_leaf(e, 0, 10, 10);
		if (k % 10 == 1 && k < 30)
			add_leaf(e, 1, 10, 20);
		if (k % 10 == 2 && k < 30)
			add_leaf(e, 2, 10, 40);
		if (k == 40)
			add_leaf(e, 4, 10, 70);
		if (k > 45)
			add_leaf(e, 5, 10, 80);
	}
	instructions = 500 + 60 + 10 + 40;
	cycles = 500 + 180 + 70 + 320;
	CHECK_EQ(tr_estimate_finish(e, leaves, 6), 0);
	CHECK(is_near(tr_estimate_rate(e, 0, 0), 1));
	for (uint32_t leaf = 1; leaf <= 3; leaf++)
		CHECK(is_near(tr_estimate_rate(e, leaf, 0), 3));
	/* Leaves 4 and 5 together are in five windows. */
	CHECK(is_near(tr_estimate_rate(e, 4, 0), 390.0 / 50));
	CHECK(is_near(tr_estimate_rate(e, 5, 0), 390.0 / 50));
	CHECK(cycles > instructions);
	CHECK_EQ(bar_of(e, 1, 300).windows, 3);
	CHECK_EQ(bar_of(e, 3, 60).windows, 0);
	/* The CPIs differ by 1 from that of the pool: a standard deviation of 60. */
	CHECK(bar_of(e, 3, 60).error > 60);
	tr_estimate_free(e);
}

/* Less than two windows tell no error, and none at all no CPI. */
static void check_few(void)
{
	const struct tr_estimate_leaf leaves[] = {{1000, 0}, {0, 0}};
	struct tr_estimate *e = tr_estimate_new(1);
	CHECK_EQ(tr_estimate_finish(e, leaves, 2), 0);
	CHECK(bar_of(e, 0, 1000).value == 0 && isinf(bar_of(e, 0, 1000).error));
	tr_estimate_free(e);
	e = tr_estimate_new(1);
	CHECK_EQ(tr_estimate_begin(e), 0);
	add_leaf(e, 0, 10, 25);
	/* Cycles without instructions are those of all. */
	add_leaf(e, 1, 0, 5);
	CHECK_EQ(tr_estimate_finish(e, leaves, 2), 0);
	CHECK(is_near(bar_of(e, 0, 1000).value, 3000));
	CHECK(isinf(bar_of(e, 0, 1000).error));
	tr_estimate_free(e);
}

/* Nodes 1 and 2 are on the root, 3 on 2. */
static void check_tree(void)
{
	const uint32_t parents[] = {0, 0, 0, 2};
	const struct tr_estimate_leaf leaves[] = {{1000, 0}, {2000, 0}};
	struct tr_estimate_item items[] = {
	    {3, {1, 500}}, {1, {0, 400}}, {3, {0, 600}}, {2, {1, 1500}}};
	struct tr_bar self[4], total[4];
	struct tr_estimate *e = tr_estimate_new(1);
	for (unsigned k = 0; k < 20; k++) {
		CHECK_EQ(tr_estimate_begin(e), 0);
		add_leaf(e, 0, 1, k % 3);
		if (k < 12)
			add_leaf(e, 1, 1, 5 + k % 2);
	}
	CHECK_EQ(tr_estimate_finish(e, leaves, 2), 0);
	CHECK_EQ(tr_estimate_tree(e, parents, 4, items, 4, self, total), 0);
	const struct tr_estimate_part three[] = {{0, 600}, {1, 500}},
				      two[] = {{0, 600}, {1, 2000}},
				      all[] = {{0, 1000}, {1, 2000}};
	CHECK(is_near(self[3].error, tr_estimate_sum(e, three, 2, 1).error));
	CHECK(is_near(total[3].error, self[3].error));
	CHECK(is_near(self[2].error, bar_of(e, 1, 1500).error));
	CHECK(is_near(total[2].error, tr_estimate_sum(e, two, 2, 1).error));
	CHECK(is_near(total[0].value, tr_estimate_sum(e, all, 2, 1).value));
	CHECK(is_near(total[0].error, tr_estimate_sum(e, all, 2, 1).error));
	CHECK(self[0].value == 0 && self[0].windows == 0 && self[0].error == 0);
	CHECK_EQ(total[0].windows, 20);
	CHECK_EQ(self[2].windows, 12);
	tr_estimate_free(e);
}

int main(void)
{
	check_quantiles();
	check_one_leaf();
	check_covariance();
	check_pools();
	check_few();
	check_tree();
	return check_done();
}
