# SPDX-License-Identifier: Apache-2.0
# Probes in programs in user mode, whose code the notes of tr-match find.
target=$SRC/build/target
objects=$target/obj/programs
run=("$target/firmware.elf" "$target/demo.elf")
soc-model --trace run.tr "${run[@]}" > console
cp "$target"/{bins.lst,*.elf} .
tr-match --bins bins.lst -o matched.tr run.tr

# What a program prints is what its function returned; the second run is of one number.
tr-replay --probe 'foo: hello_world:foo:return { n = arg0; sum = retval }' matched.tr "${run[@]}" > foo.txt
sed -n 's/^hello world, 10^[0-9]*: //p' console | cmp - <(sed 's/.* sum=//' foo.txt) && echo 'sums as printed'

# Several processes of a program at once: each call of each is entered and left.
cat > sort.probes << 'END'
in: sort_crc:partition { space = satp; numbers = numbers[0] }
out: sort_crc:partition:return { space = satp; first = arg0; middle = retval; began = entered }
END
tr-replay --probes sort.probes -o sort.txt matched.tr "${run[@]}"
tr-unwind matched.tr | tr-report functions --by process --format csv | awk -F, '/sort_crc,partition/ { print $1 }' | sort > calls.txt
for kind in in out; do
	awk -v kind=$kind '$4 == kind { n[$5]++ } END { for (s in n) print n[s] }' sort.txt | sort | cmp - calls.txt &&
		echo "$(wc -l < calls.txt) processes: $kind"
done
awk '$4 == "in" { entered[$1, $5] = 1 } $4 == "out" { sub(/began=/, "", $8); n += ($8, $5) in entered; all++ } END { print n == all }' sort.txt

# All programs have this function, at the same address.
tr-replay --probe 'put: sort_crc:put { space = satp; byte = arg0 }' matched.tr "${run[@]}" |
	awk '{ sub(/byte=/, "", $6); text[$5] = text[$5] sprintf("%c", $6 + 0) } END { for (s in text) printf "%s", text[s] }' |
	sort | cmp - <(grep ^sort_crc console | sort) && echo 'lines as printed'

# Memory of the process, of nothing, and of another address space's page.
tr-replay --probe 'm: sort_crc:main / argc == 3 / { zero = *(int *)8; argv1 = str(argv[1]); far = str((char *)argv + (1 << 30)) }' \
	matched.tr "${run[@]}" | cut -d' ' -f4-

# --at: function and variables of the program that runs, as a probe has them.
hit=$(tr-replay --probe 'p: sort_crc:partition { first = first[0]; lowest = numbers[0] }' matched.tr "${run[@]}" | sed -n 3000p)
tr-replay --at "${hit%% *}" --print 'first[0]' --print 'numbers[0]' matched.tr "${run[@]}" > look.txt
sed -n '1s/.* \(partition.*\)/\1/p' look.txt
sed 's/.* first=\(.*\) lowest=\(.*\)/first[0] = \1\nnumbers[0] = \2/' <<< "$hit" | cmp - <(tail -n 2 look.txt) && echo 'as the probe'
tr-replay --at "${hit%% *}" run.tr "${run[@]}" | head -n 1 | grep -c partition
tr-replay --index matched.idx matched.tr "${run[@]}" > /dev/null
tr-replay --index matched.idx --at "${hit%% *}" --print 'first[0]' matched.tr "${run[@]}" | cmp - <(head -n 2 look.txt) && echo 'from the start'

# The supervisor by notes, and by its own address.
tr-replay --probe 'p: supervisor:page_alloc:return { a = retval }' matched.tr "${run[@]}" > notes.txt
tr-replay --probe 'p: demo:page_alloc:return { a = retval }' run.tr "${run[@]}" | cmp - notes.txt && echo 'as by address'

# The same code linked for another address, as a PIE: its variables move with it.
sed 's/0x10000;/0x55510000;/; s/0x8000000;/0x5d500000;/' "$SRC/sim/target/programs/user.ld" > moved.ld
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -nostartfiles --specs=picolibc.specs \
	--picolibc-buildtype=release -Wl,--build-id=sha1 -T moved.ld -o moved.elf "$objects"/{crt0,lib,argument,sort_crc}.o
printf '\003' | dd of=moved.elf bs=1 seek=16 conv=notrunc status=none # ET_DYN
mv moved.elf sort_crc.elf
tr-match --bins bins.lst run.tr | tr-replay --probes sort.probes - "${run[@]}" | cmp - sort.txt && echo 'at another address'

# Stripped, with the debug information in a file of its own.
cp "$target/sort_crc.elf" .
riscv64-unknown-elf-objcopy --only-keep-debug sort_crc.elf sort_crc.debug
riscv64-unknown-elf-strip sort_crc.elf
riscv64-unknown-elf-objcopy --add-gnu-debuglink=sort_crc.debug sort_crc.elf
tr-match --bins bins.lst run.tr | tr-replay --probes sort.probes - "${run[@]}" | cmp - sort.txt && echo 'stripped'
rm sort_crc.debug
tr-replay --probes sort.probes matched.tr "${run[@]}"

# `current` in a program has the type of the kernel, here one whose tasks are those of the supervisor.
cp "$target/sort_crc.elf" .
cat > tasks.c << 'END'
enum state { FREE, READY, WAITING };
struct task_struct { enum state state; int pid; unsigned long satp; struct task_struct *self; char name[24]; };
struct task_struct *first(void) { return 0; }
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -g -nostdlib -Wl,-Ttext=0x90000000,-e0x90000000 -o tasks.elf tasks.c
{ cat bins.lst; echo tasks.elf kernel; } > tasks.lst
tr-match --bins tasks.lst -o tasks.tr run.tr
tr-replay --probe 'p: sort_crc:partition:return / current->self == current && current->pid > 0 / {
	pid = current->pid; name = current->name; state = current->state; same = current->satp == satp; first = arg0;
	also = numbers == (int *)current->self; size = sizeof(*current) }' tasks.tr "${run[@]}" > tasks.txt
cut -d' ' -f 5-8,10- tasks.txt | sort -u
cut -d' ' -f 1 tasks.txt | cmp - <(awk '$4 == "out" { print $1 }' sort.txt) && echo 'each call'
tr-replay --probe 'p: sort_crc:partition { pid = current->pidd }' tasks.tr "${run[@]}"
tr-replay --probe 'p: sort_crc:partition { pid = current->pid }' matched.tr "${run[@]}"

# Names that are not there; a trace without notes; a file that is not the one that ran.
try() { tr-replay --probe "$1" matched.tr "${run[@]}"; }
try 'x: helo_world:foo { }'
try 'x: hello_world:fooo { }'
try 'x: busybox:sort_main { }'
tr-replay --probe 'x: hello_world:foo { }' run.tr "${run[@]}"
cp shared_a.elf hello_world.elf
try 'x: hello_world:foo { }'
rm hello_world.elf
try 'x: hello_world:foo { }'
