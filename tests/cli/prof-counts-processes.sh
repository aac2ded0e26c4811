# SPDX-License-Identifier: Apache-2.0
# The files of the run folder: a process that lives, one that has ended, one whose number
# another process has now, a zombie, one with a strange name, and the global
# file. Other files are not listed.
. "$SRC/tests/cli/prof-counts.inc"
started() { sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20; }
name_of() { printf '%s/%05d.dat' "$run" "$1"; }
# Names in place of numbers, in their order.
show() {
	counts "$@" | sed "s/^ *$$\\b/LIVING/; s/^ *$other\\b/OTHER/; s/^ *$strange\\b/STRANGE/
		s/^ *$zombie\\b/ZOMBIE/" | sort -s -k 1,1
}
sleep 100 &
other=$!
cp "$(command -v sleep)" 'a) Z b'
'./a) Z b' 100 &
strange=$!
# A child that has ended, and a parent that does not wait for it.
{ sleep 0.1 & echo $! > zombie.txt; exec sleep 100; } &
parent=$!
sleep 1
zombie=$(cat zombie.txt)
printf '5 main\n6 * spin\n' > lines.txt
make_counts -p $$ -s "$(started $$)" /usr/bin/it < lines.txt > "$(name_of $$)"
make_counts -p $other -s 1 /usr/bin/it < lines.txt > "$(name_of $other)"
make_counts -p $strange -s "$(started $strange)" /usr/bin/it < lines.txt > "$(name_of $strange)"
make_counts -p "$zombie" -s "$(started "$zombie")" '/bin/a, b' < lines.txt > "$(name_of "$zombie")"
make_counts -p 4194305 -s 77 /usr/bin/it < lines.txt > "$run/4194305.dat"
make_counts -g < lines.txt > "$run/00000.dat"
touch "$run/4.dat" "$run/00004.dat.new" "$run/x.dat" "$run/injected00004.o"
show
show --csv
kill $other $strange $parent
