# SPDX-License-Identifier: Apache-2.0
# Summary of a run of Debian's kernel, after that of linux-summary.awk: how it ended, and
# the warnings of the filters, of which there must be none.
$1 == "info" && $2 == "end" && NF == 3 { how = $3 }
/^tr-[a-z]+: .*warning/ { warnings = warnings "\n    " $0; nwarnings++ }
END {
	row("end", how, limit(end, how == end))
	row("warnings", nwarnings + 0, limit("none", !nwarnings) warnings)
}
