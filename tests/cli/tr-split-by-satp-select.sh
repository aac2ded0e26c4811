# SPDX-License-Identifier: Apache-2.0
# Selected contexts: the tokens are those with that satp and privilege.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text --tokens a.tr | grep ^token > all
try() {
	local pattern=$1
	shift
	tr-split-by-satp "$@" a.tr > part.tr
	tr-text --tokens part.tr | grep ^token | cmp - <(grep -E "$pattern" all) || echo "not so: $*"
	tr-text part.tr | grep -E '^end (instructions|cycles)'
}
try ' satp=0x8000000000080123 ' --satp 0x8000000000080123
try ' satp=0x(0|8000100000080124) ' --satp 0 --satp 0x8000100000080124
try ' priv=U ' --priv u
try ' priv=[SM] ' --priv m,s
try ' priv=U satp=0x8000100000080124' --priv u --satp 0x8000100000080124
try ' priv=[SM] ' --priv M,S
try ' satp=0x0 ' --satp 00
try ' none ' --satp 77
echo 'Nothing is found:'
for options in '--satp 77 --satp 0x9' '--satp 0 --priv u' '-d parts --satp 77'; do
	tr-split-by-satp $options a.tr > part.tr
	echo "status $?"
done
ls parts
tr-split-by-satp --satp 77 --satp 0x9 a.tr 2> /dev/null | tr-info | sed -n '/^findings/,$p'
