# SPDX-License-Identifier: Apache-2.0
# Bad options and bad input.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
try() {
	tr-split-by-satp "$@" | wc -c
	echo "status ${PIPESTATUS[0]}"
}
try a.tr
try --no-such-option a.tr
try --satp x a.tr
try --priv x a.tr
try --priv u,, a.tr
try --list --priv u a.tr
try -d parts -o b.tr a.tr
try -d a.tr a.tr
try --list a.tr b.tr
try --list /dev/null
try --list no-such-file
try --list . 
tr-text --encode -o s.tr "$SRC/tests/cli/data/stacks.txt"
try --list s.tr
printf X | dd of=a.tr bs=1 seek=200 conv=notrunc status=none
try --list a.tr
tr-text --encode > n.tr <<END
header content=rows
block b pc=0x200 1141 8082
note machine b bin=0
row b
end
END
tr-split-by-satp --priv m n.tr > /dev/null
