#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Whether pipelines/thesis-5.4.awk can fail: samples that follow the law pass, those that do not fail.
#
#	accuracy.sh WORK
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0")
table=$here/../../pipelines/thesis-5.4.awk
work=$1
failed=0
tested=0

# rows NAME [OPTION...]: a file
rows() {
	local name=$1
	shift
	awk "${@/#/-v}" -f "$here/accuracy-rows.awk" > "$work/$name.rows"
}

# runs SEED [OPTION...]: all that the table needs
runs() {
	local seed=$1 rate samples
	shift
	rm -f "$work"/*.rows
	for rate in tick-12:3000 400-jitter-4:1600 1000-jitter-2:2000 2500-jitter-2:5000 5000-jitter-4:20000; do
		samples=${rate#*:}
		rows "program-${rate%:*}" seed=$((seed += 1)) samples="$samples" "$@"
	done
	rows alternate-tick-4 alternate=1
	rows alternate-250-4 alternate=0
	rows alternate-250-jitter-4 alternate=0.51
}

# expect STATUS REASON: what the table says of the files
expect() {
	local status=0
	tested=$((tested + 1))
	awk -f "$table" "$work"/*.rows > "$work/table" 2> "$work/reason" || status=$?
	if [ $status != "$1" ] || { [ -n "$2" ] && ! grep -q "$2" "$work/reason"; }; then
		echo "accuracy: case $tested: status $status, $(cat "$work/reason")" >&2
		failed=1
	fi
}

mkdir -p "$work"
for seed in 100 200 300 400 500 600 700 800; do
	runs $seed
	expect 0 ''
done
for seed in 100 200 300; do
	runs $seed biased=10
	expect 1 'f1 is .* deviations away'
done
# The one function that is wrong makes all others wrong.
runs 100 biased=30
expect 1 'chi-square has the probability'
runs 100 biased=100
expect 1 'less than 99 % of the functions'
runs 100 lost=1
expect 1 'samples are lost'
# Without jitter it is shown, not judged.
runs 100
rows program-400-4 seed=1 samples=1600 biased=100
expect 0 ''
runs 100 functions=39
expect 1 'less than 40 functions'
runs 100
rows alternate-tick-4 alternate=0.5
expect 1 'alternate-tick-4: no error is shown'
runs 100
rows alternate-250-jitter-4 alternate=0.6 samples=1000
expect 1 'jitter does not mend it'
rm -f "$work"/*.rows
rows alternate-tick-4 alternate=1
expect 1 'no runs'
[ $failed = 0 ] && echo "accuracy: $tested cases are judged as they should be"
