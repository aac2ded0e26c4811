# SPDX-License-Identifier: Apache-2.0
# Windows of the trace from a mark to a mark, on hardware and model.
cat > app.S << 'END'
#include <tr-profiler/mark.h>
	.section .text.start, "ax"
	.globl	_start
_start:	li	s0, 3
1:	TR_BEGIN(5, "outer")
	li	s1, 1
	TR_BEGIN(5, "inner")
	li	s1, 2
	TR_END(5, "inner")
	li	s1, 3
	TR_POINT(5, "point")
	li	s1, 4
	TR_END(5, "outer")
	li	s1, 5
	TR_POINT(1005, "other")
	addi	s0, s0, -1
	bnez	s0, 1b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -nostdlib -Wl,--no-warn-rwx-segments \
	-I"$SRC/include" -T "$SRC/sim/target/firmware/firmware.ld" -o app.elf app.S
try() {
	echo "# $*"
	for simulator in soc-model soc-sim; do
		"$simulator" --trace run.tr "$@" app.elf
		tr-text --tokens run.tr | sed -n 's/^token \(0x[^ ]*\) .*/\1/p' > "$simulator"
	done
	cmp soc-model soc-sim
	awk '{ printf "%s%s", (NR > 1) ? " " : "", substr($1, length($1) - 1) } END { print "" }' soc-model
}
try --start begin=5 --stop end=5
try --start mark=5 --stop mark=5
try --start mark=1005
try --start end=5 --stop mark=1005
for spec in mark= mark=1024 begin=x end=-1 mark=0x5 marks=5; do
	soc-model --start "$spec" app.elf 2>&1 || echo "exit $?"
done
