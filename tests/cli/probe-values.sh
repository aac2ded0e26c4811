# What probes see in a program is the same for each compiler, optimisation and version of
# DWARF.
source=$SRC/tests/probe/program.c probes=$SRC/tests/probe/program.probes
common="-mcmodel=medany -ffreestanding -nostdlib -T $SRC/sim/target/firmware/firmware.ld"
hard='-march=rv64gc -mabi=lp64d'

look() {
	"$BIN/../tests/probe-run" "$probes" program=program.elf -- program.elf > seen.txt
	[ -e first.txt ] || cp seen.txt first.txt
	cmp first.txt seen.txt && echo "$*: the same"
}
with_gcc() {
	riscv64-unknown-elf-gcc $common "$@" -o program.elf "$source" -lgcc
	look gcc "$@"
}
with_clang() {
	clang-14 --target=riscv64-unknown-elf $hard $common -Wno-everything -Dnoipa=noinline "$@" -c -o program.o "$source"
	riscv64-unknown-elf-gcc $hard $common -o program.elf program.o
	look clang "$@"
}
for level in 0 g 1 2 3; do
	with_gcc $hard -g -O$level
done
cat first.txt
with_gcc $hard -gdwarf-4 -O0
with_gcc $hard -gdwarf-4 -O2
with_gcc $hard -gdwarf-5 -O2 -flto
with_gcc -march=rv64imac -mabi=lp64 -g -O2
with_gcc -march=rv64imafc -mabi=lp64f -g -O2
with_gcc $hard -g -O2 -msave-restore -fno-asynchronous-unwind-tables
with_gcc $hard -g -O2 -fno-omit-frame-pointer
for version in 4 5; do
	for level in 0 g 2; do
		with_clang -gdwarf-$version -O$level
	done
done
