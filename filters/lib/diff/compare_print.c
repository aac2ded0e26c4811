/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens and events as a line for a person. */
#include <inttypes.h>

#include "diff/compare.h"

static const char *priv_name(uint8_t priv)
{
	static const char *const names[16] = {
	    [TR_PRIV_U] = "U",
	    [TR_PRIV_S] = "S",
	    [TR_PRIV_M] = "M",
	    [TR_PRIV_V | TR_PRIV_U] = "VU",
	    [TR_PRIV_V | TR_PRIV_S] = "VS",
	    [TR_PRIV_D] = "D",
	    [TR_PRIV_D | TR_PRIV_M] = "D",
	};
	return priv < 16 && names[priv] ? names[priv] : "?";
}

static void print_event(FILE *file, const struct tr_item *item)
{
	const uint64_t *v = item->value;
	switch (item->kind) {
	case TR_EV_TRAP:
		fprintf(file,
			"trap to %s, cause 0x%" PRIx64 ", tval 0x%" PRIx64
			", epc 0x%" PRIx64,
			priv_name((uint8_t)v[3]), v[0], v[1], v[2]);
		break;
	case TR_EV_XRET:
		fprintf(file, "return to %s", priv_name((uint8_t)v[0]));
		break;
	case TR_EV_SATP:
		fprintf(file, "satp 0x%" PRIx64, v[0]);
		break;
	case TR_EV_PRIV:
		fprintf(file, "privilege %s", priv_name((uint8_t)v[0]));
		break;
	case TR_EV_REG:
		fprintf(file, "x%" PRIu64 " = 0x%" PRIx64, v[1], v[0]);
		break;
	case TR_EV_TRIGGER:
		fprintf(file, "trigger %s", v[0] ? "start" : "stop");
		break;
	case TR_EV_GAP:
		fprintf(file, "gap of %" PRIu64 " tokens, reason %" PRIu64, v[0], v[1]);
		break;
	default:
		fprintf(file, "event of kind %u, %" PRIu64 " bytes, XXH64 %016" PRIx64,
			item->kind, v[0], v[1]);
	}
}

void tr_item_print(FILE *file, const struct tr_item *item)
{
	fprintf(file, "token %" PRIu64 ", cycle %" PRIu64 ": ", item->ordinal,
		item->cycle);
	if (item->kind)
		print_event(file, item);
	else
		fprintf(file, "pc 0x%" PRIx64 ", insn 0x%0*" PRIx64, item->pc,
			2 * item->bytes, item->insn);
	fprintf(file, ", satp 0x%" PRIx64 ", priv %s", item->satp, priv_name(item->priv));
	if (item->classes)
		fputs(", classes", file);
	for (unsigned i = 0; i < 4 && item->runs[i].slots; i++)
		fprintf(file, " %u*%" PRIu32, item->runs[i].class, item->runs[i].slots);
}
