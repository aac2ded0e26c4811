# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.3`, `thesis-5.5`, `thesis-5.6` and `thesis-c` from small data, with periods divided by
# 10: parts that add up, and parts that do not; limits that are kept, and limits that are exceeded;
# daemons that do nothing. Of a million cycles, ten thousand are 1 %.
pipelines=$SRC/pipelines
table() { # TABLE FILE...
	name=$1
	shift
	awk -v times=10 -f "$pipelines/thesis-change.awk" -f "$pipelines/thesis-daemon.awk" -f "$pipelines/thesis-$name.awk" "$@"
}
difference() { # CHANGE NEW NUMBER CPI L2 DRAM
	echo before_cycles,after_cycles,change_cycles,by_instructions_cycles,by_cpi_cycles,before_cpi,after_cpi,by_frontend.l2_cycles,by_memory.dram_cycles,by_not_traced_cycles,binary,function,kind
	echo "0,$2,$2,$2,0,-,2.000,0,0,0,prof-daemon,main,function"
	echo '600,600,0,0,0,1.500,1.600,0,0,0,p,"work(int, int)",function'
	echo "1000000,$((1000000 + $1)),$1,$3,$4,1.600,1.700,$5,$6,0,,all,all"
}
functions() { # INTERRUPTS SAMPLES SAMPLER READS UPDATE
	echo calls,median_cycles,self_cycles,total_cycles,away_cycles,binary,function,kind
	echo '9,10,50,100,0,firmware,[timer interrupt],trap'
	echo "20,100,500,$1,0,kernel,[timer interrupt],trap"
	echo 20,50,500,1000,0,kernel,tick_sched_timer,function
	[ -n "$2" ] || return 0
	echo "$2,300,1000,$((300 * $2)),0,kernel,$3,function"
	echo 1,90000,1000,90000,7,prof-daemon,main,function
	echo 1,60000,1000,60000,0,prof-daemon,process_data,function
	echo "$4,100,10,300,0,prof-daemon,__pthread_cond_timedwait,function"
	echo "$4,2000,100,18000,0,prof-daemon,take_samples,function"
	echo "2,$5,100,$((2 * $5)),0,prof-daemon,update_logs,function"
	echo '1,9,9,999999,0,p,update_logs,function'
}
gprof_functions() {
	echo calls,median_cycles,self_cycles,total_cycles,away_cycles,binary,function,kind
	printf '%s\n' 5,9,1000000,1000,0,kernel,[signal],signal 5,9,0,300,0,kernel,send_signal_locked,function 5,9,0,200,0,kernel,get_signal,function
}
fails() {
	if table "$@" > wrong.txt; then echo 'not seen'; else echo "exit $?"; fi
}

for program in kernels-O2 minisat; do
	difference 200000 90000 150000 50000 20000 30000 > $program-sampled-process-1.diff
	difference 100000 90000 60000 40000 10000 30000 > $program-sampled-global-1.diff
	functions 4000 > $program-base-1.functions
	functions 8000 10 __prof_tick 5 1000 > $program-ticked-1.functions
	for mode in process global; do functions 24000 50 sample_and_restart 8 11000 > $program-sampled-$mode-1.functions; done
	printf '%s\n' calls,median_cycles,self_cycles,total_cycles,away_cycles,binary,function,kind 1,9,1000000,9,0,p,main,function > $program-normal.functions
	gprof_functions > $program-gprof.functions
	printf '%s\n' name,address,size,entry,stub_size,loops f,0x100,16,near,32,0 '"g(int, int)",0x110,16,far,40,1' small,0x120,2,small,0,0 > $program.csv
done
of_5_3() { # PROGRAM
	printf '%s\n' "$1"-sampled-{process,global}-1.diff "$1"-{base,ticked,sampled-process,sampled-global}-1.functions "$1"-{normal,gprof}.functions "$1.csv"
}

echo '# 5.3'
mapfile -t files < <(of_5_3 kernels-O2; of_5_3 minisat)
table 5.3 "${files[@]}"
echo '# 5.3, an update of 110000 cycles'
functions 24000 50 sample_and_restart 8 110000 > minisat-sampled-process-1.functions
fails 5.3 "${files[@]}"
echo '# 5.3, no sample'
functions 24000 > minisat-sampled-process-1.functions
fails 5.3 "${files[@]}"
functions 24000 50 sample_and_restart 8 11000 > minisat-sampled-process-1.functions
echo '# 5.3, a part that is missing'
difference 200000 90000 150000 50000 20000 29999 > minisat-sampled-process-1.diff
fails 5.3 "${files[@]}"
difference 200000 90000 150000 50000 20000 30000 > minisat-sampled-process-1.diff

echo '# 5.5'
for program in kernels-O2 minisat; do
	for mode in process global; do
		difference 300000 90000 250000 50000 20000 30000 > $program-all-$mode-1.diff
		functions 24000 50 sample_and_restart 8 11000 > $program-all-$mode-1.functions
	done
	difference 400000 0 350000 50000 20000 30000 > $program-gprof.diff
	difference 50000 0 40000 10000 0 10000 > $program-process.diff
	printf '%s\n' program,kind,calls,cycles,least,median,most,interrupted $program,near,10,71,6,7,9,0 $program,far,2,18,9,9,9,0 > $program-all-process-1.costs
done
of_5_5() { # PROGRAM
	printf '%s\n' "$1"-all-{process,global}-1.diff "$1"-{base,all-process,all-global}-1.functions "$1-all-process-1.costs" "$1"-{gprof,process}.diff
}
mapfile -t files < <(of_5_5 kernels-O2; of_5_5 minisat)
table 5.5 "${files[@]}"
echo '# 5.5, no call'
sed -i 2,3d minisat-all-process-1.costs
fails 5.5 "${files[@]}"
echo '# 5.5, no difference'
mapfile -t files < <(of_5_5 kernels-O2)
fails 5.5 "${files[@]}" minisat-base-1.functions

echo '# 5.6'
for harts in 1 2; do
	for mode in process global; do
		difference 300000 90000 250000 50000 20000 30000 > together-all-$mode-$harts.diff
		functions 24000 50 sample_and_restart 8 11000 > together-all-$mode-$harts.functions
	done
	functions 4000 > together-base-$harts.functions
done
mapfile -t files < <(printf '%s\n' together-all-{process,global}-{1,2}.diff together-{base,all-process,all-global}-{1,2}.functions)
table 5.6 "${files[@]}"
echo '# 5.6, no log on two harts'
sed -i /update_logs/d together-all-process-2.functions
fails 5.6 "${files[@]}"

echo '# c'
for program in kernels-O2 minisat; do
	printf '%s\n' calls,median_cycles,self_cycles,total_cycles,away_cycles,binary,function,kind 1,9,10,3200000,3200000,prof-inject,begin_program,function \
		1,9,10,320000,0,multiply,[inject],function > $program-process.functions
done
{
	echo 'The title'
	for program in kernels-O2 minisat; do
		printf '%s\n' "$program: 5 functions" 'of it' header one two three four five 'published, theirs' 'one of theirs' ''
	done
	echo 'not a part'
} > 5.4.txt
of_c() { # PROGRAM
	printf '%s\n' "$1"-{gprof,process}.diff "$1"-{process,normal,gprof}.functions "$1"-{sampled-process,all-process}-1.diff "$1.csv"
}
mapfile -t files < <(of_c kernels-O2; of_c minisat)
table c "${files[@]}" 5.4.txt
echo '# c, without a part of 5.4'
sed -i '2,/^$/d' 5.4.txt
fails c "${files[@]}" 5.4.txt
