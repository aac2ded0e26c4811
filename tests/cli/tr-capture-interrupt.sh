# SPDX-License-Identifier: Apache-2.0
# Ctrl-C on the live pipe: every program of it receives the signal, and the profile is
# written. The same holds for SIGTERM and SIGHUP, and for a simulator that takes a while
# to end; a second signal ends programs that still wait.
. "$SRC/tests/cli/soc-model.inc"
program endless.elf << END
	.globl _start, loop
_start:	li a0, 0x10000000
	li a1, '!'
	sb a1, 0(a0)
	.type loop, @function
loop:	addi a2, a2, 1
	j loop
END
echo endless.elf > bins.lst
cat > live << 'END'
{ tr-capture -- "$@" 2> console | tr-match --bins bins.lst | tr-unwind | tr-fold > live.folded; } 2> messages
END
# Waits until that number of our filters in the group of $! catch SIGINT.
catching() {
	until [ "$(pgrep -g $! '^tr-' | sed 's,.*,/proc/&/status,' | xargs -r grep -hs '^SigCgt:.*[2367abef]$' | wc -l)" = "$1" ]; do
		sleep 0.05
	done
}
# start NUMBER COMMAND...: runs the command, of that number of our filters, in a process
# group of its own, like a job of a terminal.
start() {
	local filters=$1
	shift
	rm -f console live.folded messages
	touch console
	env --default-signal=INT,TERM,HUP setsid bash -c "$@" &
	until [ -s console ]; do sleep 0.05; done
	catching "$filters"
}
pipe() {
	start 4 '. ./live' live "$@"
}
ended() {
	wait $! 2> /dev/null
	while pgrep -g $! > gone; do sleep 0.05; done
	sort messages
	cut -d ' ' -f 1 live.folded
}
for signal in INT TERM HUP; do
	echo "# SIG$signal"
	pipe soc-model endless.elf
	kill -s $signal -- -$!
	ended
done
echo '# twice at once'
pipe soc-model endless.elf
kill -s TERM -- -$!
kill -s TERM -- -$!
ended

# The input of a lone filter does not end: a second signal ends the filter.
echo '# once more'
mkfifo fifo
start 1 'exec 3<> fifo; echo > console; tr-fold fifo > live.folded 2> messages'
kill -s INT -- -$!
sleep 0.5
kill -s INT -- -$! && echo 'still there'
ended
start 1 'exec 3<> fifo; echo > console; exec tr-fold fifo > live.folded 2> messages'
kill -s INT $!
sleep 0.5
kill -s INT $!
wait $!
echo "status $?"

echo '# a simulator that does not end'
start 1 'tr-capture -o slow.tr -- bash -c "trap : TERM INT; echo > console; while :; do sleep 5; done"'
pid=$(pgrep -g $! tr-capture)
before=$(date +%s%N)
kill -s INT "$pid"
sleep 0.5
kill -s INT "$pid"
while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done
[ $(($(date +%s%N) - before)) -lt 1800000000 ] && echo 'ended before the grace'

echo '# what is ignored stays ignored'
rm console
(
	trap '' HUP
	exec tr-capture -o kept.tr -- soc-model endless.elf > console
) &
until [ -s console ]; do sleep 0.05; done
kill -s HUP $!
sleep 0.2
kill -s HUP $! && echo 'still there'
kill -s TERM $!
wait $!
echo "status $?"
tr-text kept.tr | grep '^end end'
