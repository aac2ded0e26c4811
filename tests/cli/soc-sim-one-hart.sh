# A simulator without the machine of several harts, which `make demo` builds, runs one hart, and
# says so if it is asked for two.
one=$BIN/../harness/one-hart/soc-sim
target=$SRC/build/target
"$one" --max-cycles 10k "$target/firmware.elf" "$target/demo.elf" < /dev/null > console
echo "status $?"
"$one" --harts 2 "$target/firmware-smp.elf" < /dev/null
echo "status $?"
