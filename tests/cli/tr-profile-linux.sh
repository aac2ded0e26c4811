# SPDX-License-Identifier: Apache-2.0
# A program for Linux: what it needs is found, and is in the initial RAM disk. Nothing boots.
# build [OPTION...] FILE: a program or library of one function, without a C library.
build() {
	riscv64-linux-gnu-gcc -O1 -nostdlib -x c - -x none -Wl,--build-id=none "$@"
}
# A loader that only its sysroot has.
loader=-Wl,-dynamic-linker,/lib/ld-own.so.1
library() { # NAME FILE OPTION...: libNAME.so.1, with the function NAME
	build -shared -fPIC "-Wl,--no-as-needed,-soname,lib$1.so.1" -o "$2" "${@:3}" <<< "int $1(void) { return 1; }"
}
prepare() { # OPTION...
	rm -rf out && mkdir out
	tr-profile --linux --prepare out "$@"
	echo "status $?"
}
# Names and modes, without BusyBox, which may be built or not.
list() {
	cpio -itv --quiet < out/root.cpio | awk '{ print $1, $2, $3, $4, $NF }' | grep -v 'busybox$\| bin$'
	sed 's|.*/||; s/"//g' out/bins.lst | grep -v 'busybox\|vmlinux'
}
extract() { # FILE of the target
	cpio -i --quiet --to-stdout "$1" < out/root.cpio
}
mkdir -p lib deep sysroot/lib sysroot/usr/lib flat
build -shared -fPIC -Wl,-soname,ld-own.so.1 -o sysroot/lib/ld-own.so.1 <<< 'void _start(void) { }'
library far sysroot/usr/lib/libfar.so.1
library deep deep/libdeep.so.1
library near lib/libnear.so.1 deep/libdeep.so.1 '-Wl,-rpath,$ORIGIN/../deep,--enable-new-dtags'
build -static -o static <<< 'void _start(void) { }'
build -static -fPIE -Wl,-pie,--no-dynamic-linker -o pie <<< 'void _start(void) { }'
build -pie -fPIE $loader -o near lib/libnear.so.1 '-Wl,-rpath,${ORIGIN}/lib,--enable-new-dtags' -Wl,-rpath-link,deep \
	<<< 'int near(void); int _start(void) { return near(); }'
build -pie -fPIE $loader -o far sysroot/usr/lib/libfar.so.1 <<< 'int far(void); int _start(void) { return far(); }'
build -pie -fPIE $loader -o old lib/libnear.so.1 "-Wl,-rpath,$PWD/lib:$PWD/deep,--disable-new-dtags" \
	<<< 'int near(void); int _start(void) { return near(); }'

echo '# without --linux'
for program in static pie near; do
	tr-profile $program
	echo "status $?"
done
echo '# with --linux, before anything boots: for the bare machine; a kernel; no such core; no kernel'
build -static -Wl,-Ttext=0x80000000 -o bare <<< 'void _start(void) { }'
printf '\t.globl _start\n_start: nop\n' | riscv64-linux-gnu-gcc -nostdlib -static -x assembler - -Wl,-Ttext=0xffffffff80000000 -o kernel
head -c 100 /dev/zero > zeros
for words in ./bare ./kernel '--core x ./static' '--kernel ./static ./static' '--kernel zeros ./static' '--kernel nosuch ./static'; do
	tr-profile --linux -o none $words # words
	echo "status $?"
done
ls none 2>&1
echo '# a simulator that dies, cannot be executed, or has no such core, before anything boots'
mkdir programs && cp "$(type -P tr-profile)" programs
for simulator in 'kill -SEGV $$' '' 'echo "soc-sim: --core: no such core: ooo" >&2; exit 2'; do
	printf '#!/bin/%s\n%s\n' "${simulator:+bash}" "$simulator" > programs/soc-sim
	chmod +x programs/soc-sim
	programs/tr-profile --linux --core ooo -o none ./static
	echo "status $?"
