# SPDX-License-Identifier: Apache-2.0
# Binary is not written to a terminal, and the simulator is ended.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
script -qec "tr-capture -- sh -c 'cat a.tr >&\$TR_CAPTURE_FD; exec sleep 60'" /dev/null | tr -d '\r'
