/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "gdb_registers.h"

enum {
	READ_MOST = GDB_PACKET / 2 - 16, /* bytes in an answer */
	DESCRIPTION = 1 << 14,
	WATCH_MOST = 1 << 12, /* bytes; a watch does not cross a page */
};

struct gdb {
	struct gdb_link *link;
	struct travel *travel;
	struct soc *soc;
	unsigned hart; /* of registers and memory: the last Hg */
	bool over;     /* the client has ended the session */
	enum travel_stop stop;
	char answer_packet[GDB_PACKET + 1];
	char description[DESCRIPTION];
};

static void answer_packet(struct gdb *g, const char *text)
{
	snprintf(g->answer_packet, sizeof(g->answer_packet), "%s", text);
}

/* Text as hexadecimal digits. */
static void encode_hex_text(char *digits, const char *text)
{
	size_t n = 0;

	for (; *text && n < READ_MOST; text++, n++)
		sprintf(digits + 2 * n, "%02x", (unsigned)(unsigned char)*text);
	digits[2 * n] = 0;
}

static void answer_text(struct gdb *g, const char *text)
{
	encode_hex_text(g->answer_packet, text);
}

/* ------------------------------------------------------------ numbers in packets */

/* Reads a hexadecimal number and what must follow it. Returns false if it is not so. */
static bool parse_hex_number(const char **text, char end, uint64_t *value)
{
	char *after;

	if (tr_hex_digit(**text) < 0)
		return false;
	*value = strtoull(*text, &after, 16);
	if (*after != end)
		return false;
	*text = after + (end != 0);
	return true;
}

/* Reads the number of a thread, which is that of a hart plus 1; 0 and -1 are the current
 * one. */
static bool parse_thread(const struct gdb *g, const char *text, unsigned *hart)
{
	uint64_t value = 0;

	if (strcmp(text, "-1") != 0 && !parse_hex_number(&text, 0, &value))
		return false;
	*hart = value ? (unsigned)(value - 1) : travel_hart(g->travel);
	return value <= soc_harts(g->soc);
}

/* ------------------------------------------------------------ stops */

/* Reports why it has stopped. */
static void report_stop(struct gdb *g)
{
	const char *reason = "";
	char watch_writes[64] = "";

	g->hart = travel_hart(g->travel);
	if (g->stop == TRAVEL_START)
		reason = "replaylog:begin;";
	else if (g->stop == TRAVEL_END)
		reason = "replaylog:end;";
	else if (g->stop == TRAVEL_WRITE || g->stop == TRAVEL_DEVICE ||
		 g->stop == TRAVEL_UNTRACED)
		snprintf(watch_writes, sizeof(watch_writes), "watch:%zx;",
			 travel_watch(g->travel));
	if (g->stop == TRAVEL_FAILED) {
		answer_packet(g, "X09");
		g->over = true;
		return;
	}
	snprintf(g->answer_packet, sizeof(g->answer_packet), "T%s%s%sthread:%x;",
		 g->stop == TRAVEL_STOPPED ? "02" : "05", reason, watch_writes,
		 g->hart + 1);
}

/* Prints a line in gdb, which waits for a stop. A client that has gone is noticed at the
 * next answer. */
static void print_in_gdb(struct gdb *g, const char *line)
{
	g->answer_packet[0] = 'O';
	encode_hex_text(g->answer_packet + 1, line);
	gdb_send(g->link, g->answer_packet);
}

static void report_new_stop(struct gdb *g, enum travel_stop stop)
{
	g->stop = stop;
	if (stop == TRAVEL_DEVICE)
		print_in_gdb(g, "written by a device, not by an instruction\n");
	else if (stop == TRAVEL_UNTRACED)
		print_in_gdb(g, "written before this window, where nothing is traced\n");
	report_stop(g);
}

/* vCont: the first action that steps, or else to continue. */
static void resume_by_vcont(struct gdb *g, const char *text)
{
	unsigned hart = travel_hart(g->travel);
	const char *step = strstr(text, ";s");
	char id[24] = "-1";

	if (!step) {
		report_new_stop(g, travel_run(g->travel));
		return;
	}
	if (step[2] == ':')
		snprintf(id, sizeof(id), "%.*s", (int)strcspn(step + 3, ";"), step + 3);
	if (!parse_thread(g, id, &hart))
		answer_packet(g, "E01");
	else
		report_new_stop(g, travel_step(g->travel, hart));
}

