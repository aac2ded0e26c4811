# SPDX-License-Identifier: Apache-2.0
# A source that supplies less, and a list without the kernel: each filter reports what is
# missing, and code that cannot be located stays unknown.
target=$SRC/build/target
soc-model --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
tr-text hello.tr > hello
sed "/^[^/]/s|^|$target/|" "$target/bins.lst" > bins.lst
riscv64-unknown-elf-strip -o supervisor.elf "$target/supervisor.elf"

# run WHAT LIST [SED-SCRIPT]: prints the messages, and how much of the code is named.
run() {
	echo "$1:"
	sed -E "${3-}" hello | tr-text --encode -o run.tr
	{
		tr-match --bins "$2" run.tr | tr-unwind -o stacks.tr
		tr-fold -v -o folded stacks.tr
		tr-info --bins "$2" run.tr | sed -n '/^findings/,$p'
		tr-info stacks.tr | sed -n '/^findings/,$p'
	} 2>&1 | sed -E "s|[^ ]*/build/target/||g; s/[0-9a-f]{40}/ID/g; s/ 0 in unknown/ none in unknown/; s/[0-9]+[0-9. ]*( %| in unknown| in functions| cycles| of| ret)/N\1/g"
}
lacks() { echo "s/^(header cannot_supply=.*)/\1,$1/;"; }

run 'all there' bins.lst
run 'no satp' bins.lst "$(lacks satp) /^satp /d; s/ satp=0x[0-9a-f]+//"
run 'no privilege' bins.lst "$(lacks priv) /^(hart|trap|xret|priv) /s/ priv=[SU]/ priv=M/"
run 'no tp' bins.lst "$(lacks tp) /^reg x4/d; s/ tp=0x[0-9a-f]+//"
grep -v kernel bins.lst > list
run 'no kernel' list
sed 's| kernel| user|' bins.lst > list
run 'kernel as user' list
sed 's|[^ ]*/supervisor|supervisor|' bins.lst > list
run 'stripped kernel' list
