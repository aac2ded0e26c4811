# SPDX-License-Identifier: Apache-2.0
# A jitdump of very many pieces of code, each of which is moved: the time to read it grows as
# its size. The piece that was loaded last at an address is the one that is moved from there.
cat > program.S << 'END'
.globl _start
_start: li a0, 50
1: addi a0, a0, -1
	bnez a0, 1b
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
2: j 2b
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments \
	-Wl,--build-id=none -o program.elf program.S
soc-model --trace program.tr program.elf
echo 'program.elf firmware' > none.lst
riscv64-unknown-elf-objcopy -O binary program.elf code.bin
dump() { # NUMBER: pieces of 4 bytes, then the program's code, twice at a place from which it is moved
	perl -e '
		my ($n) = @ARGV;
		open(my $in, "<:raw", "code.bin"); local $/; my $code = <$in>;
		sub record { my ($kind, $body) = @_; print pack("VVQ", $kind, 16 + length($body), 0), $body }
		sub load_code { my ($at, $name, $code) = @_; record(0, pack("VVQQQQ", 7, 7, $at, $at, length($code), 0) . "$name\0$code") }
		sub move_code { my ($from, $to, $size) = @_; record(1, pack("VVQQQQQ", 7, 7, $to, $from, $to, $size, 0)) }
		binmode STDOUT;
		print pack("VVVVVVQQ", 0x4a695444, 1, 40, 243, 0, 7, 0, 0);
		load_code(0x100000 + 16 * $_, "f$_", "\x82\x80\x82\x80") for 1 .. $n;
		move_code(0x100000 + 16 * $_, 0x40000000 + 16 * $_, 4) for 1 .. $n;
		load_code(0x60000000, $_, $code) for "early", "late";
		move_code(0x60000000, 0x80000000, length($code));
	' "$1"
}
dump 200000 > many.dump
timeout 20 tr-match --bins none.lst --perf-map many.dump program.tr > many.tr
echo "exit $?"
dump 0 > few.dump
sed -i s/program.elf/none.elf/ none.lst
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,-n,-Ttext=0x70000000,--no-warn-rwx-segments \
	-Wl,--build-id=none -o none.elf program.S
tr-match --bins none.lst --perf-map few.dump program.tr 2> said | tr-unwind 2>> said | tr-fold | sed 's/ .*//' | grep -o 'late\|early' | sort -u
