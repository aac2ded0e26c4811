# SPDX-License-Identifier: Apache-2.0
# Damaged programs, and files that are none: one line with the byte, exit status 2, and no
# files. A cut or changed file never ends otherwise.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	printf 'function begin\n.cfi_startproc\naddi a0, a0, 1\naddi a1, a1, 1\nret\n.cfi_endproc\ndone_ begin\n'
	printf 'function second\naddi a0, a0, 1\nret\ndone_ second\n'
} | program a.elf -Wl,--hash-style=sysv

word() { od -An -tu8 -j"$1" -N8 a.elf | tr -d ' '; }
half() { od -An -tu2 -j"$1" -N2 a.elf | tr -d ' '; }
# run FILE: prints the message and the status, and what there should not be.
run() {
	prof-extract -o prof "$1" 2>&1
	echo "status $?"
	find prof -name '*.*' -type f ! -name .lock 2> find.log
}
# change NAME OFFSET BYTES: the program with other bytes at an offset, which are octal.
change() {
	cp a.elf "$1.elf"
	printf "$3" | dd of="$1.elf" bs=1 seek="$2" conv=notrunc 2> dd.log
	run "$1.elf"
}

echo text > text.elf
run text.elf
change magic 1 e
change bits32 4 '\1'
change big_endian 5 '\2'
change x86 18 '\76\0'
change object 16 '\1\0'
change embedded 48 '\10'
change begin_odd 24 '\1'
change begin_nowhere 25 '\377'
change no_segments 56 '\0\0'
change size_of_segment 54 '\70\1'
change segments_behind 33 '\377\377'
change size_of_section 58 '\70\0'
change sections_behind 42 '\377\377'
change many_sections 60 '\377\176'
change names_elsewhere 62 '\1\0'

segment=$(word 32) section=$(word 40)
first_code=$segment # the segment of code is the one with the flag of execution
while [ "$(od -An -tu4 -j$((first_code + 4)) -N4 a.elf | tr -d ' ')" != 5 ]; do first_code=$((first_code + 56)); done
change segment_behind $((first_code + 8)) '\0\0\1'
change segment_larger $((first_code + 40)) '\1\0'
change segment_nowhere $((first_code + 22)) '\377\377'

# The header of a section by its name.
header() {
	local number
	number=$(riscv64-linux-gnu-readelf -SW a.elf | sed -nE "s/^ *\[ *([0-9]+)\] \\$1 .*/\1/p")
	echo $((section + 64 * number))
}
text=$(header .text) symbols=$(header .symtab) tables=$(header .eh_frame)
change code_elsewhere $((text + 16)) '\2'
change code_larger $((text + 33)) '\377'
change sections_overlap $((symbols + 24)) '\0\20'
change symbol_size $((symbols + 56)) '\20'
change symbol_names $((symbols + 40)) '\1'
change unwind_length $(($(word $((tables + 24))))) '\377\377'

# The symbol of a function.
for ((at = $(word $((symbols + 24))); ; at += 24)); do
	[ "$(od -An -tu1 -j$((at + 4)) -N1 a.elf | tr -d ' ')" != 18 ] || break
done
change symbol_huge $((at + 18)) '\1'
change symbol_odd $((at + 8)) '\1'
change symbol_name $((at + 2)) '\377'

# Functions that overlap, and so many within one that each byte is read too often.
{
	echo "$macros"
	printf 'function begin\naddi a0, a0, 1\nret\nfunction second\nret\nret\n.size begin, 6\ndone_ second\n'
} | program overlap.elf
run overlap.elf
{
	echo "$macros"
	for ((i = 0; i < 20; i++)); do printf 'function inner_%d\naddi a0, a0, 1\n' $i; done
	for ((i = 0; i < 20; i++)); do printf 'done_ inner_%d\n' $i; done
} | program nested.elf -Wl,-e,inner_0
run nested.elf

# Cut after each of many lengths; then each byte of headers and tables flipped.
for ((size = 0; size < $(stat -c %s a.elf); size += 97)); do
	head -c "$size" a.elf > cut.elf
	prof-extract --list cut.elf > out 2> err
	status=$?
	[ $status = 2 ] && [ "$(wc -l < err)" = 1 ] && [ ! -s out ] || echo "cut to $size: status $status"
done
flips=0
for range in "0 64" "$segment $((56 * $(half 56)))" "$section $((64 * $(half 60)))" \
	"$(word $((symbols + 24))) $(word $((symbols + 32)))"; do
	read -r from count <<< "$range"
	for ((at = from; at < from + count; at += 2)); do
		cp a.elf flip.elf
		printf "\\$(printf %o $((255 - $(od -An -tu1 -j$at -N1 a.elf))))" | dd of=flip.elf bs=1 seek=$at conv=notrunc 2> dd.log
		timeout 20 prof-extract --list flip.elf > out 2> err
		status=$?
		flips=$((flips + 1))
		[ $status = 0 ] && ! grep -qv 'known only by direct calls$' err || { [ $status = 2 ] && [ "$(wc -l < err)" = 1 ] && [ ! -s out ]; } ||
			echo "byte $at flipped: status $status"
	done
done
[ $flips -gt 500 ] || echo "only $flips flips"
