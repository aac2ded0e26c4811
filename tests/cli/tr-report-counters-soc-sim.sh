# SPDX-License-Identifier: Apache-2.0
# The hardware's counts by class equal those of its trace, to the cycle: for the whole run
# and between triggers; and the classes of all functions add up to them.
images="$SRC/build/target/firmware.elf $SRC/build/target/hello.elf"
tree() { sed -n '/^ *cycles .* class$/,/ all$/p'; }
whole() { sed -n '1,/ all$/p'; }
try() { # OPTION...
	soc-sim --no-provenance --counters 'class.*,*_*,fl*,fe*' --counters-every 1000 \
		--counters-csv run.csv --trace run.tr "$@" $images > console
	tr-report counters --level 2 run.csv | tree > counters
	(cd "$SRC/build/target" && tr-match --bins bins.lst "$OLDPWD/run.tr" | tr-unwind) |
		tr-report tma > table
	whole < table | diff counters - && echo "$(wc -l < counters) lines are the same"
	# The columns of the functions, against the lines of the tree: memory.l2 and l2.
	awk '/^$/ { functions = 1; next }
		/^100.000/ { next }
		!functions { tree[$NF] = $1; next }
		{ sub(/^ +/, "") }
		functions == 1 { n = split($0, heading, /  +/); functions = 2; next }
		{ split($0, cell, /  +/); for (i = 1; i < n - 1; i++) sum[i] += cell[i] }
		END {
			for (i = 1; i < n - 1; i++) {
				name = heading[i] == "self" ? "all" : heading[i]
				sub(/.*\./, "", name)
				if (name ~ / %$/ || name ~ / / || name == "CPI") continue
				if (sum[i] != tree[name]) print name ":", sum[i], "of", tree[name]
				else same++
			}
			print same, "columns add up"
		}' table
	tr-report counters run.csv | awk '/ difference / { print "retiring differs by", $2 }'
}
try
try --start cycle=100000 --stop cycle=300000
