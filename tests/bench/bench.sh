#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints name, value, unit, limit, ok or short, and of a ratio the spread; exits 1 if a figure
# falls short.
#
# bench.sh [PART...]: filters, model, soc-sim, which are meant without one, linux, smp, net,
# replay and instructions.
# RUNS is how many times each command runs (5), TSV where the figures go, too.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
out=build/bench tsv=${TSV:-build/bench.tsv} bin=build/bin tests=build/tests target=build/target
runs=${RUNS:-5}
failed=0
[ $# != 0 ] || set -- filters model soc-sim
mkdir -p "$out"
: > "$tsv"
# shellcheck source=tests/bench/measure.sh
. tests/bench/measure.sh
for part; do
	# shellcheck source=/dev/null
	. "tests/bench/$part.sh"
done
exit $failed
