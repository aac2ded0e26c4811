# SPDX-License-Identifier: Apache-2.0
# From tables of `tr-report tma`, for each file: the functions that lose most
# cycles (idle cycles do not count as lost), and their two largest classes.
# last-column.awk precedes it.

function finish(    i)
{
	if (name == "")
		return
	printf "\n%s: lost cycles per function, in percent of all cycles\n", name
	for (i = 1; i <= count; i++)
		print line[i]
	count = 0
}

# Inserts into the sorted list of the `most` functions that lose most cycles.
function keep(lost, text,    i)
{
	if (count < most)
		count++
	else if (lost <= key[count])
		return
	for (i = count; i > 1 && key[i - 1] < lost; i--) {
		key[i] = key[i - 1]
		line[i] = line[i - 1]
	}
	key[i] = lost
	line[i] = text
}

function share(i)
{
	return sprintf("%s %.0f %%", column[i], 100 * $i / lost)
}

FNR == 1 {
	finish()
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	part = 0
}
/^$/ { part = 1; next }
part == 0 && $NF == "all" { all = $1 }
part == 1 {
	sub(/^ +/, "")
	columns = split($0, column, /  +/)
	part = 2
	next
}
part == 2 && !/ % of / {
	lost = first = second = 0
	for (i = 1; i <= columns; i++) {
		if (column[i] !~ /\./ || column[i] ~ /^idle/)
			continue
		lost += $i
		if (!first || $i > $first) {
			second = first
			first = i
		} else if (!second || $i > $second)
			second = i
	}
	if (lost > 0)
		keep(lost, sprintf("  %5.1f  %-26s %s, %s", 100 * lost / all, last_column(columns),
			share(first), share(second)))
}
END { finish() }
