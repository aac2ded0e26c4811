# SPDX-License-Identifier: Apache-2.0
# Hits that tell of virtual frames: a frame that begins, is returned to over several others,
# goes on, or is replaced; strings that are missing, cut, or have other characters than names;
# hits that tell nothing. The sums are those without them.
. "$SRC/tests/cli/tr-unwind.inc"
fields() { printf 'probe 0 | vframe=%s vframe_caller=%s vframe_call=%s vframe_again=%s vframe_name=%s vframe_file=%s vframe_line=%s vframe_language=string:"x" vframe_module=string:"X"\n' "$@"; }
# Once more around in main, which calls foo.
loop() { printf '%s\n' 'row hop' 'row foo' 'row hip'; }
{
	sed '/^row start/,$d; s/^block main2/block hop pc=0x10108 00000013 0f4000ef (jal foo)\nblock hip pc=0x10110 00000013 ff5ff06f (j hop)\n&/
		s/^note 1 main2/note 1 hop bin=0 address=0x10108\nnote 1 hip bin=0 address=0x10110\n&/' run.txt |
		awk '{ print } /^header watch=4/ {
			print "header probe.0=call"
			print "header probe.0.fields=vframe,vframe_caller,vframe_call,vframe_again,vframe_name,vframe_file,vframe_line,vframe_language,vframe_module"
			print "header probe.1=back"
			print "header probe.1.fields=vframe" }'
	# In main: a calls b, b calls c; back to a; b again, in which another function begins.
	printf '%s\n' 'row start'
	fields 0x10 0x1 true false 'string:"a"' 'string:"/lib/a.x"' 1
	printf '%s\n' 'row main1' 'row foo'
	fields 0x20 0x10 true false 'string:"b"' 'string:"b.x"' 2
	loop
	fields 0x30 0x20 true false 'string:"c"' 'string:"b.x"' 3
	loop
	loop
	echo 'probe 1 | vframe=0x10'
	loop
	fields 0x20 0x10 true false 'string:"b"' 'string:"b.x"' 2
	loop
	fields 0x20 0x10 true true 'cut-string:"d;\x07\xff"' missing missing
	loop
	# The caller is unknown: the others are gone. One that goes on is no call.
	fields 0x40 0x99 false false missing 'string:"b.x"' 4
	loop
	# An unknown frame without a name, one that is missing, and none.
	echo 'probe 1 | vframe=0x50'
	loop
	echo 'probe 1 | vframe=missing'
	loop
	echo 'probe 1 | vframe=0x0'
	loop
	# b goes on, with those that have called it, though it was not left here.
	fields 0x30 0x20 false false 'string:"c"' 'string:"b.x"' 3
	loop
	sed -n '/^row main2/,$p' run.txt
} > hits.txt
tr-text --encode -o hits.tr hits.txt
tr-unwind hits.tr | tee stacks.tr | tr-fold
tr-report functions --format csv stacks.tr | cut -d, -f 1,11,12 | sort
tr-text stacks.tr | grep -o 'unwind_virtual_lost=.*'
sed '/^probe [01] /d' hits.txt | tr-text --encode | tr-unwind | tr-fold > without
tr-fold stacks.tr | sed 's/;x:[^;]*)//g' | awk '{ sum[$1] += $2 } END { for (stack in sum) print stack, sum[stack] }' | sort | diff without - && echo 'cycles: the same'
