#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run-jobs.sh [--engine make|slurm] [--jobs N] [--tries N] [--input FILE]... LIST: runs the commands of
# LIST, each of which has one file as its result, on this machine, N at a time, or as array jobs of
# Slurm on machines that share the current folder. `man tr-cluster` describes it for users.
#
# A line of LIST has three fields, separated by tabs:
#   LENGTH   how long the command takes, in any unit; the longest is started first
#   RESULT   the file; its folder is created
#   COMMAND  for bash -eu -o pipefail, in the current folder; its standard output is the result
#
# Files are the results, and an engine only runs commands. What a command writes has another name
# until it is complete. RESULT.job has the command, and the SHA-256 of each --input FILE; a result of
# another command, or of other files, is none. What has no result is run, and what has none
# afterwards is run again, up to --tries times (3). RESULT.log has the messages of the last try.
#
# Prints how many of the commands were run. The exit status is 0 if all
# have a result, or 2, with one line on standard error. Options of sbatch can be in SBATCH_OPTIONS,
# or in the variables that it has itself, such as SBATCH_PARTITION.
set -euo pipefail
shopt -s nullglob
export LC_ALL=C

script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
engine=make jobs=$(nproc) tries=3 inputs=()
# Of each job: its line without the length, its result, and what is in RESULT.job.
declare -a lines results records
# Process groups of make and sbatch.
declare -a groups=()

die() { printf 'run-jobs: %s\n' "$*" >&2; exit 2; }

