# SPDX-License-Identifier: Apache-2.0
# Instructions of a function with what is known of each: as text with the source, and as a
# table for programs; by name, address and line, and a whole file.
. "$SRC/tests/cli/tr-annotate.inc"
tr-annotate sum run.tr
echo '# for programs'
tr-annotate --format csv work:sum run.tr
tr-annotate --format json leaf < run.tr
echo '# the same by address'
for address in 0x1000e 0x10018 0x1001a work:0x10010; do
	tr-annotate $address run.tr | head -n 2
done
echo '# a line, a file'
tr-annotate work.s:11 run.tr
tr-annotate work.s run.tr
tr-annotate --format csv "$PWD/work.s" run.tr
echo '# without the source, and with it elsewhere'
mkdir -p away/below
mv work.s away/below
tr-annotate work.s run.tr
tr-annotate --source away/below leaf run.tr
echo '# a source file that is newer than the binary'
sed '11s/.*/& # changed/' away/below/work.s > work.s
touch -d '+1 hour' work.s
tr-annotate sum run.tr 2>&1 | grep -E 'newer|changed' | sed "s,$PWD/,,"
tr-annotate --format csv sum run.tr 2>&1 | grep newer # which has no text of it
rm work.s
echo '# two slots in a cycle'
sed 's/^header classes.*/&\nheader commit_width=2/; s/^row sum .*/row sum stall 1:10\/4*19 2:0/' run.txt |
	tr-text --encode | tr-annotate sum
echo '# without classes'
sed '/^header classes/d; s,/[0-9]\*[0-9]*,,g' run.txt | tr-text --encode | tr-annotate sum
echo '# the source marks mispredicted commits'
sed 's/^header classes.*/header probe.0=mispredicted\nheader probe.0.fields=/; s,/[0-9]\*[0-9]*,,g
	s/^row part/probe 0 token=1 |\n&/; s/^row loop stall.*/probe 0 token=3 |\n&/' run.txt > flagged.txt
tr-text --encode -o flagged.tr flagged.txt && tr-annotate sum flagged.tr
echo '# traps that the source does not report'
sed '/^trap/d; /^xret/d; s/^header classes.*/&\nheader cannot_supply=traps/' run.txt | tr-text --encode 2> /dev/null |
	tr-annotate sum 2> /dev/null | grep bnez
echo '# code was replaced, by an instruction over two others, of which the second had run'
sed 's/^block return.*/&\nblock patched pc=0x10010 00150513\nblock later pc=0x10016 fd6d (bnez)/
	s/^note 1 return/note 1 patched bin=0 address=0x10010\nnote 1 later bin=0 address=0x10016\n&/
	s/^row loop stall.*/row patched\nrow later/; s/^row loop$/row part/; s/^row rest/row later/' run.txt |
	tr-text --encode 2> /dev/null | tr-annotate sum 2> /dev/null | grep ' 1001[0-8] '
echo '# line numbers far beyond the end of the file, as in generated code'
sed 's/^sum:/# 2000000000 "work.s"\n&/' away/below/work.s > work.s
riscv64-unknown-elf-gcc -g -march=rv64imac -mabi=lp64 -nostdlib -Wl,-e,_start -Wl,-Ttext=0x10000 -o work.elf work.s
tr-annotate --format csv work.s run.tr
tr-annotate work.s run.tr | tail -n +20
