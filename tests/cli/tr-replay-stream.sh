# SPDX-License-Identifier: Apache-2.0
# --stream writes the trace with an event at each hit, and is otherwise the trace itself.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/hello.elf")
soc-sim --trace run.tr "${programs[@]}" > /dev/null
cat > kernel.probes << 'END'
length: hello:strlen:return { s = str(arg0); n = retval }
put: firmware:uart_put { byte = arg0 }
tick: hello:page_alloc { }
END

# as_text STREAM: its hits, as tr-replay prints them.
as_text() {
	tr-text --tokens "$1" | awk '/^probe/ { name = $NF; gsub(/[()]/, "", name); line = name
			for (i = 4; i < NF; i++) line = line " " $i
			gsub(/=[+]/, "=", line); gsub(/=string:/, "=", line); gsub(/\\x0a/, "\\n", line)
			hit[++n] = line }
		/^token/ && n { for (i = 1; i <= NF; i++) { if (sub(/^cycle=/, "", $i)) cycle = $i; if (sub(/^hart=/, "", $i)) hart = $i }
			for (i = 1; i <= n; i++) print cycle " hart " hart " " hit[i]
			n = 0 }'
}
# same HITS STREAM TRACE: the hits are those of the text, and the rest that of the trace.
same() {
	as_text "$2" | sort | cmp - <(sort "$1") && echo 'the same hits'
	tr-text "$2" | grep -v '^probe\|^header p' | cmp - <(tr-text "$3" | grep -v '^header p') && echo 'the same rest'
}
tr-replay --probes kernel.probes run.tr "${programs[@]}" > hits.txt
tr-replay --stream --probes kernel.probes -v run.tr "${programs[@]}" 2> summary > probes.tr
sed 's/[0-9][0-9]*/N/g' summary
tr-text --header probes.tr | grep '^header probe'
cut -d' ' -f4 hits.txt | sort -u
same hits.txt probes.tr run.tr
tr-replay --stream --probes kernel.probes -@2 -u -o plain.tr - "${programs[@]}" < run.tr
tr-text plain.tr | grep -v '^header pg' | cmp - <(tr-text probes.tr | grep -v '^header pg') && echo 'the same from a pipe'

# A second replay adds its probes behind the first; hits at one place are in that order.
tr-replay --stream --probe 'again: firmware:uart_put { b = arg0 }' probes.tr "${programs[@]}" > twice.tr
tr-text --header twice.tr | grep '^header probe.[1-9]'
tr-text twice.tr | grep -v '^probe 3\|^header p' | cmp - <(tr-text probes.tr | grep -v '^header p') && echo 'the same'
tr-text twice.tr | grep -A1 '^probe 1' | grep -v ^-- | cut -d' ' -f1,2 | sort | uniq -c | sed 's/^ *//; s/^[0-9]*/N/'
[ "$(tr-text twice.tr | grep -c '^probe 1')" = "$(tr-text twice.tr | grep -c '^probe 3')" ] && echo 'as many'

# Two harts: a hit may be in a frame that the reader has left.
cat > two.S << 'END'
	.globl	test
	.type	test, @function
test:	addi	sp, sp, -16
	sd	ra, 8(sp)
	li	s2, 120000
1:	mv	a0, s2
	call	step
	addi	s2, s2, -1
	bnez	s2, 1b
	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret
	.size	test, . - test
END
cat > step.c << 'END'
long step(long n) { __asm__ volatile("xori %0, %0, 1\n\txori %0, %0, 1" : "+r"(n)); return n; }
END
. "$SRC/tests/cli/two-harts.inc"
two_harts two.S step.c
tr-text two.tr | grep -c '^frame'
tr-replay --probe 'step: two:step / arg0 % 3 == 0 / { n = arg0; h = reg("s0") }' two.tr two.elf > hits.txt
cut -d' ' -f2,3 hits.txt | sort | uniq -c | sed 's/^ *//'
tr-replay --stream --probe 'step: two:step / arg0 % 3 == 0 / { n = arg0; h = reg("s0") }' two.tr two.elf > probes.tr
same hits.txt probes.tr two.tr
tr-replay --probe 'inside: two:step+4 { h = reg("s0") }' two.tr two.elf > hits.txt
tr-replay --stream --probe 'inside: two:step+4 { h = reg("s0") }' two.tr two.elf > probes.tr
tr-text probes.tr | grep '^probe' | cut -d' ' -f 1-3 | sort | uniq -c | sed 's/^ *//'
same hits.txt probes.tr two.tr

# A difference, a truncated trace, a full disk, a closed pipe, and what makes no sense.
tr-text run.tr | sed '/^end instr\|^end cyc/d; 0,/^mmio-load/s/value=0x60/value=0x40/' | tr-text --encode -o changed.tr
tr-replay --stream --probes kernel.probes changed.tr "${programs[@]}" > part.tr 2> message
echo $? $(wc -l < message)
# The header has the arguments, and so the length of their paths.
tr-text part.tr 2>&1 > /dev/null | sed 's/byte [0-9]*/byte N/'
head -c 9000 run.tr > cut.tr
tr-replay --stream --probes kernel.probes cut.tr "${programs[@]}" 2> message | tr-text 2>&1 > /dev/null |
	sed 's/byte [0-9]*/byte N/'
wc -l < message
tr-replay --stream --probes kernel.probes -o /dev/full run.tr "${programs[@]}"
tr-replay --stream --probes kernel.probes two.tr two.elf | tr-text
tr-replay --stream --probe 'step: two:step { n = arg0 }' two.tr two.elf | head -c 10 > /dev/null
echo "${PIPESTATUS[0]}"
tr-replay --stream run.tr "${programs[@]}"
tr-replay --stream --at 10 run.tr "${programs[@]}"
tr-replay -u --probes kernel.probes run.tr "${programs[@]}"
tr-replay --no-provenance run.tr "${programs[@]}"
tr-replay --stream --probe "p: two:step { $(for n in {1..257}; do printf 'f%d = arg0; ' $n; done)}" two.tr two.elf
tr-replay --stream --probe 'put: firmware:uart_put { text = buf(0x80000000, 524288) }' run.tr "${programs[@]}" 2>&1 > part.tr | sed 's/cycle [0-9]*/cycle N/'
tr-text part.tr > /dev/null 2>&1 || echo "refused: $?"
# As many probes as there can be, each with a hit for each character.
printf 'p%d: firmware:uart_put { }\n' {1..4096} > many.probes
tr-replay --stream --probes many.probes -o many.tr run.tr "${programs[@]}"
[ "$(tr-text many.tr | grep -c '^probe')" = $((4096 * $(tr-replay --probe "p: firmware:uart_put { }" run.tr "${programs[@]}" | wc -l))) ] || echo 'not 4096 times as many'
