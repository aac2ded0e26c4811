#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does what the README's section on counters says, in a copy of the sources: its line goes
# into the module that it names, its commands run as they stand. The counter must be
# listed, and count what the trace has. No PGO: that takes minutes.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fail() {
	echo "cover: $*"
	exit 1
}

# What was built stays built; the hardware is built again.
cd "$root"
mkdir "$copy/build"
cp -a Makefile README.md .ci filters pipelines rtl sim tests "$copy"
cp -a build/flags build/obj build/target build/*.a "$copy/build"

section() {
	sed -n '/^## Counters/,/^## [^C]/p' README.md
}
cd "$copy"
line=$(section | grep "^    .COVER")
module=$(section | grep -o "rtl/[a-z_]*\.sv")
make=$(section | grep -o "make build/bin/[a-z-]*")
command=$(section | grep "^    soc-sim .*--counters-csv")
name=${line#*(}
name=${name%%,*}

sed -i "/^endmodule/i\\$line" "$module"
grep -q "COVER($name" "$module" || fail "$module has no place for the line"
$make PGO=no CXXFLAGS_hot=-O1 > make.log 2>&1 || { cat make.log; fail "$make"; }
PATH=$copy/build/bin:$root/build/bin:$PATH
soc-sim --counters list | grep "^$name "
cd build/target
$command --max-cycles 300k --trace trace.tr < /dev/null > console
csv=$(sed 's/.*--counters-csv \([^ ]*\).*/\1/' <<< "$command")

# It counts instructions of 4 bytes that commit, the README says.
counted=$(awk -F, -v name="$name" '$1 == "label" { for (i = 3; i <= NF; i++) if ($i == name) at = i }
	END { print at ? $at : "none" }' "$csv")
in_trace=$(tr-text --tokens trace.tr | awk '$1 == "token" && length($3) == 8' | wc -l)
[ "$counted" = "$in_trace" ] || fail "$name is $counted, and the trace has $in_trace"
[ "$(wc -l < "$csv")" = 308 ] || fail "$csv has $(wc -l < "$csv") lines"
echo "cover: passed"