/* ------------------------------------------------------------ registers, memory */

static void answer_register(struct gdb *g, const char *text)
{
	char digits[GDB_REGISTER_TEXT];
	uint64_t n;

	if (parse_hex_number(&text, 0, &n) && n < UINT32_MAX &&
	    gdb_register(g->soc, g->hart, (unsigned)n, digits))
		answer_packet(g, digits);
	else
		answer_packet(g, "E01");
}

/* Answers with as many bytes as can be read, at least one. */
static void answer_memory(struct gdb *g, const char *text)
{
	uint64_t address, size, n = 0;
	uint8_t byte;

	if (!parse_hex_number(&text, ',', &address) ||
	    !parse_hex_number(&text, 0, &size)) {
		answer_packet(g, "E01");
		return;
	}
	while (n < size && n < READ_MOST &&
	       soc_read_virtual(g->soc, g->hart, address + n, &byte, 1))
		sprintf(g->answer_packet + 2 * n++, "%02x", byte);
	if (n == 0 && size)
		answer_packet(g, "E14");
}

/* Watches writes. The address is translated as it is now. */
static bool watch_writes(struct gdb *g, bool adds, uint64_t address, uint64_t size)
{
	uint64_t physical;

	if (!adds) {
		travel_remove_watch(g->travel, (size_t)address);
		return true;
	}
	return size && size <= WATCH_MOST &&
	       soc_translate(g->soc, g->hart, address, &physical) &&
	       travel_add_watch(g->travel, (size_t)address, physical, size);
}

/* Z and z: breakpoints, and watches of writes. */
static void set_break(struct gdb *g, const char *text)
{
	bool adds = text[0] == 'Z', done = true;
	uint64_t address, size;
	char type = text[1];

	if (type < '0' || type > '2')
		return;
	text += 3;
	if (text[-1] != ',' || !parse_hex_number(&text, ',', &address) ||
	    !parse_hex_number(&text, 0, &size))
		done = false;
	else if (type == '2')
		done = watch_writes(g, adds, address, size);
	else if (adds)
		done = travel_add_break(g->travel, address);
	else
		travel_remove_break(g->travel, address);
	answer_packet(g, done ? "OK" : "E01");
}

/* ------------------------------------------------------------ queries */

/* A part of the description, from an offset. */
static void answer_description(struct gdb *g, const char *text)
{
	size_t all = strlen(g->description);
	uint64_t from, size;

	if (!parse_hex_number(&text, ',', &from) || !parse_hex_number(&text, 0, &size) ||
	    from > all) {
		answer_packet(g, "E01");
		return;
	}
	if (size > GDB_PACKET - 1)
		size = GDB_PACKET - 1;
	snprintf(g->answer_packet, sizeof(g->answer_packet), "%c%.*s",
		 from + size < all ? 'm' : 'l', (int)size, g->description + from);
}

static void list_threads(struct gdb *g)
{
	size_t n = (size_t)snprintf(g->answer_packet, sizeof(g->answer_packet), "m1");

	for (unsigned i = 1; i < soc_harts(g->soc); i++)
		n += (size_t)snprintf(g->answer_packet + n, sizeof(g->answer_packet) - n,
				      ",%x", i + 1);
}

/* monitor: its command is in hexadecimal digits. */
static void answer_monitor(struct gdb *g, const char *text)
{
	char line[200];

	if (strcmp(text, "6379636c65") == 0) /* cycle */
		snprintf(line, sizeof(line),
			 "cycle %" PRIu64 ", hart %u, instruction %" PRIu64 "\n",
			 travel_cycle(g->travel), travel_hart(g->travel),
			 soc_instret(g->soc, travel_hart(g->travel)) + 1);
	else
		snprintf(line, sizeof(line), "the only command is cycle\n");
	answer_text(g, line);
}

