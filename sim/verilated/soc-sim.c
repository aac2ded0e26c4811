/* SPDX-License-Identifier: Apache-2.0 */
/* soc-sim: runs ELF files and raw images on the RTL. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "net/port.h"
#include "rtl.h"
#include "rtl_classes.h"
#include "rtl_constants.h"
#include "run/simulator.h"

static struct harness_options settings;
static unsigned nic_latency = HARNESS_NIC_LATENCY; /* cycles */
static const char *pcap;			   /* its path */
static const struct tr_cli *viewer;		   /* --wave or --kanata was given */
static bool view_failed;

static void take_nic(void *context, const struct tr_option *option, const char *what)
{
	const struct tr_cli *cli = context;

	(void)option;
	if (strcmp(what, "loopback") == 0) {
		settings.nic = HARNESS_NIC_LOOPBACK;
		return;
	}
	settings.nic = HARNESS_NIC_NETWORK;
	settings.port = net_port_open();
	if (!settings.port && errno == ENOENT)
		tr_die(cli, "--nic wire: no network: start this program by soc-net");
	if (!settings.port)
		tr_die(cli, "--nic wire: SOC_NET is not that of soc-net: it is \"%s\"",
		       getenv("SOC_NET"));
}

static void take_pcap(void *context, const struct tr_option *option, const char *path)
{
	(void)option;
	pcap = path;
	settings.pcap = fopen(path, "wbe");
	if (!settings.pcap)
		tr_die(context, "%s: %s", path, strerror(errno));
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

/* --wave and --kanata */
static void take_view(void *context, const struct tr_option *option, const char *path)
{
	if (!VIEW)
		run_view(context);
	*(strcmp(option->name, "wave") == 0 ? &settings.wave : &settings.kanata) = path;
	viewer = context;
}

static void open_view(struct machine *machine)
{
	const char *failed = harness_view(machine);

	if (failed)
		tr_die(viewer, "%s: %s", failed, strerror(errno));
}

static struct machine *create_rtl_machine(const struct simulator_config *config)
{
	struct machine *machine;

	if (config->harts > 1 && !rtl_has_several()) {
		fputs("soc-sim: built for one hart: make builds it for several\n",
		      stderr);
		exit(TR_EXIT_TROUBLE);
	}
	settings.features = config->features;
	settings.nic_latency = nic_latency;
	machine = harness_new(config->harts, config->ram_size, &settings);
	if (machine && viewer)
		open_view(machine);
	return machine;
}

static const char *name_classes(const struct soc_features *features)
{
	return features->fpu ? RTL_CLASSES_FLOAT : RTL_CLASSES;
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

static void destroy_rtl_machine(struct machine *machine)
{
	const char *failed = harness_view_end(machine);

	if (failed) {
		tr_warn(viewer, "%s: %s", failed, strerror(errno));
		view_failed = true;
	}
	harness_free(machine);
}

int main(int argc, char **argv)
{
	static const char *const nics[] = {"loopback", "wire", NULL};
	static const struct tr_option options[] = {
	    {"l2-latency", .argument = "N",
	     .range = {&settings.timing.l2, 1, L2_DRAM_LATENCY_MAX},
	     .help = "cycles from a miss in the L1 to the first beat of the line, for a "
		     "hit in the L2 (14)"},
	    {"dram-latency", .argument = "N",
	     .range = {&settings.timing.dram, 1, L2_DRAM_LATENCY_MAX},
	     .help = "additional cycles for a miss in the L2 (110)"},
	    {"no-skip", .flag = &settings.no_skip,
	     .help = "evaluate every idle cycle, with the same result"},
	    {"nic", .choice = {.words = nics}, .take = take_nic,
	     .help = "add the network interface: its frames come back, or soc-net starts "
		     "this program as a node of a network"},
	    {"nic-latency", .argument = "N",
	     .range = {&nic_latency, 1, L2_DRAM_LATENCY_MAX},
	     .help = "cycles from the first word of a frame to its return (6400)"},
	    {"pcap", .argument = "FILE", .take = take_pcap,
	     .help = "write the frames of the wire, with target time"},
	    {"wave", .argument = "FILE", .take = take_view,
	     .help = "write a waveform (FST) of the cycles that are traced"},
	    {"kanata", .argument = "FILE", .take = take_view,
	     .help = "write the instructions in the stages in these cycles, for Konata"},
	    {"lockstep", .flag = &settings.lockstep,
	     .help = "compare with the functional model; stop at the first difference"},
	    {0}};
	static const struct simulator simulator = {
	    .name = "soc-sim",
	    .usage = SIMULATOR_USAGE("soc-sim", "the RTL of an RV64 machine"),
	    .precision = "cycles",
	    .can = {.fpu = HAS_FLOAT, .copy = true},
	    .classes = name_classes,
	    .options = options,
	    .can_count = true,
	    .create = create_rtl_machine,
	    .destroy = destroy_rtl_machine,
	    .max_harts = RTL_HARTS_MAX,
	    .commit_width = RTL_Commits,
	};

	settings.timing = L2_DRAM_TIMING;
	return close_files(simulator_main(&simulator, argc, argv));
}
