# SPDX-License-Identifier: Apache-2.0
# --print of what a pointer points to: numbers, structures and arrays as a whole, functions,
# and nothing.
link="-march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments"
link="$link -T $SRC/sim/target/firmware/firmware.ld -w -g"
cat > start.h << 'END'
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
print() { # PROGRAM EXPRESSION...
	local program=$1 arguments=() expression
	shift
	for expression; do arguments+=(--print "$expression"); done
	tr-replay --at "$at" "${arguments[@]}" "$program.tr" "$program.elf" | tail -n +2
}
cat > things.c << 'END'
#include "start.h"
enum colour { RED = 1, BLUE = -3 };
struct point { int x, y; };
struct undefined;
struct thing {
	char name[8];
	enum colour colour;
	unsigned flags : 3, : 2, more : 4;
	_Bool on;
	union { int number; unsigned char bytes[4]; };
	struct { long a; struct point at; } inner;
	struct point corners[2], *corner;
	struct thing *next;
	int (*handler)(int);
	struct undefined *unknown;
	long double wide;
	double real;
	long many[20], table[2][2], none[0];
	char rest[];
};
int twice(int n) { return 2 * n; }
struct thing thing = {"abc", BLUE, 5, 9, 1, {0x04030201}, {-7, {1, 2}}, {{3, 4}, {5, 6}}, &thing.corners[1], 0, twice, 0, 1, -0.25,
	{1, 2, 3}, {{1, 2}, {3, 4}}};
struct thing *pointer = &thing, *null, **to_pointer = &pointer, *nowhere = (struct thing *)0x12345678;
int number = 42, *to_number = &number, *no_number;
void *anything = &number;
int (*function)(int) = twice;
__attribute__((noipa)) long use(struct point p) { return p.x + p.y; }
int main(void) { return use((struct point){10, 20}); }
END
riscv64-unknown-elf-gcc $link -O1 -o things.elf things.c
soc-model --isa rv64gc --trace things.tr things.elf
at=$(tr-replay --probe 'use: things:use { }' things.tr things.elf | cut -d' ' -f 1)
address=$(riscv64-unknown-elf-nm things.elf | sed -n 's/^0*\([0-9a-f]*\) . twice$/0x\1/p')
print things '*pointer' '**to_pointer' | sed "s/$address/TWICE/; s/0x8000[0-9a-f]*/ADDRESS/g"
print things '*null' '*nowhere' '*to_number' '*no_number' '*pointer->corner' pointer-\>corners 'thing.inner.at; thing.table' 'p' \
	'*(struct point *)&thing.inner.at' '*null->next' 'thing.corners[1]' '*pointer->name' '*(char *)anything' '*(long *)8'
print things '*function' '*twice' function | sed "s/$address/TWICE/"
for wrong in '*anything' '*number' '*null->unknown' '**to_number' '*missing' 'thing.wide' thing.none 'thing + 1'; do print things "$wrong"; done
tr-replay --probe 'p: things:use { t = *pointer }' things.tr things.elf

# Members of bases, also if the class has one of the same name; references.
cat > classes.cc << 'END'
#include "start.h"
struct Base { int id = 1, own = 2; virtual int what() { return 1; } };
struct Other { int other = 3; static int count; };
struct Derived : Base, Other { int id = 4; int &to = id; };
int Other::count = 9;
Derived derived;
extern "C" __attribute__((noipa)) int use(Derived *d) { return d->what(); }
int main() { new (&derived) Derived; return use(&derived); }
END
sed -i '1a inline void *operator new(unsigned long, void *p) { return p; }' classes.cc
riscv64-unknown-elf-g++ $link -fno-exceptions -fno-rtti -O1 -o classes.elf classes.cc
soc-model --isa rv64gc --trace classes.tr classes.elf
at=$(tr-replay --probe 'use: classes:use { }' classes.tr classes.elf | cut -d' ' -f 1)
print classes '*d' derived | sed 's/0x8000[0-9a-f]*/ADDRESS/g'
