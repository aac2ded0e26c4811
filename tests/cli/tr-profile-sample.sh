# SPDX-License-Identifier: Apache-2.0
# tr-profile --sample: the folder of a sampled run, without what cannot be estimated.
riscv64-unknown-elf-gcc -g -O1 -march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib \
	-Wl,--no-warn-rwx-segments -T "$SRC/sim/target/firmware/firmware.ld" -o sample.elf "$SRC/tests/cli/data/sample.c"
echo '# the commands'
tr-profile --dry-run --sample sample.elf
tr-profile --dry-run --sample=windows=10k,length=2k,warm=30k,seed=7 --sample=seed=8 soc-model --ram 64M sample.elf | head -2
echo '# the folder'
tr-profile --sample=interval=3k,length=500 -o run sample.elf > out.txt
echo "status $?"
cut -d' ' -f1 out.txt | cmp - <(cd run && printf '%s\n' flame.svg functions.txt bars.csv classes.svg classes.txt \
	stacks.folded stacks.tr trace.tr summary.txt | sed 's|^|run/|') && ls run
grep -o '<text[^>]*>[^<]*95 %[^<]*' run/flame.svg | sed 's/<[^>]*>//; s/[0-9][0-9. ]*/N /g' | head -1
echo '# the same as by the commands; its total is near that of the whole run'
tr-sample --interval 3k --length 500 -- soc-sim sample.elf | tr-match --bins sample.elf | tr-unwind | tr-fold --bars bars.csv |
	cmp - run/stacks.folded && cmp bars.csv run/bars.csv && echo same
soc-sim --trace whole.tr sample.elf
awk -F, -v whole="$(tr-info whole.tr | awk '$1 == "cycles" { print $2; exit }')" '$1 == "total" {
	error = $4 / whole - 1
	print (error < 0.05 && error > -0.05) ? "near" : "off by " error
}' run/bars.csv
echo '# from its trace, from its stacks, of a command that samples by itself'
tr-profile -o trace run/trace.tr > out.txt
tr-profile -o stacks run/stacks.tr > out.txt
tr-profile -o command soc-sim --sample interval=3k,length=500 sample.elf > out.txt
for folder in trace stacks command; do
	for file in flame.svg functions.txt bars.csv classes.svg classes.txt stacks.folded; do
		cmp $folder/$file run/$file
	done
done
echo '# tasks by probes'
tr-profile --sample=interval=3k,length=500 -o probes --probes <(echo 'walk: sample: walk_list { }') sample.elf > out.txt
tr-text probes/stacks.tr | grep -c '^probe'
echo '# a run with exact cycles has no bars, also in the same folder'
tr-profile -o run soc-model sample.elf > out.txt
ls run
echo '# refused' >&2
for option in --sample= --sample=windows --sample=windows=x --sample=places=3 --sample=jobs=1 --sample=windows=5,interval=5 \
	'--sample --annotate' '--sample --serve' '--sample --from spike' '--sample --linux --model' '--sample --linux --jit'; do
	# shellcheck disable=SC2086 # words
	tr-profile $option -o no sample.elf || echo "status $?"
done
tr-profile --sample -o no -- cat sample.elf
tr-profile --sample -o no command/trace.tr
tr-profile --annotate -o no command/trace.tr
tr-profile --serve -o no command/trace.tr
tr-profile --sample=warm=1M,interval=3k -o no sample.elf
echo "status $?"
