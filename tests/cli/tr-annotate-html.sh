# SPDX-License-Identifier: Apache-2.0
# The page of HTML: of a function, of a line, of a file, of all functions. Names and source
# are escaped, and it refers to no other file.
. "$SRC/tests/cli/tr-annotate.inc"
body() { sed '/^<style>/,/^<\/style>/d; /^<script>/,/^<\/script>/d' "$1"; }
tr-annotate --html sum.html sum run.tr
body sum.html
echo '# a line'
tr-annotate --html - work.s:11 run.tr > line.html
body line.html | grep -c '<tr id'
echo '# a file'
sed -i 's/add	a1, a1, a2/add a1, a1, a2 # <b> \& "caf\xc3\xa9"/' work.s
touch -r work.elf work.s
tr-annotate --html file.html work.s run.tr
body file.html | grep '<tr id' | sed -n '10,12p'
echo '# all functions'
tr-annotate --html all.html --all run.tr
body all.html | grep -oE 'href="#f[^"]*"|id="f[^"]*"|<td class="l">[a-z_]*</td></tr>'
tr-annotate --html two.html --all --limit 2 run.tr
body two.html | grep -oE 'id="f[^"]*"'
grep -hoiE '(src|href)="[^#"][^"]*"|url\([^)]*\)|@import' ./*.html | sort | uniq -c
echo '# links to functions, of which a page with some has fewer; each leads to something'
for page in all two; do
	body $page.html | grep -o 'class="quiet" href="#f-[^"]*"' | sort | uniq -c
	body $page.html | awk '{
		for (rest = $0; match(rest, / (id|href)="#?[^"]*"/); rest = substr(rest, RSTART + RLENGTH)) {
			split(substr(rest, RSTART, RLENGTH), part, "\"")
			if (part[1] == " id=") is[part[2]] = 1; else if (part[2] ~ /^#/) to[substr(part[2], 2)] = 1
		}
	} END { for (name in to) if (!(name in is)) print "no " name }'
done
echo '# two binaries of one name'
mkdir -p a b && cp work.elf a && cp work.elf b
sed 's,^header bin.0=.*,header bin.0=a/work.elf\nheader bin.1=b/work.elf,; s/^note 1 leaf bin=0/note 1 leaf bin=1/' run.txt |
	tr-text --encode -o same.tr
tr-annotate --html same.html --all same.tr
body same.html | grep -oE 'href="#f[^"]*"|id="f[^"]*"'
tr-annotate --html same.html _start same.tr
body same.html | grep -oE 'id="f[^"]*"'
echo '# cut off, without classes'
sed '/^header classes/d; s,/[0-9]\*[0-9]*,,g; s/^end end=.*/end end=killed by signal 9/' run.txt |
	tr-text --encode | tr-annotate --html none.html leaf
body none.html | grep -E 'cut off|does not tell'
try() {
	tr-annotate "$@" run.tr
	echo "exit $?"
}
try --html run.tr sum
try --html work.elf sum
try --html missing/page.html sum
try --html /dev/full sum
try --html page.html --misses
try --html page.html --format csv sum
try --html page.html nothing
echo '# a function of 60,000 branches: no time that grows with the square'
{
	printf '\t.globl _start\n\t.type _start, @function\n_start:\n\t.rept 60000\n\tbeq a0, a1, . + 8\n\taddi a0, a0, 1\n\t.endr\n'
	printf '\t.size _start, . - _start\n'
} > many.s
riscv64-unknown-elf-gcc -march=rv64ima -mabi=lp64 -nostdlib -Wl,-e,_start -Wl,-Ttext=0x10000 -o work.elf many.s
printf '%s\n' 'header content=rows' 'header xlen=64' 'header bin.0=work.elf' 'hart 0 priv=U satp=0x8000000000000001 space=1' \
	'block start pc=0x10000 00b50463 00150513' 'note 1 start bin=0 address=0x10000' 'row start' 'end end=power-off' | tr-text --encode -o many.tr
timeout 10 tr-annotate --html many.html _start many.tr 2> /dev/null
echo "exit $?, $(body many.html | grep -c ' href="#i0-') links on the page as it is"
# zlib's format, as gzip without the check at its end.
unpack() {
	sed '1,/id="packed">/d; /^<\/script>/,$d' "$1" | base64 -d |
		{ printf '\037\213\010\0\0\0\0\0\0\0'; tail -c +3; } | gzip -dc 2> /dev/null
}
unpack many.html | awk '/ href="#i0-/ { links++ } END { print links, "links, which are compressed; at the end:", $0 }'
[ $(($(stat -c %s many.html) * 10)) -lt "$(unpack many.html | wc -c)" ] && echo 'less than a tenth of it'
timeout 10 tr-annotate --html /dev/full _start many.tr 2>&1 | grep full
