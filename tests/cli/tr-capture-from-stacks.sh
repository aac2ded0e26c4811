# SPDX-License-Identifier: Apache-2.0
# Stacks that FireSim unwound: what tr-fold makes of them, and files that are wrong.
log=$SRC/tests/cli/data/logs/tracerv-stacks.log
cp "$log" TRACEFILE-C1
tr-capture --no-provenance -o a.tr TRACEFILE-C1
tr-text a.tr | grep -E '^(hart|end)'
tr-fold a.tr
tr-report functions a.tr
tr-fold --unit instructions a.tr || echo "status $?"
tr-fold --by process a.tr || echo "status $?"
tr-unwind a.tr || echo "status $?"
try() {
	rm -f a.tr
	sed "$@" "$log" > bad.log
	tr-capture --from tracerv-stacks -o a.tr bad.log
	echo "status $?"
	[ ! -e a.tr ] || tr-fold a.tr
}
try '3s/Indent: 2/Indent: 3/'
try '4s/Start/Begin/'
try '4s/At/in/'
try '4s/label: memset/label: /'
try '5s/memset/memcpy/'
try '5s/119/x/'
try '7s/130/124/'
try '8s/130/129/'
try '2d'
try -n '2{p;s/Start/End/;s/At/End/;p;s/1/0/;p}'
try -n '2{s/1/0/;s/Start/End/;s/At/End/;p}'
for limit in 1 20 43 1000; do
	tr-capture --max-cycles $limit "$log" 2> warnings | tr-fold | awk '{ sum += $NF } END { print sum }'
done
awk 'BEGIN { for (i = 1; i <= 70000; i++) print "Indent: " i ", Start label: f, At cycle: " i }' > deep.log
tr-capture deep.log > a.tr || echo "status $?"
awk 'BEGIN { for (i = 1; i <= 20000; i++) {
	print "Indent: 1, Start label: f, At cycle: " i * 10
	print "Indent: 1, End label: f, End cycle: " i * 10 + 4 } }' > long.log
tr-capture long.log | tr-fold
