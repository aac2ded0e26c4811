# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by heap: who has allocated, behind wrappers of malloc(), operator new and
# std::vector, and the stacks as folded text, on both cores. The program knows the numbers.
cat > stacks.cc << 'END'
#include <vector>
typedef unsigned long size;
static char *top = (char *)0x84000000L;
#define KEEP extern "C" __attribute__((noinline, noclone))

KEEP void *malloc(size bytes)
{
	char *at = top;
	top += (bytes + 63) & -64L;
	return at;
}
KEEP void free(void *) { __asm__ volatile(""); }
KEEP void *realloc(void *, size bytes)
{
	void *at = malloc(bytes);
	__asm__ volatile("" : "+r"(at));
	return at;
}
KEEP void *xmalloc(size bytes)
{
	void *at = malloc(bytes);
	__asm__ volatile("" : "+r"(at));
	return at;
}
KEEP void *pool_get(size bytes)
{
	void *at = xmalloc(bytes);
	__asm__ volatile("" : "+r"(at));
	return at;
}
void *operator new(size bytes)
{
	void *at = malloc(bytes);
	__asm__ volatile("" : "+r"(at));
	return at;
}
void operator delete(void *at) noexcept { free(at); }
void operator delete(void *at, size) noexcept { free(at); }
namespace std { void __throw_length_error(const char *) { for (;;) ; } void __throw_bad_alloc() { for (;;) ; } void __throw_bad_array_new_length() { for (;;) ; } }

/* One access for each word, and none to the stack. */
KEEP void *memmove(void *to, const void *from, size bytes)
{
	for (size i = 0; i < bytes / sizeof(long); i++)
		((volatile long *)to)[i] = ((volatile const long *)from)[i];
	return to;
}
KEEP void *memcpy(void *to, const void *from, size bytes) { return memmove(to, from, bytes); }

static inline void touch(volatile long *at, int stores, int loads)
{
	for (int i = 0; i < stores; i++)
		at[0] = i;
	for (int i = 0; i < loads; i++)
		(void)at[0];
}

KEEP volatile long *make_list(void)
{
	volatile long *at = (volatile long *)xmalloc(64);
	touch(at, 10, 3);
	return at;
}
KEEP volatile long *make_table(void)
{
	volatile long *at = (volatile long *)pool_get(64);
	touch(at, 20, 5);
	return at;
}
KEEP void make_vector(void)
{
	std::vector<long> v;
	for (int i = 0; i < 9; i++)
		v.push_back(i);
	volatile long *at = v.data();
	touch(at, 40, 7);
}
struct object { volatile long value[8]; };
KEEP object *make_object(void)
{
	object *made = new object;
	touch(made->value, 80, 9);
	return made;
}
KEEP void outer(int twice)
{
	make_list();
	if (twice)
		make_list();
}

extern "C" void main_(void)
{
	outer(1);
	volatile long *table = make_table();
	touch(table, 1, 0);
	make_vector();
	object *made = make_object();
	delete made;
	touch(made->value, 2, 1); /* it is freed */
	volatile long *grown = (volatile long *)realloc((void *)table, 128);
	touch(grown, 5, 0); /* the site of realloc */
	touch(table, 0, 1); /* it is freed */
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main_' '.bss' '.balign 64' '.zero 4096' 'stack_top:' > start.S
riscv64-linux-gnu-g++ -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -fno-pic -fno-exceptions -fno-rtti -fno-builtin -fno-stack-protector \
	-fno-asynchronous-unwind-tables -O1 -g -nostdlib -static -no-pie -o stacks.elf start.S stacks.cc -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
probes=$SRC/filters/lib/probe/malloc.probes
# "OBJECT LOADS STORES" of the heap.
heap() { tr-report memory --by heap --limit 0 --format csv "$@" | awk -F, 'NR > 1 && /heap|freed/ { print $(NF - 1), $2, $3 }' | sort; }
soc-sim --isa rv64gc --trace run.tr stacks.elf
tr-replay --stream --accesses --probes "$probes" run.tr stacks.elf | tr-match --bins stacks.elf > accesses.tr
heap accesses.tr
for unit in accesses missed lost; do
	tr-report memory --by heap --format folded --unit "$unit" accesses.tr > "$unit.folded"
done
sed 's/std::.*operator new/std::...;operator new/' accesses.folded
# The weights of the stacks are those of the table.
tr-report memory --by heap --limit 0 --format csv accesses.tr |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ accesses += $1; missed += $5; for (i = 6; i <= NF; i++) if (name[i] ~ /^memory/) lost += $i } END { print accesses, missed, lost }' > table
for unit in accesses missed lost; do awk '{ sum += $NF } END { print sum }' "$unit.folded"; done | paste -sd ' ' | cmp - table && echo 'the same sums'
echo '== a wrapper with another name'
heap --hide '^pool_' accesses.tr | grep make_table
tr-report memory --by heap --hide '^pool_' --hide std:: --format folded accesses.tr | grep 'make_table\|make_vector'

# Other objects are those of the table without stacks.
others() { tr-report memory --limit 0 --format csv "$@" accesses.tr | grep -v 'heap\|freed' | sort; }
others > plain
others --by heap | cmp - plain && echo 'the same objects'

# Without allocations, and what makes no sense.
tr-replay --stream --accesses run.tr stacks.elf | tr-match --bins stacks.elf > none.tr
tr-report memory --by heap none.tr
tr-report memory --format folded accesses.tr
tr-report memory --by heap --unit missed accesses.tr
tr-report memory --hide x accesses.tr
tr-report memory --by heap --hide '(' accesses.tr
head -c $(($(wc -c < accesses.tr) / 2)) accesses.tr > cut.tr
tr-report memory --by heap cut.tr 2>&1 | sed 's/record [0-9]*, byte [0-9]*/record N, byte N/'
tr-report memory --by heap --format folded accesses.tr > /dev/full
