# SPDX-License-Identifier: Apache-2.0
# Probes on a program that has BTF, which pahole makes of its DWARF, and symbols, but no DWARF:
# each of tests/probe sees the same, or a message says what BTF does not tell.
source=$SRC/tests/probe/program.c run=$BIN/../tests/probe-run
cflags="-ffreestanding -nostdlib -g -O2 -T $SRC/sim/target/firmware/firmware.ld"
# Without an array of two dimensions, and variables, which come below.
awk '{ gsub(/[ \t](item|row|apart|second) = [^;]*;/, "") } /^[a-z]/ { n++ } n { print > sprintf("%02d.probes", n) }' "$SRC/tests/probe/program.probes"

# Makes the program, with DWARF, and with BTF. That of libgcc is left out: pahole refuses it.
build() { # OPTION...
	riscv64-unknown-elf-objcopy --strip-debug "$(riscv64-unknown-elf-gcc "$@" -print-libgcc-file-name)" libgcc.a
	riscv64-unknown-elf-gcc $cflags "$@" -o dwarf.elf "$source" libgcc.a
	cp dwarf.elf btf.elf
	pahole -J btf.elf
	riscv64-unknown-elf-objcopy --strip-debug btf.elf
}
# compare [ELF]: what each probe sees, or without a program to run its types.
compare() {
	for probes in [0-9]*.probes; do
		name=$(sed 's/:.*//; q' "$probes")
		"$run" "$probes" program=dwarf.elf ${1:+-- dwarf.elf} > dwarf.txt 2>&1
		"$run" "$probes" program=btf.elf ${1:+-- btf.elf} 2>&1 | grep -v 'has BTF, but no DWARF' > btf.txt
		if cmp -s dwarf.txt btf.txt; then echo "$name: the same"; else echo "$name: $(head -n 1 btf.txt)"; fi
	done
}
echo '# types of 32 bits'
build -march=rv32imafc -mabi=ilp32f
compare
echo '# the program runs'
build -march=rv64gc -mabi=lp64d -mcmodel=medany
compare run
echo '# what BTF does not have'
for field in 'arg3->table[1][1]' 'arg3->table[5]' first.next 'sizeof(first)' '((struct node *)&first)->id' counter; do
	echo "$field: $(echo "x: program:scalars { a = $field }" | "$run" /dev/stdin program=btf.elf -- btf.elf 2>&1 | grep -v 'has BTF, but no DWARF')"
done
echo '# LLVM changes the parameters of local functions'
riscv64-unknown-elf-objcopy --globalize-symbol=handle --localize-symbol=scalars btf.elf local.elf
printf 'Debian clang version 14.0.6\0' > comment
riscv64-unknown-elf-objcopy --update-section .comment=comment local.elf clang.elf
for file in local clang; do
	echo 'x: program:scalars { a = arg0 }' | "$run" /dev/stdin program=$file.elf -- $file.elf 2>&1
done
echo '# without symbols'
riscv64-unknown-elf-strip -o stripped.elf btf.elf
echo 'x: program:scalars { a = arg0 }' | "$run" /dev/stdin program=stripped.elf
echo "exit $?"
echo 'id: program:scalars { id = arg3->id; name = arg3->inner.name; }' > id.probes
# Bytes of the section, and damage to them. A number is of 32 bits.
echo '# damage'
btf() { # NUMBER[*TIMES]...: types, of which strings "\0a\0b\0" are the names
	python3 - "$@" <<- 'END'
		import struct, sys
		types = b""
		for number, _, times in (a.partition("*") for a in sys.argv[1:]):
		    types += struct.pack("<I", int(number) & 0xffffffff) * int(times or 1)
		strings = b"\0a\0b\0"
		open("section", "wb").write(struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings)) + types + strings)
	END
}
look() { # 'WHAT'
	riscv64-unknown-elf-objcopy --update-section .BTF=section btf.elf damaged.elf
	echo "$1: $("$run" id.probes program=damaged.elf 2>&1 | grep -v 'has BTF, but no DWARF' | head -n 1; echo "exit ${PIPESTATUS[0]}")"
}
kind() { echo $(($1 << 24 | ${2:-0})); } # KIND [PARTS]
int="1 $(kind 1) 4 32"
btf $int; look 'an integer alone'
btf 1 "$(kind 8)" 2 3 "$(kind 8)" 1; look 'typedefs in a loop'
btf $int 0 "$(kind 3)" 0 2 1 5; look 'an array of itself'
btf 1 "$(kind 8)" 99; look 'a type that is not there'
btf 77 "$(kind 1)" 4 32; look 'a name beyond the strings'
btf 1 "$(kind 1)" 3 24; look 'an integer of 3 bytes'
btf $int 1 "$(kind 4 1)" 4 3 1 64; look 'a member beyond its structure'
btf 1 "$(kind 4 1)" 4 3 1 0; look 'a structure in itself'
btf $int 1 "$(kind 4 1)" 4 3 1 3; look 'a member at bit 3'
btf $int 1 "$((1 << 31 | $(kind 4 1)))" 8 3 1 "$((33 << 24))"; look 'a bit-field of 33 bits'
btf $int 0 "$(kind 3)" 0 1 1 3 1 "$((1 << 31 | $(kind 4 1)))" 12 3 2 "$((65 << 24))"; look 'a bit-field of 65 bits of an array'
btf $int 1 "$(kind 4 2)" 4 3 1 0; look 'members beyond the end'
btf $int 1 "$(kind 31)" 0; look 'an unknown kind'
btf $int 1 "$(kind 12)" 1; look 'a function that is an integer'
btf $int 1; look 'half a type'
btf $int 0 "$(kind 13 60000)" 1 1*120000 $(for i in {1..1000}; do echo 1 "$(kind 12)" 2; done); look '1000 functions of 60000 parameters'
head -c 20 section > cut; mv cut section; look 'half a header'
printf 'not BTF, but long enough for it' > section; look 'another file'

# Each is refused in one line, or is another valid section.
echo '# flipped bits, and cut sections'
riscv64-unknown-elf-objcopy --dump-section .BTF=whole btf.elf unused.elf
python3 - <<- 'END'
	import random
	random.seed(5)
	whole, elf = open("whole", "rb").read(), open("btf.elf", "rb").read()
	at = elf.index(whole)
	for i in range(200):
	    section = bytearray(whole)
	    for bit in random.sample(range(8 * (24 if i < 40 else len(whole))), 1 + i % 3):
	        section[bit // 8] ^= 1 << bit % 8
	    if i % 10 == 9: section[len(whole) * i // 200:] = bytes(len(whole) - len(whole) * i // 200)
	    open("flip-%d.elf" % i, "wb").write(elf[:at] + section + elf[at + len(whole):])
END
for file in flip-*.elf; do
	"$run" id.probes program="$file" > out 2> err
	status=$?
	case $status in
	0) refused=0 ;;
	2) refused=1; [ "$(grep -vc 'has BTF, but no DWARF' err)" = 1 ] || { echo "$file: more than a line:"; cat err; } ;;
	*) echo "$file: exit $status" ;;
	esac
	grep -E 'DWARF reader|damaged DWARF' err
	echo $refused
done | sort | uniq -c | awk '{ print $2, ($1 > 20 ? "many" : $1) }'
