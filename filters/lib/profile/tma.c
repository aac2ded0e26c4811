/* SPDX-License-Identifier: Apache-2.0 */
/* Stall classes as the tree of top-down analysis. */
#include "profile/tma.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/table.h"

static const struct {
	const char *group, *name, *first, *second;
} groups[] = {
    {"frontend", "frontend", "frontend", "latency"},
    {"badspec", "bad speculation", "bad speculation", "machine clears"},
    {"memory", "backend memory", "backend", "memory"},
    {"core", "backend core", "backend", "core"},
};
enum { GROUPS = sizeof(groups) / sizeof(*groups) };

/* Classes whose second level differs from that of their group. */
static const struct {
	const char *class, *second;
} apart[] = {
    {"frontend.fetch", "bandwidth"},
    {"badspec.branch", "branch mispredicts"},
};

static unsigned find_known_group(const char *group)
{
	unsigned i = 0;
	while (i < GROUPS && strcmp(groups[i].group, group) != 0)
		i++;
	return i;
}

const char *tr_tma_unit(unsigned width)
{
	return width > 1 ? "slots" : "cycles";
}

const char *tr_tma_group(const char *group)
{
	unsigned i = find_known_group(group);
	return i < GROUPS ? groups[i].name : group;
}

const char *tr_tma_first(const struct tr_classes *classes, unsigned class)
{
	const char *group = classes->group_name[classes->group[class]];
	unsigned i = find_known_group(group);
	return i < GROUPS ? groups[i].first : group;
}

/* Returns the second level above a class, or NULL. */
static const char *second_level(const struct tr_classes *classes, unsigned class)
{
	unsigned i = find_known_group(classes->group_name[classes->group[class]]);
	for (size_t k = 0; k < sizeof(apart) / sizeof(*apart); k++)
		if (strcmp(apart[k].class, classes->name[class]) == 0)
			return apart[k].second;
	return i < GROUPS ? groups[i].second : NULL;
}

bool tr_tma_is_mispredict(const struct tr_classes *classes, unsigned class)
{
	const char *second = second_level(classes, class);
	return second && strcmp(second, "branch mispredicts") == 0;
}

bool tr_tma_is_miss(const struct tr_classes *classes, unsigned class)
{
	const char *second = second_level(classes, class);
	return second &&
	       (strcmp(second, "memory") == 0 || strcmp(second, "latency") == 0);
}

struct tree {
	const struct tr_tma_sum *sum;
	const struct tr_classes *classes;
	const char *name; /* what the sum is of, or "" */
	struct tr_table *table;
	const char *path[3]; /* the row, and those above it */
};

/* Adds the error of a row if the sum has errors. Returns a status. */
static int add_tma_error(struct tree *tree, uint64_t classes)
{
	const struct tr_tma_sum *sum = tree->sum;
	const double error =
	    sum->error_of && classes ? sum->error_of(sum->context, classes) : 0;
	if (!sum->error_of)
		return TR_OK;
	return isinf(error) ? tr_table_cell(tree->table, "-")
			    : tr_table_cell(tree->table, "%.0f", ceil(error));
}

/* The classes of a row, for add_tma_error(). */
enum { EXACT = 0, ALL_SLOTS = 1 };

/* Adds a row with the value of `classes`; `leaf` is the only class of a level, else "".
 * Returns a status. */
static int add_tma_line(struct tree *tree, uint64_t value, uint64_t classes,
			const char *indent, const char *name, const char *leaf)
{
	size_t level = strlen(indent) / 2;
	const struct tr_tma_sum *sum = tree->sum;
	double share = sum->slots ? 100.0 * (double)value / (double)sum->slots : 0;
	int failed = tr_table_cell(tree->table, "%" PRIu64, value) |
		     add_tma_error(tree, classes) |
		     tr_table_cell(tree->table, "%.2f", share);
	if (sum->instructions)
		failed |=
		    tr_table_cell(tree->table, "%.3f",
				  (double)value / sum->width / (double)sum->instructions);
	else
		failed |= tr_table_cell(tree->table, "-");
	failed |=
	    tr_table_cell(tree->table, "%s%s%s%s", indent, name, *leaf ? ": " : "", leaf);
	tree->path[level] = name;
	if (level == 1)
		tree->path[2] = leaf;
	failed |= tr_table_cell(tree->table, "%s", tree->name);
	for (size_t i = 0; i < 3; i++)
		failed |= tr_table_cell(
		    tree->table, "%s",
		    i <= level || (level == 1 && *leaf) ? tree->path[i] : "");
	return failed;
}

static int add_inner_line(struct tree *tree, uint64_t value, uint64_t classes,
			  const char *indent, const char *name)
{
	return add_tma_line(tree, value, classes, indent, name, "");
}

