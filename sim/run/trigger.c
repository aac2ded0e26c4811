/* SPDX-License-Identifier: Apache-2.0 */
/* Parses trigger specifications and resolves their symbols. */
#include "trigger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "machine.h"
#include "symbol.h"

static const char unknown[] =
    "not cycle=N, pc=0xADDRESS, pc=[FILE:]SYMBOL, insn=HEX[/MASK], mark=N, begin=N, "
    "end=N, exec=FILE or exit";

/* Parses the whole text as a hexadecimal number, with or without 0x. */
static bool parse_hex(const char *text, uint64_t limit, uint64_t *value)
{
	char *end;

	if (strspn(text, "0123456789abcdefABCDEFx") != strlen(text) || *text == 0)
		return false;
	errno = 0;
	*value = strtoull(text, &end, 16);
	return errno == 0 && *end == 0 && *value <= limit;
}

static const char *parse_insn(struct trigger *trigger, const char *text)
{
	const char *slash = strchr(text, '/');
	uint64_t mask = UINT32_MAX;
	size_t length = strcspn(text, "/");
	char value[16] = "";

	if (slash && !parse_hex(slash + 1, UINT32_MAX, &mask))
		return "the mask is not a hexadecimal number of at most 32 bits";
	if (mask == 0)
		return "a mask of 0 matches every instruction";
	if (length < sizeof(value))
		memcpy(value, text, length);
	if (!parse_hex(value, UINT32_MAX, &trigger->value))
		return "not a hexadecimal number of at most 32 bits";
	trigger->mask = (uint32_t)mask;
	return trigger->value & ~mask ? "it has bits outside its mask" : NULL;
}

/* Parses "mark=N", "begin=N" or "end=N" into the instructions that are these marks; of a
 * mark, the bits that tell which of them it is do not matter. */
static const char *parse_mark(struct trigger *trigger, const char *text)
{
	enum { NUMBERS = 1024, IMMEDIATE = 20, KIND = 30, SLTI_X0_X0 = 0x2013 };
	static const struct {
		const char *word;
		uint32_t bits, mask;
	} kinds[] = {{"mark=", 0, UINT32_MAX >> 2},
		     {"begin=", UINT32_C(1) << KIND, UINT32_MAX},
		     {"end=", UINT32_C(2) << KIND, UINT32_MAX}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const size_t length = strlen(kinds[i].word);
		uint64_t number;
		if (strncmp(text, kinds[i].word, length) != 0)
			continue;
		if (tr_cli_number(text + length, &number) || number >= NUMBERS)
			return "not a number from 0 to 1023";
		trigger->kind = TRIGGER_INSN;
		trigger->value =
		    kinds[i].bits | (uint32_t)number << IMMEDIATE | SLTI_X0_X0;
		trigger->mask = kinds[i].mask;
		return NULL;
	}
	return unknown;
}

/* Machines count the cycles before a token, users up to and including it. */
static const char *parse_cycle(struct trigger *trigger, const char *text)
{
	const char *why = tr_cli_number(text, &trigger->value);

	if (why)
		return why;
	if (trigger->value == 0)
		return "the first cycle is 1";
	trigger->value--;
	return NULL;
}

static const char *parse_pc(struct trigger *trigger, const char *text)
{
	if (*text == 0)
		return "no address or symbol";
	if (*text >= '0' && *text <= '9' && strncmp(text, "0x", 2) != 0)
		return "an address begins with 0x";
	if (strncmp(text, "0x", 2) != 0) {
		trigger->symbol = text;
		return NULL;
	}
	if (!parse_hex(text, UINT64_MAX, &trigger->value))
		return "not a hexadecimal number of at most 64 bits";
	return trigger->value & 1 ? "an odd address, where no instruction can be" : NULL;
}

const char *trigger_parse(struct trigger *trigger, const char *text)
{
	*trigger = (struct trigger){.kind = TRIGGER_NONE};
	if (strcmp(text, "exit") == 0) {
		trigger->kind = TRIGGER_EXIT;
		return NULL;
	}
	if (strncmp(text, "cycle=", 6) == 0) {
		trigger->kind = TRIGGER_CYCLE;
		return parse_cycle(trigger, text + 6);
	}
	if (strncmp(text, "insn=", 5) == 0) {
		trigger->kind = TRIGGER_INSN;
		return parse_insn(trigger, text + 5);
	}
	if (strncmp(text, "pc=", 3) == 0) {
		trigger->kind = TRIGGER_PC;
		return parse_pc(trigger, text + 3);
	}
	if (strncmp(text, "exec=", 5) == 0) {
		trigger->kind = TRIGGER_EXEC;
		trigger->file = text + 5;
		return NULL;
	}
	return parse_mark(trigger, text);
}

bool trigger_resolve(struct trigger *trigger, const char *const *paths, size_t count,
		     char *message, size_t size)
{
	const char *name = trigger->symbol;

	trigger->symbol = NULL;
	if (trigger->file) {
		trigger->exec = exec_open(trigger->file, message, size);
		return trigger->exec != NULL;
	}
	if (!name)
		return true;
	return symbol_find(name, paths, count, &trigger->value, message, size);
}

void trigger_release(struct trigger *trigger)
{
	exec_close(trigger->exec);
	trigger->exec = NULL;
}

bool trigger_meets(const struct trigger *trigger, uint64_t cycle,
		   const struct machine_next *next)
{
	switch (trigger->kind) {
	case TRIGGER_CYCLE:
		return cycle == trigger->value;
	case TRIGGER_PC:
		return next->known && next->pc == trigger->value;
	case TRIGGER_INSN:
		return next->known && (next->insn & trigger->mask) == trigger->value;
	case TRIGGER_EXEC:
		return next->begins && exec_watch_begins(next->begins, trigger->exec);
	default:
		return false;
	}
}
