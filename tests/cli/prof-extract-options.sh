# SPDX-License-Identifier: Apache-2.0
# Invalid command lines, files that cannot be read, and full disks: one line, and exit
# status 2.
. "$SRC/tests/cli/prof-extract.inc"
{
	echo "$macros"
	printf 'function begin\naddi a0, a0, 1\naddi a1, a1, 1\nret\ndone_ begin\n'
} | program a.elf

# run OPTION...: prints the message and the status.
run() {
	prof-extract "$@"
	echo "$*: status $?" >&2
}

run
run --none a.elf
run a.elf b.elf
run -o
run -s -u a.elf
run --why --list a.elf
run --why -s a.elf
run -u --list a.elf
run none.elf
run .
run --root none a.elf
mkfifo pipe
run pipe
: > empty.elf
run empty.elf
run --list a.elf > /dev/full
run --why a.elf > /dev/full
run --help > /dev/full
(sleep 0.5; exec prof-extract --list a.elf) | :
echo "closed pipe: ${PIPESTATUS[0]}" >&2
touch file
run -o file a.elf
run -o file/folder a.elf
# No file is larger than 20 KB: shmemg.dat is.
trap '' XFSZ
(ulimit -f 20; run -o prof a.elf)
find prof -type f >&2
# A damaged file of all programs is kept.
mkdir damaged
echo damaged > damaged/shmemg.dat
run -o damaged a.elf
find damaged -type f >&2
