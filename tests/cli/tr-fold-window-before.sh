# SPDX-License-Identifier: Apache-2.0
# A window before the first cycle of a stream, which a run from a checkpoint has: where it
# begins is said, not where it ends.
cat > late.txt << 'END'
header content=stacks
header xlen=64
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
node n1 parent=n0 func=f0
thread t0 tp=0x0 satp=0x0 name=""
hart 0 cycle=1000
scontext priv=M process=0
srow n1 t0 cycles=10 instructions=10 fresh
end end=power-off
END
tr-text --encode -o late.tr late.txt
for options in '--to 100' '--to 1000' '--from 10 --to 20' '--to 1001' '--from 1010' '--from 2000'; do
	tr-fold $options late.tr # words
	echo "$options: status $?"
done
tr-report functions --to 100 late.tr
tr-timeline --to 100 late.tr > /dev/null
echo "status $?"
