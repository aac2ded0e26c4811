# SPDX-License-Identifier: Apache-2.0
# The instructions of each function of the demo add up to the function's rows of tr-report,
# and the cycles that mispredicted branches and jumps cost to the hardware's counter.
. "$SRC/tests/cli/tr-annotate-sums.inc"
target=$SRC/build/target
soc-sim --counters class.badspec.branch,branch_miss --counters-csv counters.csv --trace run.tr \
	"$target/firmware.elf" "$target/supervisor.elf" > console.txt
tr-match --bins "$target/bins.lst" -o matched.tr run.tr
compare_sums matched.tr
# Out of order the slots left over in the first cycle of a window are in it, but not of an
# instruction that commits there.
wide=$(tr-text --header run.tr | grep -c '^header commit_width=[2-9]' || :)
for options in '--focus ^foo$' '--focus main --from printf' '--from foo'; do
	[ "$wide" = 0 ] || options=${options%%--from*}
	# shellcheck disable=SC2086 # words
	compare_sums matched.tr $options 2> err || cat err
done
tr-annotate --mispredicts --limit 0 --format csv matched.tr > sites.csv
# In order each costs something, unless a trap follows the redirect. Out of order some is hidden
# behind older instructions, and some is lost in front of a trap or behind a serial instruction.
awk -F, -v wide="$wide" '
	FNR == 1 { file++ }
	file == 1 && /^label/ { for (i = 3; i <= NF; i++) column[$i] = i }
	file == 1 && /^[0-9]/ { cycles = $column["class.badspec.branch"]; redirects = $column["branch_miss"] }
	file == 2 && FNR > 1 { lost += $1; mispredicted += $3 }
	END {
		print (lost <= cycles && lost >= (wide ? 0.95 : 1) * cycles && lost > 1000 ? \
			"lost cycles: as counted" : "lost " lost ", counted " cycles)
		print (mispredicted <= redirects && mispredicted > (wide ? 0.3 : 0.95) * redirects ? \
			"mispredicted: as counted" : "mispredicted " mispredicted ", counted " redirects)
	}' counters.csv sites.csv
