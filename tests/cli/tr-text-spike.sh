# SPDX-License-Identifier: Apache-2.0
# The log of another simulator, converted by the script of the man page: its profile
# equals that of the stream from which the log was made, line for line as Spike writes it.
target=$SRC/build/target
soc-model --trace run.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
tr-text --tokens run.tr | awk '
	BEGIN {
		digit["U"] = 0; digit["S"] = 1; digit["M"] = 3
		split("2 illegal_instruction 3 breakpoint 8 user_ecall 9 supervisor_ecall " \
			"12 instruction_page_fault 13 load_page_fault 15 store_page_fault", w)
		for (i = 1; i in w; i += 2) name[w[i]] = "trap_" w[i + 1]
	}
	function value(key, i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1) return substr($i, length(key) + 2)
	}
	function put() { if (line) print line; line = "" }
	$1 == "token" {
		put()
		print "core   0: " $2 " (0x" $3 ") disassembled"
		line = "core   0: " digit[value("priv")] " " $2 " (0x" $3 ")"
	}
	$1 == "reg" { line = line " " $2 "  " $3 }
	$1 == "satp" { line = line " c384_satp " $2 }
	$1 == "trap" {
		put()
		what = value("interrupt") ? "interrupt #" value("interrupt") : name[value("cause")]
		print "core   0: exception " what ", epc " value("epc")
		if (what !~ /^interrupt/) print "core   0:           tval " value("tval")
	}
	END { put(); print ">>>> end" }' > spike.log
sed -n '/^is$/,/^\.Ed$/p' "$SRC/filters/tr-text.1" | sed '/^\./d; 1d; s/\\e/\\/g' > spike.awk
awk -f spike.awk spike.log | tr-text --encode -o spike.tr
for stream in run spike; do
	tr-match --bins "$target/bins.lst" $stream.tr | tr-unwind |
		tr-fold -o $stream.folded
done
cmp run.folded spike.folded
grep -c ';' spike.folded
grep 'main;printf' spike.folded | head -3

echo '# cycles as a log has them, and several commits in one'
printf '%s\r\n' 'header commit_width=2' 'hart 0 cycle=1000' 'token 0x10 0001 cycle=1002' \
	'token 0x12 0001 cycle=1002' 'token 0x14 0001 cycle=1005' end |
	tr-text --encode | tr-text --tokens
