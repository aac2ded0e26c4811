# SPDX-License-Identifier: Apache-2.0
# A kernel that differs from its file in a few instructions has patched itself; one that
# differs in many is a different kernel.
target=$SRC/build/target
soc-model --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
riscv64-unknown-elf-objcopy --dump-section .text=text "$target/supervisor.elf" whole.elf
start=$(riscv64-unknown-elf-objdump -h whole.elf | awk '$2 == ".text" { print $4 }')
at=$(riscv64-unknown-elf-nm whole.elf | awk '$3 == "schedule" { print $1 }')

# supervise FILE: prints the messages with FILE as the kernel.
supervise() {
	sed "s|^supervisor.elf|$PWD/$1|; /^[^/]/s|^|$target/|" "$target/bins.lst" > "$1.lst"
	tr-match -v --bins "$1.lst" hello.tr 2> "$1.log" > "$1.tr"
	echo "$1: unknown some: $(sed -nE 's/.*, unknown ([0-9]+) .*/\1/p' "$1.log" | awk '{ print ($1 > 0) }')"
	sed -E 's/[0-9]+ (blocks? (differs?|refused))/N \1/' "$1.log" | grep -oE 'N blocks?.*|warning: the kernel.*'
}

supervise whole.elf
printf '\001\000\001\000' | dd of=text bs=1 seek=$((0x$at - 0x$start + 8)) conv=notrunc 2> dd.log
riscv64-unknown-elf-objcopy --update-section .text=text "$target/supervisor.elf" few.elf
supervise few.elf
tr '\023\203' '\033\003' < text > changed
riscv64-unknown-elf-objcopy --update-section .text=changed "$target/supervisor.elf" many.elf
supervise many.elf
# A kernel that differs nearly everywhere is not matched at all, even where it agrees.
tr '\001-\177' '\002-\177\001' < text > another
riscv64-unknown-elf-objcopy --update-section .text=another "$target/supervisor.elf" another.elf
supervise another.elf
tr-unwind another.elf.tr | tr-report functions | grep -c ' another' || true
tr-info another.elf.tr | sed -n 's/: .*//; /match_kernel_refused$/p'
# Earlier matches of such a kernel are withdrawn.
matched=$(sed -nE 's/.*, unknown ([0-9]+) .*/\1/p' another.elf.log)
tr-unwind -v another.elf.tr 2>&1 > another.stacks.tr | grep -o "$matched instructions unknown" |
	sed "s/$matched/as many/"
