# SPDX-License-Identifier: Apache-2.0
# What cannot be restored on another machine, damaged and foreign files, and outputs that fail: one line
# and status 2; what a program can notice is a warning.
. "$SRC/tests/cli/soc-model.inc"
exec 2>&1
# saved FILE.ck SOURCE [OPTION...]: at the symbol `saved`, in U, of a program whose prologue is in M.
saved() {
	local file=$1 text=$2
	shift 2
	program a.elf <<< "
		.globl _start, saved
	_start:	li t0, -1
		csrw pmpaddr0, t0
		li t0, 0x1f
		csrw pmpcfg0, t0
		la t0, user
		csrw mepc, t0
		li s0, 0x10000000
		li s1, 0xc200000
		$text
	saved:	j saved"
	soc-model --checkpoint "$file" --checkpoint-at pc=saved "$@" a.elf
}
try() {
	echo "$*"
	"$@" | wc -c | sed 's/^0$/nothing/; s/^[0-9].*/a file/'
	echo "status ${PIPESTATUS[0]}"
}
# 11 bytes in the FIFO of the UART; interrupt 10 is pending, since it is enabled.
loop='li t0, 0x13; sb t0, 4(s0); li t0, 1; sb t0, 1(s0); sb t0, 2(s0); 1: sb t0, 0(s0); addi t0, t0, 1; sltiu t1, t0, COUNT; bnez t1, 1b'
saved good.ck 'mret; user:'
saved machine.ck 'user:'
saved harts.ck 'mret; user:' --harts 2
truncate -s 1M disk
saved disk.ck 'mret; user:' --disk disk
saved locked.ck 'li t0, 0x9f; csrw pmpcfg0, t0; mret; user:'
saved received.ck "mret; user: ${loop/COUNT/12}"
saved overrun.ck "mret; user: ${loop/COUNT/19}; 1: lbu t0, 5(s0); andi t0, t0, 1; beqz t0, 2f; lbu t0, 0(s0); j 1b; 2: sb t0, 0(s0)
	li t1, 17; 3: sb t0, 0(s0); addi t1, t1, -1; bnez t1, 3b; 4: lbu t0, 0(s0); addi t1, t1, 1; sltiu t0, t1, 16; bnez t0, 4b"
saved claimed.ck 'mret; user: li t0, 2; sb t0, 1(s0); li t0, 0xc000000; li t1, 1; sw t1, 40(t0); li t0, 0xc002000; li t1, 0x400; sw t1, (t0)
	lw t0, 4(s1)'
saved pending.ck 'mret; user: li t0, 2; sb t0, 1(s0); lbu t0, 2(s0)'
saved reserved.ck 'mret; user: la t0, _start; lr.w t1, (t0)'
saved copy.ck 'mret; user:' --copy-unit
for file in good machine harts disk locked received overrun claimed pending reserved copy; do try soc-restore $file.ck; done
for file in received claimed pending; do try soc-restore --no-devices $file.ck; done

try soc-restore
try soc-restore good.ck good.ck
try soc-restore --at
for at in x -4096 0x80100800 0x8010z000 0x1000000000000000000 0xfffffffffffff000 0x80000000 0x2000000 0x200f000 0xc5ff000 0x10000000 \
	0x80001000 0x87fff000 0x88000000 0x4000; do
	try soc-restore --at $at good.ck
done
try soc-restore missing.ck
try soc-restore a.elf
try soc-restore .
try soc-restore /dev/null
size=$(stat -c %s good.ck)
for n in 4 20 500 $((size - 30)) $((size - 1)); do
	head -c $n good.ck > cut.ck
	try soc-restore cut.ck
done
for n in 0 8 13 100 $((size - 60)) $((size - 24)); do
	byte=$(od -An -tu1 -j "$n" -N 1 good.ck)
	cp good.ck flipped.ck
	printf '%b' "\\x$(printf %x $((byte ^ 4)))" | dd of=flipped.ck bs=1 seek="$n" conv=notrunc status=none
	try soc-restore flipped.ck
done

try soc-restore good.ck -o missing/good.elf
try soc-restore good.ck -o good.ck
try soc-restore good.ck -o .
try soc-restore good.ck -o /dev/full
soc-restore good.ck > /dev/full
echo "full disk: status $?"
(
	trap '' XFSZ
	ulimit -f 5
	soc-restore good.ck -o small.elf
	echo "limit of a file's size: status $?"
) 2>&1 | cat
stat -c '%n: %s bytes' small.elf
{
	sleep 0.1
	soc-restore good.ck
	echo "closed pipe: status $?" >&2
} 2> pipe.txt | :
sleep 0.5
cat pipe.txt
(
	ulimit -v 60000
	soc-restore good.ck -o small.elf
	echo "without memory: status $?"
) 2>&1 | cat
script -qec 'soc-restore good.ck; echo "terminal: status $?"' /dev/null < /dev/null | tr -d '\r'
