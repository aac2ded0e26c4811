# SPDX-License-Identifier: Apache-2.0
# Enumerators of each size and sign have their names, also with debug information that does
# not tell the type behind an enum, as that of older compilers.
cat > colours.c << 'END'
#define MOST 0x7fffffffffffffff
enum top { T1 = 1, T31 = 0x80000000, TALL = 0xffffffff } top[] = {T1, T31, TALL, 0xfffffffe};
enum low { LLOW = -0x7fffffff - 1, LONE = -1, LTOP = 0x7fffffff } low[] = {LLOW, LONE, LTOP, -2};
enum wide { W1 = 1, W32 = 0x100000000, W63 = MOST + 1ul, WALL = -1ul } wide[] = {W1, W32, W63, WALL, -2ul};
enum deep { D63 = -MOST - 1, DONE = -1, D31 = 0x80000000 } deep[] = {D63, DONE, D31, -2};
enum __attribute__((packed)) byte { B1 = 1, B128 = 128, BALL = 255 } byte[] = {B1, B128, BALL, 254};
enum __attribute__((packed)) sign { S128 = -128, SONE = -1, STOP = 127 } sign[] = {S128, SONE, STOP, -2};
struct { enum top top : 32; enum low low : 3; enum byte byte : 8; enum wide wide : 64; } bits = {T31, LONE, B128, W63};
int point(enum top, enum low, enum wide, enum sign);
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
int main(void) { return point(T31, LONE, W63, SONE); }
__attribute__((noinline)) int point(enum top t, enum low l, enum wide w, enum sign s) { __asm__ volatile(""); return t + l + w + s; }
END
cat > probes << 'END'
point: colours:point { t = t; l = l; w = w; s = s;
	top0 = top[0]; top1 = top[1]; top2 = top[2]; top3 = top[3]; low0 = low[0]; low1 = low[1]; low2 = low[2]; low3 = low[3];
	wide0 = wide[0]; wide1 = wide[1]; wide2 = wide[2]; wide3 = wide[3]; wide4 = wide[4];
	deep0 = deep[0]; deep1 = deep[1]; deep2 = deep[2]; deep3 = deep[3];
	byte0 = byte[0]; byte1 = byte[1]; byte2 = byte[2]; byte3 = byte[3];
	sign0 = sign[0]; sign1 = sign[1]; sign2 = sign[2]; sign3 = sign[3];
	in_bits = bits.top; low_bits = bits.low; byte_bits = bits.byte; wide_bits = bits.wide;
	is_above = T31 > 0 && top[1] == T31 && W63 > W32; is_below = LONE < 0 && low[1] == LONE && D63 < 0; number = (long)T31; negative = (long)S128 }
END
link='-march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments'
link="$link -T $SRC/sim/target/firmware/firmware.ld"
look() { # NAME
	soc-model --trace run.tr colours.elf
	tr-replay --probes probes run.tr colours.elf | cut -d' ' -f 4- > "$1.txt"
	cmp gcc-5.txt "$1.txt" && echo "$1: the same"
}
for version in 5 4 2; do
	riscv64-unknown-elf-gcc $link -w -O1 -g -gdwarf-$version -gstrict-dwarf -o colours.elf colours.c
	look gcc-$version
done
for version in 5 4; do
	clang-14 --target=riscv64-unknown-elf -march=rv64imac -mabi=lp64 -mcmodel=medany -O0 -gdwarf-$version -Wno-everything -c -o colours.o colours.c
	riscv64-unknown-elf-gcc $link -o colours.elf colours.o
	look clang-$version
done
fold -sw 100 gcc-5.txt
tr-replay --stream --probe 'p: colours:point { a = top[1]; b = top[3]; c = deep[0]; d = sign[3]; e = wide[4]; f = D31 }' run.tr colours.elf |
	tr-text > text
tr-text --encode text | tr-text | cmp - text && grep '^probe ' text
