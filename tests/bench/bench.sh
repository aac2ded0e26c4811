#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints name, value, unit, limit, ok, short or failed, and of a ratio the spread; names the
# figures that are not ok on standard error, and exits 1 if there are such. A part that ends
# early, or without a figure, is trouble as well.
#
# bench.sh [PART...]: filters, model, soc-sim, which are meant without one, linux, smp, net, ooo,
# cores, explore, replay and instructions.
# RUNS is how many times each command runs (5), TSV where the figures go, too.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
out=build/bench tsv=${TSV:-build/bench.tsv} bin=build/bin tests=build/tests target=build/target
runs=${RUNS:-5}
[ $# != 0 ] || set -- filters model soc-sim
mkdir -p "$out"
: > "$tsv"
# shellcheck source=tests/bench/measure.sh
. tests/bench/measure.sh
trap 'echo "bench: $part ends early, with status $?" >&2' EXIT
for part; do
	before=$(wc -l < "$tsv")
	# shellcheck source=/dev/null
	. "tests/bench/$part.sh"
	[ "$(wc -l < "$tsv")" -gt "$before" ] || { echo "bench: $part has no figure" >&2; exit 1; }
done
trap - EXIT
end_figures
