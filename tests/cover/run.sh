#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does what sim/README.md says of counters, in a copy of the sources: its line goes
# into the module that it names, its commands run as they stand. The counter must be
# listed, and count what the trace has; histograms in the same module, every cycle once.
# A name that is a word of --counters is refused. No PGO: that takes minutes. The build takes
# Verilator for another version than shorten.sh knows: it says so, for one hart and for two, and counts the same.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fail() {
	echo "cover: $*"
	exit 1
}

# Reuses what is built, except for the hardware.
cd "$root"
mkdir "$copy/build"
cp -a Makefile .ci filters pipelines rtl sim tests "$copy"
cp -a build/flags build/target "$copy/build"
ln -s "$root/build" "$copy/shared"

section() {
	sed -n '/^## Counters/,/^### /p' sim/README.md
}
cd "$copy"
line=$(section | grep "^    .COVER")
module=$(section | grep -o "rtl/[a-z_/]*\.sv")
make=$(section | grep -o "make build/bin/[a-z-]*")
command=$(section | grep "^    soc-sim .*--counters-csv")
name=${line#*(}
name=${name%%,*}

sed -i "/^endmodule/i\\$line" "$module"
grep -q "COVER($name" "$module" || fail "$module has no place for the line"
cat > histograms << 'END'
  `COVER_NAMED(low, "Two bits, of whose values two have names", executed_q.insn[1:0], "zero,one")
  `COVER_HISTOGRAM(low_all, "All values in one column", executed_q.insn[1:0], 0)
END
sed -i -e '/^endmodule/{e cat histograms' -e '}' "$module"
$make PGO=no CXXFLAGS_hot=-O1 SIM_FROM=shared SIM_VERILATOR=another > make.log 2>&1 || { cat make.log; fail "$make"; }
[ "$(grep -c 'NOTE   Verilator .* soc-sim is slower for it' make.log)" = 4 ] || { cat make.log; fail "no note"; }
PATH=$copy/build/bin:$root/build/bin:$PATH
soc-sim --counters list | grep "^$name "
cd build/target
$command --max-cycles 300k --trace trace.tr < /dev/null > console
csv=$(sed 's/.*--counters-csv \([^ ]*\).*/\1/' <<< "$command")

# The document says that it counts instructions of 4 bytes that commit.
counted=$(awk -F, -v name="$name" '$1 == "label" { for (i = 3; i <= NF; i++) if ($i == name) at = i }
	END { print at ? $at : "none" }' "$csv")
in_trace=$(tr-text --tokens trace.tr | awk '$1 == "token" && length($3) == 8' | wc -l)
[ "$counted" = "$in_trace" ] || fail "$name is $counted, and the trace has $in_trace"
[ "$(wc -l < "$csv")" = 308 ] || fail "$csv has $(wc -l < "$csv") lines"

soc-sim --counters 'low,low_all' --counters-csv low.csv --max-cycles 300k firmware.elf demo.elf < /dev/null > console
grep -q '^label,local_cycle,low.zero,low.one,low.other,low_all=0$' low.csv || fail "$(grep ^label low.csv)"
tail -n 1 low.csv | awk -F, '$3 + $4 + $5 != $2 || $6 != $2 || $3 * $4 * $5 == 0 { print; exit 1 }' ||
	fail "the histograms do not add up to the cycles"

cd "$copy"
taken=wfi
for name in all list; do
	sed -i "s/COVER($taken,/COVER($name,/" rtl/exec/retire.sv
	taken=$name
	make rtl-lint > lint.log 2>&1 && fail "a cover point may be called $name"
	grep -q "cover point $name: soc-sim --counters $name means something else" lint.log || { cat lint.log; fail lint; }
done
echo "cover: passed"
