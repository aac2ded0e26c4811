# SPDX-License-Identifier: Apache-2.0
# What judges the log of the run-time profiler finds in a trace: executions of stubs, to the cycle,
# at loads of another hart; interrupts in functions, stubs and the kernel; samples; what readers see.
follow=$BIN/../profiler/follow-log

printf '%s\n' 'code 0x10000 0x1000' '10000 1141 f' '10010 4501 g' > p.txt
printf '%s\n' '10000 10010 0 3' '10010 10014 1 1' > indexes.txt
number() { # BYTES NUMBER: little-endian, in hexadecimal
	i=0
	while [ "$i" -lt "$1" ]; do
		printf '%02x' $((($2 >> (8 * i)) & 255))
		i=$((i + 1))
	done
}
sample() { # TIME PC PID TID HART FLAGS
	number 8 "$1"; number 8 "$2"; number 4 "$3"; number 4 "$4"; number 2 "$5"; number 2 "$6"; number 4 0
}
text() {
	printf '%b' "$1" | od -An -v -t x1 | tr -d ' \n'
}
n=0
for probe in switch:next exec:pid,tgid,code,program fork:child,tgid,parent,shares mapped:address,size,page,name unmapped:address,size \
	sampled: samples:data counted: seen:data written:data load0:address load1:address; do
	printf '%s\n' "header probe.$n=${probe%%:*}" "header probe.$n.fields=${probe#*:}"
	n=$((n + 1))
done > probes.txt
interrupt() { # EPC HITS...
	echo "trap interrupt=5 priv=S epc=$1 cycles=1"
	shift
	echo "row trap"
	printf 'probe %s\n' "$@"
	printf '%s\n' 'row sret' 'xret priv=U'
}
load() { # PROBE ADDRESS CYCLES
	printf '%s\n' "probe $1 | address=$2" "row load stall 0:$3"
}
{
	printf '%s\n' 'header content=rows' 'header xlen=64' 'header watch=4'
	cat probes.txt
	echo 'frame 0'
	echo 'hart 0 cycle=100 priv=U satp=0x8000000000000001'
	cat << 'END'
block f pc=0x10000 1141 8082 (ret)
block to_f pc=0x10000 800f906f (j stub_f)
block stub_f pc=0x9000 00000297 00028293 4305 0062b02f 1141 8082 (ret)
block load pc=0x20000 0007b703 bff5 (ld, j load)
block trap pc=0xffffffff80000000 0001
block sret pc=0xffffffff80000002 10200073 (sret)
END
	# The amoadds commit in cycles 108 and 115.
	interrupt 0x10002 '1 | pid=+5 tgid=+5 code=0x10000 program=string:"/bin/p"'
	printf 'row %s\n' to_f stub_f to_f stub_f
	interrupt 0x9004 '5 |'
	interrupt 0x10004 '5 |'
	interrupt 0x10012 '5 |' '2 | child=+6 tgid=+5 parent=+5 shares=true'
	interrupt 0x3f80000a28 '5 |'
	echo 'row f'
	interrupt 0x10004 '0 | next=+6'
	printf 'row %s\n' to_f stub_f
	echo 'hart 1 cycle=101 priv=U satp=0x8000000000000002'
	interrupt 0x20000 '0 | next=+9' '3 | address=0x400000 size=0x4000 page=0 name=string:"00005.dat"' \
		'3 | address=0x500000 size=0x4000 page=0 name=string:"00000.dat"' '3 | address=0x600000 size=0x4000 page=0 name=missing'
	load 10 0x401000 4 # in cycle 108: after the other hart's
	load 10 0x401008 1
	load 10 0x401000 3 # in cycle 114
	load 10 0x401008 1
	load 11 0x600000 1 # of something else
	load 10 0x401000 1
	load 10 0x401008 1
	load 10 0x501018 1
	load 10 0x401000 30
	load 10 0x401000 1 # again, by a daemon that goes on there
	load 10 0x401008 1
	printf 'probe %s\n' '4 | address=0x400000 size=0x4000'
	load 10 0x401000 1
	interrupt 0x20000 "6 | data=bytes:$(sample 7000 0x9004 5 5 0 1)$(sample 8000 4 0 0 1 2)" '7 |' \
		"8 | data=bytes:$(text 'clock\n\0\0')$(number 8 9000)" \
		"8 | data=bytes:$(text 'log 00005.dat whole 96\n')$(for i in 2 1000 500 3 4 5 6 7 2 0 0 1; do number 8 $i; done)" \
		"9 | data=bytes:$(text '/tmp/printed-5.csv 2\nab')"
	echo 'end end=power-off'
} > run.txt
tr-text --encode --force -o run.tr run.txt
mkdir given
"$follow" given run.tr p=p.txt indexes.txt
cat given/printed-5.csv
echo

echo '# trouble'
sed 's/^header probe.3=mapped/header probe.3=other/' run.txt | tr-text --encode --force | "$follow" given - p=p.txt indexes.txt > out || echo "exit $?"
sed 's/interrupt=5 priv=S epc=0x9004/cause=8 priv=S epc=0x9004/' run.txt | tr-text --encode --force | "$follow" given - p=p.txt indexes.txt > out || echo "exit $?"
printf '%s\n' '10000 10010 1 3' > wrong.txt
"$follow" given run.tr p=p.txt wrong.txt || echo "exit $?"
"$follow" given run.tr p=p.txt none.txt || echo "exit $?"
"$follow" given run.tr || echo "exit $?"
