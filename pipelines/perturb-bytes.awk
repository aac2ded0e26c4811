# SPDX-License-Identifier: Apache-2.0
# Writes the bytes of the probes' field "data".
BEGIN { for (i = 0; i < 256; i++) value[sprintf("%02x", i)] = i }
match($0, / data=[0-9a-f]*$/) {
	for (i = RSTART + 6; i < length($0); i += 2) printf "%c", value[substr($0, i, 2)]
	next
}
{ print "perturb: not all bytes could be read: " substr($0, 1, 80) > "/dev/stderr"; exit 1 }
