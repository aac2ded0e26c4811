# SPDX-License-Identifier: Apache-2.0
# Logs that are cut anywhere, or have a wrong byte anywhere, give a stream or a message,
# never a crash; what they give can be read. STRIDE=1: at six times as many places.
stride=${STRIDE:-6}
for log in "$SRC"/tests/cli/data/logs/*.log; do
	name=$(basename "$log" .log) runs=0 crashes=0
	format=$(tr-capture "$log" 2> message | tr-text - | sed -n 's/^header source=//p')
	size=$(stat -c %s "$log")
	for ((at = 1; at < size; at += 31 * stride)); do
		head -c $at "$log" > cut
		{ head -c $((at - 1)) "$log"; printf '\377'; tail -c +$((at + 1)) "$log"; } > flipped
		{ head -c $((at - 1)) "$log"; printf 0; tail -c +$((at + 1)) "$log"; } > changed
		for bad in cut flipped changed; do
			rm -f a.tr
			status=0
			tr-capture --from "$format" --skip-bad 9 -o a.tr $bad 2> message || status=$?
			runs=$((runs + 1))
			case $status in
			0) ;;
			2) [ -s message ] || crashes=$((crashes + 1)) ;;
			*) crashes=$((crashes + 1)) ;;
			esac
			[ ! -e a.tr ] || tr-text --tokens a.tr > text || crashes=$((crashes + 1))
		done
	done
	echo "$name: $crashes of the damaged logs went wrong"
	[ $runs -gt $((10 / stride)) ] || echo "$name: only $runs runs"
done
