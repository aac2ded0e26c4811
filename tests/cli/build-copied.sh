# SPDX-License-Identifier: Apache-2.0
# A copy of the project in another folder uses existing build results: the rules that
# decide whether to rebuild Linux do not contain the folder's name, nor do the files
# generated for Verilator.
for folder in one two/deeper; do
	mkdir -p "$folder"
	(cd "$SRC" && cp -r --parents Makefile .ci filters/*.mk filters/*.[1-9] sim rtl pipelines tests/*/*.mk tests/isa/*.txt tests/tests.mk "$OLDPWD/$folder")
	(
		cd "$folder"
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s \
			build/linux/{kernel,musl,programs,specs}.flags build/linux/musl.specs
	)
done
for file in kernel musl programs specs; do
	cmp {one,two/deeper}/build/linux/$file.flags && echo "$file: $(wc -l < one/build/linux/$file.flags)"
done
cmp -s {one,two/deeper}/build/linux/musl.specs || echo "musl.specs: each its own"
grep -l "$SRC" "$(dirname "$BIN")"/harness/{hot,cold}.cc "$(dirname "$BIN")"/harness/*.d
exit 0
