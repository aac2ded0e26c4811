# SPDX-License-Identifier: Apache-2.0
# For scripts that read hits of probes, as tr-replay prints them: awk -f hits.awk -f SCRIPT.

# Returns field `name` of the current line, a string without its quotes; "missing" if it has
# no value.
function field(name,    at, rest) {
	at = index($0, " " name "=")
	if (!at)
		return "missing"
	rest = substr($0, at + length(name) + 2)
	if (rest ~ /^"/) {
		match(rest, /^"([^"\\]|\\.)*"/)
		return substr(rest, 2, RLENGTH - 2)
	}
	sub(/ .*/, "", rest)
	return rest
}
