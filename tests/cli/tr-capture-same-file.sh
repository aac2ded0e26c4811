# SPDX-License-Identifier: Apache-2.0
# A file that one program is writing is refused as output of another, and the first
# program's output stays intact.
. "$SRC/tests/cli/tr-capture.inc"
mkfifo go ready
tr-capture --no-provenance -o b.tr -- bash -c \
	'cat half.tr >&$TR_CAPTURE_FD; echo > ready; cat go > now; tail -c 80 whole.tr >&$TR_CAPTURE_FD' &
cat ready > now
until [ -s b.tr ]; do sleep 0.05; done
tr-capture -o b.tr whole.tr
echo "exit $?"
tr-text -o b.tr whole.tr
soc-model --trace b.tr "$SRC/build/target/firmware.elf"
echo > go
wait $!
echo "exit $?"
rows
tr-capture --no-provenance -o b.tr whole.tr
echo "exit $?"
