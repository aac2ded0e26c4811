# SPDX-License-Identifier: Apache-2.0
# Data that only one of two streams supplies is not compared; the rest is.
cat > all.txt << 'END'
header content=rows
header watch=2,4
block a pc=0x80000000 00000013 00008067
hart 0
row a
reg x2 0x80100000
reg x4 0x5000
row a
satp 0x8000000000080123
xret priv=S
row a stall 1:4/3*3
trap cause=8 priv=M epc=0x80000004 tval=3 cycles=2/3*2
row a
end end=power-off
END
without() {
	sed "$2" all.txt | tr-text --encode -o other.tr
	echo "# $1"
	for order in "all.tr other.tr" "other.tr all.tr"; do
		# shellcheck disable=SC2086
		tr-diff -v $order 2>&1 | grep -v both
		echo "exit ${PIPESTATUS[0]}"
	done
}
tr-text --encode -o all.tr all.txt
without 'nothing' ''
without 'sp' 's/watch=2,4/watch=4/; /^reg x2/d'
without 'tp' 's/^header watch.*/&\nheader cannot_supply=tp/; /^reg x4/d'
without 'registers' '/watch/d; /^reg/d'
without 'satp' 's/^header watch.*/&\nheader cannot_supply=satp/; /^satp/d'
without 'privilege' 's/^header watch.*/&\nheader cannot_supply=priv/; s/priv=./priv=M/'
without 'traps' 's/^header watch.*/&\nheader cannot_supply=traps/; s/^xret priv=/priv /
	s/^trap.*/priv M/; 13s/$/ stall 0:3/'
without 'classes' 's/^header watch.*/&\nheader cannot_supply=classes/; s|/3\*[0-9]||'
without 'sp, but tp is another' 's/watch=2,4/watch=4/; /^reg x2/d; s/0x5000/0x5008/'
without 'sp is another in both' 's/0x80100000/0x80100010/'
sed -i '/^header watch/d' all.txt
tr-text --encode -o all.tr all.txt
without 'sp is another in both, by neither header' 's/0x80100000/0x80100010/'
