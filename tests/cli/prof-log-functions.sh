# SPDX-License-Identifier: Apache-2.0
# The functions of a span by samples, then calls, then name; what is unknown; percentages that
# add up; the first ones; CSV; the latest of several spans.
. "$SRC/tests/cli/prof-log.inc"
make_file $$ /usr/bin/it << 'END'
0 main
0 * spin
0 hot
0 add<a, "b">
0 never
0 _sampled
0 called
END
log $$
cat > spans.txt << 'END'
span 1 5 5 5 5 5 5
1 5
span 0 5000000000 16000000000 4000000 1000 1700 3
1 5
70000 120
12500000 800
9 5
0 0
0 20
70001 0
END
make_log "$(name_of $$)" < spans.txt
log $$
log --top 2 $$
log --top 100 --csv "$(name_of $$)" | sed 's/^[0-9]\{5,\},/TIME,/'
echo '# unknown cycles'
echo 'span 123456 5000000000 0 4000000 1000 1700 3
1 5' | make_log "$(name_of $$)"
log --csv --top 1 $$
echo '# no samples'
echo 'span 123456 5000000000 1 0 0 0 3
1 0' | make_log "$(name_of $$)"
log --csv --top 1 $$
echo '# no time'
echo 'span 123456 0 1 1 10 10 3
1 9' | make_log "$(name_of $$)"
log --csv --top 1 $$
echo '# more samples of functions than of the process, and the largest numbers'
echo 'span 18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615 1 2 18446744073709551615
18446744073709551615 18446744073709551615' | make_log "$(name_of $$)"
log --csv --top 1 $$
log --top 1 $$
echo '# calls are not counted'
echo 'uncounted
span 123456 1000000000 3200000000 4000000 10 10 0
0 9' | make_log "$(name_of $$)"
log $$
log --csv --top 1 $$
echo '# all processes'
make_counts -g > "$(name_of 0)" << 'END'
0 main
0 hot
END
log --global
echo 'span 0 1000000000 3200000000 4000000 150 250 0
10 50
2000 75' | make_log "$(name_of 0)"
log --global
log 0 --csv | sed 's/^[0-9]\{5,\},/TIME,/'
echo '# no functions'
make_counts -p 5 -s 5 /usr/bin/it < /dev/null > none.dat
echo 'span 7 1000000000 3200000000 4000000 150 250 0' | make_log none.dat
log none.dat
echo '# no process yet'
make_counts /usr/bin/it <<< '0 main' > early.dat
echo 'span 7 1000000000 3200000000 4000000 150 250 0' | make_log early.dat
log early.dat
