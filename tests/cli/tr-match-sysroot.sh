# SPDX-License-Identifier: Apache-2.0
# Programs and libraries below a folder, at addresses that are solved from the code: the
# table of what was found where, copies, links, damaged and foreign files, a stripped
# library, and what is missing.
object() { # FILE SEED OPTION...: a file with two functions of straight code
	local file=$1 seed=$2 i
	shift 2
	{
		echo '.option norvc'
		echo '.section .text.a, "ax"; .globl first; .type first, @function; first:'
		for i in 1 2 3 4 5 6 7 8 9; do echo "xori a0, a0, $((seed * 16 + i))"; done
		echo 'ret; .size first, . - first'
		echo '.globl second; .type second, @function; second:'
		for i in 1 2 3 4 5 6 7 8 9; do echo "ori a1, a0, $((seed * 16 + i))"; done
		echo 'ret; .size second, . - second'
	} > object.S
	riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -c -o object.o object.S
	riscv64-linux-gnu-ld -z noseparate-code --hash-style=sysv --build-id=sha1 "$@" -o "$file" object.o
}

block() { # NAME FILE FUNCTION BASE: the block of a function
	riscv64-linux-gnu-objdump -d -M no-aliases "$2" | awk -v name="$1" -v wanted="<$3>:" -v base="$4" '
		$2 == wanted { found = 1; address = $1; next }
		found && NF == 0 { exit }
		found { code = code " " $2 }
		END { printf "block %s pc=0x%s%s%s\n", name, base, substr(address, length(address) - 2), code }'
}

mkdir -p root/bin root/lib root/usr/lib/debug
object root/bin/prog 1 -pie --no-dynamic-linker -e second
object root/lib/libone.so.1 2 -shared -soname libone.so.1
object root/lib/libtwo.so.1 3 -shared -soname libtwo.so.1
object missing.so 4 -shared
cp root/lib/libone.so.1 root/lib/copy.so
ln -s libone.so.1 root/lib/libone.so
ln root/lib/libtwo.so.1 root/lib/hard.so
cp root/bin/prog root/usr/lib/debug/prog.debug
riscv64-linux-gnu-strip root/lib/libtwo.so.1
echo 'not a program' > root/bin/script
head -c 70 root/bin/prog > root/bin/damaged
cp /bin/true root/bin/foreign

{
	echo 'header content=rows'
	echo 'header xlen=64'
	echo 'header watch=2,4'
	for space in 1 2; do
		block p$space root/bin/prog first 2aaaaa$space
		block q$space root/bin/prog second 2aaaaa$space
		block a$space root/lib/libone.so.1 first 3ff7f1$space
		block b$space root/lib/copy.so second 3ff7f1$space
		block m$space missing.so first 3ff7d1$space
	done
	echo 'hart 0 priv=U satp=0x8000000000000001'
	for i in p1 a1 m1 q1 b1; do echo "row $i"; done
	echo 'satp 0x8000000000000002'
	for i in a2 p2 q2 m2 b2; do echo "row $i"; done
	echo 'end end=power-off'
} > run.txt
tr-text --encode run.txt > run.tr
tr-match --sysroot root run.tr > matched.tr
tr-text matched.tr | grep -e '^header bin' -e '^note'
tr-info matched.tr | sed -n '/^code found/,/^end/p'
tr-unwind matched.tr | tr-fold
for folder in nothing root/bin/script root/usr; do
	! tr-match --sysroot $folder run.tr > /dev/null
done
