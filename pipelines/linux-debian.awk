# SPDX-License-Identifier: Apache-2.0
# Summary of a run of Debian's kernel, after that of linux-summary.awk: the functions
# without names, how it ended, the output of a program, if there is one, and the warnings of
# the filters, of which there must be none.
$1 == "info" && $2 == "end" && NF == 3 { how = $3 }
$1 == "nameless" { nameless = $2 }
$1 == "output" { output = $2 == "as" ? "as expected" : "other" }
/^tr-[a-z]+: .*warning/ { warnings = warnings "\n    " $0; nwarnings++ }
END {
	row("instructions in nameless functions", sprintf("%.2f %%", 100 * nameless / instructions))
	row("end", how, limit(end, how == end))
	if (output) row("output", output, limit("as expected", output == "as expected"))
	row("warnings", nwarnings + 0, limit("none", !nwarnings) warnings)
}
