/* SPDX-License-Identifier: Apache-2.0 */
/* soc-sim: runs ELF files and raw images on the RTL. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functional/model_machine.h"
#include "harness.h"
#include "memory.h"
#include "net/port.h"
#include "rtl.h"
#include "rtl_classes.h"
#include "rtl_constants.h"
#include "run/simulator.h"
#include "sample/sampling.h"

static struct harness_options settings = {
    .timing = {.l2 = 14, .dram = 110, .probe = 4},
    .nic_latency = 6400, /* 2 microseconds at 3.2 GHz */
};
static const char *kanata; /* its path */
static struct sampling_options sample = SAMPLING_DEFAULTS;
static bool samples; /* --sample */
/* Of a sampled run. */
static struct sampling *sampling;
static struct machine *hardware;

enum { SUFFIX_MAX = 32 }; /* of the names of other builds of this program */

static void take_nic(void *context, const struct tr_option *option, const char *what)
{
	const struct tr_cli *cli = context;

	(void)option;
	settings.nic = true;
	if (strcmp(what, "loopback") == 0)
		return;
	settings.port = net_port_open();
	if (!settings.port && errno == ENOENT)
		tr_die(cli, "--nic wire: no network: start this program by soc-net");
	if (!settings.port)
		tr_die(cli, "--nic wire: SOC_NET is not that of soc-net: it is \"%s\"",
		       getenv("SOC_NET"));
}

static FILE *open_output(const struct tr_cli *cli, const char *path)
{
	FILE *file = fopen(path, "wbe");

	if (!file)
		tr_die(cli, "%s: %s", path, strerror(errno));
	return file;
}

static void take_pcap(void *context, const struct tr_option *option, const char *path)
{
	(void)option;
	settings.pcap_path = path;
	settings.pcap = open_output(context, path);
}

/* Gets the path of this program, which has room for a suffix of SUFFIX_MAX bytes. */
static void find_program(const struct tr_cli *cli, char path[PATH_MAX])
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - SUFFIX_MAX);

	if (size < 0)
		tr_die(cli, "/proc/self/exe: %s", strerror(errno));
	path[size] = '\0';
}

/* Runs the build of this program that can draw, soc-sim-view in the same folder, with the
 * same arguments; dies if it is not there. Only cycles of a trace are drawn: without one,
 * a trace is written nowhere. */
static _Noreturn void run_view(const struct tr_cli *cli)
{
	char path[PATH_MAX];
	const size_t count = (size_t)cli->argc;
	char **arguments = calloc(count + 2, sizeof(*arguments));

	tr_cli_need(cli, arguments);
	find_program(cli, path);
	strcat(path, "-view");
	size_t n = 0;

	arguments[n++] = cli->argv[0];
	if (!getenv("TR_CAPTURE_FD"))
		arguments[n++] = "--trace=/dev/null";
	memcpy(arguments + n, cli->argv + 1, (count - 1) * sizeof(*arguments));
	execv(path, arguments);
	tr_die(cli, "%s: %s; make %s builds it", path, strerror(errno),
	       strrchr(path, '/') + 1);
}

/* --core. Runs the build of this program that has these cores, in the same folder. */
static void take_core(void *context, const struct tr_option *option, const char *cores)
{
	static const char *const suffixes[] = {"", "-ooo", "-inorder-ooo"};
	const struct tr_cli *cli = context;
	char own[PATH_MAX], path[PATH_MAX];

	if (strcmp(cores, CORE) == 0)
		return;
	find_program(cli, own);
	strcpy(path, own);
	char *name = strrchr(path, '/') + 1;
	size_t i = 0;

	while (strcmp(option->choice.words[i], cores) != 0)
		i++;
	snprintf(name, (size_t)(path + sizeof(path) - name), "soc-sim%s%s", suffixes[i],
		 VIEW ? "-view" : "");
	if (strcmp(path, own) == 0)
		tr_die(cli, "--core %s: this is the build with --core %s", cores, CORE);
	execv(path, cli->argv);
	tr_die(cli, "%s: %s; make %s builds it", path, strerror(errno), name);
}

/* --wave and --kanata. The writer of waveforms opens its file itself, in place of what is
 * there, and reports no failure. */
static void take_view(void *context, const struct tr_option *option, const char *path)
{
	if (!VIEW)
		run_view(context);
	FILE *file = open_output(context, path);
	if (strcmp(option->name, "wave") == 0) {
		struct stat status;

		if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
			tr_die(context, "%s: a waveform needs a regular file", path);
		settings.rtl.wave = path;
		fclose(file);
	} else {
		kanata = path;
		settings.rtl.kanata = file;
	}
}

static void take_sample(void *context, const struct tr_option *option, const char *text)
{
	char *copy = strdup(text);
	const char *wrong;

	(void)option;
	tr_cli_need(context, copy);
	if (!sampling_parse(&sample, copy, &wrong))
		tr_die(context, "--sample: not a key and a number in its range: %s",
		       wrong);
	free(copy);
	samples = true;
	const char *jobs = getenv("TR_SAMPLE_JOBS");
	if (jobs)
		sample.jobs = tr_cli_range(context, "TR_SAMPLE_JOBS", jobs, 1, 256);
}

