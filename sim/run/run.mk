# SPDX-License-Identifier: Apache-2.0
# What every simulator's program is made of: the command line, triggers, console, trace.

RUN := $(addprefix sim/run/,boot.c choice.c console.c counting.c csv.c sampler.c session.c simulator.c symbol.c trace.c trigger.c window.c)
RUN_LIBS := -lfdt
# What is in memory before the run, for other programs that run the model.
RUN_BOOT := $(B)/obj/sim/run/boot.o
