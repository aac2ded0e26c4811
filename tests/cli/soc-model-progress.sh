# SPDX-License-Identifier: Apache-2.0
# On a terminal shared with lines of progress, each output line of the target begins on an
# erased line; elsewhere the output is unchanged.
. "$SRC/tests/cli/soc-model.inc"
program lines.elf << END
	.globl _start
_start:
	li s0, 0x10000000
	li s3, 3
1:	li s1, 'a'
	sb s1, (s0)
	li s2, 100000
2:	addi s2, s2, -1
	bnez s2, 2b
	li s1, 'b'
	sb s1, (s0)
	li s1, '\n'
	sb s1, (s0)
	li s2, 100000
3:	addi s2, s2, -1
	bnez s2, 3b
	addi s3, s3, -1
	bnez s3, 1b
	$off
END
# The keyboard input stays open and empty.
mkfifo keys
exec 4<> keys
show() {
	script -qec "$1" /dev/null <&4 | sed 's/\x1b\[K/ERASE /g; s/\r/CR /g'
}
echo '# supervised'
show 'tr-capture -o a.tr -- soc-model lines.elf 2> errors'
echo '# in a pipe'
show 'soc-model --trace - lines.elf | cat > b.tr'
echo '# alone'
show 'soc-model --trace c.tr lines.elf'
echo '# into a pipe'
show 'tr-capture -o a.tr -- soc-model lines.elf 2> errors | cat'
