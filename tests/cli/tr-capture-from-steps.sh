# SPDX-License-Identifier: Apache-2.0
# Ibex executes an instruction of Zcmp as several operations, with a row for each: it is one
# token, which commits with the last of them. An interrupt ends it in the middle.
rows() { # "CYCLE PC INSN TEXT REGISTERS ZCMP" lines
	while read -r cycle pc insn text registers zcmp; do
		printf '%15d\t%d\t%s\t%8s\t%s\t%s' $((10 * cycle)) "$cycle" "$pc" "$insn" "$text" " ${registers/-/}"
		[ -z "$zcmp" ] || printf ' expand_insn: (0x%s cm.x\t{x1,x8},16)' "$zcmp"
		echo
	done
}
{
	printf 'Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n'
	rows << 'END'
4 00000080 00016117 auipc x2=0x00016080
5 00000084 2041 c.jal x1=0x00000086
6 00000104 fe812e23 sw - b852
7 00000104 fe112c23 sw - b852
8 00000200 00000013 ==>nop -
9 00000204 30200073 mret -
10 00000104 fe812e23 sw - b852
11 00000104 fe112c23 sw - b852
12 00000104 ff010113 addi x2=0x00016070 b852
13 00000106 00058413 mv x8=0x00000001 aca2
15 00000106 00050493 mv x9=0x00000002 aca2
16 00000108 0001 c.nop -
17 0000010a 00c12403 lw x8=0x00000000 bc52
19 0000010a 00812083 lw x1=0x00000086 bc52
20 0000010a 01010113 addi x2=0x00016080 bc52
21 0000010a 00000513 li x10=0x00000000 bc52
22 0000010a 00008067 jalr - bc52
23 00000086 0001 c.nop -
END
} > steps.log
tr-capture -o a.tr steps.log
tr-text --tokens a.tr | sed -n 's/ hart=.* \(cycle=[0-9]*\) .*/ \1/; /^token\|^reg/p'
