# SPDX-License-Identifier: Apache-2.0
# A program in which stubs of the run-time profiler were placed has the functions and calls
# that it has without; a damaged folder is told.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl _start
	.type _start, @function
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, 0(t0)
1:	j 1b
	.size _start, . - _start
END
# What the machine begins with; the stubs are below the program.
cat > boot.S << 'END'
	.globl _start
	.type _start, @function
_start:	auipc t0, 0x20
	mv a0, a0
	mv a1, a1
	jr t0
	.size _start, . - _start
#ifdef STUBS
	.org 0x10000
	.incbin "stubs"
#endif
END
cat > prog.c << 'END'
#define NOINLINE __attribute__((noinline, noclone))
static volatile unsigned sink;
NOINLINE void leaf(void) { sink = 1; }
NOINLINE unsigned odd(unsigned n);
NOINLINE unsigned even(unsigned n) { return n ? odd(n - 1) : 1; }
NOINLINE unsigned odd(unsigned n) { return n ? even(n - 1) : 0; }
NOINLINE unsigned sum(unsigned n) { return n ? n + sum(n - 1) + sink : sink; }
NOINLINE void tail(unsigned n) { sink = n; leaf(); }
NOINLINE void apply(void (*f)(void)) { sink++; f(); sink++; }
NOINLINE unsigned spin(unsigned n)
{
	unsigned all = 0;
	do all += sink; while (--n);
	return all;
}
int main(void)
{
	for (unsigned i = 1; i < 5; i++) {
		sink = even(i) + sum(i) + spin(i);
		tail(i);
		apply(leaf);
	}
	return 0;
}
END
cat > prog.ld << 'END'
ENTRY(_start)
SECTIONS
{
	. = START;
	.text : { *(.text.start) *(.text*) }
	.note : { *(.note*) }
	.data : { *(.data*) *(.sdata*) *(.bss*) *(.sbss*) }
	. = ALIGN(4096) + 4096;
	stack_top = .;
}
END
# place DATA OBJECT TEXT ADDRESS STUBS ADDRESS COUNTERS: what the injector does
cat > place.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stubs/stubs.h"
static uint8_t *get(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = malloc(1 << 20);
	*size = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	return bytes;
}
static void put(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	fwrite(bytes, 1, size, file);
	fclose(file);
}
int main(int argc, char **argv)
{
	size_t data_size, object_size, text_size;
	struct tr_stubs stubs;
	uint64_t at, address = strtoull(argv[4], NULL, 16), base = strtoull(argv[6], NULL, 16);
	uint8_t *data = get(argv[1], &data_size), *object = get(argv[2], &object_size);
	uint8_t *text = get(argv[3], &text_size), code[0x2000] = {0};
	struct tr_stubs_places places = {.counters = strtoull(argv[7], NULL, 16)};
	if (tr_stubs_decode(data, data_size, &stubs, &at) || stubs.code_size > sizeof(code))
		return 1;
	for (int i = 0; i < TR_STUBS_AREAS; i++)
		places.areas[i] = base + stubs.areas[i].offset;
	memcpy(code, tr_stubs_code(&stubs, object, object_size, &at), stubs.code_size);
	if (tr_stubs_place(&stubs, &places, code))
		return 1;
	for (uint32_t i = 0; i < stubs.function_count; i++)
		if (tr_stubs_entry(&stubs, &places, i, text + stubs.functions[i].start - address))
			return 1;
	put(argv[3], text, text_size);
	put(argv[5], code, sizeof(code));
	return argc != 8;
}
END
cc -std=c11 -D_DEFAULT_SOURCE -I"$SRC/filters/lib" -o place place.c "$SRC"/filters/lib/stubs/stubs_*.c "$SRC/filters/lib/base/status.c"
cc="riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -ffreestanding -nostdlib -Wl,--build-id=sha1,--no-warn-rwx-segments -T prog.ld"
$cc -Wl,--defsym=START=0x80020000 -o prog.elf start.S prog.c
$cc -Wl,--defsym=START=0x80000000 -o boot.elf boot.S
prof-extract -o prof --root . prog.elf
riscv64-unknown-elf-objcopy --dump-section .text=text prog.elf whole.elf
./place prof/prog.elf/data.bin prof/prog.elf/injected.o text 80020000 stubs 80010000 80100000
riscv64-unknown-elf-objcopy --update-section .text=text prog.elf placed.elf
$cc -DSTUBS -Wl,--defsym=START=0x80000000 -o boot-stubs.elf boot.S
printf '%s\n' boot.elf 'prog.elf stubs=prof/prog.elf' > bins.lst

soc-model --trace plain.tr boot.elf prog.elf
soc-model --trace placed.tr boot-stubs.elf placed.elf
echo '# functions with stubs'
prof-extract --list prog.elf | cut -d, -f1,3 | tail -n +2
for run in plain placed; do
	tr-match -v --bins bins.lst $run.tr 2> $run.log | tr-unwind -o $run.s.tr 2>> $run.log
	tr-report functions --format csv $run.s.tr | cut -d, -f1,11-14 | sort > $run.csv
done
echo '# calls'
cut -d, -f1,3 plain.csv
diff plain.csv placed.csv
grep stubs placed.log
grep -o 'ambiguous .* ([0-9]*), unknown [0-9]* ([0-9]*)' placed.log
tr-match --bins bins.lst placed.tr | tr-text - | grep -E '^header bin.2(\.(name|part|program|kind))?='
echo '# without stubs= they are unknown'
tr-match -v --bins boot.elf --bins prog.elf placed.tr 2>&1 > other.tr | grep -c 'warning: .* are in no binary'
tr-info --bins bins.lst placed.tr 2>&1 | sed -nE 's/.* of the instructions (are .*stubs)/\1/p'
echo '# stubs of another extraction'
printf '\001' | dd of=prof/prog.elf/injected.o bs=1 seek=4110 conv=notrunc 2> dd.log
tr-match --bins bins.lst placed.tr 2>&1 > other.tr
echo "$?"

damage() { # FILE BYTES: cuts it
	rm -rf prof
	prof-extract -o prof --root . prog.elf
	truncate -s "$2" "prof/prog.elf/$1"
	tr-match --bins bins.lst placed.tr 2>&1 > other.tr
	echo "$?"
}
echo '# damaged'
for size in 0 7 20 100; do
	damage data.bin $size
done
damage injected.o 5000
rm -rf prof
tr-match --bins bins.lst placed.tr 2>&1 > other.tr
echo "$?"
