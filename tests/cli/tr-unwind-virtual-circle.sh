# SPDX-License-Identifier: Apache-2.0
# Identities of virtual frames are used again, so that what is remembered of callers can make a
# circle: those of a frame that goes on are there once each.
. "$SRC/tests/cli/tr-unwind.inc"
fields() { printf 'probe 0 | vframe=%s vframe_caller=%s vframe_call=%s vframe_name=string:"%s"\n' "$@"; }
loop() { printf '%s\n' 'row hop' 'row foo' 'row hip'; }
{
	sed '/^row start/,$d; s/^block main2/block hop pc=0x10108 00000013 0f4000ef (jal foo)\nblock hip pc=0x10110 00000013 ff5ff06f (j hop)\n&/
		s/^note 1 main2/note 1 hop bin=0 address=0x10108\nnote 1 hip bin=0 address=0x10110\n&/' run.txt |
		awk '{ print } /^header watch=4/ {
			print "header probe.0=call"
			print "header probe.0.fields=vframe,vframe_caller,vframe_call,vframe_name"
			print "header probe.1=back"
			print "header probe.1.fields=vframe" }'
	printf '%s\n' 'row start' 'row main1' 'row foo'
	fields 0x10 0x20 true a
	loop
	echo 'probe 1 | vframe=0x0'
	fields 0x20 0x10 true b
	loop
	echo 'probe 1 | vframe=0x0'
	# c, called by a, called by b, of which a is remembered as the caller.
	fields 0x30 0x10 false c
	loop
	echo 'probe 1 | vframe=0x0'
	# The caller of a, which is the same again.
	fields 0x20 0x10 false b
	loop
	sed -n '/^row main2/,$p' run.txt
} > hits.txt
tr-text --encode hits.txt | tr-unwind | tr-fold
