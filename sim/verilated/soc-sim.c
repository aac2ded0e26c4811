/* SPDX-License-Identifier: Apache-2.0 */
/* soc-sim: runs ELF files and raw images on the RTL. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "net/port.h"
#include "rtl_classes.h"
#include "run/simulator.h"
#include "smp.h"
#include "smp_harness.h"

enum {
	OPT_NO_SKIP = SIMULATOR_FIRST_FREE,
	OPT_LOCKSTEP,
	OPT_L2,
	OPT_DRAM,
	OPT_NIC,
	OPT_NIC_LATENCY,
	OPT_PCAP,
	OPT_WAVE,
	OPT_KANATA
};

static struct harness_options settings;
static const char *pcap;	    /* its path */
static const struct tr_cli *viewer; /* --wave or --kanata was given */
static bool view_failed;

static unsigned latency(const struct tr_cli *cli, const char *option, const char *text)
{
	return tr_cli_range(cli, option, text, 1, L2_DRAM_LATENCY_MAX);
}

static void take_nic(const struct tr_cli *cli, const char *what)
{
	if (strcmp(what, "loopback") == 0) {
		settings.nic = HARNESS_NIC_LOOPBACK;
		return;
	}
	if (strcmp(what, "wire") != 0)
		tr_die(cli, "--nic: %s: not loopback or wire", what);
	settings.nic = HARNESS_NIC_NETWORK;
	settings.port = net_port_open();
	if (!settings.port && errno == ENOENT)
		tr_die(cli, "--nic wire: no network: start this program by soc-net");
	if (!settings.port)
		tr_die(cli, "--nic wire: SOC_NET is not that of soc-net: it is \"%s\"",
		       getenv("SOC_NET"));
}

/* Runs the build of this program that can draw, soc-sim-view in the same folder, with the
 * same arguments; dies if it is not there. Only cycles of a trace are drawn: without one,
 * a trace is written nowhere. */
static _Noreturn void run_view(const struct tr_cli *cli)
{
	char path[PATH_MAX];
	const size_t count = (size_t)cli->argc;
	char **arguments = calloc(count + 2, sizeof(*arguments));
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - sizeof("-view"));

	tr_cli_need(cli, arguments);
	if (size < 0)
		tr_die(cli, "/proc/self/exe: %s", strerror(errno));
	memcpy(path + size, "-view", sizeof("-view"));
	size_t n = 0;

	arguments[n++] = cli->argv[0];
	if (!getenv("TR_CAPTURE_FD"))
		arguments[n++] = "--trace=/dev/null";
	memcpy(arguments + n, cli->argv + 1, (count - 1) * sizeof(*arguments));
	execv(path, arguments);
	tr_die(cli, "%s: %s; make soc-sim-view builds it", path, strerror(errno));
}

static void take_view(const struct tr_cli *cli, const char **path, const char *argument)
{
	if (!VIEW)
		run_view(cli);
	*path = argument;
	viewer = cli;
}

static void take_option(const struct tr_cli *cli, int option, const char *argument)
{
	switch (option) {
	case OPT_NO_SKIP:
		settings.no_skip = true;
		break;
	case OPT_LOCKSTEP:
		settings.lockstep = true;
		break;
	case OPT_WAVE:
		take_view(cli, &settings.wave, argument);
		break;
	case OPT_KANATA:
		take_view(cli, &settings.kanata, argument);
		break;
	case OPT_L2:
		settings.timing.l2 = latency(cli, "--l2-latency", argument);
		break;
	case OPT_NIC:
		take_nic(cli, argument);
		break;
	case OPT_PCAP:
		pcap = argument;
		settings.pcap = fopen(argument, "wbe");
		if (!settings.pcap)
			tr_die(cli, "%s: %s", argument, strerror(errno));
		break;
	case OPT_NIC_LATENCY:
		settings.nic_latency = latency(cli, "--nic-latency", argument);
		break;
	default:
		settings.timing.dram = latency(cli, "--dram-latency", argument);
	}
}

