# SPDX-License-Identifier: Apache-2.0
# A kernel patches thousands of places by design: ftrace calls at function entries, and
# jumps of static keys. With these its code still matches its file; as many other
# differences mean a different build.
. "$SRC/tests/cli/soc-model.inc"

# kernel FILE ENTRY OFF ON WORK [OTHER]: 600 functions, each with the instructions ENTRY,
# a disabled static key, an enabled one, and WORK; function 300 has OTHER instead.
kernel() {
	cat > kernel.S << END
	.globl _start
_start: la t1, supervisor
	csrw mepc, t1
	la sp, stack
	li t1, 1 << 11
	csrw mstatus, t1
	li t1, -1
	csrw pmpaddr0, t1
	li t1, 0x1f
	csrw pmpcfg0, t1
	mret
	.balign 0x1000
supervisor:
	.altmacro
	.macro call_one n
	call function\\n
	.endm
	.set i, 0
	.rept 600
	call_one %i
	.set i, i + 1
	.endr
$off
	.type tracer, @function
tracer: ret
	.bss
	.zero 64
stack:
	.text
	.option norvc
	.macro tracer_call
	auipc t0, 0
	jalr t0, 8(t0)
	.endm
	.macro compressed_nops
	.option rvc
	c.nop
	c.nop
	c.nop
	c.nop
	.option norvc
	.endm
	.macro nops
	nop
	nop
	.endm
	.macro jump
	j . + 4
	.endm
	.macro function n
	.type function\\n, @function
function\\n:
	$2
	addi a0, a0, 1
	$3
	addi a0, a0, 2
	$4
	.if \\n == 300
	${6-$5}
	.else
	$5
	.endif
	ret
	.size function\\n, . - function\\n
	.endm
	.set i, 0
	.rept 600
	function %i
	.set i, i + 1
	.endr
END
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -nostdlib -static kernel.S -o "$1" \
		-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--no-relax,--build-id=none
}

# try FILE: matches with FILE instead of the kernel that ran.
try() {
	echo "$1" > kernel.lst
	tr-match -v --bins kernel.lst run.tr > matched.tr 2> log
	echo "$1: unknown: $(sed -nE 's/.*, unknown ([0-9]+) .*/\1/p' log)"
	grep -E '^tr-match: [0-9]* blocks* differs*|warning: the kernel' log
	tr-unwind matched.tr 2> /dev/null | tr-fold | cut -d ' ' -f 1 | sed 's/[0-9]//g' | sort | uniq -c
}

ran='.rept 9; addi a0, a0, 3; .endr; addi sp, sp, -8; sd ra, (sp); call tracer; ld ra, (sp); addi sp, sp, 8'
kernel ran.elf tracer_call jump nop "$ran"
soc-model --trace run.tr ran.elf
try ran.elf
for entry in nops compressed_nops; do
	kernel "$entry.elf" "$entry" nop jump "$ran"
	try "$entry.elf"
done
kernel off.elf nops nop jump "$ran"
kernel other.elf tracer_call jump nop "${ran//3/4}"
try other.elf
kernel other-nops.elf nops nop jump "${ran//3/4}"
try other-nops.elf
# A nop is no patch site of code that does something else.
kernel work.elf tracer_call jump 'addi a0, a0, 4' "$ran"
try work.elf
# One function is entirely different code: it is identified by its address and calls from
# there, because everything around it agrees.
kernel one.elf tracer_call jump nop "$ran" "${ran//3/4}"
try one.elf
# A kernel at another address than in its file, as before address translation is on.
riscv64-unknown-elf-objcopy --change-addresses 0x400000 nops.elf moved.elf 2> objcopy.log
printf '%s\n' 'ran.elf firmware' 'moved.elf kernel' > moved.lst
tr-match -v --bins moved.lst run.tr 2>&1 > matched.tr | grep -oE 'unknown [0-9]+|[0-9]+ blocks* differs*.*'
tr-unwind matched.tr 2> /dev/null | tr-fold | cut -d ' ' -f 1 | sed 's/[0-9]//g' | sort | uniq -c
for list in moved.lst kernel.lst; do
	echo "$list:"
	tr-info --bins $list run.tr | sed -n '/^findings/,$p'
done
# The reverse: the machine ran with the keys off, and the file has them on.
cp off.elf ran-off.elf
soc-model --trace run.tr off.elf
try ran.elf
