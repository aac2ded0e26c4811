# SPDX-License-Identifier: Apache-2.0
# A simulator that dies leaves a valid stream that says how.
tr-text --encode -u -o whole.tr <<END
header content=rows
block a pc=0x100 1141 8082
row a
frame
row a x2
end end=power-off
END
head -c -80 whole.tr > half.tr
try() {
	rm -f b.tr
	tr-capture --no-provenance -o b.tr -- sh -c "$1"
	echo "status $?"
	if [ -e b.tr ]; then tr-text b.tr | grep -E '^(row|end)'; fi
}
try 'cat half.tr >&$TR_CAPTURE_FD; kill -9 $$'
try 'cat half.tr >&$TR_CAPTURE_FD; exit 3'
try 'cat half.tr >&$TR_CAPTURE_FD'
try 'cat half.tr whole.tr >&$TR_CAPTURE_FD; exec sleep 60'
try 'cat whole.tr >&$TR_CAPTURE_FD; kill -9 $$'
try 'exit 5'
try 'kill -15 $$'
try 'echo hello >&$TR_CAPTURE_FD'
