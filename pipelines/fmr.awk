# SPDX-License-Identifier: Apache-2.0
# The table of fmr.mk, from lines of a word and a number. Each configuration is timed
# several times, and the fastest run counts. The paper's MHz and FMR are those of its
# Table I; "~" marks values derived from them and from the ratios of its section VII.

!($1 in value) || $2 < value[$1] { value[$1] = $2 }

function rate(way) { return value["cycles"] / value[way] / 1e6 }

function fmr(way) { return value["clock"] / rate(way) / 1e6 }

function line(name, way, base, mhz, paper_fmr, ratio)
{
	printf "%-26s %9.3f %9.1f %7.2f   %8s %7s %7s\n", name, rate(way), fmr(way),
		value[way] / value[base], mhz, paper_fmr, ratio
}

END {
	printf "%s on %s.elf, %d cycles, %d instructions; the best of %d runs\n",
		value["simulator"], value["image"], value["cycles"],
		value["instructions"], value["runs"]
	if (value["precision"] == "instructions")
		print "this simulator has no timing: each instruction counts as one cycle"
	printf "host: %.2f GHz by calibration; FMR: host cycles per target cycle\n",
		value["clock"] / 1e9
	print "paper: host is an FPGA built for 90 MHz; at 140 MHz its FMR is nearly the same\n"

	printf "%-26s %9s %9s %7s   %8s %7s %7s\n", "figures 11 to 14", "MHz", "FMR",
		"slower", "paper MHz", "FMR", "slower"
	line("no tracing", "untraced", "untraced", "~64.7", "~1.39", "1")
	line("capture to a file", "captured", "untraced", "~29.4", "~3.06", "2.2")
	line("whole pipe, live", "piped", "untraced", "17.961", "5.011", "3.6")
	print "(the paper's second line unwinds the kernel's stacks as well)\n"

	printf "%-26s %9s %9s %7s   %8s %7s %7s\n", "Table I", "MHz", "FMR", "slower",
		"paper MHz", "FMR", "slower"
	line("satp cache off", "searched", "piped", "16.949", "5.310", "1.06")
	line("satp cache on", "piped", "piped", "17.961", "5.011", "1")
	printf "\ntr-match alone, on the file: %.1f M instr/s without the satp cache, %.1f with it;\n",
		value["instructions"] / value["match-searched"] / 1e6,
		value["instructions"] / value["matched"] / 1e6
	printf "it had the binary of %d of the %d blocks of all address spaces\n",
		value["match_cached"], value["match_cached"] + value["match_searched"]
}
