# SPDX-License-Identifier: Apache-2.0
# Text that is not a folded profile: file, line and reason. Frames may contain blanks.
echo 'operator new(unsigned long);f 5' > good
try() {
	printf "$1" > bad
	tr-diff good bad
	echo "exit $?"
}
try ''
try '\n\n'
try 'a;b\n'
try 'a;b 1\na;b \n'
try 'a 1\n 5\n'
try 'a 1\nb -5\n'
try 'a 1.5\n'
try 'a 0x10\n'
try 'a 18446744073709551616\n'
try 'a 18446744073709551615\nb 1\n'
try 'a\0b 1\n'
head -c 300000 /dev/zero | tr '\0' x > bad
tr-diff good bad
echo "exit $?"
{
	head -c 300000 /dev/zero | tr '\0' ';'
	echo ' 3'
} > deep
tr-diff deep deep
echo "exit $?"
printf 'operator new(unsigned long);f 5\r\n\r\n' > crlf
tr-diff good crlf
echo "exit $?"
printf '\377;\001\177 5' > bytes
tr-diff --svg bytes.svg bytes bytes
echo "exit $?"
