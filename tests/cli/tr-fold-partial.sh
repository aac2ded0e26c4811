# SPDX-License-Identifier: Apache-2.0
# An incomplete text output is emptied, or truncated to its previous contents; that of
# tr-text has its own mark, and stays.
{
	echo 'header content=stacks'
	echo 'thread t0 name=p'
	echo 'func f0 kind=function name=a_long_name_of_a_function binary=p'
	for i in {1..60}; do echo "node n$i parent=n$((i - 1)) func=f0"; done
	for i in {1..60}; do echo "srow n$i t0 cycles=1 instructions=1"; done
	echo 'end end=power-off'
} | tr-text --encode -o s.tr
echo '# before' > appended
trap '' XFSZ
ulimit -S -f 1
tr-fold s.tr > folded
echo "exit $?"
tr-fold -o other s.tr
tr-fold s.tr >> appended
tr-fold --svg svg -o /dev/null s.tr
tr-report functions -o table s.tr
tr-text s.tr > text
stat -c '%n %s' folded other appended svg text
cat appended

