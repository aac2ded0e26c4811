#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script PROGRAM gprof|RATE|RATE-jitter [ARGUMENT...]: runs a program that was compiled for
# gprof, or under the daemon with this rate, and prints the histogram, or the log of all of it.
# RATE is `tick`, or samples a second. All else is as in the thesis.
program=$1
how=$2
shift 2
mkdir -p /tmp
cd /tmp

case $how in
*-jitter) jitter=yes ;;
*) jitter=no ;;
esac
case ${how%-jitter} in
gprof | tick) rate=${how%-jitter} ;;
*) rate="${how%-jitter} Hz" ;;
esac

# run [ARGUMENT...]
run() {
	status=0
	if [ "$how" = gprof ]; then
		"/bin/$program" "$@" || status=$?
		print_histogram gmon.out
	else
		log_end 3 "/bin/$program" "$@" || status=$?
	fi
	echo "$program: status $status"
}

if [ "$how" != gprof ]; then
	cat > daemon.conf <<-END
		mode = process
		calls = no
		folder = /prof
		span = 30 s
		snapshot-period = 1 s
		sampling-period = 200 ms
		rate = $rate
		jitter = $jitter
	END
	prof-daemon -f daemon.conf &
	while [ -z "$(cat /proc/profiler/daemon)" ]; do
		kill -0 $! || exit
		sleep 1
	done
fi
case $program in
minisat) run -verb=0 /formula model ;;
x264)
	# It tells how fast it was, which is never the same.
	run --quiet --no-progress --input-res 96x80 -o clip.264 /clip 2> messages
	grep -v -e '^encoded ' -e '^$' messages
	;;
*) run "$@" ;;
esac
