/* SPDX-License-Identifier: Apache-2.0 */
/* What probes are tested on. The values are the same for each compiler option. */
#define KEEP	    __attribute__((noinline, noipa))
#define OUT_OF_LINE __attribute__((noinline))

enum colour { RED = 1, GREEN = 5, BLUE = -3 };

struct inner {
	char name[8];
	short value;
};

struct node {
	int id;
	unsigned flags : 3;
	int delta : 5;
	unsigned long wide_bits : 20;
	enum colour colour;
	struct inner inner;
	struct node *next;
	union {
		int number;
		float real;
	};
	_Bool on;
	int table[2][3];
	signed char small;
	unsigned char bytes[4];
	const char *text;
	double exact;
	unsigned long long wide;
	int (*handler)(int);
};

struct pair {
	long a, b;
};
struct mixed {
	float real;
	int number;
};
struct reals {
	double x, y;
};
struct small {
	char c;
	short s;
};
struct big {
	long v[5];
};

struct node second = {.id = -2, .inner = {"seven77", 7}, .text = "two"};
struct node first = {.id = 1,
		     .flags = 5,
		     .delta = -3,
		     .wide_bits = 0xabcde,
		     .colour = BLUE,
		     .inner = {"abc", -9},
		     .next = &second,
		     .real = 1.5f,
		     .on = 1,
		     .table = {{1, 2, 3}, {4, -5, 6}},
		     .small = -1,
		     .bytes = {0xde, 0xad, 0, 1},
		     .text = "one \"1\"\n",
		     .exact = -0.25,
		     .wide = 0xfedcba9876543210ULL};
volatile long sink;
static int counter = 40;

KEEP void use(long value)
{
	sink += value;
}

KEEP int scalars(int a, unsigned char b, long long c, struct node *node, short d)
{
	use(a + b + d);
	return node->id - (int)c;
}

KEEP double reals(float a, double b, int c, struct mixed m, struct reals r)
{
	use(c + m.number);
	return a + b + m.real + r.x * r.y;
}

KEEP long structures(struct pair p, struct big b, struct small s, char c)
{
	use(p.a + s.s);
	return p.b + b.v[3] + c;
}

KEEP long many(long a, long b, long c, long d, long e, long f, long g, long h, long ninth,
	       struct pair tenth)
{
	use(a + b + c + d + e + f + g + h);
	return ninth + tenth.b;
}

KEEP struct big make_big(int seed)
{
	struct big big = {{seed, seed + 1, seed + 2, seed + 3, seed + 4}};
	use(seed);
	return big;
}

KEEP struct pair make_pair(long a)
{
	struct pair pair = {a, -a};
	use(a);
	return pair;
}

KEEP struct mixed make_mixed(int a)
{
	struct mixed mixed = {(float)a / 4, a};
	use(a);
	return mixed;
}

KEEP float make_real(int a)
{
	use(a);
	return (float)a / 8;
}

KEEP _Bool is_even(int a)
{
	use(a);
	return a % 2 == 0;
}

KEEP enum colour pick(int a)
{
	use(a);
	return a ? GREEN : BLUE;
}

KEEP signed char narrow(int a)
{
	use(a);
	return (signed char)a;
}

KEEP long long wide(int a)
{
	use(a);
	return (long long)a << 33;
}

KEEP int factorial(int n)
{
	int rest = n < 2 ? 1 : factorial(n - 1);
	use(0); /* keeps the compiler from making it a loop */
	return n < 2 ? 1 : n * rest;
}

KEEP int count_lines(const char *text)
{
	int linecount = 0;
	for (; *text; text++) {
		if (*text == '\n') {
			linecount++;	/* a line for probes */
			use(linecount); /* the compiler drops it here */
		}
	}
	return linecount;
}

/* A local variable in memory, and one of the same name in a block of its own. */
KEEP int shadow(int a)
{
	volatile int value = a * 2;
	struct pair both = {a, a + 1};
	use((long)&both);
	{
		int value = a * 3; // NOLINT
		use(value);	   /* the inner value */
	}
	return value + (int)both.b;
}

KEEP int behind(int a, long double b, int c, struct pair d)
{
	use(a + c + *(const char *)&b);
	return d.b > 0;
}

KEEP int handle(int a)
{
	return a + 1;
}

typedef long word;

/* Writes to its parameters, of which the first is in the memory of the caller. */
KEEP long changes(struct big b, word c, long d, long e, long f, long g, long h, long i,
		  long ninth, struct pair tenth)
{
	*(volatile long *)&b.v[1] = -1;
	*(volatile long *)&ninth = -1;
	*(volatile long *)&tenth.b = -1;
	use(c + d + e + f + g + h + i);
	return b.v[1] + ninth + tenth.b;
}

/* The compiler may change the parameters of these. */
static OUT_OF_LINE int constant(int seven, int b)
{
	use(b * seven);
	return seven + b;
}

static OUT_OF_LINE int partial(const struct node *node, int unused)
{
	(void)unused;
	use(node->inner.value);
	return node->id + counter;
}

static inline __attribute__((always_inline)) int never_out(int a)
{
	return a * 5;
}

__attribute__((externally_visible)) int main(void)
{
	first.handler = handle;
	use(scalars(-7, 200, 0x123456789abLL, &first, -300));
	use((long)reals(0.5f, 2.25, 9, (struct mixed){1.25f, -4}, (struct reals){3, 4}));
	use(structures((struct pair){11, -12}, (struct big){{21, 22, 23, 24, 25}},
		       (struct small){'s', -5}, 'c'));
	use(many(1, 2, 3, 4, 5, 6, 7, 8, -9, (struct pair){101, 102}));
	use(make_big(5).v[2]);
	use(make_pair(6).b);
	use(make_mixed(7).number);
	use((long)make_real(2));
	use(is_even(3));
	use(pick(0) + pick(1));
	use(narrow(-100));
	use((long)wide(-1));
	use(factorial(4));
	use(count_lines("a\nb\n\nc"));
	use(shadow(20));
	use(changes((struct big){{31, 32}}, 1, 2, 3, 4, 5, 6, 7, 8,
		    (struct pair){111, 112}));
	use(behind(1, 2.5L, 3, (struct pair){4, 5}));
	use(first.handler(1));
	use(constant(7, 1) + constant(7, 2));
	use(partial(&first, 1) + partial(&second, 2) + never_out((int)sink));
	return 0;
}

/* mstatus.FS is set for floating point; the write to 0x100000 powers the machine off. */
#ifdef __riscv_flen
#define ENABLE_FLOAT "li t0, 0x2000\ncsrs mstatus, t0\n"
#else
#define ENABLE_FLOAT ""
#endif
__asm__(".section .text.start, \"ax\"\n"
	".globl _start\n"
	".type _start, @function\n"
	"_start: la sp, stack_top\n" ENABLE_FLOAT "call main\n"
	"li t0, 0x100000\n"
	"li t1, 0x5555\n"
	"sw t1, (t0)\n"
	".globl spin\n"
	".type spin, @function\n"
	"spin: j spin\n"
	".text\n");