static struct machine *create_rtl_machine(const struct simulator_config *config)
{
	if (!rtl_can_have(config->harts)) {
		fputs(config->harts > 1
			  ? "soc-sim: built for one hart: make builds it for several\n"
			  : "soc-sim: --core " CORE " needs --harts 2\n",
		      stderr);
		exit(TR_EXIT_TROUBLE);
	}
	if (config->disk && config->harts > 1) {
		fputs(
		    "soc-sim: --disk needs --harts 1: the hardware of several harts has "
		    "none\n",
		    stderr);
		exit(TR_EXIT_TROUBLE);
	}
	settings.disk = config->disk;
	settings.disk_timing = config->disk_timing;
	settings.rtl.harts = config->harts;
	settings.rtl.ram_size = config->ram_size;
	settings.rtl.features = config->features;
	return harness_new(&settings);
}

static const char *name_classes(const struct soc_features *features)
{
	if (strstr(CORE, "ooo"))
		return RTL_CLASSES_OOO;
	return features->fpu ? RTL_CLASSES_FLOAT : RTL_CLASSES;
}

/* CORES has a bit for each hart, which is 1 for the out-of-order core. */
static unsigned hart_width(unsigned hart)
{
	return CORES >> hart & 1 ? COMMITS : 1;
}

/* --sample: the machine is the model, and the hardware has its RAM. */
static struct machine *create_sampled_machine(const struct simulator_config *config)
{
	struct simulator_config recording = *config;

	recording.records_uses = true;
	struct machine *model = model_machine_new(&recording);
	if (!model)
		return NULL;
	settings.image = model->image;
	hardware = create_rtl_machine(config);
	sample.classes = name_classes(&config->features);
	sample.width = hart_width(0);
	memory_l2_size(&sample.sets, &sample.ways);
	if (hardware)
		sampling = sampling_new(&sample, model, hardware);
	if (sampling)
		return model;
	model_machine_free(model);
	return NULL;
}

static struct machine *create_machine(const struct simulator_config *config)
{
	if (!samples)
		return create_rtl_machine(config);
	if (config->harts == 1 && !settings.nic && !settings.lockstep)
		return create_sampled_machine(config);
	fprintf(stderr, "soc-sim: --sample: not with %s\n",
		settings.nic	    ? "--nic"
		: settings.lockstep ? "--lockstep"
				    : "several harts");
	exit(TR_EXIT_TROUBLE);
}

static void destroy_machine(struct machine *m)
{
	if (!m->sample) {
		harness_free(m);
		return;
	}
	sampling_free(sampling);
	harness_free(hardware);
	model_machine_free(m);
}

/* Closes an output, which may be NULL. Returns false if it is not complete; `told`: the
 * run has ended for a failure to write it. */
static bool close_output(FILE *file, const char *path, bool told)
{
	if (!file || !(ferror(file) | fclose(file)))
		return true;
	if (!told)
		fprintf(stderr, "soc-sim: %s: %s\n", path, strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	static const char *const nics[] = {"loopback", "wire", NULL};
	static const char *const cores[] = {"inorder", "ooo", "inorder,ooo", NULL};
	static const struct tr_option options[] = {
	    {"core", .choice = {.words = cores}, .take = take_core,
	     .help = "the core of all harts, or one for each (inorder)"},
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
	     .range = {&settings.nic_latency, 1, L2_DRAM_LATENCY_MAX},
	     .help = "cycles from the first word of a frame to its return (6400)"},
	    {"pcap", .argument = "FILE", .take = take_pcap,
	     .help = "write the frames of the wire, with target time"},
	    {"wave", .argument = "FILE", .take = take_view,
	     .help = "write a waveform (FST) of the cycles that are traced"},
	    {"kanata", .argument = "FILE", .take = take_view,
	     .help = "write the instructions in the stages in these cycles, for Konata"},
	    {"sample", .argument = "KEY=N,...", .take = take_sample,
	     .help = "run only windows on the RTL, the rest on the functional model, as "
		     "tr-sample asks for"},
	    {"lockstep", .flag = &settings.lockstep,
	     .help = "compare with the functional model; stop at the first difference"},
	    {0}};
	static const struct simulator simulator = {
	    .name = "soc-sim",
	    .usage = SIMULATOR_USAGE("soc-sim", "the RTL of an RV64 machine"),
	    .precision = "cycles",
	    .can = {.fpu = HAS_FLOAT, .copy = true, .disk = true},
	    .classes = name_classes,
	    .options = options,
	    .can_save = true,
	    .can_count = true,
	    .create = create_machine,
	    .destroy = destroy_machine,
	    .max_harts = RTL_HARTS_MAX,
	    .commit_width = COMMITS,
	    .hart_width = hart_width,
	};

	const int status = simulator_main(&simulator, argc, argv);
	return close_output(settings.pcap, settings.pcap_path,
			    settings.pcap && ferror(settings.pcap)) &
		       close_output(settings.rtl.kanata, kanata, false)
		   ? status
		   : TR_EXIT_TROUBLE;
}
