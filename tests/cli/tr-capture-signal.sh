# SPDX-License-Identifier: Apache-2.0
# On a signal it forwards the signal and keeps the data received.
. "$SRC/tests/cli/tr-capture.inc"
tail -c 80 whole.tr > rest.tr
mkfifo ready
# The simulator ends its stream properly when asked to. If it reports that a signal ended
# it, this is no failure of the target.
tr-capture --no-provenance -o b.tr -- bash -c 'trap "cat rest.tr >&$TR_CAPTURE_FD; exit 2" TERM; cat half.tr >&$TR_CAPTURE_FD; echo > ready; while :; do sleep 0.1; done' &
cat ready > /dev/null
kill -TERM $!
wait $!
echo "status $?"
rows
# This one just dies. (A shell makes background jobs ignore SIGINT.)
env --default-signal=INT tr-capture --no-provenance -o b.tr -- sh -c 'cat half.tr >&$TR_CAPTURE_FD; echo > ready; exec sleep 60' &
cat ready > /dev/null
kill -INT $!
wait $!
echo "status $?"
rows
# Without a simulator, it stops reading the pipe.
rm b.tr
{ cat half.tr; echo > ready; sleep 3; } | { tr-capture --no-provenance -o b.tr & echo $! > pid; wait $!; echo "status $?"; rows; } &
cat ready > /dev/null
while [ ! -s pid ] || [ ! -s b.tr ]; do sleep 0.05; done
kill -TERM "$(cat pid)"
wait
