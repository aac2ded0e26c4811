# SPDX-License-Identifier: Apache-2.0
# Marks of <tr-profiler/mark.h> are hits with their names, however the program is compiled and
# linked; without the names they are numbered. Instructions that are none, and those of FireSim.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	call	main
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
END
cat > app.c << 'END'
#include <tr-profiler/mark.h>
#ifdef __cplusplus
template <int N> struct second { static void run(void) { TR_BEGIN(N, "in; both"); TR_END(N, "in; both"); } };
extern "C" int main(void);
#define RUN second<2>::run()
#else
static inline void run(void) { TR_BEGIN(2, "in; both"); TR_END(2, "in; both"); }
#define RUN run()
#endif
enum { FRAME = 5 };
void never(void);
void never(void) { TR_POINT(1023, "never"); }
static void part(int i) { TR_BEGIN(FRAME, "frame"); if (i == 2) TR_POINT(0, "second"); TR_END(FRAME, "frame"); }
int main(void)
{
	for (int i = 1; i < 4; i++)
		part(i);
	RUN;
	return 0;
}
END
hits() {
	soc-model --max-instructions 10k --trace run.tr "$1"
	tr-match --bins "$1" run.tr | tr-unwind 2> log | tr-text > text
	grep -v 'no DWARF' log || :
	sed -n 's/^probe mark cycle=[0-9]* | name=string:"\(.*\)" kind=enum:[0-9]*:"\(.*\)" number=\(.*\) (mark)/\2 \3 \1/p' text
}
flags=(-mcmodel=medany -ffreestanding -nostdlib "-I$SRC/include" -T "$SRC/sim/target/firmware/firmware.ld" '-Wl,--no-warn-rwx-segments' '-Wl,-e,_start')
build() { riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 "${flags[@]}" -o app.elf start.S app.c "$@"; }
build -O2
hits app.elf | tee want
same() {
	hits app.elf > got
	cmp want got && echo "the same with $*"
}
try() { build "$@" && same "$@"; }
try -O0
try -O3 -funroll-all-loops -g
try -O2 -flto
try -O2 -fPIC
try -O2 -ffunction-sections -Wl,--gc-sections
try -O2 -ffunction-sections -Wl,--gc-sections -g
try -O2 -std=c99 -pedantic -Wall -Wextra -Werror
try -O2 -Wl,--no-relax
riscv64-unknown-elf-objcopy --compress-debug-sections app.elf && same compressed names
riscv64-unknown-elf-g++ -march=rv64imac -mabi=lp64 -O2 -fno-exceptions -o app.elf -x assembler start.S -x c++ app.c "${flags[@]}" && same C++
clang-14 --target=riscv64-unknown-elf -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -I"$SRC/include" -c -o app.o app.c
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 "${flags[@]}" -o app.elf start.S app.o && same clang
build -O2 -g
riscv64-unknown-elf-objcopy --only-keep-debug app.elf app.debug
riscv64-unknown-elf-strip --strip-debug app.elf
echo '# stripped'
hits app.elf | uniq
riscv64-unknown-elf-objcopy --add-gnu-debuglink=app.debug app.elf
same names in a file of their own


echo '# a log of Spike: RV32, compressed code, two harts, FireSim, and what is no mark'
cat > app.S << 'END'
#include <tr-profiler/mark.h>
	.section .text.start, "ax"
	.globl	_start
_start:	c.nop
	TR_POINT(1, "one")
	TR_BEGIN(1023, "two")
	addi	x0, x1, 0
	addi	x0, x2, 0
	addi	x0, x1, 2047
	TR_END(1023, "two")
	slti	x0, x0, -1024
	slti	x0, x0, -1
	slti	x0, x1, 1
	slti	x1, x0, 1
	slti	x16, x0, 1
	sltiu	x0, x0, 1
	addi	x0, x0, 1
	addi	x0, x3, 0
	nop
END
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 "${flags[@]}" -o app.elf app.S
riscv64-unknown-elf-objdump -d app.elf | awk '/^8[0-9a-f]*:/ {
	for (hart = 0; hart < 2; hart++)
		printf "core   %d: 3 0x%s (0x%s)\n", hart, substr($1, 1, 8), $2 }' > app.log
head -3 app.log
tr-capture --from spike app.log | tr-match --bins app.elf | tr-unwind 2> /dev/null | tr-text | tee text | grep -E '^(hart|probe)'
echo '# the same again'
tr-text --encode text | tr-text | cmp - text && echo same
echo '# code that the linker dropped gives its name to nothing, not even at address 0'
cat > zero.S << 'END'
#include <tr-profiler/mark.h>
	.text
	.globl	_start
_start:	TR_POINT(1, "first")
	TR_POINT(2, "second")
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	addi	a0, a0, \n
	.endr
	.section .text.never, "ax"
	TR_POINT(3, "never")
END
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -nostdlib "-I$SRC/include" -Wl,-Ttext=0,--gc-sections,-e,_start -o zero.elf zero.S
riscv64-unknown-elf-objdump -d zero.elf | awk '/^ *[0-9a-f]+:/ {
	sub(":", "", $1); while (length($1) < 8) $1 = "0" $1; printf "core   0: 3 0x%s (0x%s)\n", $1, $2 }' |
	tr-capture --from spike | tr-match --bins zero.elf 2> /dev/null | tr-unwind 2> /dev/null | tr-text | grep '^probe'
echo '# a number that is too large'
for mark in 'TR_POINT(1024, "x")' 'TR_BEGIN(-1, "x")'; do
	printf '#include <tr-profiler/mark.h>\nvoid f(void) { %s; }\n' "$mark" > bad.c
	riscv64-unknown-elf-gcc -I"$SRC/include" -c bad.c 2> log || sed -n 's/.*error: //p' log
	printf '#include <tr-profiler/mark.h>\n%s\n' "$mark" > bad.S
	riscv64-unknown-elf-gcc -I"$SRC/include" -c bad.S 2> log || sed -n 's/.*Error: //p' log
done
echo '# damaged names'
riscv64-unknown-elf-objcopy -O binary --only-section=.debug_tr_marks --set-section-flags .debug_tr_marks=alloc app.elf names
tried=0
for size in $(seq 0 $(($(stat -c %s names) - 1))); do
	head -c "$size" names > cut
	riscv64-unknown-elf-objcopy --update-section .debug_tr_marks=cut app.elf cut.elf
	tr-capture --from spike app.log | tr-match --bins cut.elf 2> /dev/null | tr-unwind 2> log | tr-text > text
	grep -o 'damaged names of marks' log >> damaged || tried=$((tried + 1))
	grep -c '^probe mark' text
done | sort | uniq -c
sort damaged | uniq -c
