# Each mistake has one message that tells where it is, and what is there instead.
source=$SRC/tests/probe/program.c
riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -g -O2 \
	-T "$SRC/sim/target/firmware/firmware.ld" -o program.elf "$source"
line=$(grep -n 'compiler drops it here' "$source" | cut -d: -f1)
gap=$(grep -n 'int value = a \* 3' "$source" | cut -d: -f1)

check() {
	printf '%s\n' "$1" > wrong.probes
	echo "--- $1"
	"$BIN/../tests/probe-run" wrong.probes program=program.elf 2>&1 | sed "s/:$line\b/:LINE/g; s/ [0-9]*, [0-9]*)/ N, N)/" || :
}
check 'x'
check 'x: program'
check 'x: program:scalars { a = }'
check 'x: program:scalars { a = arg0'
check 'x: program:scalars { a = arg0; a = arg1 }'
check 'x: program:scalars { a = (arg0 }'
check 'x: program:scalars { a = 1 + "2" }'
check 'x: program:scalars { a = arg0 ? 1 : "2" }'
check 'x: program:scalars { a = "open }'
check 'x: program:scalars { a = 012 }'
check 'x: program:scalars { a = 99999999999999999999 }'
check 'x: program:scalars { a = $b }'
check 'x: program:scalars { a = strlen(arg0) }'
check 'x: program:scalars { a = reg(a0) }'
check 'x: program:scalars { a = reg("a9") }'
check 'x: program:scalars / arg0 { a = 1 }'
check 'x: program:scalars:leave { a = 1 }'
check 'x: program:scalars { a = 1 } x: program:reals { b = 1 }'
check 'x: program:scalers { a = 1 }'
check 'x: program:never_out { a = 1 }'
check 'x: other:scalars { a = 1 }'
check 'x: program:scalars@other.c { a = 1 }'
check 'x: program:scalars { a = arg5 }'
check 'x: program:scalars { a = nodes }'
check 'x: program:scalars { a = arg3->idd }'
check 'x: program:scalars { a = arg3->(identity|idd) }'
check 'x: program:scalars { a = arg3.id }'
check 'x: program:scalars { a = arg0->id }'
check 'x: program:scalars { a = *arg0 }'
check 'x: program:scalars { a = *arg3 }'
check 'x: program:scalars { a = arg3->table }'
check 'x: program:scalars { a = arg3->bytes }'
check 'x: program:scalars { a = &arg3->flags }'
check 'x: program:scalars { $p = (char *)arg3; a = &$p }'
check 'x: program:scalars { a = (struct nodes *)arg3 }'
check 'x: program:scalars { a = (counters)arg3 }'
check 'x: program:scalars { a = arg8 }'
check "x: program:count_lines:line(program.c:$line) { a = arg0 }"
check 'x: program:scalars { a = 1.5 + 0xg }'
check 'x: program:scalars { a = 0xg }'
check 'x: program:scalars { a = (word)-1 }'
check 'x: program:scalars { a = (node *)arg3 }'
check 'x: program:scalars { a = arg3->table.id }'
check 'x: program:scalars { a = retval }'
check 'x: program:scalars { a = entered }'
check 'x: program:scalars { a = current->pid }'
check 'x: program:scalars { a = arg3 * 2 }'
check 'x: program:scalars { a = arg3->exact + 1 }'
check 'x: program:scalars { a = str(arg3->text) == 1 }'
check 'x: program:scalars { a = str(arg3->text) < "b" }'
check 'x: program:use:return { a = retval }'
check 'x: program:spin { a = arg0 }'
check 'x: program:spin:line(program.c:1) { a = 1 }'
check 'x: program:scalars+0x1 { a = 1 }'
check 'x: program:scalars+0x1000 { a = 1 }'
check "x: program:count_lines:line(program.c:$line) { a = linecount }"
end=$(grep -n 'return node->id - (int)c' "$source" | cut -d: -f1)
check "x: program:scalars:line(program.c:$end) { a = a }"
check "x: program:count_lines:line(other.c:$line) { a = 1 }"
check "x: program:count_lines:line(program.c:1) { a = 1 }"
check 'x: program:partial { a = unused }'
riscv64-unknown-elf-strip -g -o stripped.elf program.elf
cp stripped.elf program.elf
check 'x: program:scalars { a = 1 }'
head -c 3000 stripped.elf > program.elf
check 'x: program:scalars { a = 1 }'
