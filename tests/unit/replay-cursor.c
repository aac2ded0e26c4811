/* SPDX-License-Identifier: Apache-2.0 */
/* Where the model is when a replay stops: of one hart and of two, whose frames end at
 * different times, with and without pauses, and at a difference. */
#include <sys/mman.h>
#include <unistd.h>

#include "../../sim/replay/lane.h"
#include "check.h"
#include "stream/writer.h"

enum { ROUNDS = 300, INSNS = 4, WATCHED = 2, MOST = 2 * ROUNDS };

/* 00 addi x7, x7, 1; 04 lw x3, 0(x6); 08 addi x5, x5, 1; 0c j 00 */
static const uint32_t PROGRAM[INSNS] = {0x00138393, 0x00032183, 0x00128293, 0xff5ff06f};

static uint64_t seed;
static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (unsigned)((seed >> 33) % below);
}

/* The cycle in which each hart commits each instruction. */
static uint64_t commits[2][ROUNDS * INSNS];

static uint64_t watched_commit(unsigned hart, uint64_t round)
{
	return commits[hart][round * INSNS + WATCHED];
}

static void write_round(struct tr_writer *w, unsigned hart, unsigned round,
			uint64_t *cycle, bool is_wrong)
{
	for (unsigned i = 0; i < INSNS; i++) {
		uint64_t cycles = draw(3) ? 1 : 1 + draw(6);

		*cycle += cycles;
		commits[hart][round * INSNS + i] = *cycle;
		CHECK_EQ(tr_writer_token(w, hart, SOC_RESET_PC + 4 * i,
					 is_wrong && i == WATCHED ? 0x13 : PROGRAM[i], 4,
					 cycles, NULL, 0),
			 TR_OK);
	}
}

/* Writes the same number of rounds of each hart, of which hart 1 is behind; the code of
 * hart 0 in round `wrong` is another one. */
