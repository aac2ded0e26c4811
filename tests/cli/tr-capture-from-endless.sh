# SPDX-License-Identifier: Apache-2.0
# A line without an end is no line that a log may begin in the middle of, and a signal ends
# the conversion while it is skipped. Blanks are such a line as well: what follows them is not
# left out without a word.
try() {
	local status=0
	timeout -k 5 60 "$@" || status=$?
	echo "status $status"
}
for format in spike rocket tracerv qemu ibex; do
	try tr-capture --from $format -o a.tr /dev/zero
done
try timeout 1 tr-capture --from cva6 --skip-bad 1 -o a.tr /dev/zero
tr-text a.tr | grep '^end end'
{ echo 'core   0: 3 0x0000000080000000 (0x00000013)'; printf '%70000s%s\n' '' 'core   0: 3 0x0000000080000004 (0x00000013)'
	echo 'core   0: 3 0x0000000080000008 (0x00000013)'; } > blanks.log
try tr-capture -o a.tr blanks.log
tr-text a.tr | grep '^end reason'
try tr-capture --skip-bad 1 --force -o a.tr blanks.log
tr-text --tokens a.tr | grep -c '^token'
