# SPDX-License-Identifier: Apache-2.0
# All sections as CSV and JSON: of rows, of stacks, with binaries; the same exit status.
read_json() {
	python3 -c 'import json, sys
for key, value in json.load(sys.stdin).items():
	print(key, value if not isinstance(value, list) else len(value))
	for row in value if isinstance(value, list) else []:
		print(" ", *(f"{name}={ascii(cell)}" for name, cell in row.items()))'
}
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-info --format json a.tr | read_json | grep -v 'bytes\|zstd'
tr-info --format csv a.tr | grep -v bytes
printf '%s\n' 'header content=rows' 'end end=limit' 'end instructions=0' 'end cycles=0' \
	'end frames=0' | tr-text --encode | tr-info --format json | read_json | grep gaps
echo '# counters, and a finding'
tr-text --encode -u -o c.tr "$SRC/tests/cli/data/stack-counters.txt"
tr-info --format json c.tr | read_json | sed -n '/^counters/,$p'
cat > a.s <<END
.option norelax
.globl _start
_start:	addi sp, sp, -16
	ret
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,--build-id=none \
	-Wl,-Ttext=0x10000 -o user.elf a.s
tr-info --format json -b user.elf a.tr > b.json
echo "exit $?"
read_json < b.json | sed -n '/^binaries/,/^counters/p; /^findings/,$p'
tr-info --format yaml a.tr
echo "exit $?"
tr-info --format csv a.tr > /dev/full
echo "exit $?"
