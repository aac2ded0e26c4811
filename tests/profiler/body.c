/* SPDX-License-Identifier: Apache-2.0 */
/* Random functions: text, sizes and targets. */
#include "body.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const reason_names[REASONS] = {"counted",  "call",	  "ecall",  "ebreak",
					   "target",   "small",	  "live",   "reach",
					   "register", "unknown", "overlap"};

void body_start(struct body *b, struct rng *rng, unsigned number)
{
	b->rng = rng;
	b->length = 0;
	b->number = number;
	b->compressed = true; /* body_insn() then says so before a long one */
	b->count = b->size = b->labels = b->target_count = 0;
	b->readable = ~SCRATCH;
	b->pointers = POINTERS;
	b->written = 0;
	b->loops = b->continues = b->ended = false;
	b->reasons = b->far_reasons = b->perhaps = 0;
	b->joined = false;
	b->letter = 'f';
}

static void append_text(struct body *b, const char *format, va_list arguments)
{
	int n = vsnprintf(b->text + b->length, sizeof(b->text) - b->length, format,
			  arguments);

	if (n < 0 || (size_t)n + 1 >= sizeof(b->text) - b->length) {
		fputs("random-functions: a function is too long\n", stderr);
		exit(2);
	}
	b->length += (size_t)n;
	b->text[b->length++] = '\n';
	b->text[b->length] = '\0';
}

void body_line(struct body *b, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	append_text(b, format, arguments);
	va_end(arguments);
}

void body_insn(struct body *b, unsigned size, enum reason reason, const char *format, ...)
{
	va_list arguments;

	if ((size == 2) != b->compressed || b->count == 0) {
		b->compressed = size == 2;
		body_line(b, "\t.option %s", size == 2 ? "rvc" : "norvc");
	}
	if (b->count == BODY_INSNS) {
		fputs("random-functions: a function has too many instructions\n", stderr);
		exit(2);
	}
	b->insns[b->count++] =
	    (struct body_insn){(uint16_t)b->size, (uint8_t)size, (uint8_t)reason};
	b->size += size;
	va_start(arguments, format);
	append_text(b, format, arguments);
	va_end(arguments);
}

unsigned body_label(struct body *b)
{
	return b->labels++;
}

void body_land(struct body *b, unsigned label)
{
	body_line(b, ".L%u_%u:", b->number, label);
	b->targets[b->target_count++ % BODY_TARGETS] = b->size;
}

uint32_t body_reasons(const struct body *b, unsigned need)
{
	uint32_t reasons = b->reasons | (need > 4 ? b->far_reasons : 0);
	unsigned replaced = 0;

	for (unsigned i = 0; i < b->count && replaced < need; i++) {
		replaced += b->insns[i].size;
		if (b->insns[i].reason)
			reasons |= 1U << b->insns[i].reason;
	}
	if (replaced < need)
		reasons |= 1U << REASON_SMALL;
	for (unsigned i = 0; i < b->target_count; i++)
		if (b->targets[i] > 0 && b->targets[i] < replaced)
			reasons |= 1U << REASON_TARGET;
	return reasons;
}

void body_writes(struct body *b, unsigned reg)
{
	b->readable |= 1U << reg;
	b->pointers &= ~(1U << reg);
	b->written |= 1U << reg;
}

unsigned body_written(struct body *b, uint32_t among)
{
	uint32_t usable = among & ~(1U << FUEL | 1U << 1 | 1U << 2);

	/* Most writes leave the pointers as they are. */
	if ((usable & ~b->pointers) && !rng_chance(b->rng, 5))
		usable &= ~b->pointers;
	if ((usable & SCRATCH) && rng_chance(b->rng, 40))
		usable &= SCRATCH;
	return rng_bit(b->rng, usable);
}

unsigned body_read(struct body *b, uint32_t among)
{
	uint32_t usable = among & b->readable;

	if ((usable & SCRATCH) && rng_chance(b->rng, 40))
		usable &= SCRATCH;
	return rng_bit(b->rng, usable);
}

unsigned body_untouched(struct body *b)
{
	uint32_t usable = ~(SCRATCH | b->written | 3U | 1U << FUEL);

	return usable ? rng_bit(b->rng, usable) : 0;
}
