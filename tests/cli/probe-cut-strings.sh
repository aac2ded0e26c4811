# SPDX-License-Identifier: Apache-2.0
# A string is cut if more of it follows; not if its 0 is the next byte.
cat > text.c << 'END'
char hello[] = "hello", empty[1] = "", whole[8] = "abcdefgh", long256[257], long257[258];
char *last = (char *)0x87fffffc, *full = (char *)0x87fff000; /* memory ends at 0x88000000 */
struct huge { char text[3 << 20]; } *huge = (struct huge *)0x82000000;
__attribute__((noipa)) void fill(char *to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = 'x';
}
__attribute__((noipa)) void point(void) {}
int main(void)
{
	fill(long256, 256);
	fill(long257, 257);
	fill(last, 4);
	fill(full, 255);
	fill(huge->text, 3);
	fill(huge[1].text, 2 << 20);
	point();
}
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o text.elf text.c
soc-model --trace text.tr text.elf
print() { tr-replay --at "$at" --print "$1" text.tr text.elf | sed -n 's/x\{20\}x*/x.../; 2p'; }
at=$(tr-replay --probe 'point: text:point { }' text.tr text.elf | cut -d' ' -f 1)
for text in 'str(hello, 4)' 'str(hello, 5)' 'str(hello, 6)' 'str(empty, 0)' 'str(hello, 0)' 'str(long256)' 'str(long257)' \
	'str((char *)long256)' 'str((char *)long257)' 'str(full)' 'str(last, 4)' whole 'str(whole)' 'huge->text' 'huge[1].text' \
	'str(huge->text, 3 << 20)' 'str(hello, 5) == "hello"'; do
	print "$text"
done
tr-replay --stream --probe 'point: text:point { a = str(hello, 5); b = str(hello, 4); c = str(empty, 0) }' text.tr text.elf |
	tr-text | grep '^probe '
