# SPDX-License-Identifier: Apache-2.0
# The table of `make sweep`: a line for each file, with the values of its point (points), cycles and
# instructions of the run, their change against the first, and the cycles an instruction by class.
# A file has "cycles N" and "instructions N", and the table of `tr-report classes --format csv`.
# format is txt or csv.

function finish()
{
	if (!rows++) {
		split("retiring,frontend,bad speculation,memory,core,idle", names, ",")
		parts = split(points, point, " ")
		first = total["cycles"]
	}
	if (!total["instructions"] || !all) {
		printf "sweep: %s: no instructions, or no classes\n", name > "/dev/stderr"
		exit failed = 1
	}
	write_row(total["cycles"], total["instructions"])
	delete slots
	delete total
	all = 0
}

# Writes the options of a point, as headings or values.
function write_point(text, is_heading,	i, count, pair, option, width)
{
	count = split(text, option, "+")
	for (i = 1; i <= count; i++) {
		split(option[i], pair, "=")
		width = format == "csv" ? "" : length(pair[1])
		printf "%" width "s" (format == "csv" ? "," : "  "), is_heading ? pair[1] : pair[2]
	}
}

function write_row(cycles, instructions,	i, row, cell, change)
{
	if (rows == 1) {
		write_point(point[1], 1)
		if (format == "csv")
			printf "cycles,change_percent,instructions,cpi,retiring,frontend,bad_speculation,memory,core,idle\n"
		else
			printf "%12s %9s %12s %7s %9s %9s %9s %7s %7s %7s\n", "cycles", "change %", "instructions", "CPI",
				"retiring", "frontend", "bad spec.", "memory", "core", "idle"
	}
	write_point(point[rows], 0)
	row = format == "csv" ? "%d,%.3f,%d,%.4f" : "%12d %+9.3f %12d %7.4f"
	change = 100 * (cycles / first - 1)
	if (change > -0.0005 && change < 0)
		change = 0
	printf row, cycles, change, instructions, cycles / instructions
	for (i = 1; i <= 6; i++) {
		cell = format == "csv" ? ",%.4f" : i < 4 ? " %9.4f" : " %7.4f"
		printf cell, slots[names[i]] / all * cycles / instructions
	}
	printf "\n"
}

FNR == 1 {
	if (name != "")
		finish()
	name = FILENAME
	FS = " "
	$0 = $0
}
$1 == "cycles" || $1 == "instructions" { total[$1] = $2; next }
/^cycles,|^slots,/ { FS = ","; next }
$4 == "all" { all = $1; next }
# A row of a class, and of the only class of a group; other rows are sums of these.
$4 == "retiring" || $6 != "" { slots[$4 == "backend" ? $5 : $4] += $1 }

END {
	if (!failed)
		finish()
	if (!failed && rows != parts) {
		printf "sweep: %d files for %d points\n", rows, parts > "/dev/stderr"
		failed = 1
	}
	exit failed
}
