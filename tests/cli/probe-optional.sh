# Optional probes: what is not there has no place, and the stream says why; several definitions
# of a name, of which one counts or all do.
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
	-T "$SRC/sim/target/firmware/firmware.ld" -o some.elf -x c - << 'END'
struct point { long x, y; } point = {3, 4};
long sink;
__attribute__((noipa)) void one(const struct point *p) { sink += p->x; }
__attribute__((noipa)) void two(const struct point *p) { sink += p->y; }
__attribute__((noipa)) void three(long n) { sink += n; }
int main(void) { one(&point); two(&point); three(5); one(&point); }
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
soc-model --trace run.tr some.elf
check() {
	echo "--- $1"
	tr-replay --probe "$1" run.tr some.elf | sed 's/^[0-9]* hart 0 //'
	tr-replay --stream --probe "$1" run.tr some.elf | tr-text | grep -E '^header probe' || :
}
check 'a: some:zero ? { x = 1 }'
check 'a: some:one ? { x = arg0->z }'
check 'a: some:one ? { x = arg0->z } a: some:one { x = arg0->y }'
check 'a: some:zero { x = 0 } a: some:two ? { x = arg0->y } a: some:one ? { x = arg0->x }'
check 'a: some:one { x = arg0->x } +a: some:two { x = arg0->y } +a: some:zero ? { x = 0 } +a: some:four { x = 0 } a: some:three ? { x = arg0 }'
check 'a: some:one / arg0->x == 3 / { x = arg0->x } +a: some:two ? / arg0->y == 3 / { x = arg0->y }'
check 'a: some:zero ? { x = 1 } +a: some:one ? { x = arg0->z }'
# These are errors.
check 'a: some:zero ? { x = 1 } a: some:four { x = 1 }'
check 'a: some:one ? { x = }'
check 'a: other:one ? { x = 1 }'
check 'a: some:one { x = 1 } +a: some:two { y = 1 }'
check '+ + a: some:one { x = 1 }'
