# SPDX-License-Identifier: Apache-2.0
# A page fault because A or D is 0 in a page-table entry, which this machine does not set: the
# message says so, at endless traps, and at the end of a traced run if the entry is as it was.
. "$SRC/tests/cli/soc-model.inc"
# tables BITS: a gigapage of these bits at the program, and S-mode. Two pages have tables: 0x1000.
tables() {
	cat << END
	la t0, handler
	csrw mtvec, t0
	li t0, -1
	csrw pmpaddr0, t0
	csrwi pmpcfg0, 0x1f
	la t0, root
	li t1, 0x80000000 >> 2 | $1
	sd t1, 16(t0)
	li t1, 0x80000000 >> 2 | 0xef
	sd t1, 8(t0)
	srli t0, t0, 12
	li t1, 8 << 60
	or t0, t0, t1
	csrw satp, t0
	li t0, 1 << 11
	csrw mstatus, t0
	la t0, 1f
	csrw mepc, t0
	mret
1:
END
}
data() { printf '\t.balign 4096\nroot: .skip 4096\n'; }
run() { # NAME SIMULATOR [OPTION...]: assembly on standard input
	program "$1.elf" -Wl,--defsym=_start=0x80000000
	"$2" "${@:3}" "$1.elf" > out.txt 2> err.txt
	echo "$1, $2: status $?" >&2
	cat err.txt >&2
}
spin='.balign 4
handler: j handler'
for simulator in soc-model soc-sim; do
	for bits in 0x0f 0x8f; do
		{ tables $bits; echo "$spin"; data; } | run fetch_$bits $simulator --max-instructions 200
	done
	{ tables 0x4f; printf 'sd t0, root + 8, t1\n%s\n' "$spin"; data; } | run store $simulator --trace a.tr --max-instructions 200
	{ tables 0x0f; printf '.equ handler, 0\n'; data; } | run endless $simulator
done
echo '# no such fault' >&2
{ tables 0xcf; printf 'li t0, 0x1000\nld t1, (t0)\n%s\n' "$spin"; data; } | run absent soc-model --trace a.tr --max-instructions 200
{ tables 0xcb; printf 'sd t0, root + 8, t1\n%s\n' "$spin"; data; } | run readonly soc-model --trace a.tr --max-instructions 200
# Software sets A.
# shellcheck disable=SC2216 # set is an argument of a function
{
	tables 0x0f
	printf '%s\n' 'nop' '1: j 1b' '.balign 4' 'handler: la t0, root' 'ld t1, 16(t0)' 'ori t1, t1, 0xc0' 'sd t1, 16(t0)' 'sfence.vma' 'mret'
	data
} | run set soc-model --trace a.tr --max-instructions 200
exit 0
