# SPDX-License-Identifier: Apache-2.0
# What is to say of a run of Debian's kernel, behind linux-summary.awk: how it ended, and
# that no filter had anything to warn of.
$1 == "info" && $2 == "end" && NF == 3 { how = $3 }
/^tr-[a-z]+: .*warning/ { warnings = warnings "\n    " $0; nwarnings++ }
END {
	row("end", how, limit(end, how == end))
	row("warnings", nwarnings + 0, limit("none", !nwarnings) warnings)
}
