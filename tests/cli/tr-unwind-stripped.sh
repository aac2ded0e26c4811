# SPDX-License-Identifier: Apache-2.0
# A stripped program: bounds of functions from its unwind tables, counted as nameless; names
# from a file of debug information by build-id or link, which is refused if it is of
# another build.
debug='-g -fasynchronous-unwind-tables -Wl,--build-id=0x1234567890abcdef,--section-start=.note.gnu.build-id=0x8000'
. "$SRC/tests/cli/tr-unwind.inc"
folder=usr/lib/debug/.build-id/12
mkdir -p $folder
riscv64-unknown-elf-objcopy --only-keep-debug prog.elf prog.debug
cp prog.debug $folder/34567890abcdef.debug
riscv64-unknown-elf-strip prog.elf
show() {
	echo "== $1"
	tr-unwind -o stacks.tr run.tr
	tr-fold -v stacks.tr
	tr-text stacks.tr | grep -o 'unwind_nameless_instructions=[0-9]*'
}
mv prog.debug away
show 'by build-id'
at=$(LC_ALL=C grep -abo $'\x12\x34\x56' $folder/34567890abcdef.debug | cut -d: -f1)
printf '\x99' | dd of=$folder/34567890abcdef.debug bs=1 conv=notrunc status=none seek="$at"
show 'another build'
rm $folder/34567890abcdef.debug
show 'without'
mv away prog.debug
riscv64-unknown-elf-objcopy --add-gnu-debuglink=prog.debug prog.elf
show 'by link'
printf x >> prog.debug
show 'another CRC'
