# SPDX-License-Identifier: Apache-2.0
# On a terminal each table replaces the one before, and is cut to its size; one table does not, nor
# do names reach it that would change it. An interrupt ends it.
. "$SRC/tests/cli/prof-log.inc"
{
	printf '5 \033[31mred\n5 a_long_name_%s\n' "$(printf 'x%.0s' {1..60})"
	printf '5 caf\303\251%s\n' "$(printf '\303\251%.0s' {1..60})"
	seq -f '5 f%g' 4 40
} | make_file $$ /usr/bin/it
{
	echo 'span 1 1000 0 1 3 3 0'
	printf '1 %d\n' 9 8 7
	for _ in {4..40}; do echo 1 0; done
} | make_log "$(name_of $$)"
show() { # ROWS COMMAND
	script -qec "stty rows $1 columns 90; $2" /dev/null < /dev/null |
		sed "s/\\x1b/ESC/g; s/\\r//g; s/process $$\\b/process PID/; s/until -*[0-9.]* s/until AGE s/"
}
echo '# two of 12 lines'
show 12 "prof-log -n 2 --every 1 $$"
echo '# two of 3 lines'
show 3 "prof-log -n 2 --every 1 $$"
echo '# once'
show 12 "prof-log $$" | head -n 3
echo '# CSV'
show 12 "prof-log --csv --top 1 -n 2 --every 1 $$" | tail -n 3
echo '# the size is unknown'
show 0 "stty columns 0; prof-log -n 2 --every 1 $$" | tail -n 23
echo '# interrupted'
show 12 "timeout -s INT 1 prof-log --every 100 $$; echo status \$?" | tail -n 1
