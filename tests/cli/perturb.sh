# SPDX-License-Identifier: Apache-2.0
# The tables of `make perturb` from small data: prices that add up, reports of tools beside
# the truth.
pipelines=$SRC/pipelines

cat > gprof.csv << 'END'
before_cycles,after_cycles,change_cycles,by_instructions_cycles,by_cpi_cycles,before_cpi,after_cpi,by_frontend.l2_cycles,by_memory.l2_cycles,by_memory.dram_cycles,by_not_traced_cycles,binary,function,kind
0,100,100,100,0,-,2.000,0,0,0,0,p,mcount,function
600,700,100,60,40,1.500,1.600,10,20,10,0,p,work,function
400,400,0,0,0,2.000,2.000,0,0,0,0,p,rest,function
1000,1200,200,160,40,1.600,1.700,10,20,10,0,,all,all
END
echo 'in short: little' > gprof.txt
awk -f $pipelines/perturb.awk gprof.csv gprof.txt
sed 's/^1000,1200,200,160,40/1000,1200,200,150,40/' gprof.csv > wrong.csv
awk -f $pipelines/perturb.awk wrong.csv gprof.txt > wrong.txt
echo "exit $?"

echo '# gprof'
functions() {
	echo calls,self_cycles,total_cycles,away_cycles,binary,function,kind
	cat
}
functions > without.csv << 'END'
100,300,300,0,words,small,function
1,700,700,0,words,large,function
7,50,50,0,vmlinux,small,function
END
functions > with.csv << 'END'
100,600,600,0,words,small,function
1,700,700,0,words,large,function
101,700,700,0,words,_mcount,function
END
cat > flat.txt << 'END'
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ms/call  ms/call  name
 75.00      0.03     0.03        1    30.00    30.00  large
 25.00      0.04     0.01       99     0.10     0.10  small
  0.00      0.04     0.00                             _mcount
END
awk -f $pipelines/perturb-gprof.awk without.csv with.csv flat.txt
sed 's/^100,/101,/' with.csv > more.csv
awk -f $pipelines/perturb-gprof.awk without.csv more.csv flat.txt > more.txt
echo "exit $?"

# Header; a batch of P 1 at tick 1000; a frequency of 62,500 Hz; a string; then GoCreate with a
# length, GoStart, GoStartLocal two ticks earlier than the one before, and a stack.
echo '# go'
functions > without.csv << 'END'
4,10,20,0,requests,runtime.execute,function
1,100,1000,500,requests,main.main,function
END
functions > with.csv << 'END'
5,10,20,0,requests,runtime.execute,function
3,10,30,0,requests,runtime.traceEvent,function
1,100,3000,500,requests,main.main,function
END
functions > before.csv << 'END'
3,10,20,0,requests,runtime.execute,function
END
functions > after.csv << 'END'
1,10,20,0,requests,runtime.execute,function
END
{
	printf 'go 1.19 trace\0\0\0'
	printf '%b' '\0101\01\0350\07' '\02\0244\0350\03' '\045\01\03abc'
	printf '%b' '\0315\04\05\01\02\03' '\0216\012\07\01' '\0146\0376\0377\0377\0377\0377\0377\0377\0377\0377\01\07' '\0303\02\01\0'
} > trace
od -An -v -tu1 -w1 trace > bytes
echo 'date failed to parse trace: out of order' | awk -f $pipelines/perturb-go.awk without.csv with.csv before.csv after.csv bytes -
od -An -v -tu1 -w1 -N 39 trace | awk -f $pipelines/perturb-go.awk without.csv with.csv before.csv after.csv - /dev/null
echo "exit $?"

echo '# strace'
cat > unistd.h << 'END'
#define __NR_write 64
#define __NR3264_fstat 80
#define __NR_wait4 260
#define __NR_newfstat __NR3264_fstat
#define __NR_fstat64 __NR3264_fstat
END
cat > strace.txt << 'END'
11 write(1, "<0.5>", 5) = 5 <0.000010>
11 newfstat(1) = 0 <0.000004>
11 wait4(-1,  <unfinished ...>
12 write(1, "x", 1)             = 1 <0.000020>
12 +++ exited with 0 +++
11 <... wait4 resumed>NULL) = 12 <0.000100>
END
calls() { # of pid 10, and of its child and grandchild, N times as long as 3,200 cycles
	echo '100 hart 0 begin'
	echo '200 hart 0 fork child=11 parent=10'
	echo '300 hart 0 fork child=12 parent=11'
	echo '350 hart 0 fork child=13 parent=9'
	for pid in 10 11 12 13; do
		echo "1000 hart 0 syscall pid=$pid number=64"
		echo "$((1000 + 3200 * $1)) hart 0 syscall_result pid=$pid result=1"
	done
	echo '2000 hart 0 syscall pid=11 number=80'
	echo '5200 hart 0 syscall_result pid=11 result=0'
	echo '7000 hart 0 syscall pid=11 number=260'
	echo '8600 hart 0 syscall_result pid=11 result=12'
}
awk -f $pipelines/perturb-strace.awk unistd.h strace.txt <(calls 2) <(calls 3)

echo '# bytes'
printf '%s\n' '1 hart 0 dd data=00410a' '2 hart 0 dd data=ff' | LC_ALL=C awk -f $pipelines/perturb-bytes.awk | od -An -tx1
echo '1 hart 0 dd data=missing' | awk -f $pipelines/perturb-bytes.awk
echo "exit $?"
