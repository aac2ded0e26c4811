# SPDX-License-Identifier: Apache-2.0
# The tables of `make sample-check` and `make sample-seeds`, on made-up runs of 20 functions of
# 1,000 cycles each: what is within the limits, and what is beyond each of them.
functions() { # NAME CYCLES-OF-f1 CYCLES-OF-f2 ERROR: 18 others have 1,000 or 1,000 + 2 ERROR
	awk -v f1="$2" -v f2="$3" -v error="$4" -v few="${5:-0}" 'BEGIN {
		print "calls,self_cycles" (error ? ",self_error,windows" : "") ",binary,function,address,kind,instructions"
		for (i = 1; i <= 20; i++) {
			cycles = i == 1 ? f1 : i == 2 ? f2 : i <= 2 + few ? 1000 + 2 * error : 1000
			print "1," cycles (error ? "," error ",30" : "") ",p,f" i ",0x" i ",function,500"
		}
		print "0,700" (error ? ",0,0" : "") ",-,[idle],,,"
		print "0,0" (error ? ",0,0" : "") ",p,p,,program,0"
	}' > "$1.functions.csv"
}
classes() { # NAME DRAM ERROR
	printf '%s\n' "cycles,${3:+error,}percent,cpi,level1,level2,level3" "10000,${3:+0,}0,0,retiring,," "$2,${3:+$3,}0,0,backend,," \
		"$2,${3:+$3,}0,0,backend,memory," "$2,${3:+$3,}0,0,backend,memory,dram" "700,${3:+0,}0,0,idle,," \
		"700,${3:+0,}0,0,idle,,wfi" "20700,${3:+$3,}0,0,all,," > "$1.classes.csv"
}
check() { # RUN
	awk -v run="$1" -f "$SRC/pipelines/sample.awk" {whole,sampled}.{functions,classes}.csv > "$1.txt"
	awk -f "$SRC/pipelines/sample-table.awk" "$1.txt" | sed 1d | head -n 1
}
functions whole 1000 1000 0
classes whole 10000 ''
functions sampled 1100 905 120
classes sampled 10040 300
check good
grep -vE '^function good ([3-9]|1.) ' good.txt
functions sampled 1020 1020 10 18
check total
functions sampled 1110 900 120
check share
functions sampled 1000 1000 2 4
check functions
functions sampled 1000 1000 10
classes sampled 10060 300
check class
for run in good class; do awk -f "$SRC/pipelines/sample-table.awk" $run.txt > /dev/null; echo "$run: $?"; done
cat good.txt good.txt total.txt | awk -f "$SRC/pipelines/sample-seeds.awk" | head -n 3
cat good.txt share.txt functions.txt | awk -f "$SRC/pipelines/sample-seeds.awk" > /dev/null; echo "seeds: $?"
cat functions.txt functions.txt good.txt | awk -f "$SRC/pipelines/sample-seeds.awk" | head -n 2
awk -f "$SRC/pipelines/sample-table.awk" /dev/null > /dev/null; echo "no run: $?"
awk -f "$SRC/pipelines/sample-seeds.awk" /dev/null; echo "no run: $?"
awk -v run=cut -f "$SRC/pipelines/sample.awk" {whole,sampled}.functions.csv; echo "no classes: $?"
