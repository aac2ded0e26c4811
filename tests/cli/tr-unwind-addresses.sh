# SPDX-License-Identifier: Apache-2.0
# A source of addresses alone, like FireSim's TracerV: each length is guessed from the
# next address, and yet the profile equals that of the stream with instructions.
cat > p.s << 'END'
	.globl _start, deep, twice, tail, last
	.type _start, @function
	.type deep, @function
	.type twice, @function
	.type tail, @function
	.type last, @function
_start:	lui	sp, 0x80010
	slli	sp, sp, 32
	srli	sp, sp, 32
	li	a0, 5
	call	deep
	la	t1, twice
	jalr	t1
	call	twice
	call	tail
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b
deep:	beqz	a0, 1f	# calls itself
	addi	sp, sp, -16
	sd	ra, (sp)
	addi	a0, a0, -1
	call	deep
	ld	ra, (sp)
	addi	sp, sp, 16
1:	ret
twice:	mv	s0, ra	# calls what may not be where its length was guessed
	call	last
	call	last
	mv	ra, s0
	ret
tail:	j	last
last:	nop		# its last instruction is the file's
	ret
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,-n,-Ttext=0x80000000 \
	-o p.elf p.s
echo p.elf > bins.lst
soc-model --trace run.tr p.elf
tr-text --tokens run.tr | awk '
	function offset(pc, i, n) { for (i = 3; i <= length(pc); i++)
		n = n % 1048576 * 16 + index("0123456789abcdef", substr(pc, i, 1)) - 1; return n }
	function put(dots) { if (pc) print "token", pc, dots }
	BEGIN { print "header precision=instructions\nheader cannot_supply=insn" }
	$1 == "token" {
		put(offset($2) == offset(pc) + 2 ? "...." : "........")
		pc = $2
	}
	END { put("...."); print "end" }' | tr-text --encode -o addresses.tr
for stream in run addresses; do
	tr-match -v --bins bins.lst -o matched.tr $stream.tr
	tr-unwind -v matched.tr | tr-fold -o $stream.folded
done
cat addresses.folded
cmp addresses.folded run.folded
tr-info --bins bins.lst addresses.tr | sed -n '/^binaries/,$p'
echo "status ${PIPESTATUS[0]}"

echo '# at its load address, and at a base'
riscv64-unknown-elf-objcopy --change-section-lma .text=0x10000 p.elf load.elf
riscv64-unknown-elf-objcopy --change-addresses 0x10000000 p.elf away.elf
for list in 'load.elf' 'away.elf base=0x10000' 'p.elf user base=0x10000' 'p.elf'; do
	echo "$list" > bins.lst
	printf '%s\n' 'header cannot_supply=insn' 'hart 0 priv=U' 'token 0x10000 ........' \
		'token 0x10004 ....' 'token 0x10006 ....' end | tr-text --encode |
		tr-match --bins bins.lst 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
done
