# SPDX-License-Identifier: Apache-2.0
# Parts of every simulator's program: command line, triggers, console, trace.

RUN := $(addprefix sim/run/,boot.c checkpoint_read.c checkpoint_state.c checkpoint_uses.c checkpoint_write.c choice.c console.c counting.c csv.c exec.c feature_text.c identity.c sampled.c sampler.c saving.c session.c simulator.c simulator_load.c simulator_options.c snapshot.c symbol.c trace.c trace_header.c trigger.c trouble.c unset.c window.c)
RUN_LIBS := -lfdt
CHECKPOINT_OBJS := $(addprefix $(B)/obj/sim/run/,checkpoint_read.o checkpoint_state.o checkpoint_uses.o checkpoint_write.o feature_text.o trouble.o)
# Memory contents before the run, for other programs that run the model.
RUN_BOOT := $(addprefix $(B)/obj/sim/run/,boot.o trouble.o)
