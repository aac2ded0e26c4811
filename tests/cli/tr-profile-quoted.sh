# SPDX-License-Identifier: Apache-2.0
# Recorded command lines whose words have blanks and quotes, and a path that no stream can
# record.
. "$SRC/tests/cli/soc-model.inc"
mkdir "a b"
program "a b/it's mine.elf" << END
	.globl _start, spin
	.type spin, @function
_start:
	jal spin
	$off
spin:	ret
END
soc-model --trace "a b/run.tr" "a b/it's mine.elf"
tr-info "a b/run.tr" | grep '^  soc-model'
tr-profile -o p "a b/run.tr" > out.txt
echo "status $?"
awk '/spin$/ { print $1, $NF }' p/functions.txt
# In the folder of the trace.
(cd "a b" && soc-model --trace run.tr "it's mine.elf")
tr-profile -o p "a b/run.tr" > out.txt
echo "status $?"
cp "a b/it's mine.elf" "$(printf 'two\nlines.elf')"
tr-match --bins "$(printf 'two\nlines.elf')" "a b/run.tr" -o matched.tr
echo "status $?"
