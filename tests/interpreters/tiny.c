/* SPDX-License-Identifier: Apache-2.0 */
/* An interpreter of a language of ten instructions, which calls functions of it without a
 * call of C, as Lua and Python do: recursion, calls by C and of the interpreter by them,
 * a return from several functions at once, tail calls, a longjmp, and a coroutine. It
 * counts the calls of each function, and prints them. */
typedef struct Function {
	const char *name;
	int line;
	const unsigned char *code;
	int calls;
} Function;
typedef struct Frame {
	struct Frame *back;
	Function *of;
	const unsigned char *at;
	int depth;
} Frame;
typedef struct State {
	Frame *now;
	Frame all[64];
	int free;
} State;

enum { END, CALL, RECUR, CHOP, SORT, TAIL, THROW, YIELD, RESUME, OUT };
static Function functions[];
static Frame *parked;
static void *handler[5];
volatile int work;

#define OUT_OF_LINE __attribute__((noinline, noclone))
void run(State *state, Frame *first);

OUT_OF_LINE static Frame *push(State *state, Function *of, int depth)
{
	Frame *frame = &state->all[state->free++];
	frame->back = state->now;
	frame->of = of;
	frame->at = of->code;
	frame->depth = depth;
	of->calls++;
	return frame;
}

/* C functions that call the interpreter, and one that leaves it. */
OUT_OF_LINE static void callback(State *state, Function *of)
{
	Frame *frame = push(state, of, 0);
	state->now = frame;
	run(state, frame);
	state->free--;
}
OUT_OF_LINE static void sort(State *state, Function *of)
{
	for (int i = 0; i < 3; i++)
		callback(state, of);
}
OUT_OF_LINE static void throw(void)
{
	__builtin_longjmp(handler, 1);
}
OUT_OF_LINE static void guard(State *state, Function *of)
{
	Frame *now = state->now;
	int free = state->free;
	if (__builtin_setjmp(handler) == 0)
		callback(state, of);
	state->now = now;
	state->free = free;
}

OUT_OF_LINE void run(State *state, Frame *first)
{
	Frame *frame = first, *back;
	for (;;) {
		const unsigned char *at = frame->at;
		frame->at += 2;
		work++;
		switch (at[0]) {
		case CALL:
			state->now = frame = push(state, &functions[at[1]], 0);
			break;
		case RECUR:
			if (frame->depth < at[1])
				state->now = frame =
				    push(state, frame->of, frame->depth + 1);
			break;
		case CHOP: /* leaves all frames of the function but the first one */
			while (frame->back && frame->back->of == frame->of)
				frame = frame->back, state->free--;
			frame->at = at + 2;
			state->now = frame;
			break;
		case SORT:
			sort(state, &functions[at[1]]);
			break;
		case TAIL: {
			Function *of = &functions[at[1]];
			frame->of = of;
			frame->at = of->code;
			of->calls++;
			extern void tail(State *, Frame *);
			tail(state, frame);
			break;
		}
		case THROW:
			if (at[1])
				guard(state, &functions[at[1]]);
			else
				throw();
			break;
		case YIELD:
			parked = frame;
			back = frame->back;
			frame->back = 0;
			state->now = frame = back;
			break;
		case RESUME:
			parked->back = frame;
			state->now = frame = parked;
			break;
		default:
			back = frame->back;
			if (frame == first) {
				state->now = back;
				return;
			}
			if (frame != parked)
				state->free--;
			state->now = frame = back;
		}
	}
}
OUT_OF_LINE void tail(State *state, Frame *frame)
{
	(void)state;
	(void)frame;
	work++;
}

enum { MAIN, LEAF, DEEP, DEEPER, LESS, LAST, FAILS, GEN, INNER };
#define CODE(...)                                                                        \
	(const unsigned char[])                                                          \
	{                                                                                \
		__VA_ARGS__, END, 0                                                      \
	}
static Function functions[] = {
    [MAIN] = {"main", 1,
	      CODE(CALL, LEAF, CALL, LEAF, CALL, DEEP, CALL, DEEPER, SORT, LESS, CALL,
		   LAST, THROW, FAILS, CALL, GEN, RESUME, 0, CALL, LEAF, RESUME, 0, CALL,
		   LEAF, SORT, LESS),
	      0},
    [LEAF] = {"leaf", 2, CODE(OUT + 1, 0), 0},
    [DEEP] = {"deep", 3, CODE(RECUR, 4, CALL, LEAF), 0},
    [DEEPER] = {"deeper", 4, CODE(RECUR, 5, CHOP, 0, CALL, LEAF), 0},
    [LESS] = {"less", 5, CODE(CALL, LEAF), 0},
    [LAST] = {"last", 6, CODE(TAIL, LEAF), 0},
    [FAILS] = {"fails", 7, CODE(CALL, INNER), 0},
    [GEN] = {"gen", 8, CODE(CALL, LEAF, YIELD, 0, CALL, LEAF, YIELD, 0, CALL, LEAF), 0},
    [INNER] = {"inner", 9, CODE(SORT, LEAF, THROW, 0), 0},
};
static State state;
int main(void)
{
	callback(&state, &functions[MAIN]);
	for (unsigned i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		volatile char *uart = (char *)0x10000000;
		for (const char *c = functions[i].name; *c; c++)
			*uart = *c;
		*uart = ' ';
		if (functions[i].calls > 9)
			*uart = (char)('0' + functions[i].calls / 10);
		*uart = (char)('0' + functions[i].calls % 10);
		*uart = '\n';
	}
	return 0;
}
