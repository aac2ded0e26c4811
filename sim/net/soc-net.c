/* SPDX-License-Identifier: Apache-2.0 */
/* soc-net: runs simulators as the nodes of one network. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "segment.h"
#include "soc.h"

static const char usage[] =
    "usage: soc-net [OPTION...] -- COMMAND [ARGUMENT...] [-- COMMAND [ARGUMENT...]]...\n"
    "Run simulators, each with `--nic wire`, as the nodes of one Ethernet network.\n";

static const char notes[] =
    "N may end in k, M or G, for powers of 1000. Of the nodes, only 0 reads standard "
    "input.\n";

enum { DEFAULT_CYCLES = 6400, ENVIRONMENT_BYTES = 32 };

struct net {
	struct tr_cli cli;
	struct net_options options;
	unsigned latency, epoch; /* cycles; 0: by default */
	char **commands[NET_NODES_MAX];
	pid_t pids[NET_NODES_MAX]; /* 0: has ended */
	struct net_segment *segment;
	int fd, status;
};

static volatile sig_atomic_t stop;

static void note_signal(int signal)
{
	stop = signal;
}

static void take_rate(void *context, const struct tr_option *option, const char *text)
{
	struct net *net = context;

	(void)option;
	net->options.rate = tr_cli_u64(&net->cli, "--rate", text);
	if (net->options.rate == 0 || net->options.rate > UINT64_C(64) * SOC_CLOCK_HZ)
		tr_die(&net->cli, "--rate: not 1 to 204.8G: %s", text);
}

/* Half the latency: a node need not wait for others that are up to an epoch behind. */
static uint64_t default_epoch(uint64_t latency)
{
	uint64_t half = (latency + 1) / 2;

	return half < DEFAULT_CYCLES ? half : DEFAULT_CYCLES;
}

/* Divides the command line at each "--". */
static void parse(struct net *net)
{
	const struct tr_option options[] = {
	    {"latency", .argument = "N", .range = {&net->latency, 1, NET_LATENCY_MAX},
	     .help = "cycles from a frame's last word at its sender to its first at the "
		     "receiver (6400: 2 us)"},
	    {"rate", .argument = "N", .take = take_rate,
	     .help = "bits per second of each link (204.8G: 8 bytes a cycle)"},
	    {"epoch", .argument = "N", .range = {&net->epoch, 1, NET_LATENCY_MAX},
	     .help = "cycles between exchanges of frames; affects no result (half the "
		     "latency, at most 6400)"},
	    {"output", 'o', .argument = "P", .text = &net->cli.output,
	     .help = "write what node 0, 1 ... prints to P0.txt, P1.txt ..."},
	    {0}};
	struct tr_cli *cli = &net->cli;
	int argc = cli->argc, own = argc;

	for (int i = 1; i < argc; i++) {
		if (strcmp(cli->argv[i], "--") != 0)
			continue;
		if (own == argc)
			own = i;
		if (net->options.nodes == NET_NODES_MAX)
			tr_die(cli, "more than %d nodes", NET_NODES_MAX);
		if (i + 1 == argc || strcmp(cli->argv[i + 1], "--") == 0)
			tr_die(cli, "no command after --");
		net->commands[net->options.nodes++] = cli->argv + i + 1;
		cli->argv[i] = NULL;
	}
	cli->argc = own;
	cli->notes = notes;
	tr_options_parse(cli, options, net);
	if (optind < own)
		tr_die(cli, "not after --: %s", cli->argv[optind]);
	if (net->options.nodes == 0)
		tr_die(cli, "no node: a command must follow --");
	net->options.latency = net->latency;
	net->options.epoch = net->epoch ? net->epoch : default_epoch(net->latency);
	if (net->options.epoch > net->options.latency)
		tr_die(cli, "--epoch is longer than --latency");
}

