# SPDX-License-Identifier: Apache-2.0
# The bench fails if a figure could not be measured: what each broken input prints, and the
# exit status that follows.
unset from_zero
out=. bin=$PWD/programs tsv=figures.tsv runs=3
. "$SRC/tests/bench/measure.sh"

# Prints the verdict, and whether the bench would pass with this figure alone.
alone() { # FUNCTION ARGUMENT...
	: > $tsv
	"$@"
	end_figures && echo '  passes'
}

echo '# numbers'
alone figure plain 2.5 s
alone figure least 2 s min 2
alone figure exponent 1e-3 s max 1
alone figure negative_limit 1 s min -1
alone figure_from_zero from_zero 0 ppm max 100
alone figure_from_zero from_zero_decimal 0.0 ppm max 100
alone figure after_it 0 ppm max 100
alone figure short 1.9 s min 2
alone figure long 2.1 s max 2
alone figure spread 2.1 s max 2 1.9 2.2
echo '# not numbers'
for value in '' nan -nan inf -inf 0 0.00 -1 failed '1 2' 1.2.3 x; do
	alone figure "value_$value" "$value" s max 2
	alone figure "value_$value" "$value" s
done
alone figure_from_zero empty '' ppm max 100
alone figure_from_zero nan nan ppm max 100
for limit in '' nan x; do alone figure limit 2 s min "$limit"; done
alone figure low 2 s min 1 '' 3
alone figure high 2 s min 1 1 nan
alone :

echo '# calculations'
calculate %.1f 6 / 4
calculate %.2f \( 3 - 1 \) / 4e0
calculate %.1f '' / 4
calculate %.1f 6 / ''
calculate %.1f 6 / 0
calculate %.1f nan / 4
calculate %.1f 6 / failed
ratio 3 4
ratio 3 ''
ratio '' 4
mega 5000000 2
mega failed 2
lower 3 2
lower 2 3
lower failed 2
lower 2 failed
higher 2 3
higher failed 3

echo '# commands'
seconds_known() { is_number "$1" && echo seconds || echo "$1"; }
seconds_known "$(once %R 'sleep 0.01')"
once %R false
once %R 'false | true'
once %R 'false; true'
once %U 'no-such-program'
once %R 'exit 3'
best %R 'sleep 0.01' 'exit 4' > least
{ read -r good; read -r bad; } < least
seconds_known "$good"
echo "$bad"
alone compare failed_above 2 1 max 10
alone compare failed_below 1 2 min 0
# The last of three runs fails.
best %R 'sleep 0.01' 'sleep 0.01; echo >> count; [ $(wc -l < count) != 3 ]' > least
sed -n 2p least
alone compare failed_once 2 1 max 10
printf '%s\n' '1 2' '1 nan' > rounds
alone compare nan 2 1 max 10
printf '%s\n' '0.000 2' '1 2' > rounds
alone compare zero 1 2 max 10
: > rounds
alone compare nothing 2 1 max 10
printf '%s\n' '2 4' '2 5' '2 6' > rounds
alone compare good 2 1 max 2.4

echo '# what tr-info tells'
info run.tr instructions 2> /dev/null
mkdir programs
printf '#!/bin/sh\necho cycles 7; echo instructions 5; echo instructions 6\n' > programs/tr-info
chmod +x programs/tr-info
info run.tr instructions
info run.tr blocks

echo '# instructions of the host'
counted() { # STANDARD_ERROR STATUS: what valgrind does
	printf '#!/bin/sh\n%s\nexit %s\n' "$1" "$2" > programs/valgrind
	chmod +x programs/valgrind
}
counts='echo "==1== Collected : $(($1 * 3 + 1000))" >&2'
run() { (PATH=$PWD/programs:$PATH; per_cycle 100 300 'valgrind %d') }
counted "$counts" 0
run
counted "$counts" 1
run
counted 'echo Collected >&2' 0
run
counted 'echo "==1== Collected : 0" >&2' 0
run
counted 'echo "==1== Collected : 1000" >&2' 0
alone figure per_cycle "$(run)" /cycle max 2000
per_cycle 100 300 'no-valgrind --max-cycles %d'

echo '# the bench'
mkdir -p tree/tests/bench tree/build
cp "$SRC"/tests/bench/{bench,measure}.sh tree/tests/bench
bench() { # PART_TEXT
	echo "$1" > tree/tests/bench/part.sh
	tree/tests/bench/bench.sh part
	echo "exit $?"
}
bench 'figure good 1 s'
bench 'figure good 1 s; figure bad "" s; figure also_bad "$(seconds false)" s max 1; figure good_too 1 s'
bench '(figure lost nan s)'
bench 'figure good 1 s; "$bin/soc-none"' 2>&1 | sed 's/.*soc-none: /soc-none: /'
bench 'figure good 1 s; n=$("$bin/tr-none" | cat)' 2>&1 | sed 's/.*tr-none: /tr-none: /'
bench 'figure good 1 s; x=$(ratio "$nothing" 1)' 2>&1 | sed 's/.*nothing: /nothing: /'
bench ':'
rm tree/tests/bench/part.sh
tree/tests/bench/bench.sh part 2>&1 | sed 's/.*part.sh: /part.sh: /'
echo "exit $?"