static bool is_class_below(const struct tree *tree, unsigned class, const char *first,
			   const char *second)
{
	const char *below = second_level(tree->classes, class);
	return strcmp(tr_tma_first(tree->classes, class), first) == 0 &&
	       (!second || (below && strcmp(below, second) == 0));
}

/* Returns the sum over the level, and sets *again if it has a class before this one, and
 * *below to its classes. */
static uint64_t sum_below(const struct tree *tree, unsigned class, const char *first,
			  const char *second, bool *again, uint64_t *below)
{
	uint64_t value = 0;
	*again = false;
	*below = 0;
	for (unsigned c = 1; c <= tree->classes->count; c++)
		if (is_class_below(tree, c, first, second)) {
			value += tree->sum->lost[c];
			*again |= c < class;
			*below |= UINT64_C(1) << c;
		}
	return value;
}

static int add_class(struct tree *tree, unsigned class, const char *indent)
{
	const char *leaf = tree->classes->leaf[class];
	if (!tree->sum->lost[class] || !*leaf)
		return TR_OK;
	return add_inner_line(tree, tree->sum->lost[class], UINT64_C(1) << class, indent,
			      leaf);
}

/* Returns the leaf of the only class that the source has in a second-level category, else
 * "". */
static const char *only_leaf(const struct tree *tree, const char *first,
			     const char *second)
{
	const char *leaf = "";
	unsigned count = 0;

	for (unsigned c = 1; c <= tree->classes->count; c++)
		if (is_class_below(tree, c, first, second)) {
			leaf = tree->classes->leaf[c];
			count++;
		}
	return count == 1 ? leaf : "";
}

static int add_second(struct tree *tree, unsigned class, const char *first)
{
	const char *second = second_level(tree->classes, class);
	int failed = TR_OK;
	bool again;
	uint64_t below;
	if (!second)
		return add_class(tree, class, "  ");
	uint64_t value = sum_below(tree, class, first, second, &again, &below);
	if (again || !value)
		return TR_OK;
	const char *leaf = only_leaf(tree, first, second);
	failed |= add_tma_line(tree, value, below, "  ", second, leaf);
	for (unsigned c = class; c <= tree->classes->count && !*leaf; c++)
		if (is_class_below(tree, c, first, second))
			failed |= add_class(tree, c, "    ");
	return failed;
}

static int add_tree(struct tree *tree)
{
	const struct tr_tma_sum *sum = tree->sum;
	int failed = add_inner_line(tree, sum->retiring, EXACT, "", "retiring");
	for (unsigned class = 1; class <= tree->classes->count; class ++) {
		const char *first = tr_tma_first(tree->classes, class);
		bool again;
		uint64_t below;
		uint64_t value = sum_below(tree, class, first, NULL, &again, &below);
		if (again || !value)
			continue;
		failed |= add_inner_line(tree, value, below, "", first);
		for (unsigned c = class; c <= tree->classes->count; c++)
			if (is_class_below(tree, c, first, NULL))
				failed |= add_second(tree, c, first);
	}
	if (sum->lost[0])
		failed |= add_inner_line(tree, sum->lost[0],
					 UINT64_C(1) << (tree->classes->count + 1), "",
					 "unclassified");
	if (sum->untraced)
		failed |= add_inner_line(tree, sum->untraced, EXACT, "", "not traced");
	return failed | add_inner_line(tree, sum->slots, ALL_SLOTS, "", "all");
}

int tr_tma_report(const struct tr_tma_sum *sum, const struct tr_classes *classes,
		  const char *key, const char *name, struct tr_report *report)
{
	const char *const unit = tr_tma_unit(sum->width);
	const char *headings[] = {unit, "%", "CPI", "<class", "<",
				  "<",	"<", "<",   NULL,     NULL};
	const char *keys[] = {unit,	"percent", "cpi",    "",  key ? key : "",
			      "level1", "level2",  "level3", NULL};
	if (sum->error_of) {
		memmove(headings + 2, headings + 1, 8 * sizeof(*headings));
		memmove(keys + 2, keys + 1, 7 * sizeof(*keys));
		headings[1] = "±";
		keys[1] = "error";
	}
	struct tree tree = {.sum = sum,
			    .classes = classes,
			    .name = key ? name : "",
			    .table = tr_table_new(headings)};
	int failed = tree.table ? tr_table_keys(tree.table, keys, NULL) : TR_E_NOMEM;
	if (!failed)
		failed = add_tree(&tree);
	failed |= tr_report_table(report, "classes", tree.table);
	return failed ? TR_E_NOMEM : TR_OK;
}