done
ls none 2>&1
echo '# static'
prepare ./static 'a b' '' --ram </dev/null
list
extract .first | tail -c +34 | tr '\0' '\n'
[ "$(extract .first | tail -c +34 | wc -c)" -gt 20 ] && [ "$(extract .first | head -c 33 | tr -d '0-9a-f' | wc -c)" = 1 ] && echo 'a mark'
extract program/static | cmp - static && extract init | cmp - "$(sed -n 's/^"\(.*first.elf\)".*/\1/p' out/bins.lst)" && echo same
cp out/root.cpio first.cpio
prepare ./static 'a b' '' --ram </dev/null
cmp out/root.cpio first.cpio
dtc -q -I dtb -O dts out/soc.dtb | grep -A2 'bootargs\|memory@\|riscv,isa = ' | grep 'bootargs\|reg\|isa ='
echo '# libraries: by DT_RUNPATH, in a sysroot, by DT_RPATH of the program'
prepare --sysroot sysroot near
list | grep lib
extract program/lib/libnear.so.1 | cmp - lib/libnear.so.1 && extract program/deep/libdeep.so.1 | cmp - deep/libdeep.so.1 && echo same
prepare --sysroot sysroot far
list | grep lib
library near lib/libnear.so.1 deep/libdeep.so.1
prepare --sysroot sysroot old
list | grep lib | sed "s|${PWD#/}|PWD|"
echo '# DT_RPATH of the program besides that of the library; not besides DT_RUNPATH'
library middle lib/libmiddle.so.1 deep/libdeep.so.1 -Wl,-rpath,/nowhere,--disable-new-dtags
build -pie -fPIE $loader -o both lib/libmiddle.so.1 "-Wl,-rpath,$PWD/lib:$PWD/deep,--disable-new-dtags" \
	<<< 'int middle(void); int _start(void) { return middle(); }'
