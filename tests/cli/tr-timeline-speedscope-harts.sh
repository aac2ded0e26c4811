# SPDX-License-Identifier: Apache-2.0
# Threads on two harts in speedscope's format: a thread that moves has one profile, one that is on
# both at once has two, with different names; calls nest, and times never go back.
cat > check.py << 'END'
import json, sys
file = json.load(open(sys.argv[1]))
names = [frame['name'] for frame in file['shared']['frames']]
print(len(set(profile['name'] for profile in file['profiles'])), 'names')
for profile in file['profiles']:
    time, stack, sums = profile['startValue'], [], {}
    for event in profile['events']:
        assert event['at'] >= time, 'time goes back'
        if stack:
            key = ';'.join(names[frame] for frame in stack)
            sums[key] = sums.get(key, 0) + event['at'] - time
        time = event['at']
        if event['type'] == 'O':
            stack.append(event['frame'])
        else:
            assert stack.pop() == event['frame'], 'calls do not nest'
    assert not stack and time <= profile['endValue'], 'calls stay open'
    for key in sorted(sums):
        if sums[key]:
            print(profile['name'] + ';' + key, sums[key])
END
show() { # NAME
	for by in thread hart; do
		tr-timeline --format speedscope --by $by --min-cycles 0 --max-depth 0 -o timeline.json "$1.tr"
		[ $by = thread ] && option='--by thread' || option=
		# shellcheck disable=SC2086 # words
		tr-fold --format speedscope $option -o fold.json "$1.tr"
		echo "# $1 by $by"
		python3 check.py timeline.json | tee timeline.txt
		python3 check.py fold.json | cmp - timeline.txt
		tr-fold --by $by "$1.tr" 2> /dev/null | sed 's/ (hart [0-9]*)//' > stacks.folded
		sed '1d; s/ (hart [0-9]*)//' timeline.txt | awk '{ n = $NF; sub(/ [0-9]*$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' |
			LC_ALL=C sort | cmp - stacks.folded
	done
}
cat > moves.txt << 'END'
header content=stacks
header xlen=64
header harts=2
func f0 kind=program address=0x0 binary="k" name="k"
func f1 kind=function address=0x1000 binary="k" name="main"
func f2 kind=function address=0x2000 binary="k" name="leaf"
func f3 kind=function address=0x3000 binary="k" name="other"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n2 func=f3
thread t0 tp=0x100 satp=0x0 name="a"
thread t1 tp=0x200 satp=0x0 name="b"
hart 0 cycle=0
srow n2 t0 cycles=10 instructions=10 fresh
srow n3 t0 cycles=10 instructions=10 fresh
srow n3 t1 cycles=20 instructions=10 fresh
hart 1 cycle=0
srow n2 t1 cycles=20 instructions=10 fresh
srow n3 t0 cycles=20 instructions=10
frame 1
hart 0
srow n4 t0 cycles=10 instructions=10 fresh
hart 1
srow n4 t1 cycles=10 instructions=10 fresh
end end=power-off
END
tr-text --encode -o moves.tr moves.txt
show moves
# The boot of both harts is one thread, as without tp and sp.
sed '/^srow/s/ t1 / t0 /' moves.txt | tr-text --encode -o both.tr
show both
