# SPDX-License-Identifier: Apache-2.0
# The commands of the man pages and of the documents are understood as they are written: with small
# programs in place of theirs, and where their other files are missing, no program refuses its
# options.
. "$SRC/tests/cli/soc-model.inc"
cat > commands.awk << 'END'
# Prints the commands, a line each: those between .Bd -literal and .Ed, of .Dl, and of Markdown's code.
function say(text) {
	gsub(/\\e/, "\\", text)
	gsub(/\\[&-]/, "", text)
	gsub(/\\\(aq/, "'", text)
	sub(/^[ $]*/, "", text)
	if (is_markdown) sub(/  +#.*/, "", text)
	joined = joined text
	if (sub(/\\$/, "", joined)) return
	if (joined ~ /[|]$/) { joined = joined " "; return }
	if (joined ~ /^"/) gsub(/^"|"$/, "", joined)
	if (joined ~ /^(tr|soc)-/ && joined !~ /--gdb|--serve|[.][.][.]/) print joined
	joined = ""
}
FNR == 1 { is_markdown = FILENAME ~ /md$/; block = 0 }
is_markdown && sub(/^    /, "") { say($0) }
/^\.Bd -literal/ { block = 1; next }
/^\.Ed/ { block = 0; next }
!is_markdown && (sub(/^\.Dl /, "") || (block && !/^\./)) { say($0) }
END
awk -f commands.awk "$SRC"/filters/*.1 "$SRC"/sim/*/*.1 "$SRC"/README.md "$SRC"/{pipelines,sim,tests}/README.md | LC_ALL=C sort -u > commands
[ "$(wc -l < commands)" -gt 100 ] || echo "few commands: $(wc -l < commands)"
echo 'soc-model --initrd root.cpio firmware.elf' >> commands # it is not
small() { # FILE ADDRESS
	printf '\t.globl _start, memcpy\n_start:\n%s\nmemcpy: ret\n' "$off" | program "$1" -Wl,-Ttext=$2
}
small firmware.elf 0x80000000
small kernel.elf 0x80200000
small program.elf 0x80400000
mkdir -p target/root
for file in $(grep -oE '[a-z_]+[.](elf|cpio)|vmlinux' commands | sort -u); do
	case $file in
	firmware*) ln -s ../firmware.elf "target/$file" ;;
	kernel* | vmlinux) ln -s ../kernel.elf "target/$file" ;;
	*.elf) ln -s ../program.elf "target/$file" ;;
	*) touch "target/$file" ;;
	esac
done
cd target || exit
printf '%s\n' 'firmware.elf firmware' 'vmlinux kernel' > bins.lst
# What is said of options; not what is said of files.
while IFS= read -r command; do
	said=$(timeout 10 bash -c "$command" < /dev/null 2>&1 | tr -d '\0' |
		grep -aE '^(tr|soc)-[a-z-]*: .*(option|needs |requires|argument|cannot be used|only with|--help|no such [a-z]* *:|not a )')
	[ -z "$said" ] || printf '%s\n%s\n' "$command" "$said"
done < ../commands
