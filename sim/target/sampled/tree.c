/* SPDX-License-Identifier: Apache-2.0 */
/* An AVL tree of random keys, in nodes of one cache line each that lie in an
 * unpredictable order: each step to a child is a load that needs the one before. */
#include "../benchmarks/benchmark.h"

enum { NODES = 24000, TURNS = 280000, REACH = 2 * NODES };

struct node {
	struct node *child[2];
	uint32_t key, height;
	uint64_t value, unused[4];
};
static struct node nodes[NODES] __attribute__((aligned(64)));
static struct node *root, *spare;
static uint32_t order[NODES], count;
static uint8_t present[REACH];

static uint32_t height(const struct node *n)
{
	return n ? n->height : 0;
}

static void measure(struct node *n)
{
	const uint32_t left = height(n->child[0]), right = height(n->child[1]);

	n->height = 1 + (left > right ? left : right);
}

KEEP static struct node *rotate(struct node *n, int side)
{
	struct node *top = n->child[side];

	n->child[side] = top->child[!side];
	top->child[!side] = n;
	measure(n);
	measure(top);
	return top;
}

KEEP static struct node *balance(struct node *n)
{
	measure(n);
	for (int side = 0; side < 2; side++) {
		struct node *high = n->child[side];

		if (height(high) < height(n->child[!side]) + 2)
			continue;
		if (height(high->child[!side]) > height(high->child[side]))
			n->child[side] = rotate(high, !side);
		return rotate(n, side);
	}
	return n;
}

KEEP static struct node *add(struct node *n, uint32_t key)
{
	if (!n) {
		n = spare;
		spare = n->child[0];
		*n = (struct node){.key = key, .height = 1, .value = key};
		return n;
	}
	n->child[key > n->key] = add(n->child[key > n->key], key);
	return balance(n);
}

/* Removes the least node, and sets *least to it. */
KEEP static struct node *take_least(struct node *n, struct node **least)
{
	if (!n->child[0]) {
		*least = n;
		return n->child[1];
	}
	n->child[0] = take_least(n->child[0], least);
	return balance(n);
}

KEEP static struct node *take(struct node *n, uint32_t key)
{
	if (key == n->key) {
		struct node *next = n->child[0];

		if (n->child[1]) {
			struct node *rest = take_least(n->child[1], &next);

			next->child[1] = rest;
			next->child[0] = n->child[0];
			next = balance(next);
		}
		n->child[0] = spare;
		spare = n;
		return next;
	}
	n->child[key > n->key] = take(n->child[key > n->key], key);
	return balance(n);
}

KEEP static const struct node *find(const struct node *n, uint32_t key)
{
	while (n && n->key != key)
		n = n->child[key > n->key];
	return n;
}

/* Returns the sum of the values, in the order of the keys. */
KEEP static uint64_t sum(const struct node *n)
{
	return n ? sum(n->child[0]) + n->value + sum(n->child[1]) : 0;
}

void prepare(void)
{
	make_cycle(order, NODES, 3);
	for (uint32_t i = 0; i < NODES; i++) {
		nodes[order[i]].child[0] = spare;
		spare = &nodes[order[i]];
	}
}

/* Changes the tree, and looks up three keys of another seed. */
KEEP static uint64_t turn(uint32_t *seed)
{
	const uint32_t key = random_next(seed) % REACH;
	uint64_t good = 0;

	if (present[key])
		root = take(root, key);
	else if (count < NODES)
		root = add(root, key);
	else
		return 3;
	count += present[key] ? -1U : 1;
	present[key] ^= 1;
	for (int i = 0; i < 3; i++) {
		const uint32_t other = random_next(seed) % REACH;

		good += (find(root, other) != NULL) == present[other];
	}
	return good;
}

uint64_t benchmark(void)
{
	uint64_t good = 0;
	uint32_t seed = 7;

	for (uint32_t i = 0; i < TURNS; i++)
		good += turn(&seed);
	return good;
}

bool right(uint64_t good)
{
	uint64_t expected = 0;

	for (uint32_t i = 0; i < REACH; i++)
		expected += present[i] ? i : 0;
	return good == 3 * TURNS && sum(root) == expected;
}