static void answer_query(struct gdb *g, const char *text)
{
	if (strncmp(text, "qSupported", 10) == 0)
		snprintf(g->answer_packet, sizeof(g->answer_packet),
			 "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;"
			 "ReverseStep+;ReverseContinue+;vContSupported+",
			 GDB_PACKET);
	else if (strncmp(text, "qXfer:features:read:target.xml:", 31) == 0)
		answer_description(g, text + 31);
	else if (strcmp(text, "qfThreadInfo") == 0)
		list_threads(g);
	else if (strcmp(text, "qsThreadInfo") == 0)
		answer_packet(g, "l");
	else if (strcmp(text, "qC") == 0)
		snprintf(g->answer_packet, sizeof(g->answer_packet), "QC%x",
			 travel_hart(g->travel) + 1);
	else if (strncmp(text, "qAttached", 9) == 0)
		answer_packet(g, "1");
	else if (strncmp(text, "qThreadExtraInfo,", 17) == 0)
		answer_text(g, "hart");
	else if (strncmp(text, "qRcmd,", 6) == 0)
		answer_monitor(g, text + 6);
}

/* ------------------------------------------------------------ packets */

static void set_thread(struct gdb *g, const char *text)
{
	unsigned hart;

	if (text[0] == 0 || !parse_thread(g, text + 1, &hart)) {
		answer_packet(g, "E01");
		return;
	}
	if (text[0] == 'g')
		g->hart = hart;
	answer_packet(g, "OK");
}

static void run_backwards(struct gdb *g, const char *text)
{
	if (strcmp(text, "bs") == 0)
		report_new_stop(g, travel_step_back(g->travel, travel_hart(g->travel)));
	else if (strcmp(text, "bc") == 0)
		report_new_stop(g, travel_run_back(g->travel));
}

static void handle_v(struct gdb *g, const char *text)
{
	if (strcmp(text, "vCont?") == 0)
		answer_packet(g, "vCont;c;C;s;S");
	else if (strncmp(text, "vCont;", 6) == 0)
		resume_by_vcont(g, text);
	else if (strncmp(text, "vKill", 5) == 0) {
		g->over = true;
		answer_packet(g, "OK");
	}
}

/* An empty answer says that the packet is not known. */
static void handle_packet(struct gdb *g, const char *text)
{
	unsigned hart;

	g->answer_packet[0] = 0;
	switch (text[0]) {
	case '?':
		report_stop(g);
		break;
	case 'g':
		gdb_registers(g->soc, g->hart, g->answer_packet);
		break;
	case 'p':
		answer_register(g, text + 1);
		break;
	case 'm':
		answer_memory(g, text + 1);
		break;
	case 'G':
	case 'P':
	case 'M':
	case 'X':
		answer_packet(g, "E01"); /* the past cannot be changed */
		break;
	case 'c':
		report_new_stop(g, travel_run(g->travel));
		break;
	case 's':
		report_new_stop(g, travel_step(g->travel, travel_hart(g->travel)));
		break;
	case 'b':
		run_backwards(g, text);
		break;
	case 'v':
		handle_v(g, text);
		break;
	case 'Z':
	case 'z':
		set_break(g, text);
		break;
	case 'H':
		set_thread(g, text + 1);
		break;
	case 'T':
		answer_packet(g, parse_thread(g, text + 1, &hart) ? "OK" : "E01");
		break;
	case 'q':
		answer_query(g, text);
		break;
	case 'D':
		g->over = true;
		answer_packet(g, "OK");
		break;
	case 'k':
		g->over = true;
		break;
	default:
		break;
	}
}

struct gdb *gdb_new(struct gdb_link *link, struct travel *travel, struct soc *soc)
{
	struct gdb *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->link = link;
	g->travel = travel;
	g->soc = soc;
	g->stop = TRAVEL_THERE;
	gdb_describe(soc, g->description, sizeof(g->description));
	return g;
}

void gdb_free(struct gdb *g)
{
	free(g);
}

bool gdb_serve(struct gdb *g)
{
	g->hart = travel_hart(g->travel);
	while (!g->over && gdb_receive(g->link)) {
		bool quiet = strcmp(g->link->packet, "QStartNoAckMode") == 0;

		handle_packet(g, g->link->packet);
		if (quiet)
			answer_packet(g, "OK");
		if (g->link->packet[0] != 'k' && !gdb_send(g->link, g->answer_packet))
			break;
		g->link->no_ack |= quiet;
	}
	gdb_hang_up(g->link);
	travel_remove_all(g->travel);
	return g->over;
}
