# SPDX-License-Identifier: Apache-2.0
# pipelines/run-jobs.sh on this machine: the longest first, what has a result is not run again, what
# has none is, and every failure is one line. Lists that are damaged are refused.
jobs() { "$SRC/pipelines/run-jobs.sh" "$@"; echo "status $?"; }
job() { printf '%s\t%s\t%s\n' "$@"; }

exec 2>&1
{
	job 1 out/short 'echo short >> order; echo 1'
	job 2.5 'out/a name; with $x' 'echo middle >> order; printf "%s\n" "2  $((1 + 1))"'
	job 10 long 'echo long >> order; echo note >&2; seq 3 | tail -n 1'
} > list
jobs --jobs 1 list
cat order long out/*
echo '--- what is left'
find . -type f | sort
echo '--- again'
jobs list
rm out/short
jobs list
wc -l < order

echo '--- another command, other inputs'
sed -i 's/echo 1$/echo one/' list
jobs list
cat out/short
echo 1 > input
jobs --input input list
jobs --input input list
echo 2 > input
jobs --input input list
jobs --input nothing list

echo '--- a task that is killed, and one that fails'
job 1 killed 'if [ ! -e seen ]; then touch seen; kill -9 $PPID; fi; echo whole' > list
jobs list
cat killed; ls killed*
job 1 bad 'echo part; echo "tool: note: begins" >&2; echo "tool: wrong" >&2; false | cat' > list
job 1 good 'echo good' >> list
job 1 unset 'echo $none' >> list
jobs list
cat good; ls bad* unset*
jobs --tries 1 list
(ulimit -f 4; job 1 full 'yes | head -c 100000' > list; jobs --tries 1 list 2>&1 | sed 's/: [^:]*: .*full.log/: ...: full.log/')
ls full*

echo '--- two at the same time, and the end of one by a signal'
job 1 waits 'echo $$ > begun.new; mv begun.new begun; sleep 300' > list
"$SRC/pipelines/run-jobs.sh" list & engine=$!
until [ -e begun ]; do sleep 0.05; done
jobs list
kill -TERM $engine
wait $engine; echo "status $?"
for _ in $(seq 50); do
	kill -0 "$(cat begun)" 2> /dev/null || { echo 'the task has ended'; break; }
	sleep 0.1
done
ls waits*
job 1 waits 'echo done' > list
jobs list

echo '--- lists that are none'
jobs nothing
: > empty; jobs empty
printf '1\ta\techo' > cut; jobs cut
printf '1\ta\te\0cho\n' > zero; jobs zero
printf '1\ta\n' > fields; jobs fields
printf '1\t\techo\n' > fields; jobs fields
printf '1e3\ta\techo\n' > number; jobs number
printf '1\ta\techo\n2\ta\techo\n' > twice; jobs twice
jobs /dev/null
jobs
jobs --jobs 0 list
jobs --tries x list
jobs --engine ssh list
jobs --wrong 1 list
mkdir path
for tool in awk basename bash cat cut dirname flock nproc realpath sort tail tr wc; do ln -s "$(command -v $tool)" path; done
PATH=$PWD/path jobs --engine slurm list
