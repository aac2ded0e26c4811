#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the demo on the hardware, and counts how often sampled runs of it, with windows at random
# places and at equal distances, contain the truth: coverage.sh BIN SIM TARGET COVERAGE [STACKS...]
# With streams of stacks, these are used instead.
set -eu -o pipefail
bin=$1 sim=$2 target=$3 coverage=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
if [ $# = 0 ]; then
	"$bin/tr-capture" -- "$sim" "$target/firmware.elf" "$target/demo.elf" < /dev/null 2> "$work/console" |
		"$bin/tr-match" --bins "$target/bins.lst" | "$bin/tr-unwind" -o "$work/demo.tr"
	set -- "$work/demo.tr"
fi
for stacks; do
	for windows in 1000 3000; do
		for place in '' equal; do
			printf '%s, %s windows%s: ' "$(basename "$stacks" .tr)" $windows "${place:+, $place distances}"
			# shellcheck disable=SC2086 # no argument if it is empty
			"$coverage" $windows 1000 100 $place "$stacks" || failed=1
		done
	done
done
exit $failed
