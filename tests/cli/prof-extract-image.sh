# SPDX-License-Identifier: Apache-2.0
# Which programs have an image that processes map, and of which part of their text.
. "$SRC/tests/cli/prof-extract.inc"

# show FILE: extracts it, and prints address, size and origin of the text.
show() {
	local files=prof$PWD/$1
	prof-extract -o prof "$1"
	printf '%s:' "$1"
	for file in data.bin datag.bin; do
		od -A n -t x8 -w24 -j 192 -N 24 "$files/$file"
	done | uniq
	riscv64-linux-gnu-readelf -SW "$files/injected.o" | grep -o '\.text[.a-z]*' | paste -sd ' '
}

# layout FILE TEXT BEHIND OPTION...: two segments, the first one with the functions at address
# TEXT, the second one at BEHIND.
flags=5 second=6 bss=
layout() {
	local file=$1 text=$2 behind=$3
	shift 3
	cat > "$file.ld" <<- END
		PHDRS { first PT_LOAD FLAGS($flags); second PT_LOAD FLAGS($second); }
		SECTIONS {
			. = $text;
			.text : { *(.text) } :first
			$bss
			. = $behind;
			.text.more : { *(.text.more) } :second
			.data : { *(.data) } :second
			/DISCARD/ : { *(*) }
		}
	END
	riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static -Wl,--build-id=none -Wl,-e,begin \
		-Wl,--no-warn-rwx-segments -T "$file.ld" "$@" -o "$file" code.s
}

{
	echo "$macros"
	printf 'function begin\naddi a0, a0, 1\naddi a1, a1, 1\ncall middle\nret\ndone_ begin\n'
	printf '.space 5000\nfunction middle\naddi a0, a0, 1\nret\n.space 4000\ndone_ middle\n'
	printf 'function last\nc.addi a0, 2\nret\ndone_ last\n.bss\n.space 16\n.data\n.dword 1\n'
} > code.s

# The last function ends with the segment, or other bytes are behind it.
layout apart 0x11000 0x20000
show apart
{ cat code.s; printf '.text\n.space 9000\n'; } > longer.s
cp longer.s code.s
layout longer 0x11000 0x20000
show longer
layout within 0x11100 0x20000
show within

echo 'no image:'
layout shared 0x11000 '(. / 16 + 1) * 16'
show shared
flags=7 layout writable 0x11000 0x20000
show writable
bss='.bss : { *(.bss) } :first' layout zeros 0x11000 0x20000
show zeros
layout crooked 0x11104 0x20000 -Wl,-n
show crooked
printf '.section .text.more, "ax"\nfunction away\naddi a0, a0, 3\nret\ndone_ away\n' >> code.s
second=5 layout two 0x11000 0x20000
show two

# The first instruction of a program that is stopped is not that of its file.
same_image() {
	cmp kept/injected.o "prof$PWD/within/injected.o"
	cmp -i 168 -n 64 kept/data.bin "prof$PWD/within/data.bin"
}
cp -r "prof$PWD/within" kept
prof-extract -s -o prof within
same_image
prof-extract -o prof within
same_image
