# A binary's name becomes a frame: characters that are invalid in frames are replaced.
# Code of another build causes a warning.
soc-model --trace hello.tr "$SRC/build/target/firmware.elf" \
	"$SRC/build/target/hello.elf" < /dev/null > console
cp "$SRC/build/target/hello_world.elf" 'a;b.elf'
printf '"a;b.elf" user\n%s/build/target/supervisor.elf kernel\n' "$SRC" > bins.lst
tr-match --no-provenance --bins bins.lst hello.tr | tr-unwind | tr-fold |
	grep '^a' | cut -d' ' -f1 | cut -d';' -f1-3 | sort -u | head -3
# A file of debug information has no code to match.
riscv64-unknown-elf-objcopy --only-keep-debug 'a;b.elf' b.debug 2> /dev/null
printf 'b.debug user\n%s/build/target/firmware.elf firmware\n' "$SRC" > bins.lst
tr-match --bins bins.lst -o b.tr hello.tr 2>&1 | grep debug
