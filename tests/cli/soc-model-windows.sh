# SPDX-License-Identifier: Apache-2.0
# Where windows open and close: the model and the simulator agree on tokens and traps. An
# instruction that traps does not fire a trigger; when it executes again it may. A WFI
# owns many cycles, any of which may fire a trigger; the cycles of a trap belong to no
# token.
. "$SRC/tests/cli/soc-model.inc"

program a.elf << END
.globl _start, again, loads, last, after, waits, handler
_start:	la t0, handler
	csrw mtvec, t0
	li s0, 2
again:	li s1, 0
	li tp, 5
loads:	lw a0, (s1)
	addi s0, s0, -1
	bnez s0, again
last:	li a0, 1
	csrw satp, a0
after:	li a0, 0x2004000
	li a1, 1
	sd a1, (a0)
	li a0, 0x80
	csrw mie, a0
waits:	wfi
	nop
$off
.balign 4
handler: la s1, handler
	mret
END

# window OPTION...: prints the window's tokens and events, by the model.
window() {
	local tool
	echo "$*"
	for tool in soc-model soc-sim; do
		"$tool" --trace "$tool.tr" "$@" a.elf
		tr-text --tokens "$tool.tr" |
			sed -nE "/^(token|trap|xret|satp|reg|priv|gap|trigger|end end)/{s/ (cycles?|hart|space)=[^ ]*//g;p}" > "$tool"
	done
	cat soc-model
	diff soc-model soc-sim
}
window --start pc=loads --stop pc=last
window --start pc=again --stop pc=loads
window --start pc=again --stop pc=last
window --start insn=4088/ffff --stop insn=4481/ffff
window --start insn=4481/ffff --stop insn=4088/ffff
window --start pc=last --stop pc=last
window --stop pc=loads
window --start pc=handler --stop pc=again
window --start pc=after --stop pc=waits
window --start exit
window --start exit --stop pc=last

# cycles STREAM: the kind of each token and trap, and its first and last cycle.
cycles() {
	tr-text --tokens "$1" | awk '
		/^(token|trap)/ {
			n = 0
			for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) n = substr($i, 8) + 0
			print $1 ($3 == "10500073" ? "-wfi" : ""), now + 1, now + n
			now += n
		}'
}
tokens() { tr-text --tokens "$1" | awk '/^token/ { printf " %s", $3 }'; }
for tool in soc-model soc-sim; do
	$tool --trace a.tr a.elf
	cycles a.tr > cycles
	$tool --trace b.tr --start exit a.elf
	tr-text --tokens b.tr | grep "^token" | diff <(tr-text --tokens a.tr | grep "^token" | tail -n 1) -
	read -r first last < <(sed -n 's/^token-wfi //p' cycles)
	for at in first-1 first last last+1; do
		$tool --trace b.tr --start pc=waits --stop "cycle=$((at))" a.elf
		echo "$tool, $at of the WFI:$(tokens b.tr)"
	done
	read -r first last < <(sed -n 's/^trap //p' cycles)
	$tool --trace b.tr --start "cycle=$last" --stop "cycle=$last" a.elf
	echo "$tool, last of the trap:$(tokens b.tr)"
done

# A limit before the first token, or in the middle of a miss: the trace has all cycles up
# to it.
for n in 100 150; do
	soc-sim --trace a.tr --max-cycles $n a.elf
	tr-text a.tr | sed -n "s/^end cycles=/of $n: /p"
done
