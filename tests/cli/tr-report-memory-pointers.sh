# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by member: structures that are reached by pointers, in memory without symbols. A
# list, a tree and an array of structures with a member that misses and one that does not, and classes
# with bases, without optimization and with it. Each member has the loads and stores that the program
# makes (all members are volatile), and how it is known. Unknown are 10 loads by a pointer to a number,
# 10 stores to an array in a structure by an index that is not constant, and, where one register has two
# variables of different types, 10 loads.
cat > memory.h << 'END'
static char *top = (char *)0x82000000L;
#define ALONE __attribute__((noinline))
ALONE static void *allocate(unsigned long size) { void *at = top; top += (size + 63) & -64L; return at; }
END
cat > pointers.c << 'END'
#include "memory.h"
struct vector { volatile int x, y; };
struct node {
	struct node *volatile next;
	volatile long hot;
	struct vector at[2];
	volatile unsigned a : 3, b : 5;
	union { volatile int i; volatile float f; };
	volatile long cold;
}; /* of 48 bytes, in lines of its own */
struct tree { struct tree *volatile left, *volatile right; struct node *volatile payload; volatile long key; };
struct item { volatile long hot, unused[6], cold; };
struct wide { volatile long near[256], middle, more[511], far; }; /* beyond the offset of an instruction */
struct first { volatile long x; };
struct second { volatile long y; };
enum { NODES = 1 << 15, ITEMS = 1 << 15 }; /* 2 MiB each: twice L2 */

ALONE static struct node *make_node(void) { return allocate(sizeof(struct node)); }
ALONE static struct tree *make_tree(long key, struct node *payload)
{
	struct tree *t = allocate(sizeof *t);
	struct tree *made = t;
	made->left = made->right = 0;
	made->key = key;
	made->payload = payload;
	return made;
}
ALONE static struct item *make_items(void) { return allocate(ITEMS * sizeof(struct item)); }

ALONE static struct node *make_list(void)
{
	struct node *list = 0;
	for (int i = 0; i < NODES; i++) {
		struct node *n = make_node();
		n->next = list;
		list = n;
	}
	return list;
}
ALONE static long sum_hot(struct node *list)
{
	long sum = 0;
	for (struct node *p = list; p; p = p->next)
		sum += p->hot;
	return sum;
}
static inline long cold_of(const struct node *node) { return node->cold; }
ALONE static long sum_cold(struct node *node) { return cold_of(node) + cold_of(node); }
ALONE static void touch(struct node *n, int i)
{
	n->at[1].y = i;
	n->at[i & 1].x = i;
	n->b = 1; /* loads and stores the byte */
	n->i = i;
}
ALONE static long deep(struct tree *t) { return t->left->right->payload->next->cold; }
ALONE static long sum_items(struct item *items)
{
	long sum = 0;
	for (struct item *p = items; p < items + ITEMS; p++)
		sum += p->hot;
	for (int i = 0; i < 100; i++)
		sum += items[i & 7].cold;
	return sum;
}
ALONE static long every_fourth(struct item *items)
{
	long sum = 0;
	for (int i = 0; i < 100; i += 4)
		sum += items[i].unused[2];
	return sum;
}
ALONE static long reach(struct wide *w) { return w->middle + w->far + w->far; }
ALONE static long contradict(struct first *p)
{
	struct second *q = (struct second *)p;
	return q->y;
}
ALONE static long untyped(volatile long *p) { return p[1]; }

int start(void)
{
	struct node *list = make_list();
	struct tree *root = make_tree(3, list);
	root->left = make_tree(1, list);
	root->left->right = make_tree(2, list);
	struct item *items = make_items();
	long sum = sum_hot(list) + sum_items(items) + every_fourth(items) + reach((struct wide *)items);
	for (int i = 0; i < 10; i++) {
		sum += sum_cold(list) + deep(root) + contradict((void *)list) + untyped((void *)list);
		touch(list, i);
	}
	*(volatile int *)0x100000 = 0x5555;
	return (int)sum;
}
END
cat > classes.cc << 'END'
#include "memory.h"
namespace geometry {
struct Named { volatile long id; };
class Shape {
public:
	virtual long area() = 0;
	volatile int colour;
};
class Square : public Named, public Shape {
public:
	ALONE long area() override { return side * side; }
	ALONE long label() { return id + colour; }
	volatile long side;
};
}
ALONE static long paint(geometry::Shape &shape, int colour) { shape.colour = colour; return shape.area(); }
inline void *operator new(unsigned long, void *at) { return at; }
ALONE static geometry::Square *make() { return new (allocate(sizeof(geometry::Square))) geometry::Square; }
extern "C" void __cxa_pure_virtual() { for (;;); }
extern "C" int start()
{
	geometry::Square *square = make();
	square->id = 1;
	square->side = 5;
	long sum = 0;
	for (int i = 0; i < 10; i++)
		sum += paint(*square, i) + square->label();
	*(volatile int *)0x100000 = 0x5555;
	return (int)sum;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call start' '.bss' '.balign 64' 'stack: .zero 4096' 'stack_top:' > start.S
for source in pointers.c classes.cc; do
	for level in -O0 -O2; do
		echo "== $source $level"
		compiler=gcc
		[ "$source" = pointers.c ] || compiler='g++ -fno-exceptions -fno-rtti'
		riscv64-unknown-elf-$compiler -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding "$level" -g -nostdlib -static \
			-o program.elf start.S "$source" -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
		soc-sim --trace run.tr program.elf
		tr-replay --stream --accesses run.tr program.elf | tr-match --bins program.elf > accesses.tr
		tr-report memory --by member --limit 0 --format csv accesses.tr | tee all.csv |
			awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
				$at["object"] ~ /stack|device/ { next }
				{ name = $at["object"]; print name ": loads", $at["loads"], "stores", $at["stores"], $at["evidence"]
				if (name ~ /[.]hot/) print name ": nearly all miss:", ($at["missed"] > 32000)
				if (name ~ /[.]cold/) print name ": few miss:", ($at["missed"] < 20) }' | sort
		tr-report memory --by object --limit 0 --format csv accesses.tr | awk -F, '{ sum += $1 } END { print sum }' |
			cmp - <(awk -F, '{ sum += $1 } END { print sum }' all.csv) && echo 'the same sum'
	done
done
