# SPDX-License-Identifier: Apache-2.0
# The instructions of each function of the demo add up to the function's rows of tr-report,
# and the cycles that mispredicted branches and jumps cost to the hardware's counter.
. "$SRC/tests/cli/tr-annotate-sums.inc"
target=$SRC/build/target
soc-sim --counters class.badspec.branch,branch_miss --counters-csv counters.csv --trace run.tr \
	"$target/firmware.elf" "$target/supervisor.elf" > console.txt
tr-match --bins "$target/bins.lst" -o matched.tr run.tr
compare_sums matched.tr
tr-annotate --mispredicts --limit 0 --format csv matched.tr > sites.csv
awk -F, '
	FNR == 1 { file++ }
	file == 1 && /^label/ { for (i = 3; i <= NF; i++) column[$i] = i }
	file == 1 && /^[0-9]/ { cycles = $column["class.badspec.branch"]; redirects = $column["branch_miss"] }
	file == 2 && FNR > 1 { lost += $1; mispredicted += $3 }
	END {
		print (lost == cycles && lost > 1000 ? "lost cycles: as counted" : "lost " lost ", counted " cycles)
		# A redirect that a trap follows costs nothing.
		print (mispredicted <= redirects && mispredicted > 0.95 * redirects ? "mispredicted: as counted" \
			: "mispredicted " mispredicted ", counted " redirects)
	}' counters.csv sites.csv
