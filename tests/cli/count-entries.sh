# SPDX-License-Identifier: Apache-2.0
# The count of entries that judges the run-time profiler's counters: before and after
# entries are replaced and restored, by process, and what is open at a fork and at the end.
count=$BIN/../profiler/count-entries

printf '%s\n' 'code 0x10000 0x1000' '10000 1141 f' '10010 4501 g' > p.txt
cat > head.txt << 'END'
header content=rows
header xlen=64
header watch=4
header probe.0=switch
header probe.0.fields=next
header probe.1=exec
header probe.1.fields=pid,tgid,code,program
header probe.2=fork
header probe.2.fields=child,tgid,parent,shares
END
blocks() { # PLACE
	cat << END
block f pc=0x$((10000 + $1)) 1141 8082 (ret)
block g pc=0x$((10010 + $1)) 4501 8082 (ret)
block to_f pc=0x$((10000 + $1)) 800f906f (j stub_f)
block to_g pc=0x$((10010 + $1)) 850f906f (j stub_g)
block stub_f pc=0x$((9000 + $1)) 00000297 00028293 4305 0062b02f 1141 8082 (ret)
block stub_g pc=0x$((9060 + $1)) 00000297 00028293 4305 0062b02f 4501 8082 (ret)
block half_f pc=0x$((9000 + $1)) 00000297 00028293
block rest_f pc=0x$((9008 + $1)) 4305 0062b02f 1141 8082 (ret)
block trap pc=0xffffffff80000000 0001
block sret pc=0xffffffff80000002 10200073 (sret)
END
}
enter() { # EPC HITS...: into the kernel and back
	echo "trap cause=5 priv=S epc=$1 cycles=1"
	shift
	echo "row trap"
	[ $# = 0 ] || printf 'probe %s\n' "$@"
	printf '%s\n' 'row sret' 'xret priv=U'
}
exec_of() { # PID CODE
	echo "1 | pid=+$1 tgid=+$1 code=$2 program=string:\"/bin/p\""
}
{
	cat head.txt
	echo 'hart 0 priv=U satp=0x8000000000000001'
	blocks 0
	printf 'row %s\n' f g # of a process that is not watched
	enter 0x10012 '0 | next=+5'
	printf 'row %s\n' g # still not
	enter 0x10012 "$(exec_of 5 0x10000)"
	printf 'row %s\n' f f g
	enter 0x10012
	printf 'row %s\n' to_f stub_f to_g stub_g to_f half_f
	enter 0x9008 '2 | child=+6 tgid=+6 parent=+5 shares=false' '2 | child=+7 tgid=+7 parent=+5 shares=true'
	printf 'row %s\n' rest_f to_f stub_f
	echo 'trap cause=8 priv=S epc=0x9014 cycles=1' # made to do a system call
	printf '%s\n' 'row trap' 'row sret' 'xret priv=U' 'trap cause=8 priv=S epc=0x3f80000a28 cycles=1' 'row trap' 'row sret' 'xret priv=U'
	enter 0x9000 '0 | next=+7' # in the memory of 5
	printf 'row %s\n' to_g stub_g
	enter 0x9076 '0 | next=+6' # its copy
	printf 'row %s\n' rest_f to_g stub_g to_g
	enter 0x9060 '0 | next=+5' # 6 is killed
	printf 'row %s\n' to_f half_f
	enter 0x9008 # restored
	printf 'row %s\n' f f
	enter 0x10002 "$(exec_of 5 0x10000)"
	printf 'row %s\n' f
	echo 'end end=power-off'
} > run.txt
tr-text --encode --force -o run.tr run.txt
"$count" --moves moves.txt run.tr p=p.txt
cat moves.txt

echo '# another place'
sed '/^hart/q' run.txt > moved.txt
{
	blocks 70000
	enter 0x10012 "$(exec_of 9 0x80000)"
	printf 'row %s\n' f to_f stub_f
	echo 'end end=power-off'
} >> moved.txt
tr-text --encode --force moved.txt | "$count" - p=p.txt

echo '# a task that moves to a hart whose part of the trace comes a frame earlier'
{
	sed '/^hart/,$d' run.txt
	echo 'frame 0'
	echo 'hart 0 cycle=10 priv=U satp=0x8000000000000001'
	blocks 0
	enter 0x80 '0 | next=+5'
	printf 'row %s\n' rest_f to_g stub_g
	echo 'frame 1'
	echo 'hart 1 cycle=0 priv=U satp=0x8000000000000001'
	enter 0x80 "$(exec_of 5 0x10000)"
	printf 'row %s\n' to_f half_f
	enter 0x9008 '0 | next=+0'
	printf 'row %s\n' g
	echo 'end end=power-off'
} > harts.txt
tr-text --encode --force harts.txt | "$count" - p=p.txt

echo '# costs: 9 - 2 and 12 - 1 cycles; an interrupted call; a stub that does not come back'
sed 's/^header probe.2=fork/header probe.3=written\nheader probe.3.fields=data\n&/; /^hart/q' run.txt > costs.txt
{
	blocks 0
	cat << 'END'
block home_f pc=0x9000 00000297 00028293 4305 0062b02f 1141 7f50606f (j back_f)
block back_f pc=0x10004 0001 8082 (ret)
block far_g pc=0x10010 ffff9317 05030067 (jr stub_g)
block home_g pc=0x9060 00000297 00028293 4305 0062b02f 00007317 fa830067 (jr back_g)
block back_g pc=0x10018 8082 (ret)
END
	enter 0x10012 "$(exec_of 5 0x10000)"
	printf 'row %s\n' to_f 'home_f stall 3:2' 'back_f stall 0:1' 'far_g stall 0:2' 'home_g stall 3:3' back_g
	printf 'row %s\n' to_f half_f
	enter 0x9008 '3 | data=bytes:2f746d702f30303030352e64617420330a61 (/tmp/00005.dat 3, a)' '3 | data=bytes:0a627920300a (b, and an empty one)'
	printf 'row %s\n' rest_f to_g stub_g f
	echo 'end end=power-off'
} >> costs.txt
mkdir given
tr-text --encode --force costs.txt | "$count" --costs costs.csv --given given - p=p.txt
cat costs.csv
od -An -c given/00005.dat
wc -c given/y

echo '# trouble'
tr-text --encode --force moved.txt | tr-text | sed 's/probe.2=fork/probe.2=other/' | tr-text --encode --force | "$count" - p=p.txt || echo "exit $?"
head -c 300 run.tr | "$count" - p=p.txt > cut.csv || echo "exit $?"
printf '%s\n' 'code 0x10000 0x1000' '10010 4501 g' '10000 1141 f' > wrong.txt
"$count" run.tr p=wrong.txt || echo "exit $?"
"$count" run.tr p=none.txt || echo "exit $?"
