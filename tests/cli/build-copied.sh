# SPDX-License-Identifier: Apache-2.0
# A copy of the project in another folder uses existing build results: the rules that
# decide whether to rebuild Linux do not contain the folder's name, nor do the files
# generated for Verilator, nor do the programs of the machine.
for folder in one two/deeper 'one two'; do
	mkdir -p "$folder"
	(cd "$SRC" && cp -r --parents Makefile .ci filters/*.mk filters/*.[1-9] sim rtl pipelines tests/*/*.mk tests/isa/*.txt tests/tests.mk "$OLDPWD/$folder")
	(
		cd "$folder" || exit
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s \
			build/linux/{kernel,musl,programs,specs}.flags build/linux/musl.specs
	)
done
for file in kernel musl programs specs; do
	cmp {one,two/deeper}/build/linux/$file.flags && echo "$file: $(wc -l < one/build/linux/$file.flags)"
done
cmp -s {one,two/deeper}/build/linux/musl.specs || echo "musl.specs: each its own"
# A folder whose name has a space, which Linux does not support.
cd 'one two' || exit
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s build/target/{firmware,compute}.elf build/small/example.elf > /dev/null
for elf in firmware compute; do
	readelf -n build/target/$elf.elf | grep 'Build ID' | cmp - <(readelf -n "$SRC/build/target/$elf.elf" | grep 'Build ID') &&
		echo "$elf: the same build"
done
strings build/target/*.elf build/small/example.elf | grep 'one two'
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s linux 2>&1 | sed "s|^/.*/||; /Error/d"
# What the README uses after small-core.
cd "$SRC" || exit
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -n B=none small-core | grep -oE -- '-o none/bin/tr-(capture|match|unwind|fold|timeline|info|profile) |-o none/lib/[^ ]*' | sort -u
grep -l "$SRC" "$(dirname "$BIN")"/harness/{hot,cold}.cc "$(dirname "$BIN")"/harness/*.d
exit 0
