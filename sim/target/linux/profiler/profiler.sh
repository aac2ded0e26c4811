#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script PROGRAM normal|gprof|process|global: runs a program, without or with the run-time
# profiler, checks its result, and gives the files that were written to whoever traces.
program=$1
mkdir -p /tmp
cd /tmp
case $2 in
process) profiler='prof-inject /prof' ;;
global) profiler='prof-inject -g /prof' ;;
*) profiler= ;;
esac


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
	run -outfile picture.ppm /picture.jpg
	has picture.ppm 756b6a77648a6d98725572023547a301
	;;
x264)
	# It tells how fast it was, which is never the same.
	run --quiet --no-progress --input-res 96x80 -o clip.264 /clip 2> messages
	grep -v -e '^encoded ' -e '^$' messages
	has clip.264 11d239bec89a3cda59e60946bac8cd91
	;;
*) run ;;
esac
hand_over gmon.out /tmp/prof-*/*.dat > /dev/null
exit $status
