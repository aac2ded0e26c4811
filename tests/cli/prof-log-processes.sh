# SPDX-License-Identifier: Apache-2.0
# Processes that are not profiled, have ended, or have the number of another one; one that
# executes another program, and one that ends, while they are followed.
. "$SRC/tests/cli/prof-log.inc"
spans() { printf '%s\n' 'span 1 1000 0 1 3 3 0' '1 1' '2 2'; }
log $$
log 4194305
log --global
make_counts -p 4194305 -s 1 /usr/bin/it <<< '5 main' > "$(name_of 4194305)"
log 4194305
make_counts -p $$ -s 1 /usr/bin/it <<< '5 main' > "$(name_of $$)"
log $$
make_counts -p 1 -s "$(started $$)" /usr/bin/it <<< '5 main' > "$(name_of $$)"
log $$
make_file $$ /usr/bin/it <<< '5 main'
log $$
chmod 775 "$run"
log $$
chmod 755 "$run"
# Of another user's process there is no file in this TMPDIR.
rm -r "$run"
log $$
mkdir "$run"

# Prints what was printed of a process that was followed, each different line once.
show_followed() { # NAME PID
	sed "s/process $2/process N/; s/until -*[0-9.]* s/until AGE s/" "$1.txt" | awk '$0 != "" && !seen[$0]++'
}
follow() { # NAME OPTIONS... PID
	local name=$1
	shift
	prof-log "$@" > "$name.txt" 2>&1
	echo "status $?" >> "$name.txt"
}
await_line() { # TEXT FILE
	for _ in {1..300}; do
		grep -q "$1" "$2" 2> /dev/null && return
		sleep 0.1
	done
	echo "no line $1"
}
echo '# ends'
sleep 100 &
pid=$!
make_file $pid /usr/bin/first <<< '5 main'
spans | head -n 2 | make_log "$(name_of $pid)"
follow endless --every 20 $pid &
endless=$!
follow counted -n 1000 --every 20 $pid &
counted=$!
await_line main endless.txt
await_line main counted.txt
kill $pid
wait $pid 2> /dev/null
wait $endless $counted
show_followed endless $pid
show_followed counted $pid
echo '# executes another program, then its file is removed'
sleep 100 &
pid=$!
make_file $pid /usr/bin/first <<< '5 main'
spans | head -n 2 | make_log "$(name_of $pid)"
follow other --every 20 $pid &
await_line main other.txt
make_counts -p $pid -s "$(started $pid)" /usr/bin/second <<< '5 begin' > second.dat
spans | head -n 2 | make_log second.dat
mv second.dat "$(name_of $pid)"
await_line begin other.txt
rm "$(name_of $pid)"
wait $!
show_followed other $pid
kill $pid
