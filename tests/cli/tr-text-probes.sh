# SPDX-License-Identifier: Apache-2.0
# Hits of probes as text and back: each kind of value, and places inside a row.
tr-text --encode -o a.tr "$SRC/tests/cli/data/probes.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
tr-text --tokens a.tr | grep '^token\|^probe' | cut -d ' ' -f 1-4

try() {
	{
		printf '%s\n' 'header probe.0=p' 'header probe.0.fields=a,cycles' 'header probe.1=q'
		printf '%s\n' "$1" 'end end=power-off'
	} | tr-text --encode -o /dev/null
	echo "$?"
}
try 'probe 0 | a=1 cycles=2'
try 'probe 0 cycles=3 | a=1 cycles=2'
try 'probe 1 |'
try 'probe 1'
try 'probe 1 | a=1'
try 'probe 0 | a=1'
try 'probe 0 | cycles=1 a=2'
try 'probe 2 |'
try 'probe 4096 |'
try 'probe | a=1 cycles=2'
for value in -9223372036854775808 -9223372036854775809 +9223372036854775808 - 0x 1.5 yes \
	float: float:x float:1x enum:1 enum:x:A enum:-1:A bytes:1 bytes:xx string:; do
	try "probe 0 | a=$value cycles=2"
done
for names in '0=' '0.fields=a,a' '0.fields=a,' '0.fields=,' '4095.fields=a,a'; do
	printf 'header probe.%s\nheader probe.0=p\nend end=power-off\n' "$names" |
		tr-text --encode -o /dev/null
	echo "$names: $?"
done
for n in 255 256; do
	printf 'header probe.0=%0*d\nend end=limit\n' $n 0 | tr-text --encode | tr-text | wc -l
	printf 'header probe.0=p\nheader probe.0.fields=%s\nend end=limit\n' "$(seq -s , $n)" |
		tr-text --encode | tr-text | wc -l
done
printf 'header probe.0=p\nheader probe.0.fields=%s\nend end=limit\n' "$(seq -s , 257)" |
	tr-text --encode | tr-text | wc -l
for n in 4096 4097; do
	{
		seq 0 $((n - 1)) | sed 's/.*/header probe.&=p/'
		printf '%s\n' "probe $((n - 1)) |" 'end end=limit'
	} | tr-text --encode | tr-text | wc -l
done