static int write_trace(unsigned harts, unsigned wrong)
{
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("trace", 0);
	uint64_t cycles[2] = {0};
	unsigned behind = 0;
	struct tr_writer *w;

	seed = 7;
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	for (unsigned round = 0; round < ROUNDS; round++) {
		write_round(w, 0, round, &cycles[0], round == wrong);
		while (harts > 1 && behind <= round && (draw(3) || round == ROUNDS - 1))
			write_round(w, 1, behind++, &cycles[1], false);
		if (draw(9) == 0)
			CHECK_EQ(tr_writer_flush(w), TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	return fd;
}

/* ------------------------------------------------------------ replays */

struct run {
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	bool pauses, has_goal;
	struct stop {
		unsigned hart;
		uint64_t cycle;
	} stops[MOST];
	unsigned nstops;
};

static bool wants(void *user, uint64_t pc)
{
	const struct run *run = user;

	return !run->has_goal && pc == SOC_RESET_PC + 4 * WATCHED;
}

/* Checks that a hart has executed what comes before a moment, and nothing else. */
static void check_other(const struct run *run, unsigned hart, struct moment now)
{
	uint64_t n = soc_instret(run->soc, hart);
	struct moment last = {n ? commits[hart][n - 1] : 0, (int)hart};

	CHECK(n == 0 || moment_is_before(last, now));
	if (n < ROUNDS * INSNS) {
		struct moment next = {commits[hart][n], (int)hart};

		CHECK(!moment_is_before(next, now));
	}
}

/* The model, its registers, and the cursor are before the watched instruction. */
static void reached(void *user, const struct replay_reached *at)
{
	struct run *run = user;
	const struct lane *l = replay_lane(run->replay, at->hart);
	struct cursor_place place = cursor_place(l);
	uint64_t round = soc_x(run->soc, at->hart, 5);

	CHECK_EQ(at->pc, soc_pc(run->soc, at->hart));
	CHECK_EQ(place.instret, soc_instret(run->soc, at->hart));
	CHECK_EQ(place.instret, round * INSNS + WATCHED);
	CHECK_EQ(place.token, at->token);
	CHECK_EQ(lane_block(l, place.row)->pc +
		     carry_offset(lane_block(l, place.row), place.token),
		 at->pc);
	CHECK(round < ROUNDS && at->cycle == watched_commit(at->hart, round));
	if (soc_harts(run->soc) > 1)
		check_other(run, !at->hart, (struct moment){at->cycle, (int)at->hart});
	if (run->nstops < MOST)
		run->stops[run->nstops++] = (struct stop){at->hart, at->cycle};
	if (run->has_goal)
		replay_watch_nothing(run->replay);
	if (run->pauses)
		replay_pause(run->replay);
}

static void start_run(struct run *run, int fd, unsigned harts)
{
	const struct replay_watch watch = {
	    .user = run, .wants = wants, .reached = reached};
	char path[32];

	run->soc = soc_new(&(struct soc_config){.harts = harts});
	CHECK(soc_write_physical(run->soc, SOC_RESET_PC, PROGRAM, sizeof(PROGRAM)));
	for (unsigned i = 0; i < harts; i++)
		soc_set_x(run->soc, i, 6, SOC_RESET_PC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&run->reader, path, 1), TR_OK);
	run->replay = replay_new(run->soc, run->reader);
	replay_watch(run->replay, &watch);
}

static bool resume_paused(struct run *run, bool done)
{
	while (!done && replay_is_paused(run->replay))
		done = replay_resume(run->replay);
	return done;
}

static bool follow_trace(struct run *run)
{
	const struct tr_frame *frame;
	bool done = true;

	while (done && tr_reader_next(run->reader, &frame) == TR_OK)
		done = resume_paused(run, replay_frame(run->replay, frame));
	return done && resume_paused(run, replay_end(run->replay));
}

static void end_run(struct run *run)
{
	replay_free(run->replay);
	tr_reader_close(run->reader);
	soc_free(run->soc);
}

/* Stops are in the order of their cycles, those of the lower hart first. */
static void stops(unsigned harts, bool pauses)
{
	static struct run run;
	int fd = write_trace(harts, ROUNDS);

	run = (struct run){.pauses = pauses};
	start_run(&run, fd, harts);
	CHECK(follow_trace(&run));
	CHECK_EQ(run.nstops, harts * ROUNDS);
	for (unsigned i = 1; i < run.nstops; i++)
		CHECK(moment_is_before(
		    (struct moment){run.stops[i - 1].cycle, (int)run.stops[i - 1].hart},
		    (struct moment){run.stops[i].cycle, (int)run.stops[i].hart}));
	for (unsigned i = 0; i < harts; i++) {
		CHECK_EQ(soc_instret(run.soc, i), ROUNDS * INSNS);
		CHECK(cursor_place(replay_lane(run.replay, i)).cycle >=
		      watched_commit(i, ROUNDS - 1));
	}
	end_run(&run);
	close(fd);
}

/* Stops once, in a cycle or after as many instructions, in any frame. */
static void goals(unsigned harts)
{
	static struct run run;
	int fd = write_trace(harts, ROUNDS);

	for (unsigned round = 0; round < ROUNDS; round += 17) {
		unsigned hart = round % harts;

		run = (struct run){.pauses = true, .has_goal = true};
		start_run(&run, fd, harts);
		if (round % 4 < 2)
			replay_watch_cycle(run.replay, hart, watched_commit(hart, round));
		else
			replay_watch_instruction(run.replay, hart,
						 round * INSNS + WATCHED);
		CHECK(follow_trace(&run));
		CHECK_EQ(run.nstops, 1);
		CHECK_EQ(run.stops[0].hart, hart);
		CHECK_EQ(run.stops[0].cycle, watched_commit(hart, round));
		end_run(&run);
	}
	close(fd);
}

/* The first difference ends the replay, and tells its place. */
static void differs(unsigned harts)
{
	static struct run run;
	enum { WRONG = 200 };
	int fd = write_trace(harts, WRONG);
	char place[96];

	run = (struct run){.pauses = true};
	start_run(&run, fd, harts);
	CHECK(!follow_trace(&run) && !replay_is_paused(run.replay));
	snprintf(place, sizeof(place),
		 ": hart 0, cycle %" PRIu64 ", instruction %u: the instruction at 0x%x "
		 "is another one",
		 watched_commit(0, WRONG), WRONG * INSNS + WATCHED + 1,
		 (unsigned)SOC_RESET_PC + 4 * WATCHED);
	CHECK_STR(strstr(replay_message(run.replay), ": hart"), place);
	end_run(&run);
	close(fd);
}

int main(void)
{
	for (unsigned harts = 1; harts <= 2; harts++) {
		stops(harts, false);
		stops(harts, true);
		goals(harts);
		differs(harts);
	}
	return check_done();
}