# run_task FILE NUMBER: runs the command in that line of FILE, as a task of an engine.
run_task() {
	local line result command status=0
	[ -r "$1" ] || die "$1: not on $HOSTNAME: Slurm's machines must share this folder"
	line=$(sed -n "$2p" "$1")
	result=${line%%$'\t'*} command=${line#*$'\t'}
	# A task of which Slurm knows no more may still run, on another machine.
	part=$result.part.$HOSTNAME.$$
	trap 'rm -f -- "$part"' EXIT
	bash -eu -o pipefail -c "$command" > "$part" 2> "$result.log" < /dev/null || status=$?
	[ $status = 0 ] || { echo "exit status $status" >> "$result.log"; exit $status; }
	{ sync -- "$part" && mv -- "$part" "$result"; } 2>> "$result.log"
	[ -s "$result.log" ] || rm -f -- "$result.log"
}

check_list() {
	local wrong
	[ -f "$list" ] || die "$name: not a file"
	[ -r "$list" ] && [ -w "$list" ] || die "$name: cannot be read and written"
	[ -s "$list" ] || die "$name: no jobs"
	[ -z "$(tail -c 1 "$list")" ] || die "$name: cut off: no end of line at the end"
	[ "$(tr -d '\0' < "$list" | wc -c)" = "$(wc -c < "$list")" ] || die "$name: NUL byte: not text"
	wrong=$(awk -F '\t' 'NF < 3 || $2 == "" || $3 == "" { print "line " NR ": not LENGTH, RESULT and COMMAND, separated by tabs"; exit }
		$1 !~ /^[0-9]+(\.[0-9]+)?$/ { print "line " NR ": length is not a decimal number: " $1; exit }
		$2 in seen { print "line " NR ": the result of line " seen[$2] ", too: " $2; exit }
		{ seen[$2] = NR }' "$list")
	[ -z "$wrong" ] || die "$name: $wrong"
}

# Reads the list, the longest job first.
read_list() {
	local hashes='' line
	[ ${#inputs[@]} = 0 ] || hashes=$(sha256sum -- "${inputs[@]}" 2>&1) || die "${hashes##*sha256sum: }"
	mapfile -t lines < <(sort -s -t $'\t' -k 1,1nr "$list" | cut -f 2-)
	for line in "${lines[@]}"; do
		results+=("${line%%$'\t'*}")
		records+=("${line#*$'\t'}"$'\n'"$hashes")
	done
}

has_result() { # INDEX
	[ -f "${results[$1]}" ] && [ -f "${results[$1]}.job" ] && [ "$(< "${results[$1]}.job")" = "${records[$1]%$'\n'}" ]
}

# Prints the folders of all results.
result_folders() {
	local result
	for result in "${results[@]}"; do
		case $result in
		*/*) printf '%s\n' "${result%/*}/" ;;
		*) echo . ;;
		esac
	done | sort -u
}

# Sets `missing` to the indices of the jobs without a result.
find_missing() {
	local i
	# NFS asks its server again when a folder is listed.
	result_folders | xargs -d '\n' ls -- > /dev/null 2>&1 || :
	missing=()
	for i in "${!lines[@]}"; do has_result "$i" || missing+=("$i"); done
}

# Writes the lines of the missing jobs to todo.NNNNNN, at most $1 to a file.
write_todo() {
	local i
	rm -rf -- "$list.slurm" "$list".submitted.* "$list".todo.*
	result_folders | xargs -d '\n' mkdir -p --
	remove_parts
	for i in "${missing[@]}"; do
		rm -f -- "${results[i]}" "${results[i]}.log"
		printf '%s\n' "${records[i]%$'\n'}" > "${results[i]}.job"
	done
	for i in "${missing[@]}"; do printf '%s\n' "${lines[i]}"; done | split -a 6 -d -l "$1" - "$list.todo."
}

# Removes what tasks that were killed have left.
remove_parts() {
	local result
	for result in "${results[@]}"; do printf '%s\0' "$result".part.*; done | xargs -0 rm -f --
}

# start COMMAND...: in the background, in a process group of its own.
start() {
	set -m
	"$@" &
	groups+=($!)
	set +m
}
stop_all() {
	trap '' INT TERM HUP
	for group in "${groups[@]}"; do kill -- "-$group" 2> /dev/null || :; done
	wait || :
	[ "$engine" != slurm ] || scancel -Q --user="$(id -un)" --name="$job_name" || :
	exit 130
}
wait_for_all() {
	local group
	for group in "${groups[@]}"; do wait "$group" || :; done
	groups=()
}

# Each task is a target of a makefile.
run_here() {
	local tasks
	tasks=$(seq -s ' ' "$(wc -l < "$list.todo.000000")")
	printf '%s\n' "all: $tasks" ".PHONY: all $tasks" "$tasks: ; @\"\$\$SCRIPT\" --task \"\$\$TODO\" \$@" > "$list.todo.mk"
	start env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL SCRIPT="$script" TODO="$list.todo.000000" \
		make -k -s -j "$jobs" -f "$list.todo.mk" > /dev/null 2>&1
	wait_for_all
}

# A task that was killed, or whose machine failed, is not run again by Slurm, which waits for two
# minutes before it does. `sbatch --wait` ends with the last task.
run_slurm() {
	local todo options command submitted
	read -ra options <<< "${SBATCH_OPTIONS-}"
	for todo in "$list".todo.*; do
		submitted=${todo/.todo./.submitted.}
		printf -v command '%q ' exec "$script" --task "$todo"
		start sbatch --parsable --wait --no-requeue --job-name="$job_name" --array="1-$(wc -l < "$todo")" \
			--output="$list.slurm/${todo##*.}-%a" "${options[@]}" --wrap "$command \"\$SLURM_ARRAY_TASK_ID\"" \
			> "$submitted" 2> "$submitted.err"
	done
	wait_for_all
	for submitted in "$list".submitted.*[0-9]; do
		[ -s "$submitted" ] || die "$(head -n 1 "$submitted.err" | grep . || echo 'sbatch: no job was submitted')"
	done
}

# Tells why the first of the missing jobs has no result: the first message in its log that is no note,
# or else the last line.
tell_failure() {
	local result=${results[missing[0]]} others=$((${#missing[@]} - 1)) log said
	remove_parts
	log=$result.log
	[ -s "$log" ] || [ "$engine" != slurm ] || log=$list.slurm/000000-1
	said=$(grep -aE '^[A-Za-z0-9_./-]+: .' "$log" 2> /dev/null | grep -avE '(note|warning): ' | head -n 1) || :
	[ -n "$said" ] || said=$(tail -n 1 "$log" 2> /dev/null) || :
	[ -n "$said" ] || said='no message: it was killed, or its machine failed'
	die "$result: no result after $tries tr$([ "$tries" = 1 ] && echo y || echo ies): $said (see $log$([ $others = 0 ] || echo "; $others more without a result"))"
}

if [ "${1-}" = --task ]; then
	run_task "$2" "$3"
	exit
fi
while [ $# -gt 1 ]; do
	case $1 in
	--engine) engine=$2 ;;
	--jobs) jobs=$2 ;;
	--tries) tries=$2 ;;
	--input) inputs+=("$2") ;;
	*) die "$1: no such option" ;;
	esac
	shift 2
done
[ $# = 1 ] || die 'usage: run-jobs.sh [--engine make|slurm] [--jobs N] [--tries N] [--input FILE]... LIST'
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || die "--jobs: not a number from 1 to 9999: $jobs"
[[ $tries =~ ^[1-9][0-9]?$ ]] || die "--tries: not a number from 1 to 99: $tries"
name=$1 list=$(realpath -m -- "$1")
check_list
exec 9<> "$list"
flock -w 1 9 || die "$name: another run-jobs.sh is at work on it"
case $engine in
make) most=1000000 ;;
slurm)
	command -v sbatch > /dev/null || die 'sbatch: not found: this machine has no Slurm (package slurm-client)'
	most=$(scontrol show config 2> /dev/null | awk '$1 == "MaxArraySize" { print $3 - 1 }') || :
	[[ $most =~ ^[1-9][0-9]*$ ]] || die 'scontrol: no answer from slurmctld, which runs the jobs of Slurm'
	;;
*) die "--engine: not make or slurm: $engine" ;;
esac
read_list
job_name=$(basename -- "$list").$HOSTNAME.$$
trap stop_all INT TERM HUP
first=0 again=0
for ((try = 1; try <= tries; try++)); do
	find_missing
	[ ${#missing[@]} -gt 0 ] || break
	write_todo "$most"
	if [ $try = 1 ]; then first=${#missing[@]}; else again=$((again + ${#missing[@]})); fi
	if [ "$engine" = make ]; then run_here; else mkdir "$list.slurm"; run_slurm; fi
done
[ ${#missing[@]} = 0 ] || find_missing
[ ${#missing[@]} = 0 ] || tell_failure
rm -rf -- "$list.slurm" "$list".submitted.* "$list".todo.*
remove_parts
echo "jobs: $first of ${#results[@]} run, $again of them again"
