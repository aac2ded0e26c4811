/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a machine in a run of the hardware: the model follows the trace of the run
 * (sim/replay/), and stops where it is asked to. The trace gives only what the model
 * cannot know, such as the places of interrupts; registers and memory are the model's
 * own. */
#ifndef TRUTH_FOLLOW_H
#define TRUTH_FOLLOW_H

#include "model/model.h"

struct follow;

/* Opens the trace, from reset, of a machine with one hart; `soc` is that machine at
 * reset, and remains the caller's. Returns NULL after a message on stderr. */
struct follow *follow_open(struct soc *soc, const char *trace);
void follow_close(struct follow *f);

/* As soc_set_hooks(), for all hooks but row, input, access and uart. */
void follow_set_hooks(struct follow *f, const struct soc_hooks *hooks);
/* As soc_break_at_pc(); before the first run. */
bool follow_break_at_pc(struct follow *f, uint64_t pc);
/* As soc_run() without a limit of cycles, but when it stops before an instruction, the
 * traps before that have been taken. At the end of the trace it returns SOC_STOP_POWER,
 * or SOC_STOP_LIMIT if the run was ended. Ends the program with a message if the trace is
 * damaged, or the model does something else. */
enum soc_stop follow_run(struct follow *f, uint64_t instret);

#endif
