# SPDX-License-Identifier: Apache-2.0
# Zcmp and Zcmt return, call, jump and write sp where other harts have c.fsdsp. Which it is:
# the file's attributes, the header's ISA, a write of sp in the log, or else the next address.
. "$SRC/tests/cli/tr-unwind-zcmp.inc"
# Writes the profile by a log with all that Spike writes, and compares with it those by
# logs of instructions alone, without sp; of commits alone, without traps; and perhaps of
# addresses, where no trace shows what a jump by a table is.
profile() { # NAME [addresses]
	cp "$1.log" all.log
	grep -v ': 3 ' "$1.log" > insns.log
	grep ': 3 ' "$1.log" > commits.log
	awk '/: 3 / { print "Cycle: " ++n " I0: " substr($4, 3) }' "$1.log" > addresses.log
	for log in all insns commits ${2-}; do
		tr-capture --xlen 32 -o run.tr $log.log
		tr-match --bins "$1.elf" run.tr 2> /dev/null | tr-unwind -v -o stacks.tr 2> said
		tr-fold -o $log.folded stacks.tr
		cmp $log.folded all.folded
		sed '/no DWARF/d; s/, 0 thread switches.*instructions unknown//' said
	done | uniq
	cat all.folded
}
build calls -march=rv32imac -Wa,-mno-arch-attr
run calls zcmp
profile calls addresses | tee calls.out
tr-report functions stacks.tr | awk 'NR > 2 { print $1, $NF }'
# The ISA of the file: without D, and one that names Zcmp.
build calls -march=rv32imac
profile calls addresses | cmp - calls.out
perl -e '$tag = "\x05rv32i2p1_m2p0_f2p2_d2p2_zca1p0_zcmp1p0\0"; $file = "\x01" . pack("V", 5 + length $tag) . $tag;
	$vendor = "riscv\0$file"; print "A" . pack("V", 4 + length $vendor) . $vendor' > attributes
riscv64-unknown-elf-objcopy --update-section .riscv.attributes=attributes calls.elf
profile calls addresses | cmp - calls.out

build table -march=rv32imac -Wa,-mno-arch-attr
run table zcmp 40=last 2=next 1=last 33=work
profile table | tee table.out
build table -march=rv32imac
profile table | cmp - table.out

build doubles -march=rv32imafdc -Wa,-mno-arch-attr
run doubles
profile doubles addresses | tee doubles.out
build doubles -march=rv32imafdc
profile doubles addresses | cmp - doubles.out
