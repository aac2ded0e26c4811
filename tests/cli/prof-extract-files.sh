# SPDX-License-Identifier: Apache-2.0
# The files of a program: where they are, that they are the same each time, and that the
# indexes in the global file stay while names are added.
. "$SRC/tests/cli/prof-extract.inc"

# names FILE: those of the functions in a shared memory, by index.
names() { tr '\0' '\n' < "$1" | grep -axE '[a-z]{2,}(_[0-9]+)?'; }
make_program() { # FILE NAME...
	local file=$1
	shift
	{
		echo "$macros"
		for name in "$@"; do
			printf 'function %s\naddi a0, a0, 1\naddi a1, a1, 1\nret\ndone_ %s\n' "$name" "$name"
		done
	} | program "$file" -Wl,-e,"$1"
}

mkdir -p root/bin
make_program root/bin/a first second third
make_program root/bin/b second fourth third fifth
prof-extract -o prof --root root root/bin/a
find prof -type f | sort
names prof/shmemg.dat | paste -sd ' '
cp -r prof kept
prof-extract -o prof --root root root/bin/b
echo 'b:'
names prof/shmemg.dat | paste -sd ' '
names prof/bin/b/shmem.dat | paste -sd ' '
diff -r prof/bin/a kept/bin/a
echo 'a again, then alone:'
prof-extract -o prof --root root root/bin/a
diff -r prof/bin/a kept/bin/a
prof-extract -o new --root root root/bin/a
diff -r new kept
echo 'code:'
for section in .text .text.local .text.global; do
	riscv64-linux-gnu-objdump -d -j $section prof/bin/b/injected.o | grep -c amoadd
done
# Counters by their indexes: from local to global ones, 0 to 1, 1 to 3, 2 to 2, 3 to 4.
for section in .text.local .text.global; do
	riscv64-linux-gnu-objdump -d -M no-aliases -j $section prof/bin/b/injected.o | sed -n 's/.*\taddi\tt0,t0,\(-*[0-9]*\).*/\1/p' > "counters$section"
done
paste counters.text.local counters.text.global | awk '{ print $2 - $1 }' | paste -sd ' '
# The text with entries: of four functions the first instructions are jumps.
riscv64-linux-gnu-objdump -D -j .text.program prof/bin/b/injected.o | grep -cP '\tj\t'

# What is not below the root, and absolute paths.
prof-extract -o prof --root root/bin root/../root/bin/a
ls prof
prof-extract -o prof --root prof root/bin/a
echo "status $?"
prof-extract -o absolute root/bin/a
(cd "absolute$PWD/root/bin/a" && ls | paste -sd ' ')

# Many at once: no name is lost.
for i in {1..12}; do make_program "p$i" "only_$i" "also_$i" both; done
for i in {1..12}; do prof-extract -o many "p$i" & done
wait
names many/shmemg.dat | sort | sed 's/[0-9]*$//' | uniq -c
prof-counts many/shmemg.dat | grep -c only_
find many -name '*.new'