prepare --sysroot sysroot both
list | grep 'lib.*user'
library middle lib/libmiddle.so.1 deep/libdeep.so.1 -Wl,-rpath,/nowhere,--enable-new-dtags
prepare --sysroot sysroot both 2>&1 | sed "s|$PWD|PWD|"
echo '# a folder of libraries; one for another machine is passed over'
cp sysroot/lib/* sysroot/usr/lib/* flat
mkdir wrong && gcc -shared -nostdlib -Wl,--build-id=none -x c - -o wrong/libfar.so.1 <<< 'int far(void) { return 2; }'
mkdir rv32 && build -march=rv32i -mabi=ilp32 -shared -fPIC -o rv32/libfar.so.1 <<< 'int far(void) { return 3; }'
prepare --sysroot wrong --sysroot rv32 --sysroot flat far
list | grep lib; grep -c '/flat/' out/bins.lst
echo '# all folders of a sysroot before another one; its loader is in /usr'
mkdir -p before/usr/lib behind/lib
cp sysroot/lib/* sysroot/usr/lib/* before/usr/lib
cp sysroot/lib/* sysroot/usr/lib/* behind/lib
prepare --sysroot before --sysroot behind far
list | grep lib && grep -c "$PWD/before/usr/lib/" out/bins.lst
mkdir linked && ln -s /lib linked/usr && cp -r behind/lib linked && rm linked/lib/libfar.so.1 && ln -s /lib/far linked/lib/libfar.so.1
cp behind/lib/libfar.so.1 linked/lib/far
prepare --sysroot linked far
list | grep lib
echo '# libraries that need each other; by its path; the loader of musl is the C library'
library one flat/libone.so.1
library two flat/libtwo.so.1 flat/libone.so.1
library one flat/libone.so.1 flat/libtwo.so.1
build -shared -fPIC -o deep/path.so <<< 'int path(void) { return 4; }'
cp sysroot/lib/ld-own.so.1 flat/ld-musl-own.so.1
build -shared -fPIC -Wl,-soname,libc.so -o libc.so <<< 'int own(void) { return 3; }'
build -pie -fPIE -Wl,--no-as-needed,-dynamic-linker,/lib/ld-musl-own.so.1 -o musl flat/libone.so.1 deep/path.so libc.so \
	-Wl,-rpath-link,flat <<< 'void _start(void) { }'
rm libc.so
prepare --sysroot flat musl
list | grep 'lib\|so'
echo '# a library or the loader is missing'
rm lib/libnear.so.1
prepare --sysroot sysroot near
prepare near
prepare --sysroot wrong far
echo '# further files; libraries that they need'
mkdir -p root/etc root/opt root/lib
echo text > root/etc/text; chmod 640 root/etc/text
ln -s text root/etc/link; mkfifo root/opt/fifo; mkdir -m 1777 root/opt/empty
cp far root/opt/second; cp static root/opt/third
prepare --root root --sysroot sysroot ./static
list | grep -v ' dev'
extract etc/text
rm sysroot/usr/lib/libfar.so.1
prepare --root root --sysroot sysroot ./static
prepare --root nosuch ./static
echo '# odd names'
mkdir 'a "b" #c' && cp static 'a "b" #c/d e=f' && cp static 'g # h'
prepare 'a "b" #c/d e=f' 2>&1 | sed "s|$PWD|PWD|"
cpio -it --quiet < out/root.cpio | grep program/
prepare './g # h' && sed "s|$PWD|PWD|" out/bins.lst | grep '^"PWD'
cp static $'new\nline' && prepare ./$'new\nline'
echo '# standard input, and the environment'
echo 'a line' > input
prepare --env B=2 --env HOME=/home --env 'A=x y' ./static < input
extract .input
extract .first | tail -c +34 | tr '\0' '\n'
prepare ./static < <(echo 'of a pipe')
extract .input
truncate -s 5G huge; prepare ./static < huge; rm huge
for variable in A =B '' ; do prepare --env "$variable" ./static; done
head -c 300000 /dev/zero | tr '\0' 'x' > long
prepare ./static "$(head -c 130000 long)" "$(head -c 130000 long)" "$(head -c 3000 long)"
echo '# the size of the memory'
prepare --ram 64M ./static
dtc -q -I dtb -O dts out/soc.dtb | grep -A2 'memory@' | grep reg
truncate -s 70M root/etc/large
prepare --root root ./static 2> /dev/null
dtc -q -I dtb -O dts out/soc.dtb | grep -A2 'memory@' | grep reg
prepare --root root --ram 128M ./static 2>&1 | sed 's/7[0-9] MiB/7N MiB/'
rm root/etc/large
for ram in 0 64 1M 64X 64MM -1 99999999999G; do prepare --ram $ram ./static; done
echo '# what is no program'
echo 'int main;' > source.c
head -c 100 static > cut
riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -x c - -o narrow <<< 'void _start(void) { }' 2> /dev/null
for program in nosuch source.c cut narrow /dev/null .; do prepare $program; done
gcc -nostdlib -static -x c - -o other <<< 'void _start(void) { }'
prepare ./other
head -c 40 /dev/zero | tr '\0' 'x' > sysroot/lib/ld-own.so.1
prepare --sysroot sysroot far
tr-profile --linux
echo "status $?"
tr-profile --root root static
tr-profile --linux --from spike ./static
tr-profile --linux --model --hardware ./static
tr-profile --linux --model --core ooo ./static
echo '# it cannot be written'
tr-profile --linux --prepare nosuch ./static
echo "status $?"
mkdir full && ln -s /dev/full full/root.cpio
tr-profile --linux --prepare full ./static
echo "status $?"
rm full/root.cpio && ln -s /dev/full full/bins.lst
tr-profile --linux --prepare full ./static
echo "status $?"
rm full/bins.lst && ln -s /dev/full full/soc.dtb
tr-profile --linux --prepare full ./static
echo "status $?"
echo '# installed, without a kernel; with one'
mkdir -p usr/bin usr/share/tr-profiler/linux
cp "$(command -v tr-profile)" usr/bin
usr/bin/tr-profile --linux --prepare out ./static
cp "$SRC/build/target/"{firmware,first}.elf usr/share/tr-profiler/linux
usr/bin/tr-profile --linux ./static
echo "status $?"; ls -d static-profile 2> /dev/null
usr/bin/tr-profile --linux --kernel nosuch ./static
cp static usr/share/tr-profiler/linux/vmlinux
{ head -c 56 /dev/zero; printf 'RSC\5'; head -c 40 /dev/zero; } > Image
for options in '--core ooo' '--model --ram 1G --env A=b' '--kernel Image -b far --sysroot flat'; do
	# shellcheck disable=SC2086 # words
	usr/bin/tr-profile --linux $options --dry-run ./static 'a b' | head -5 | sed "s|$PWD|PWD|g; s|$SRC|SRC|g"
done
echo '# a kernel that never ends, and an interrupt'
{ printf '\1\240'; head -c 54 /dev/zero; printf 'RSC\5'; head -c 40 /dev/zero; } > Image
timeout --preserve-status -s INT 2 usr/bin/tr-profile --linux -b static --kernel Image -o never ./static 2> errors
echo "status $?"; ls never
sed 's/instructions [0-9]*/instructions N/' errors