static void open_view(struct machine *machine)
{
	const char *failed = harness_view(machine);

	if (failed)
		tr_die(viewer, "%s: %s", failed, strerror(errno));
}

static struct machine *create(const struct simulator_config *config)
{
	struct machine *machine;

	if (config->harts > 1 && viewer)
		tr_die(viewer, "--wave and --kanata show a machine of one hart");
	settings.has_float = config->has_float;
	settings.has_copy = config->has_copy;
	if (config->harts > 1)
		return smp_harness_new(config->ram_size, &settings);
	machine = harness_new(config->ram_size, &settings);
	if (machine && viewer)
		open_view(machine);
	return machine;
}

/* Returns the exit status. */
static int close_files(int status)
{
	if (view_failed)
		status = TR_EXIT_TROUBLE;
	if (!settings.pcap || fclose(settings.pcap) == 0)
		return status;
	fprintf(stderr, "soc-sim: %s: %s\n", pcap, strerror(errno));
	return TR_EXIT_TROUBLE;
}

static void destroy(struct machine *machine)
{
	if (machine->harts > 1) {
		smp_harness_free(machine);
		return;
	}
	const char *failed = harness_view_end(machine);

	if (failed) {
		tr_warn(viewer, "%s: %s", failed, strerror(errno));
		view_failed = true;
	}
	harness_free(machine);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"no-skip", no_argument, NULL, OPT_NO_SKIP},
	    {"lockstep", no_argument, NULL, OPT_LOCKSTEP},
	    {"l2-latency", required_argument, NULL, OPT_L2},
	    {"dram-latency", required_argument, NULL, OPT_DRAM},
	    {"nic", required_argument, NULL, OPT_NIC},
	    {"nic-latency", required_argument, NULL, OPT_NIC_LATENCY},
	    {"pcap", required_argument, NULL, OPT_PCAP},
	    {"wave", required_argument, NULL, OPT_WAVE},
	    {"kanata", required_argument, NULL, OPT_KANATA},
	    SIMULATOR_HARTS_OPTION,
	    SIMULATOR_COUNTER_OPTIONS,
	    {NULL, 0, NULL, 0}};
	static const struct simulator simulator = {
	    .name = "soc-sim",
	    .usage = SIMULATOR_USAGE(
		"soc-sim", "the RTL of an RV64 machine",
		"      --l2-latency N         cycles from a miss in "
		"the L1 to the first beat\n"
		"                             of the line, for a "
		"hit in the L2 (default 14)\n"
		"      --dram-latency N       additional cycles for "
		"a miss in the L2 (default\n"
		"                             110)\n"
		"      --no-skip              evaluate every idle "
		"cycle, with the same result\n"
		"      --copy-unit            add the copy unit: "
		"the instruction cpy\n"
		"      --nic WHAT             add the network "
		"interface: loopback (its frames\n"
		"                             come back) or "
		"wire (soc-net starts this\n"
		"                             program as a node "
		"of a network)\n"
		"      --nic-latency N        cycles from the first "
		"word of a frame to its return\n"
		"                             (default 6400)\n"
		"      --pcap FILE            write the frames of "
		"the wire, with target time\n"
		"      --wave FILE            write a waveform (FST) of the "
		"cycles that are traced\n"
		"      --kanata FILE          write the instructions in the "
		"stages in these cycles,\n"
		"                             for Konata\n"
		"      --lockstep             compare with the "
		"functional model; stop at the\n"
		"                             first "
		"difference\n" SIMULATOR_HARTS_USAGE SIMULATOR_COUNTER_USAGE),
	    .precision = "cycles",
	    .can_float = HAS_FLOAT,
	    .classes = {RTL_CLASSES, RTL_CLASSES_FLOAT},
	    .options = options,
	    .option = take_option,
	    .create = create,
	    .destroy = destroy,
	    .max_harts = SMP_HARTS,
	};

	settings.timing = L2_DRAM_TIMING;
	settings.nic_latency = HARNESS_NIC_LATENCY;
	return close_files(simulator_main(&simulator, argc, argv));
}
