# SPDX-License-Identifier: Apache-2.0
# Merges sorted lines BINARY ADDRESS BITS (after hex.awk) into "code BINARY ADDRESS
# BITS…", one line per contiguous run; of two instructions at one address it keeps the
# first.
{
	if ($1 == binary && $2 "" < end "")
		next
	if ($1 == binary && $2 "" == end "" && length(line) < 4000)
		line = line " " $3
	else {
		if (line)
			print line
		line = "code " $1 " " $2 " " $3
	}
	binary = $1
	end = add($2, length($3) / 2)
}
END { if (line) print line }
