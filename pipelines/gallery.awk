# SPDX-License-Identifier: Apache-2.0
# Summary of a program of the gallery, after that of linux-summary.awk: what is in doubt, how
# the run ended, and the warnings of the filters.
$1 == "info" && $2 == "end" && NF == 3 { how = $3 }
/^tr-unwind: / && match($0, /[0-9]+ cycles in doubt/) { doubt = substr($0, RSTART, RLENGTH) + 0 }
/^tr-[a-z]+: .*warning/ { warnings = warnings "\n    " $0; nwarnings++ }
END {
	row("cycles in doubt", doubt + 0)
	row("end", how, limit("power-off", how == "power-off"))
	row("warnings", nwarnings + 0, limit("none", !nwarnings) warnings)
}
