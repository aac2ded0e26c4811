/* SPDX-License-Identifier: Apache-2.0 */
/* Names of privileges, events, gaps and causes. */
#include "text/text_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

static const char *const privs[16] = {
    [TR_PRIV_U] = "U",
    [TR_PRIV_S] = "S",
    [TR_PRIV_M] = "M",
    [TR_PRIV_V | TR_PRIV_U] = "VU",
    [TR_PRIV_V | TR_PRIV_S] = "VS",
    [TR_PRIV_D | TR_PRIV_M] = "D",
};

static const char *const events[] = {
    [TR_EV_TRAP] = "trap",
    [TR_EV_XRET] = "xret",
    [TR_EV_SATP] = "satp",
    [TR_EV_PRIV] = "priv",
    [TR_EV_REG] = "reg",
    [TR_EV_TRIGGER] = "trigger",
    [TR_EV_GAP] = "gap",
    [TR_EV_SPACE] = "space",
    [TR_EV_COUNTERS] = "counters",
    [TR_EV_MMIO_LOAD] = "mmio-load",
    [TR_EV_CSR_READ] = "csr-read",
    [TR_EV_ATOMIC] = "atomic",
    [TR_EV_DEVICE_WRITE] = "device-write",
    [TR_EV_MARK] = "mark",
    [TR_EV_REGISTERS] = "registers",
    [TR_EV_PROBE] = "probe",
    [TR_EV_MEMORY] = "memory",
    [TR_EV_STATE] = "state",
    [TR_EV_TRANSLATION] = "translation",
    [TR_EV_BREAK] = "break",
    [TR_EV_HGATP] = "hgatp",
};

static const char *const gaps[] = {
    [TR_GAP_UNTRACED] = "untraced", [TR_GAP_RESET] = "reset", [TR_GAP_END] = "end",
    [TR_GAP_LOST] = "lost",	    [TR_GAP_SPLIT] = "split", [TR_GAP_LIMIT] = "limit",
};

static const char *const frame_kinds[] = {
    [TR_FRAME_FUNCTION] = "function", [TR_FRAME_PROGRAM] = "program",
    [TR_FRAME_TRAP] = "trap",	      [TR_FRAME_UNKNOWN] = "unknown",
    [TR_FRAME_GAP] = "gap",	      [TR_FRAME_IDLE] = "idle",
    [TR_FRAME_INLINED] = "inlined",   [TR_FRAME_LINE] = "line",
};

static const char *const exceptions[] = {
    "instruction address misaligned",
    "instruction access fault",
    "illegal instruction",
    "breakpoint",
    "load address misaligned",
    "load access fault",
    "store address misaligned",
    "store access fault",
    "ecall from U",
    "ecall from S",
    "ecall from VS",
    "ecall from M",
    "instruction page fault",
    "load page fault",
    "",
    "store page fault",
    "double trap",
    "",
    "software check",
    "hardware error",
    "instruction guest-page fault",
    "load guest-page fault",
    "virtual instruction",
    "store guest-page fault",
};

static const char *const interrupts[] = {
    "",
    "supervisor software",
    "virtual supervisor software",
    "machine software",
    "",
    "supervisor timer",
    "virtual supervisor timer",
    "machine timer",
    "",
    "supervisor external",
    "virtual supervisor external",
    "machine external",
    "guest external",
    "counter overflow",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *name_at(const char *const *names, size_t count, uint64_t i)
{
	return i < count ? names[i] : NULL;
}

static bool find_name_index(const char *const *names, size_t count, const char *name,
			    size_t *i)
{
	for (*i = 0; *i < count; ++*i)
		if (names[*i] && strcmp(names[*i], name) == 0)
			return true;
	return false;
}

const char *tr_priv_name(unsigned priv, char room[TR_NAME_ROOM])
{
	const char *name = name_at(privs, COUNT(privs), priv);
	if (name)
		return name;
	snprintf(room, TR_NAME_ROOM, "%u", priv);
	return room;
}

const char *tr_event_name(unsigned kind)
{
	return name_at(events, COUNT(events), kind);
}

const char *tr_gap_name(unsigned reason)
{
	return name_at(gaps, COUNT(gaps), reason);
}

const char *tr_frame_kind_name(unsigned kind)
{
	return name_at(frame_kinds, COUNT(frame_kinds), kind);
}

const char *tr_cause_text(uint64_t cause)
{
	if ((cause & ~TR_CAUSE_INTERRUPT) == TR_CAUSE_UNKNOWN)
		return cause & TR_CAUSE_INTERRUPT ? "interrupt of unknown cause"
						  : "trap of unknown cause";
	const char *text =
	    cause & TR_CAUSE_INTERRUPT
		? name_at(interrupts, COUNT(interrupts), cause & ~TR_CAUSE_INTERRUPT)
		: name_at(exceptions, COUNT(exceptions), cause);
	return text ? text : "";
}

bool tr_priv_from_name(const char *name, uint8_t *priv)
{
	size_t i;
	if (!find_name_index(privs, COUNT(privs), name, &i)) {
		char *end;
		i = strtoul(name, &end, 10);
		if (*name < '0' || *name > '9' || *end || i >= COUNT(privs))
			return false;
	}
	*priv = (uint8_t)i;
	return true;
}

bool tr_event_from_name(const char *name, uint16_t *kind)
{
	size_t i;
	bool found = find_name_index(events, COUNT(events), name, &i);
	*kind = (uint16_t)i;
	return found;
}

bool tr_gap_from_name(const char *name, uint8_t *reason)
{
	size_t i;
	bool found = find_name_index(gaps, COUNT(gaps), name, &i);
	*reason = (uint8_t)i;
	return found;
}

bool tr_frame_kind_from_name(const char *name, uint8_t *kind)
{
	size_t i;
	bool found = find_name_index(frame_kinds, COUNT(frame_kinds), name, &i);
	*kind = (uint8_t)i;
	return found;
}
