# SPDX-License-Identifier: Apache-2.0
# Overlays, sections of code at one address that are loaded in turns: their code tells them
# apart; what is the same in several of them is ambiguous. Names are those of symbols.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
END
cat > head.h << 'END'
volatile unsigned sink;
#define OVERLAY(name) __attribute__((noinline, section(name)))
__attribute__((noinline)) static void load(char *to, char *from, char *end)
{
	while (from < end)
		*to++ = *from++;
	__asm__ volatile("fence.i");
}
END
cat > two.c << 'END'
#include "head.h"
extern char __load_start_ovl_a[], __load_stop_ovl_a[], __load_start_ovl_b[], __load_stop_ovl_b[];
OVERLAY(".ovl_a") void alpha(int n) { for (int i = 0; i < n; i++) sink += i; }
OVERLAY(".ovl_a") void alpha2(int n) { alpha(n); alpha(n); sink++; }
OVERLAY(".ovl_b") void beta(int n) { for (int i = 0; i < n; i++) sink ^= i * 3; }
OVERLAY(".ovl_b") void beta2(int n) { beta(2 * n); sink--; }
int main(void)
{
	char *area = (char *)0x80010000;
	for (int k = 0; k < 3; k++) {
		load(area, __load_start_ovl_a, __load_stop_ovl_a);
		alpha2(100);
		load(area, __load_start_ovl_b, __load_stop_ovl_b);
		beta2(100);
	}
	return 0;
}
END
# Three of different sizes; "same" begins each of them.
cat > three.c << 'END'
#include "head.h"
extern char __load_start_ovl_a[], __load_stop_ovl_a[], __load_start_ovl_b[], __load_stop_ovl_b[];
extern char __load_start_ovl_c[], __load_stop_ovl_c[];
#define SAME(name) __asm__(".section .ovl_" #name ", \"ax\"\n.type same_" #name ", @function\nsame_" #name \
	":\n li a0, 50\n1: addi a0, a0, -1\n bnez a0, 1b\n ret\n.size same_" #name ", . - same_" #name "\n.previous")
SAME(a);
SAME(b);
SAME(c);
OVERLAY(".ovl_a") void small(int n) { for (int i = 0; i < n; i++) sink += i; }
OVERLAY(".ovl_b") void middle(int n) { for (int i = 0; i < n; i++) sink ^= i * 3; sink++; sink++; sink++; }
OVERLAY(".ovl_c") void filler(void) { sink++; sink--; sink++; sink--; sink++; sink--; sink++; sink--; }
OVERLAY(".ovl_c") void large(int n) { for (int i = 0; i < n; i++) sink -= i * 5; filler(); }
int main(void)
{
	char *area = (char *)0x80010000;
	void (*same)(void) = (void (*)(void))area;
	load(area, __load_start_ovl_a, __load_stop_ovl_a);
	small(100);
	same();
	load(area, __load_start_ovl_b, __load_stop_ovl_b);
	middle(100);
	load(area, __load_start_ovl_c, __load_stop_ovl_c);
	large(100);
	return 0;
}
END
script() { # OVERLAYS...
	cat <<- 'END'
	PHDRS { text PT_LOAD; data PT_LOAD; a PT_LOAD; b PT_LOAD; c PT_LOAD; }
	SECTIONS {
		. = 0x80000000;
		.text : { *(.text.start) *(.text .text.*) *(.rodata .rodata.*) } :text
		. = 0x80008000;
		.data : { *(.data .data.* .sdata*) } :data
		.bss (NOLOAD) : { *(.bss .sbss COMMON) . = ALIGN(16); . += 4096; stack_top = .; } :data
		OVERLAY 0x80010000 : AT (0x80020000) {
	END
	for name; do echo "			.ovl_$name { *(.ovl_$name) } :$name"; done
	printf '\t}\n}\n'
}
build() { # NAME OVERLAYS...
	script "${@:2}" > "$1.ld"
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding \
		-nostdlib -fno-tree-loop-distribute-patterns -Wl,--no-warn-rwx-segments,--build-id=none \
		-T "$1.ld" -o "$1.elf" start.S "$1.c" 2> build.log || cat build.log
	soc-model --trace "$1.tr" "$1.elf"
	echo "# $1"
	tr-match --bins "$1.elf" "$1.tr" | tr-unwind "${options[@]}" -o s.tr
	tr-fold s.tr
	tr-fold -v -o /dev/null s.tr 2>&1
}
options=()
build two a b
build three a b c
options=(--lines)
build two a b | grep -v main$
echo '# tr-info'
tr-info --bins two.elf two.tr | sed -n '/^binaries/,/^end/p; /^findings/,$p'