/* In the child: standard input, output and error. */
static bool redirect_streams(const struct net *net, unsigned node)
{
	char path[4096];

	if (node > 0) {
		int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (in < 0 || dup2(in, STDIN_FILENO) < 0)
			return false;
	}
	if (!net->cli.output)
		return true;
	if (snprintf(path, sizeof(path), "%s%u.txt", net->cli.output, node) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0;
}

/* The child reports an error of its start through `failed`, which exec() closes. */
static void start_node(struct net *net, unsigned node)
{
	char wire[ENVIRONMENT_BYTES];
	pid_t parent = getpid();
	int failed[2], error = 0;

	if (pipe2(failed, O_CLOEXEC) != 0)
		tr_die(&net->cli, "node %u: %s", node, strerror(errno));
	net->pids[node] = fork();
	if (net->pids[node] < 0)
		tr_die(&net->cli, "node %u: %s", node, strerror(errno));
	if (net->pids[node] == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		snprintf(wire, sizeof(wire), "%d:%u", net->fd, node);
		setenv("SOC_NET", wire, 1);
		if (getppid() == parent && redirect_streams(net, node))
			execvp(net->commands[node][0], net->commands[node]);
		error = errno;
		if (write(failed[1], &error, sizeof(error)) < 0)
			_exit(TR_EXIT_TROUBLE);
		_exit(TR_EXIT_TROUBLE);
	}
	close(failed[1]);
	if (read(failed[0], &error, sizeof(error)) == sizeof(error)) {
		tr_warn(&net->cli, "node %u: %s: %s", node, net->commands[node][0],
			strerror(error));
		net->status = TR_EXIT_TROUBLE;
	}
	close(failed[0]);
}

static unsigned node_of_pid(const struct net *net, pid_t pid)
{
	unsigned node = 0;

	while (node < net->options.nodes && net->pids[node] != pid)
		node++;
	return node;
}

/* A node that ended without leaving the network has died, as the others will see. */
static void note_end(struct net *net, unsigned node, int status)
{
	struct net_progress progress;

	net->pids[node] = 0;
	net_bury(net->segment, node);
	net_read_progress(net->segment, node, &progress);
	if (WIFSIGNALED(status))
		tr_warn(&net->cli, "node %u was ended by signal %d: %s", node,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (progress.state == NET_DIED && net->status == 0)
		tr_warn(&net->cli, "node %u ended without having used the network", node);
	if (progress.dropped)
		tr_warn(&net->cli,
			"node %u: the switch dropped %" PRIu64
			" frames: its buffer was full",
			node, progress.dropped);
	if (WIFSIGNALED(status) || progress.state == NET_DIED)
		net->status = TR_EXIT_TROUBLE;
	else if (WEXITSTATUS(status) > net->status)
		net->status = WEXITSTATUS(status);
}

static void forward_signal(const struct net *net, int signal)
{
	for (unsigned n = 0; n < net->options.nodes; n++)
		if (net->pids[n] > 0)
			kill(net->pids[n], signal);
}

static void wait_for_all(struct net *net)
{
	int status;
	pid_t pid;

	while ((pid = wait(&status)) > 0 || errno == EINTR) {
		unsigned node = pid > 0 ? node_of_pid(net, pid) : net->options.nodes;

		if (node < net->options.nodes)
			note_end(net, node, status);
		if (stop) {
			forward_signal(net, stop);
			stop = 0;
		}
		errno = 0;
	}
}

int main(int argc, char **argv)
{
	static struct net net = {.latency = DEFAULT_CYCLES};
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_signal};

	tr_cli_init(&net.cli, TR_CLI_PLAIN, "soc-net", usage, argc, argv);
	parse(&net);
	net.fd = net_segment_create(&net.options);
	net.segment = net.fd < 0 ? NULL : net_segment_open(net.fd);
	if (!net.segment)
		tr_die(&net.cli, "shared memory: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	for (unsigned n = 0; n < net.options.nodes; n++)
		start_node(&net, n);
	wait_for_all(&net);
	net_segment_close(net.segment);
	return net.status;
}
