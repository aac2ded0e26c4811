#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh BIN TARGET: eight runs of the hardware by pipelines/run-jobs.sh on a Slurm cluster of two
# nodes, cluster.sh. One task is killed, and a node dies with the task that it runs. The results must
# be the bytes of two at a time on this machine, and a repetition must submit nothing.
set -euo pipefail
export LC_ALL=C
tests=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tests/../.." && pwd)
bin=$(realpath "$1") target=$(realpath "$2")
export PATH=$bin:$PATH:/usr/sbin
unset SBATCH_OPTIONS
work=$(mktemp -d)
begin=$SECONDS checked=0
# shellcheck disable=SC2317 # called by the trap
leave() {
	[ ! -e "$work/cluster/slurm.conf" ] || scancel -Q -u "$(id -un)" 2> /dev/null || :
	"$tests/cluster.sh" stop "$work/cluster" || :
	rm -rf "$work" 2> /dev/null || { sleep 1; rm -rf "$work"; }
}
trap leave EXIT
fail() { echo "slurm: $*"; exit 1; }
says() { # FILE LINE
	[ "$(cat "$1")" = "$2" ] || fail "not \"$2\", but: $(cat "$1")"
	checked=$((checked + 1))
}
jobs() { "$root/pipelines/run-jobs.sh" "$@"; }

# Waits, the first time, to be killed; $1 is a file with the node and the process.
cat > "$work/hold" << 'END'
#!/usr/bin/env bash
[ ! -e "$1" ] || exit 0
echo "${SLURMD_NODENAME-} $$" > "$1.new"
mv "$1.new" "$1"
exec sleep 600
END
chmod +x "$work/hold"
mkdir "$work/here" "$work/there"
for latency in 8 10 12 14 16 18 20 22; do
	hold=
	case $latency in 18) hold='../hold killed; ' ;; 22) hold='../hold node; ' ;; esac
	printf '%s\tresults/%s.tr\t%s\n' $latency $latency "${hold}tr-capture -- soc-sim --l2-latency $latency \
$target/firmware.elf $target/benchmarks/chase_l2-image.elf | tr-match --bins $target/benchmarks/chase_l2.lst | tr-unwind"
done > "$work/here/list"
sed -i 's/^18\t/21\t/' "$work/here/list" # both that wait are first
cp "$work/here/list" "$work/there"

cd "$work/here"
touch killed node
jobs --jobs 2 list > said
says said 'jobs: 8 of 8 run, 0 of them again'

cd "$work/there"
# Arrays of five tasks at most, so that there are two.
MAX_ARRAY_SIZE=6 "$tests/cluster.sh" start "$work/cluster"
export SLURM_CONF=$work/cluster/slurm.conf
jobs --engine slurm list > said 2>&1 & engine=$!
for _ in $(seq 200); do
	[ ! -e killed ] || [ ! -e node ] || break
	kill -0 $engine 2> /dev/null || fail "ended early: $(cat said)"
	sleep 0.1
done
read -r _ process < killed
kill -KILL "$process"
read -r node _ < node
"$tests/cluster.sh" fail "$work/cluster" "$node"
wait $engine || fail "$(cat said)"
says said 'jobs: 8 of 8 run, 2 of them again'
[ "$(sinfo -h -n "$node" -o %T)" = 'down*' ] || fail "the node is $(sinfo -h -n "$node" -o %T)"
for result in "$work"/here/results/*.tr; do
	cmp "$result" "results/$(basename "$result")" || fail 'another result than on this machine'
	checked=$((checked + 1))
done
ls results > files
[ "$(wc -l < files)" = 16 ] || fail "left over: $(cat files)"

submitted=$(wc -l < "$work/cluster/jobs.txt")
[ "$submitted" = 10 ] || fail "$submitted tasks in place of 10"
jobs --engine slurm list > said
says said 'jobs: 0 of 8 run, 0 of them again'
rm results/12.tr
jobs --engine slurm list > said
says said 'jobs: 1 of 8 run, 0 of them again'
cmp results/12.tr "$work/here/results/12.tr" || fail 'another result than on this machine'
[ "$(wc -l < "$work/cluster/jobs.txt")" = 11 ] || fail 'other tasks than the one without a result'

printf '1\tresults/bad\tsoc-sim --l3-latency 4\n' > wrong
! jobs --engine slurm --tries 2 wrong 2> said || fail 'a task without a result is none'
grep -qE '^run-jobs: results/bad: no result after 2 tries: soc-sim: .*l3-latency.* \(see results/bad.log\)$' said && [ "$(wc -l < said)" = 1 ] ||
	fail "a task without a result: $(cat said)"
printf '1\tresults/none\techo\n' > refused
! SBATCH_OPTIONS=--partition=none jobs --engine slurm refused 2> said || fail 'sbatch was refused, and nothing said'
says said 'run-jobs: sbatch: error: invalid partition specified: none'

printf '1\tresults/long\ttouch begun; sleep 600\n' > long
"$root/pipelines/run-jobs.sh" --engine slurm long > said 2>&1 & engine=$!
for _ in $(seq 200); do [ ! -e begun ] || break; sleep 0.1; done
[ -e begun ] || fail "a task has not begun: $(squeue) $(sinfo)"
kill -TERM $engine
! wait $engine || fail 'the end by a signal is none'
for _ in $(seq 100); do [ -n "$(squeue -h)" ] || break; sleep 0.1; done
[ -z "$(squeue -h)" ] || fail "what was cancelled still runs: $(squeue -h)"
checked=$((checked + 1))

cd "$root"
make -s --no-print-directory sweep PARAM=l2-latency=10,20 PROGRAM=chase_l2 ENGINE=slurm SWEEP="$work/sweep" > "$work/said" 2>&1 || fail "$(cat "$work/said")"
[ "$(cut -d , -f 1 "$work/sweep/sweep.csv" | paste -s)" = $'l2-latency\t10\t20' ] || fail "$(cat "$work/sweep/sweep.csv")"
checked=$((checked + 1))

kill "$(cat "$work/cluster/slurmctld.pid")"
! jobs --engine slurm "$work/there/long" 2> "$work/said" || fail 'jobs without slurmctld'
says "$work/said" 'run-jobs: scontrol: no answer from slurmctld, which runs the jobs of Slurm'
[ $((SECONDS - begin)) -lt 120 ] || fail "$((SECONDS - begin)) s"
echo "slurm: $checked checks; a task was killed, and a node died, in $((SECONDS - begin)) s"
