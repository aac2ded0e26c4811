/* SPDX-License-Identifier: Apache-2.0 */
/* Process 1 of `tr-profile --linux`: runs one program, tells how it ended on the console,
 * and powers the machine off. It uses no C library, so that it needs no more than the
 * compiler of the firmware.
 *
 * The file /.first has what to do, as texts that end with a zero byte:
 *
 *     MARK INPUT ECHO COUNT ARGUMENT... VARIABLE=VALUE...
 *
 * INPUT is the file of standard input, or empty for the console. ECHO is 1 if the console
 * is to show what is typed, and 0 if not; a d behind it stands for a disk with a file
 * system, which is to be on /disk. COUNT is the number of arguments, the program's name
 * included. The console prints the bytes that the program writes, and at the end a line
 * of byte 0x1e, MARK, a blank and the exit status, which is 128 and the number of the
 * signal if one ended the program, as a shell tells it. */
#include <stddef.h>
#include <stdint.h>

enum {
	SYS_IOCTL = 29,
	SYS_MKDIRAT = 34,
	SYS_MOUNT = 40,
	SYS_CHDIR = 49,
	SYS_OPENAT = 56,
	SYS_READ = 63,
	SYS_WRITE = 64,
	SYS_DUP3 = 24,
	SYS_EXIT = 93,
	SYS_REBOOT = 142,
	SYS_SETSID = 157,
	SYS_CLONE = 220,
	SYS_EXECVE = 221,
	SYS_WAIT4 = 260,
};
enum { AT_FDCWD = -100, O_RDWR = 2, SIGCHLD = 17, ENOENT = 2 };
enum { TCGETS = 0x5401, TCSETS = 0x5402, TIOCSCTTY = 0x540e };
enum { OPOST = 1, ECHO = 8 };
enum { MAGIC_2 = 672274793, POWER_OFF = 0x4321fedc };
static const long MAGIC_1 = (int)0xfee1deadu;

/* As cli/linux_files.c limits them. */
enum { ORDER_BYTES = 1 << 18, ORDER_TEXTS = 1 << 13 };
static char order[ORDER_BYTES];
static char *texts[ORDER_TEXTS + 2];

static long call(long number, long a, long b, long c, long d, long e)
{
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7)
			 : "memory");
	return a0;
}

static void print(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	call(SYS_WRITE, 2, (long)text, (long)size, 0, 0);
}

static void print_number(unsigned long number)
{
	char digits[24];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	print(digits + at);
}

static _Noreturn void power_off(void)
{
	for (;;)
		call(SYS_REBOOT, MAGIC_1, MAGIC_2, POWER_OFF, 0, 0);
}

static long open_file(const char *path, long flags)
{
	return call(SYS_OPENAT, AT_FDCWD, (long)path, flags, 0, 0);
}

/* Reads the file, and splits it. Returns the number of texts. */
static size_t read_order(void)
{
	const long file = open_file("/.first", 0);
	size_t size = 0, count = 0;

	for (long n = 1; n > 0 && size<sizeof(order); size += n> 0 ? (size_t)n : 0)
		n = call(SYS_READ, file, (long)(order + size),
			 (long)(sizeof(order) - size), 0, 0);
	for (size_t i = 0; i < size && count < ORDER_TEXTS; i++)
		if (i == 0 || order[i - 1] == '\0')
			texts[count++] = order + i;
	return count;
}

/* Mounts what programs expect. A kernel may lack some of it. */
static void mount_all(void)
{
	call(SYS_MOUNT, (long)"proc", (long)"/proc", (long)"proc", 0, 0);
	call(SYS_MOUNT, (long)"sysfs", (long)"/sys", (long)"sysfs", 0, 0);
	call(SYS_MOUNT, (long)"devtmpfs", (long)"/dev", (long)"devtmpfs", 0, 0);
	call(SYS_MKDIRAT, AT_FDCWD, (long)"/dev/shm", 01777, 0, 0);
}

/* Mounts the disk. Without it the program does not begin. */
static void mount_disk(void)
{
	const long error =
	    -call(SYS_MOUNT, (long)"/dev/vda", (long)"/disk", (long)"ext4", 0, 0);

	if (error <= 0)
		return;
	print("init: the kernel cannot mount the disk: error ");
	print_number((unsigned long)error);
	print("\n");
	power_off();
}

/* Makes the console print the bytes that it gets, and show its input or not. */
static void set_console(char echo)
{
	uint32_t modes[16];

	if (call(SYS_IOCTL, 0, TCGETS, (long)modes, 0, 0) < 0)
		return;
	modes[1] &= ~(uint32_t)OPOST;
	if (echo == '0')
		modes[3] &= ~(uint32_t)ECHO;
	call(SYS_IOCTL, 0, TCSETS, (long)modes, 0, 0);
}

static _Noreturn void become(const char *input, char **arguments, char **environment)
{
	call(SYS_SETSID, 0, 0, 0, 0, 0);
	call(SYS_IOCTL, 0, TIOCSCTTY, 0, 0, 0);
	call(SYS_CHDIR, (long)"/", 0, 0, 0, 0);
	if (*input)
		call(SYS_DUP3, open_file(input, 0), 0, 0, 0, 0);
	const long error = -call(SYS_EXECVE, (long)arguments[0], (long)arguments,
				 (long)environment, 0, 0);
	print("the kernel cannot execute ");
	print(arguments[0]);
	print(": error ");
	print_number((unsigned long)error);
	print("\n");
	call(SYS_EXIT, error == ENOENT ? 127 : 126, 0, 0, 0, 0);
	__builtin_unreachable();
}

/* Waits for the program, and for orphans until then. Returns its status as a shell. */
static unsigned long wait_for(long child)
{
	int status = 0;
	long ended;

	do
		ended = call(SYS_WAIT4, -1, (long)&status, 0, 0, 0);
	while (ended >= 0 && ended != child);
	return status & 0x7f ? 128 + (unsigned long)(status & 0x7f)
			     : (unsigned long)(status >> 8 & 0xff);
}

static _Noreturn __attribute__((used)) void run_first(void)
{
	const size_t count = read_order();
	size_t arguments = 0;

	for (const char *digit = count > 4 ? texts[3] : ""; *digit; digit++)
		arguments = arguments * 10 + (size_t)(*digit - '0');
	if (arguments == 0 || arguments > count - 4) {
		print("init: /.first is damaged\n");
		power_off();
	}
	/* The arguments move down by one, for the NULL between them and the environment.
	 */
	const char *mark = texts[0], *input = texts[1];
	const char echo = texts[2][0];
	const char has_disk = echo ? texts[2][1] : '\0';
	for (size_t i = 0; i < arguments; i++)
		texts[3 + i] = texts[4 + i];
	texts[3 + arguments] = NULL;
	mount_all();
	if (has_disk)
		mount_disk();
	set_console(echo);
	const long child = call(SYS_CLONE, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		become(input, texts + 3, texts + 4 + arguments);
	const unsigned long status = wait_for(child);
	print("\x1e");
	print(mark);
	print(" ");
	print_number(status);
	print("\n");
	power_off();
}

__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	".option push\n"
	".option norelax\n"
	"la gp, __global_pointer$\n"
	".option pop\n"
	"andi sp, sp, -16\n"
	"tail run_first\n"
	".size _start, . - _start\n");
