# SPDX-License-Identifier: Apache-2.0
# With the end record of another run, whose rows have a cycle or an instruction more,
# cycles are not conserved. With its own they are.
encode() {
	sed "$1" "$SRC/tests/browser/flame.txt" | tr-text --encode -u -o "$2"
}
end_of() {
	tail -c +"$(($(LC_ALL=C grep -abo RVTE "$1" | cut -d: -f1) + 1))" "$1"
}
before_end_of() {
	head -c "$(LC_ALL=C grep -abo RVTE "$1" | cut -d: -f1)" "$1"
}
encode '' own.tr
encode 's/cycles=150000/cycles=150001/; s/^end cycles=.*/end cycles=1000001/' cycle.tr
encode 's/instructions=75000/instructions=75001/
	s/^end instructions=.*/end instructions=500001/' instruction.tr
for end in own cycle instruction; do
	before_end_of own.tr > s.tr
	end_of $end.tr >> s.tr
	tr-fold -v s.tr > folded
	echo "exit $?, $(wc -l < folded) lines"
done
