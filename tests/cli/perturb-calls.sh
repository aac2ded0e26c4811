# SPDX-License-Identifier: Apache-2.0
# The system calls that strace reports are those of tr-timeline's table, of one run of
# sim/target/linux/perturb/calls.c: the log, and the hits of the probes of the same run, as
# `make golden-perturb` records them. `make perturb` compares all of it, with a kernel.
set -o pipefail
pipelines=$SRC/pipelines data=$SRC/tests/cli/data

# Makes a stream of hits from their short form (pipelines/perturb-hits.awk).
stream() {
	{
		cat <<- 'END'
			header content=stacks
			header probe.0=switch
			header probe.0.fields=prev,prev_comm,prev_state,next,next_comm,prev_tgid,next_tgid
			header probe.1=syscall
			header probe.1.fields=pid,tgid,number,function,arg0,arg1,arg2,arg3,arg4,arg5
			header probe.2=syscall_result
			header probe.2.fields=pid,result,killed
			header probe.3=fork
			header probe.3.fields=child,tgid,ppid,parent,comm
			header probe.4=exec
			header probe.4.fields=pid,tgid,comm,filename,argv
			header probe.5=exit
			header probe.5.fields=pid,code
			func f0 kind=program binary=p name=p
			node n1 parent=n0 func=f0
			thread t0 tp=4096 name=p
			hart 0
		END
		awk '
			function hit(probe, fields) { last = $2; printf "probe %d cycle=%s | %s\n", probe, $2, fields }
			$1 == "s" { hit(0, "prev=+" $3 " prev_comm=string:\"\" prev_state=" $5 " next=+" $6 " next_comm=string:\"\" prev_tgid=+" $4 " next_tgid=+" $7) }
			$1 == "c" { hit(1, "pid=+" $3 " tgid=+" $4 " number=" $5 " function=string:" $6 " arg0=0 arg1=0 arg2=0 arg3=0 arg4=0 arg5=0") }
			$1 == "r" { hit(2, "pid=+" $3 " result=" ($4 ~ /^-/ ? "" : "+") $4 " killed=" $5) }
			$1 == "f" { hit(3, "child=+" $3 " tgid=+" $4 " ppid=+" $5 " parent=+" $6 " comm=string:\"\"") }
			$1 == "x" { hit(4, "pid=+" $3 " tgid=+" $4 " comm=string:" $5 " filename=missing argv=missing") }
			$1 == "e" { hit(5, "pid=+" $3 " code=" $4) }
			END { print "srow n1 t0 cycles=" last + 1000 " instructions=1 fresh" }'
		echo 'end end=power-off'
	} | tr-text --encode -o s.tr
}
# The calls of the table, from the exec of the first process on.
table() {
	tr-timeline --table processes --format csv -o processes.csv s.tr
	tr-timeline --table process-syscalls --from "$(awk '$1 == "x" { print $2; exit }' "$data/calls-hits.txt")" --format csv -o calls.csv s.tr
	awk -v root="$(awk '{ print $1; exit }' "$data/calls-strace.txt")" -f $pipelines/perturb-calls.awk \
		/usr/include/asm-generic/unistd.h processes.csv calls.csv | sort -k 1,1n -k 2
}
log() { awk -f $pipelines/perturb-calls-strace.awk "$@" | sort -k 1,1n -k 2; }

stream < "$data/calls-hits.txt"
table > table.txt
log "$data/calls-strace.txt" > log.txt
diff -U 0 log.txt table.txt && echo 'strace and the table agree on'
awk '{ rows++; calls += $3; errors += $4; open += $5 } END { print rows, calls, errors, open }' table.txt
echo '# they do not'
grep -v 'sys_sched_yield' "$data/calls-hits.txt" | stream
table | diff log.txt - | grep '^[<>]'
sed 's/\(close(1000) *= \)-1 EBADF.*/\10/' "$data/calls-strace.txt" | log | diff - table.txt | grep '^[<>]'

echo '# lines of strace'
cat > strace.txt << 'END'
7     clone3({flags=CLONE_VM|CLONE_THREAD}, 88 <unfinished ...>
8     write(1, ") = -1 E", 8) = 8
7     <... clone3 resumed> => {parent_tid=[8]}, 88) = 8
9     lseek(0, 0, SEEK_SET) = -1 (errno 600)
9     --- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---
9     pause( <unfinished ...>
8     mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x3fa09c5000
8     read(0,  <unfinished ...>
8     <... read resumed> <unfinished ...>) = ?
8     fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)
8     read(3, 0x1, 1) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
8     exit_group(0)                     = ?
8     +++ exited with 0 +++
END
log strace.txt
for line in '7 open("x"' 'open("x") = 3' '7 what is this' ''; do
	echo "$line" | grep . | awk -f $pipelines/perturb-calls-strace.awk
	echo "exit $?"
done
echo '# names'
printf '%s\n' '#define __NR_io_setup 0' '#define __NR3264_fstat 80' '#define __NR_fstat __NR3264_fstat' '#define __NR_read 63' > unistd.h
printf '%s\n' pid,parent,start,end,cycles,name,arguments 5,1,,,,a, 6,5,,,,b,'"b,c"' 7,1,,,,c, > processes.csv
calls() {
	echo calls,errors,open,cycles,away,median,p99,max,pid,process,number,name
	cat
}
names() { awk -v root="$1" -f $pipelines/perturb-calls.awk unistd.h processes.csv calls.csv | sort -k 1,1n -k 2; }
calls > calls.csv << 'END'
3,2,1,5,0,1,1,1,5,a,80,newfstat
1,1,0,5,0,1,1,1,6,b,500,ni_syscall
1,1,0,5,0,1,1,1,6,b,-2,ni_syscall
1,1,0,5,0,1,1,1,6,b,2147483647,ni_syscall
1,1,0,5,0,1,1,1,6,b,1099511627776,ni_syscall
1,1,0,5,0,1,1,1,6,b,1099511627839,ni_syscall
9,9,0,5,0,1,1,1,7,c,63,read
END
names 5
names 4
echo "exit $?"
calls > calls.csv <<< 1,1,0,5,0,1,1,1,5,a,63,write
names 5
echo "exit $?"
