# SPDX-License-Identifier: Apache-2.0
# Cycles by class of the whole run, and of each program, process, privilege and hart, which add up
# to it; with a window; and of an empty stream.
cat > s.txt << 'END'
header content=stacks
header harts=2
header classes=memory.dram,idle,core.div
func f0 kind=program name=p
func f1 kind=function name=main binary=p
func f2 kind=program name=q
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n0 func=f2
thread t0 name=p
thread t1 name=q
hart 0 cycle=0
scontext process=1 priv=U
srow n2 t0 cycles=20 instructions=5 classes=/1*10/3*5
scontext process=2 priv=S
srow n3 t1 cycles=40 instructions=8 classes=/1*2/2*30
hart 1 cycle=0
scontext process=1 priv=M
srow n2 t0 cycles=60 instructions=10 classes=/3*50
end end=power-off
END
tr-text --encode -o s.tr s.txt
tr-report classes s.tr
for by in program process privilege hart; do
	tr-report classes --by $by -v s.tr
	tr-report classes --by $by --format csv s.tr | awk -F, '$5 == "all" { sum += $1 } END { print "sum", sum }'
done
tr-report classes --by hart --from 10 --to 30 --format csv s.tr
tr-report classes --by thread --format json s.tr | python3 -m json.tool --compact
sed '/^hart/d; /^srow/d' s.txt | tr-text --encode -o empty.tr
for format in text csv json; do
	tr-report classes --by process --format $format empty.tr
done
sed '/^header classes/d; s/classes=.*//' s.txt | tr-text --encode | tr-report classes
