# SPDX-License-Identifier: Apache-2.0
# Forms of text: ends of lines as of Windows, blank lines, blanks at the end, a mark of the
# byte order, no end of the last line, the end of a line at the beginning, lines that are too
# long. The result is that of the plain log.
cp -r "$SRC/tests/cli/data/logs" .
logs=logs
convert() { # FORMAT LOG OPTION...
	tr-capture --no-provenance --from "$1" "${@:3}" "$2" | tr-text --tokens -
}
for log in $logs/*.log; do
	name=$(basename "$log" .log)
	format=$(tr-capture "$log" | tr-text - | sed -n 's/^header source=//p')
	[ "$format" != tracerv-binary ] || continue
	convert $format "$log" > whole
	tail -n +2 "$log" > rest.log
	convert $format rest.log > rest 2> message
	sed 's/$/\r/' "$log" > windows
	{ printf '\n \t\r\n'; cat "$log"; } > blank
	sed 's/$/\n/' "$log" > double
	sed 's/$/ \t/' "$log" > blanks
	{ printf '\357\273\277'; cat "$log"; } > mark
	head -c -1 "$log" > open
	for form in windows blank double blanks mark open; do
		[ $name-$form != tracerv-stacks-open ] || continue # its last number may be longer
		convert $format $form | cmp - whole || echo "$name: $form"
	done
	tail -c +6 "$log" > cut
	convert $format cut 2> message | cmp - rest || echo "$name: cut"
	[[ $name != cv32e40p && $name != kanata ]] || continue # what their beginning shows counts from its first line
	for bytes in 65600 200000 1500000; do
		{ head -n 2 "$log"; head -c $bytes /dev/zero | tr '\0' x; echo; tail -n +3 "$log"; } > long
		convert $format long --skip-bad 1 2> message | grep -v '^header' | cmp - <(grep -v '^header' whole) || echo "$name: long"
	done
done
# The first line is told; it is an error if the second one is not understood either.
tail -c +6 "$logs/spike.log" > cut
tr-capture -o a.tr cut
echo "status $?"
{ head -c 80 "$logs/ibex.log" | tail -n 1; echo; tail -c +6 "$logs/spike.log"; } > cut
for skip in 0 1 2; do
	tr-capture --from spike --skip-bad $skip -o a.tr cut
	echo "status $?"
done
head -n 1 cut > one
tr-capture --from spike -o a.tr one
echo "status $?"
{ head -n 2 "$logs/spike.log"; head -c 70000 /dev/zero | tr '\0' x; } > long
tr-capture --from spike --skip-bad 1 -o a.tr long
echo "status $?"
# Two traps, one at the first instruction of the other's handler
cat > two.log <<END
core   0: 3 0x0000000080000000 (0x00016117) x2  0x0000000080016000
core   0: 3 0x0000000080000004 (0x30200073) c768_mstatus 0x0000000a00000080
core   0: 0x0000000000010000 (0x00000073) ecall
core   0: exception trap_user_ecall, epc 0x0000000000010000
core   0: exception trap_instruction_access_fault, epc 0xffffffff80000100
core   0:           tval 0xffffffff80000100
core   0: 0x0000000080000100 (0x00008082) c.jr    ra
core   0: 3 0x0000000080000100 (0x8082)
END
tr-capture -o a.tr two.log
tr-text --tokens a.tr | grep -E '^(token|xret|trap)'
