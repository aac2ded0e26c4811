# SPDX-License-Identifier: Apache-2.0
# A disk for a program for Linux: what the initial RAM disk has for it, the commands, and what
# cannot be a disk. Nothing boots.
riscv64-linux-gnu-gcc -O1 -nostdlib -static -x c - -Wl,--build-id=none -o prog <<< 'void _start(void) { }'
mkdir folder out
truncate -s 1M plain.img ext.img
printf '\123\357' | dd of=ext.img bs=1 seek=1080 conv=notrunc status=none # its magic number
prepare() { # OPTION...
	rm -f out/*
	tr-profile --linux --prepare out "$@" ./prog < /dev/null
	echo "status $?"
	[ -e out/root.cpio ] || return
	cpio -itv --quiet < out/root.cpio 2> /dev/null | awk '/vda|disk$/ { print $1, $4, $5, $6, $NF }' | sed 's/ [A-Z][a-z][a-z] .*d/ d/; s/root 0disk/root disk/'
	# ECHO, of what the first process reads: a d behind it mounts the disk.
	cpio -i --quiet --to-stdout .first < out/root.cpio | tr '\0' '\n' | sed -n 3p
}
echo '# none, one with a file system, one without'
prepare
prepare --disk ext.img
prepare --model --disk plain.img
echo '# the same files without a disk, and the same tree'
prepare > /dev/null && cp out/soc.dtb soc.dtb
prepare --disk ext.img > /dev/null && cmp out/soc.dtb soc.dtb
echo '# the commands'
mkdir -p usr/bin usr/share/tr-profiler/linux
cp "$(command -v tr-profile)" usr/bin
cp "$SRC/build/target/"{firmware,first}.elf usr/share/tr-profiler/linux
cp prog usr/share/tr-profiler/linux/vmlinux
for machine in '' --model; do
	usr/bin/tr-profile --linux $machine --disk ext.img --dry-run ./prog | sed "s|$PWD|PWD|g" | grep -o 'prepare.*\|soc-[ms].*\|--disk.*'
done
echo '# what cannot be a disk'
: > empty.img
head -c 700 plain.img > odd.img
for file in empty.img odd.img missing.img folder /dev/zero; do prepare --disk $file; done
tr-profile --disk ext.img ./prog
echo "status $?"
