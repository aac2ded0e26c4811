# SPDX-License-Identifier: Apache-2.0
# Calls, a tail call and a system call as stacks; the output is the same from a file, a
# pipe, a second thread, and compressed.
. "$SRC/tests/cli/tr-unwind.inc"
tr-unwind --no-provenance -v run.tr | tr-text
tr-unwind run.tr | tr-fold
tr-unwind --no-provenance run.tr | cat > plain.tr
zstd -dcq run.tr | tr-unwind --no-provenance | cmp - plain.tr
tr-unwind --no-provenance -@2 run.tr | cmp - plain.tr
tr-unwind --no-provenance -u -o u.tr run.tr
cmp u.tr plain.tr
tr-unwind --no-provenance -@2 -o z.tr run.tr
zstd -dcq z.tr | cmp - plain.tr

echo '# where tracing starts and stops'
sed 's/^row main1/trigger start\n&/; s/^xret.*/trigger stop\ngap reason=untraced cycles=9\ntrigger start\n&/' run.txt |
	tr-text --encode -o triggers.tr
tr-unwind triggers.tr | tr-text | grep -A 1 ' triggers='
