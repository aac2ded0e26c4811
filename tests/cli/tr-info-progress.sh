# SPDX-License-Identifier: Apache-2.0
# On a terminal filters show their progress when frames arrive slowly, and erase the line;
# not in a file, and never in tr-text, whose text may be on the terminal.
. "$SRC/tests/cli/tr-capture.inc"
cp whole.tr rows.tr
tr-text --encode -u -o stacks.tr <<END
header content=stacks
func f0 kind=program name=a
func f1 kind=function address=0x100 name=f
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
thread t0 tp=0x1000 satp=0x0 name=a
srow n2 t0 cycles=2 instructions=2
frame
srow n2 t0 cycles=2 instructions=2
end end=power-off
END
echo nop | riscv64-unknown-elf-gcc -nostdlib -Wl,-e0 -x assembler -o a.elf -

# Writes a frame and a half; the rest follows long after the filter has begun to read.
slowly() { # FILE FIFO
	exec 3> "$2"
	head -c -80 "$1" >&3
	sleep 2
	tail -c 80 "$1" >&3
}

show() { # NAME STREAM COMMAND...
	local name=$1 stream=$2.tr
	shift 2
	mkfifo "$name"
	slowly "$stream" "$name" &
	script -qec "$* -o $name.out $name" /dev/null < /dev/null > "$name.shown"
	wait
}
show capture rows tr-capture &
show info rows tr-info &
show info-stacks stacks tr-info &
show match rows tr-match --bins a.elf &
show split rows tr-split-by-satp --priv m &
show text rows tr-text &
show fold stacks tr-fold &
show file rows tr-info '2> warnings' &
wait
for name in capture info info-stacks match split text fold file; do
	echo "# $name"
	sed 's/\r\x1b\[K/\nerased: /g; s/\r//g' "$name.shown"
	echo
done
