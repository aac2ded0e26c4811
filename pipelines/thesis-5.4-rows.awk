# SPDX-License-Identifier: Apache-2.0
# What the instructions and the samples of one run are by function:
#     awk -f thesis-5.4-rows.awk LIST COUNTS CONSOLE
# LIST is that of prof-extract, sorted by address, COUNTS are those of count-instructions, and
# CONSOLE has the table of prof-log --csv, or the histogram of gprof. Prints
#     other,INSTRUCTIONS,SAMPLES,LOST,ALL    in no function; lost samples; all instructions,
#                                            those of the kernel for the process included
#     NAME,NUMBER,INSTRUCTIONS,SAMPLES       of each function that has some; NUMBER is that among
#                                            the functions of this name

BEGIN { FS = "," }
function from_hex(text,	i, value) {
	for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
# The function with an address, or 0; addresses are in no order.
function function_at(address,	low, high, middle) {
	low = 0; high = n
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (start[middle] <= address) low = middle
		else high = middle - 1
	}
	return low && address < end[low] ? low : 0
}
function add_samples(at, number) { if (at) samples[at] += number; else other_samples += number }
FNR == 1 { file++ }
{ sub(/\r$/, "") }
# The daemon numbers the functions whose calls it could count.
file == 1 && FNR > 1 && $5 > 0 {
	name[++n] = $1; number[n] = ++named[$1]
	start[n] = from_hex($2); end[n] = start[n] + $3
	if (start[n] < start[n - 1]) fail("the list is not sorted")
}
file == 2 && /^0x/ {
	at = function_at(from_hex($1))
	if (at) instructions[at] += $2; else other += $2
	all += $2
}
file == 2 && /^(other|kernel),/ { all += $2; if ($1 == "other") other += $2 }
function fail(what) { print "thesis: " FILENAME ": " what > "/dev/stderr"; wrong = 1; exit 1 }

# Of the log
file == 3 && /^time,span,index,/ {
	for (i = 1; i <= NF; i++) column[$i] = i
	logged = 1
	next
}
file == 3 && logged && /^[0-9]+,[0-9]+,[0-9]*,/ {
	at = $(column["index"])
	if (at != "") {
		if (name[at + 1] != $(column["name"])) fail("index " at " is not " name[at + 1])
		add_samples(at + 1, $(column["samples"]))
	} else if ($(column["name"]) == "[lost]") {
		lost += $(column["samples"])
	} else {
		add_samples(0, $(column["samples"]))
	}
}
# Of gprof: a bin may have code of two functions.
file == 3 && /^bin,/ { width = $2; logged = 1 }
file == 3 && width && /^0x/ {
	first = from_hex($1)
	for (i = 0; i < width; i += 2) add_samples(function_at(first + i), 2 * $2 / width)
}
END {
	if (wrong) exit 1
	if (!logged) fail("no samples")
	printf "other,%.0f,%.0f,%.0f,%.0f\n", other, other_samples, lost, all
	for (i = 1; i <= n; i++)
		if (instructions[i] || samples[i]) printf "%s,%d,%.0f,%.1f\n", name[i], number[i], instructions[i], samples[i]
}
