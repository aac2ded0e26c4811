# SPDX-License-Identifier: Apache-2.0
# The folder of tr-profile: one run at a time, without results of an earlier one, and any name.
. "$SRC/tests/cli/soc-model.inc"
for name in first second; do
	program $name.elf << END
	.globl _start, $name
	.type _start, @function
	.type $name, @function
_start:
	la sp, _start + 0x10000
	jal $name
	$off
$name:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
END
done
names() {
	echo "status $?: $(ls -- "$1" | tr '\n' ' ')"
}
quiet() {
	"$@" 2>&1 > out.txt | grep -v DWARF
	return "${PIPESTATUS[0]}"
}
echo '# one after the other'
quiet tr-profile -o folder soc-model first.elf
names folder
cp folder/trace.tr folder/stacks.tr .
quiet tr-profile -o folder trace.tr first.elf
names folder
quiet tr-profile -o folder soc-model second.elf
quiet tr-profile -o folder stacks.tr
names folder
grep -o '^first[^ ]*' folder/stacks.folded
quiet tr-profile -o folder -- false second.elf
names folder
echo '# the input is in the folder'
quiet tr-profile -o folder soc-model first.elf
quiet tr-profile -o folder folder/trace.tr
names folder
ln -s folder/stacks.tr link.tr
quiet tr-profile -o folder link.tr
names folder
tr-profile -o folder - first.elf < folder/trace.tr
names folder
echo '# names that begin with -'
quiet tr-profile -o -x soc-model first.elf
names -x
tail -n 1 out.txt
cp first.elf ./-u.elf
quiet tr-profile --output=--help soc-model ./-u.elf
names --help
quiet tr-profile soc-model ./-u.elf
names -u-profile
tr-profile --dry-run -o -x trace.tr first.elf
echo '# two at a time'
mkfifo list
tr-profile -o busy -b list trace.tr > first.txt 2>&1 &
exec 3> list
tr-profile -o busy soc-model second.elf
names busy
tr-profile -o ./busy/. stacks.tr
echo "status $?"
kill $!
wait $!
quiet tr-profile -o busy stacks.tr
names busy
