# SPDX-License-Identifier: Apache-2.0
# The tables of pipelines name functions as the filters do: one with a namesake has its address
# behind its name, and a name may have spaces.
stream() { # million cycles of each function
	cat << END
header content=stacks
header classes=memory.l2,core.div
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name=work
func f2 kind=function address=0x8000002a binary=p name=work
func f3 kind=function address=0x40 binary=p name="rest(unsigned long, int)"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n1 func=f3
thread t0 name=p
END
	for n in 2 3 4; do
		echo "srow n$n t0 cycles=${1}000000 instructions=1000000 fresh classes=/1*$(($1 - 2))000000/2*1000000"
		shift
	done
	echo end end=limit
}
stream 5 4 3 | tr-text --encode -o before.tr
stream 3 7 6 | tr-text --encode -o after.tr
column=$SRC/pipelines/last-column.awk

tr-diff --tma before.tr after.tr | awk -v title=t -f "$column" -f "$SRC/pipelines/fireperf-causes.awk"
tr-report tma -o run.txt before.tr
awk -v most=3 -f "$column" -f "$SRC/pipelines/linux-tma.awk" run.txt
tr-report functions -o run.txt before.tr
awk -v title=t -f "$column" -f "$SRC/pipelines/fireperf-functions.awk" run.txt
