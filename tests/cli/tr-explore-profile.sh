# SPDX-License-Identifier: Apache-2.0
# tr-profile --serve: the page over the run that was just made; a new run takes its index away.
. "$SRC/tests/cli/soc-model.inc"
. "$SRC/tests/cli/tr-explore.inc"
program first.elf << END
	.globl _start, first
	.type _start, @function
	.type first, @function
_start:
	la sp, _start + 0x10000
	jal first
	$off
first:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
END
tr-profile --serve --dry-run soc-model first.elf
echo "exit $?"
tr-profile --serve -o run soc-model first.elf > out 2> said &
server=$!
for ((i = 0; i < 600; i++)); do
	port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/$,\1,p' said)
	[ -z "$port" ] || break
	sleep 0.05
done
sed "s/$port/PORT/" said | grep -v DWARF
until_run '"done":true'
body /folded | cmp - run/stacks.folded && cat run/stacks.folded
for ((i = 0; i < 100; i++)); do
	[ -e run/explore.sqlite ] && break
	sleep 0.05
done
stop
ls run
tr-profile -o run soc-model first.elf > out 2> said
ls run
