# SPDX-License-Identifier: Apache-2.0
# A simulator that dies leaves a valid stream whose end record says how.
. "$SRC/tests/cli/tr-capture.inc"
try() {
	rm -f b.tr
	tr-capture --no-provenance -o b.tr -- sh -c "$1"
	echo "status $?"
	if [ -e b.tr ]; then rows; fi
}
try 'cat half.tr >&$TR_CAPTURE_FD; kill -9 $$'
try 'cat half.tr >&$TR_CAPTURE_FD; exit 3'
try 'cat half.tr >&$TR_CAPTURE_FD'
try 'cat half.tr whole.tr >&$TR_CAPTURE_FD; exec sleep 60'
try 'cat whole.tr >&$TR_CAPTURE_FD; kill -9 $$'
try 'exit 5'
try 'kill -15 $$'
try 'echo hello >&$TR_CAPTURE_FD'
