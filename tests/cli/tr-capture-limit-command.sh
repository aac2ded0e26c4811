# SPDX-License-Identifier: Apache-2.0
# At a limit the simulator is ended, even one that ignores the request.
tr-text --encode -u -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-capture --max-instructions 10 -o b.tr -- sh -c 'cat a.tr >&$TR_CAPTURE_FD; exec sleep 60'
echo "status $?"
tr-text b.tr | grep ^end
tr-capture --max-cycles 10 -o b.tr -- sh -c 'trap "" TERM; cat a.tr >&$TR_CAPTURE_FD; while :; do sleep 0.1; done'
echo "status $?"
tr-text b.tr | grep ^end
