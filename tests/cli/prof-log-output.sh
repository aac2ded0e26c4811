# SPDX-License-Identifier: Apache-2.0
# Options, a full disk, a pipe without a reader, several tables, and a lock that is never released.
. "$SRC/tests/cli/prof-log.inc"
make_file $$ /usr/bin/it <<< '5 main'
printf '%s\n' 'span 1 1000 0 1 3 3 0' '1 1' | make_log "$(name_of $$)"
log --no-such-option
log
log $$ $$
log --global $$
for number in 0 -1 1x '' 99999999999999999999; do
	log -n "$number" $$
done
log --every 0 $$
log --every 2147483648 $$
log --top x $$
log --version
log --help
log --list-options
echo '# two tables'
log -n 2 --every 1 $$
log --csv -n 2 --every 1 $$
echo '# until the reader has enough'
{ prof-log --every 1 $$; echo "status $?" >&2; } | head -n 30 | wc -l
prof-log $$ > /dev/full
echo "status $?"
{ sleep 0.3; prof-log $$; echo "status $?" >&2; } | :
{ flock 9; exec sleep 100; } 9< "$run" &
sleep 0.3
timeout 30 prof-log $$ > /dev/null
echo "status $?"
kill $!
