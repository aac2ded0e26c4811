# SPDX-License-Identifier: Apache-2.0
# Every failure to write or to resume a checkpoint gives one line and status 2, and leaves
# no file, or the old one. tests/unit/soc-checkpoint.c damages each byte of one.
. "$SRC/tests/cli/soc-model.inc"
exec 2>&1
program a.elf << END
.globl _start
_start:	li s0, 1000
1:	addi s0, s0, -1
	bnez s0, 1b
$off
END
try() {
	echo "$*"
	"$@"
	echo "status $?"
}

try soc-model --checkpoint-at cycle=5 a.elf
try soc-model --checkpoint-continue a.elf
try soc-model --checkpoint a.ck --checkpoint-continue a.elf
try soc-model --checkpoint a.ck --checkpoint-at exit a.elf
try soc-model --checkpoint a.ck --checkpoint-at never a.elf
try soc-model --checkpoint a.ck --checkpoint-at pc=nowhere a.elf
try soc-model --checkpoint a.ck --checkpoint-at exec=missing a.elf
echo text > text
try soc-model --checkpoint a.ck --checkpoint-at exec=text a.elf
try soc-sim --checkpoint a.ck a.elf
try soc-model --checkpoint a.elf --max-cycles 10 a.elf
try soc-model --checkpoint missing/a.ck --max-cycles 10 a.elf
try soc-model --checkpoint . --max-cycles 10 a.elf
try soc-model --checkpoint /dev/full --max-cycles 10 a.elf
try soc-model --checkpoint a.ck --checkpoint-at cycle=1M a.elf
try soc-model --checkpoint a.ck a.elf
ls
# Without space, or against a limit of the file's size, the old file stays.
(
	echo old > a.ck
	trap '' XFSZ
	ulimit -f 1
	try soc-model --checkpoint a.ck --max-cycles 10 a.elf
) 2>&1 | cat
ls
cat a.ck

soc-model --checkpoint a.ck --max-cycles 10 a.elf
try soc-model --resume missing
try soc-model --resume a.elf
try soc-model --resume .
try soc-model --resume /dev/null
try soc-model --ram 64M --resume a.ck
try soc-model --isa rv64gc --resume a.ck
try soc-sim --ram 64M --resume a.ck
try soc-model --resume a.ck a.elf
try soc-model --resume a.ck --dtb a.dtb
try soc-model --resume a.ck --trace a.ck
try soc-model --resume a.ck --checkpoint a.ck --max-cycles 10
try soc-model --resume a.ck --start pc=_start
size=$(stat -c %s a.ck)
for n in 0 4 8 20 24 500 $((size - 30)) $((size - 1)); do
	head -c $n a.ck > b.ck
	try soc-model --resume b.ck
done
# flip BYTE: inverts a bit.
flip() {
	local byte
	byte=$(od -An -tu1 -j "$1" -N 1 a.ck)
	cp a.ck b.ck
	printf '%b' "\\x$(printf %x $((byte ^ 4)))" | dd of=b.ck bs=1 seek="$1" conv=notrunc status=none
	try soc-sim --resume b.ck
}
for n in 0 8 13 16 100 $((size - 60)) $((size - 24)); do flip $n; done
cat a.ck a.ck > b.ck
try soc-model --resume b.ck

# Through a link its target is replaced; a pipe is written directly.
ln -s b.ck link
soc-model --checkpoint link --max-cycles 10 a.elf
cmp link a.ck | sed 's/ char.*//'
ls -l | awk 'NR > 1 { print substr($1, 1, 1), $9 }'
soc-model --no-provenance --checkpoint a.ck --max-cycles 10 a.elf
mkfifo pipe
cat pipe > b.ck &
soc-model --no-provenance --checkpoint pipe --max-cycles 10 a.elf
wait
cmp a.ck b.ck && soc-model --resume b.ck
echo "status $?"
