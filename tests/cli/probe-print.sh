# Expressions at an address, and kinds of values.
riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -g -O0 \
	-T "$SRC/sim/target/firmware/firmware.ld" -o program.elf "$SRC/tests/probe/program.c"
at() { riscv64-unknown-elf-nm program.elf | awk -v name="$1" '$3 == name { print $1 }'; }
look() { "$BIN/../tests/probe-run" -e "$1" program "$(at handle)" program=program.elf -- program.elf || echo "exit $?"; }
look 'first.id; first.inner.name; first.colour;'
look 'counter + 2; first.next->text; str(first.text, 5); first.exact'
look '`counter`; sizeof(first); pc; tp; hart; satp; buf(&first.bytes[0], 4); words(first.inner.name, 8)'
look 'first.next->next->id ; (long)first.next->next'
look 'nothing.at.all'
look '1; }'
look ''
