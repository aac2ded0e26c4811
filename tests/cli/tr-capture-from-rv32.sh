# SPDX-License-Identifier: Apache-2.0
# Logs of RV32 machines: XLEN is that of their addresses or registers, or of --xlen.
show() { # NAME OPTION...
	echo "$1"
	tr-capture --no-provenance "${@:2}" "$1.log" | tr-text --tokens - | grep -v -e ^header.content -e ^end
}
cat > rocket.log << 'END'
C0:         12 [1] pc=[80000000] W[r 2=80016000][1] R[r 0=00000000] R[r 0=00000000] inst=[00016117] DASM(00016117)
C0:         13 [1] pc=[80000004] W[r 1=80000006][1] R[r 0=00000000] R[r 0=00000000] inst=[00002011] DASM(00002011)
END
cat > cva6.log << 'END'
core   0: 0x0000000080000000 (0x00016117) DASM(00016117)
3 0x0000000080000000 (0x00016117) x 2 0x80016000
core   0: 0x0000000080000004 (0x00002011) DASM(00002011)
3 0x0000000080000004 (0x2011) x 1 0x80000006
END
# The code after sret was never executed: its address tells its privilege, which for
# programs and their libraries reaches to 0xa0000000.
cat > spike.log << 'END'
core   0: 1 0xc0000000 (0x18051073) c384_satp 0x80480123
core   0: 1 0xc0000004 (0x10200073)
core   0: exception trap_instruction_page_fault, epc 0x95600004
core   0:           tval 0x95600004
core   0: 1 0xc0000100 (0x10200073)
core   0: exception trap_instruction_page_fault, epc 0xa0000004
core   0:           tval 0xa0000004
core   0: 1 0xc0000100 (0x00000013)
core   0: 0xc0000104 (0x00000013) nop
core   0: 1 0xc0000104 (0x00000013)
END
qemu() { # DIGITS of an address in a line of an execution, and in one of a trap
	cat << END
IN: _start
Priv: 3; Virt: 0
0x80000000:  2011              jal             ra,4

Trace 0: 0x7f12a4000940 [00000000/$(printf %0"$1"x 0x80000000)/00001003/ff021000] _start
END
	[ -z "$2" ] || printf 'riscv_cpu_do_interrupt: hart:0, async:0, cause:%0*x, epc:0x%0*x, tval:0x%0*x, desc=fetch\n' \
		"$2" 12 "$2" 0x80000004 "$2" 0x80000004
}
qemu 8 '' > qemu-old.log
qemu 16 8 > qemu-new.log
qemu 16 16 > qemu-rv64.log
qemu 16 '' > qemu-untold.log
# A machine of either XLEN that runs with 32 extends the sign.
printf '%s\n' '0, 0x80000000, 0x2011, "jal ra,4"' '0, 0xffffffff80000004, 0x1, "nop"' > execlog.log
cat > tracerv.log << 'END'
# Clock Domain: UNCORE, Relative Frequency: 1/1 of Base Clock
Cycle: 0000000000000012 I0: 00000000fffffffe
Cycle: 0000000000000013 I0: 0000000000000000
END
# Older versions of Rocket print 40 bits of each address.
cat > rocket-old.log << 'END'
C0:         12 [0] pc=[529b4473c8] W[r  0=0000000000000000][0] R[r 4=b9c1d835c084f7a4] R[r16=1ffebe133e9aa313] inst=[db025a65] DASM(db025a65)
C0:         19 [1] pc=[0080000000] W[r 2=ffffffffffff8000][1] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[ffff8137] lui     sp, 0xffff8
C0:         20 [1] pc=[ff80000004] W[r 0=0000000000000000][0] R[r 0=0000000000000000] R[r 0=0000000000000000] inst=[00000013] nop
END
for log in rocket rocket-old cva6 spike qemu-old qemu-new qemu-rv64 qemu-untold; do
	show $log
done
show qemu-untold --xlen 32
show execlog --xlen 32
show tracerv --xlen 32
for xlen in 16 x 4294967328; do
	tr-capture --xlen $xlen execlog.log -o out.tr
	echo "exit $?"
done
# A program of the other XLEN.
echo '__attribute__((naked)) void _start(void) { __asm__("nop"); }' > a.c
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -nostdlib -Wl,-Ttext=0x80000000 -o a.elf a.c
tr-capture execlog.log | tr-match --bins a.elf -o out.tr
echo "exit $?"
printf '\x16' > tacit.out
tr-capture --from tacit --xlen 64 --bins a.elf -o out.tr tacit.out
echo "exit $?"
# What Spike wrote (-l --log-commits; all lines of instructions but the first are left out
# here) of two processes with page tables of Sv32.
logs=$SRC/tests/cli/data/logs
compile() { # NAME ADDRESS SOURCE OPTION...
	riscv64-unknown-elf-gcc -mabi=ilp32 -nostdlib -Wl,-n -Wl,--no-warn-rwx-segments \
		-Wl,-Ttext="$2" -o "$1.elf" "${@:4}" "$logs/$3.S"
}
compile a 0x10000 sv32-program -march=rv32imac_zicsr -DNAME=alpha -DDEPTH=1
compile b 0x10000 sv32-program -march=rv32imac_zicsr -DNAME=beta -DDEPTH=2
for program in a b; do riscv64-unknown-elf-objcopy -O binary $program.elf $program.bin; done
compile kernel 0x80000000 sv32-kernel -march=rv32ima_zicsr -Wl,--no-relax -Wl,-Tdata=0x80002000
printf '%s\n' kernel.elf 'a.elf user' 'b.elf user' > bins.lst
tr-capture "$logs/sv32.txt" | tr-match --bins bins.lst -o matched.tr
tr-unwind matched.tr 2> /dev/null | tr-fold --by process
tr-info matched.tr | sed -n '/^contexts/,/^code found/p'
