# SPDX-License-Identifier: Apache-2.0
# Sums up the lines of bases.awk; fails unless there is one for each seed.
{
	n++
	places += $1
	if ($2 > most)
		most = $2
	lost += $3
}
END {
	printf "bases: %d of %d layouts as the kernel says: %d places, known after at most %d instructions in them, %d instructions lost\n",
		n, seeds, places, most, lost
	exit n != seeds || lost > n * 4 || most > 1000
}
