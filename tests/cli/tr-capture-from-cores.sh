# SPDX-License-Identifier: Apache-2.0
# Forms of cores' logs: BOOM's commits with the cycle, before and after spike-dasm and with
# padded numbers; a cycle of 32 bits that wraps in the logs of Ibex and of Rocket; CV32E40P's
# tracer, which expands compressed instructions.
show() {
	echo "$1"
	cat > "$1.log"
	tr-capture -o a.tr "$1.log"
	tr-text --tokens a.tr | grep -E '^(header (source|xlen|prec|cannot)|hart|token|reg|satp|xret|priv)' |
		sed 's/ satp=.*//'
}
cat << 'END' | show boom
C10432: 3 0x0000000080000000 (0x00016117) DASM(00016117) x2 0x0000000080016000
C10433: 3 0x0000000080000004 (0x1141) DASM(00001141) x 2 0x0000000080015ff0
C10433: 3 0x0000000080000006 (0x18029073) DASM(18029073)
C            10440: 3 0x000000008000000a (0x30200073) mret
C10450: 0 0x0000000000010000 (0x00007237) lui     tp, 0x7 x4  0x0000000000007000
C4294967300: 0 0x0000000000010004 (0x02030213) mul     tp, t1, zero x4 0x0000000000000000 mem 0x80
END
cat << 'END' | show boom-rv32
C7: 3 0x80000000 (0x00016117) DASM(00016117) x2 0x80016000
C9: 3 0x80000004 (0x00000013) DASM(00000013)
C8: 3 0x80000008 (0x00000013) DASM(00000013)
END
cat << 'END' | show ibex-wraps
Time	Cycle	PC	Insn	Decoded instruction	Register and memory contents
           20	4294967294	00000080	00016117	auipc	x2,0x16	 x2=0x00016080
           26	4294967295	00000084	1141	c.addi	x2,-16	 x2:0x00016080 x2=0x00016070
           28	         3	00000086	00000013	addi	x0,x0,0	 
           30	2147483650	0000008a	00000013	addi	x0,x0,0	 
           34	4294967293	0000008e	00000013	addi	x0,x0,0	 
           36	         1	00000092	00000013	addi	x0,x0,0	 
           38	4294967296	00000096	00000013	addi	x0,x0,0	 
END
cat << 'END' | show ibex-back
           20	4294967296	00000080	00000013	addi	x0,x0,0	 
           22	4294967300	00000084	00000013	addi	x0,x0,0	 
           24	4294967299	00000088	00000013	addi	x0,x0,0	 
END
cat << 'END' | show rocket-wraps
C0: 4294967290 [1] pc=[0000000080000000] W[r 2=0000000080016000][1] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[00016117] DASM(00016117)
C0:          5 [1] pc=[0000000080000004] W[r 0=0000000000000000][0] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[00000013] DASM(00000013)
END
rocket() { # CYCLE...: a line for each, of hart 0
	local cycle n=0
	for cycle; do
		printf 'C0: %10d [1] pc=[%016x] inst=[00000013] DASM(00000013)\n' "$cycle" $((0x80000000 + 4 * n++))
	done
}
rocket 4294967290 2147483640 4294967200 0 2147483647 2147483646 | show rocket-wraps-twice
rocket 1000 2147484647 999 | show rocket-later
rocket 1000 2147484648 | show rocket-much-later
rocket 1000 999 | show rocket-back
# What the tracer of CV32E40P writes, with a cycle that is signed, and compressed
# instructions as those of 32 bits; then the form with names of registers and without them.
cat << 'END' | show cv32e40p
Time	Cycle	PC	Instr	Decoded instruction	Register and memory contents
             142.00ns      2147483646 00000180 00040117 auipc            x2, 0x40000          x2=00040180
             144.00ns      2147483647 00000184 ff810113 c.addi           x2,  x2, -8          x2=00040178  x2:00040180
             146.00ns     -2147483648 00000186 00112223 c.swsp           x1, 4(x2)            x2:00040178  x1:00000000  PA:0004017c
             148.00ns     -2147483640 00000188 024000ef jal              x1, 36               x1=0000018c
             158.00ns     -2147483630 000001ac 00008067 c.jr             x1                   x1:0000018c
             160.00ns     -2147483629 0000018c 30200073 mret             
END
cat << 'END' | show ri5cy
             142ns              66 00000180 00040137 lui              sp, 0x40000          sp=00040000
             144ns              67 00000184 00000213 addi             tp, zero, 0          tp=00000000
END
