# SPDX-License-Identifier: Apache-2.0
# A function that is left with another sp than it was entered with is in doubt since its entry,
# but cycles that were in doubt before, behind a break, count once.
cat > q.S << 'END'
	.globl _start, outer, inner
	.type _start, @function
	.type outer, @function
	.type inner, @function
	.option norvc
_start:	jal	outer
1:	j	1b
outer:	mv	s0, ra
	jal	inner
	addi	sp, sp, -16
	mv	ra, s0
	ret
	.option rvc
inner:	c.addi	a0, -1
	c.addi	a0, -1
	c.addi	a0, -1
	.option norvc
	bnez	a0, inner
	ret
END
riscv64-unknown-elf-gcc -march=rv32ic_zicsr -mabi=ilp32 -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x1000 -o q.elf q.S
awk 'function put(pc, next_pc, bits, rd, value) { printf "0x%x 0x%x 0x%s %d %s 0\n", pc, next_pc, bits, rd, rd ? value : 0 }
BEGIN {
	put(4096, 4104, "008000ef"); put(4104, 4108, "00008413"); put(4108, 4124, "010000ef")
	for (i = 0; i < 40; i++) {
		put(4124, 4126, "157d")
		if (i != 1) { put(4126, 4128, "157d"); put(4128, 4130, "157d") }
		put(4130, i < 39 ? 4124 : 4134, "fe051de3")
	}
	put(4134, 4112, "00008067"); put(4112, 4116, "ff010113", 2, "0x8ff0"); put(4116, 4120, "00040093"); put(4120, 4100, "00008067")
	put(4100, 4100, "0000006f")
}' | "$BIN/../tests/commits" s.tr
tr-match --bins q.elf s.tr | tr-unwind | tr-fold
