#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script PROGRAM normal|gprof|process|global: runs a program, without or with the run-time
# profiler, checks its result, and gives the files that were written to whoever traces.
# script PROGRAM ticked|sampled-process|sampled-global|all-process|all-global TIMES
# [ARGUMENT...]: the same with prof-daemon. It samples, and with `all` it also counts calls.
# Its periods are those of the thesis divided by TIMES, and the span is two seconds divided by
# it, so that a short run has updates of a whole span; with `ticked` it samples in the kernel's
# tick. MODE normal has these arguments, too.
program=$1
mkdir -p /tmp
cd /tmp
case $2 in
process) profiler='prof-inject /prof' ;;
global) profiler='prof-inject -g /prof' ;;
*) profiler= ;;
esac

# start_daemon MODE CALLS RATE TIMES: returns when it is known to the kernel
start_daemon() {
	cat > /daemon.conf <<- END
	mode = $1
	calls = $2
	folder = /prof
	span = $((2000 / $4)) ms
	snapshot-period = $((1000 / $4)) ms
	sampling-period = $((200 / $4)) ms
	rate = $3
	END
	prof-daemon -f /daemon.conf &
	daemon=$!
	until grep -q . /proc/profiler/daemon; do
		kill -0 "$daemon" || exit 1
		usleep 1000
	done
}

daemon=
case $2 in
ticked) start_daemon process no tick "$3" ;;
sampled-*) start_daemon "${2#*-}" no "$((250 * $3)) Hz" "$3" ;;
all-*) start_daemon "${2#*-}" yes "$((250 * $3)) Hz" "$3" ;;
esac
shift $(($# < 3 ? $# : 3))

# run [ARGUMENT...]: what is measured
run() {
	status=0
	# shellcheck disable=SC2086
	measure $profiler "/bin/$program" "$@" || status=$?
	echo "$program: status $status"
}

# has FILE SUM: whether the program has written what it should
has() {
	sum=$(md5sum < "$1")
	[ "${sum%% *}" = "$2" ] || {
		echo "$program: $1 has the sum $sum"
		status=1
	}
}

case $program in
minisat)
	run -verb=0 /formula model
	# It is satisfiable.
	[ $status = 10 ] && status=0 || status=1
	has model 643bf8202c467102cdedfcf4ff4f0720
	;;
djpeg)
	run "$@" -outfile picture.ppm /picture.jpg
	case $* in
	'') has picture.ppm 756b6a77648a6d98725572023547a301 ;;
	'-scale 2/1') has picture.ppm 763b8c328f47c88d98a789abc8816cea ;;
	esac
	;;
x264)
	# It tells how fast it was, which is never the same.
	run --quiet --no-progress --input-res 96x80 -o clip.264 /clip 2> messages
	grep -v -e '^encoded ' -e '^$' messages
	has clip.264 11d239bec89a3cda59e60946bac8cd91
	;;
together)
	run 2> messages
	grep -v -e '^encoded ' -e '^$' messages
	has model 643bf8202c467102cdedfcf4ff4f0720
	has clip.264 11d239bec89a3cda59e60946bac8cd91
	;;
*) run "$@" ;;
esac
if [ "$daemon" ]; then
	kill "$daemon"
	wait "$daemon" || echo "$program: prof-daemon ended with status $?"
fi
hand_over gmon.out /tmp/prof-*/*.dat > /dev/null
exit $status
