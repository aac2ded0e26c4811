# SPDX-License-Identifier: Apache-2.0
# Binaries that have moved since tr-match found them: by path, name, and content.
. "$SRC/tests/cli/tr-unwind.inc"
mkdir -p match/bin near/bin flat other renamed/empty away
mv prog.elf kernel.elf match/bin
cp match/bin/* near/bin
cp match/bin/* flat
cp match/bin/prog.elf renamed/some.other
cp match/bin/kernel.elf renamed/a.kernel
riscv64-unknown-elf-objcopy --remove-section .text --add-section .text=run.txt match/bin/prog.elf \
	other/prog.elf 2> /dev/null || cp match/bin/kernel.elf other/prog.elf
cp match/bin/kernel.elf other
printf 'bin/prog.elf user\nbin/kernel.elf kernel\n' > match/bins.lst
sed -i '/^header bin/d' run.txt
tr-text --encode -o match/plain.tr run.txt
(cd match && tr-match --bins bins.lst plain.tr 2> /dev/null | tr-text --header | grep '^header bin') > header.txt
sed -i '/^header watch/r header.txt' run.txt
tr-text --encode -o away/run.tr run.txt
cd away || exit
tr-unwind run.tr > /dev/null
for folders in ../match ../near ../flat ../renamed ../other '../other ../renamed' ../renamed/empty; do
	echo "== $folders"
	options=$(printf -- '--path %s ' $folders)
	tr-unwind $options run.tr 2>&1 > stacks.tr && tr-fold stacks.tr | head -3
done
cp ../match/bins.lst .
tr-info -b bins.lst ../match/plain.tr 2>&1 > info.txt
tr-info -b bins.lst --path ../renamed --path ../flat ../match/plain.tr | sed -n '/^binaries/,/^end/p'
