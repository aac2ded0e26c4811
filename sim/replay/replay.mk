# SPDX-License-Identifier: Apache-2.0
# tr-replay: the model follows a trace.

REPLAY_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard sim/replay/*.c))
OBJS += $(REPLAY_OBJS)

# What a program needs to follow a trace.
REPLAY_LINKED := $(RUN_BOOT) $(CHECKPOINT_OBJS) $(REPLAY_OBJS) $(B)/liblockstep.a $(B)/libsocmodel.a
$(B)/bin/tr-replay: $(REPLAY_LINKED)
$(B)/bin/tr-replay: LDLIBS += $(RUN_LIBS)

REPLAY_TESTS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/replay-*.c))
$(REPLAY_TESTS): $(REPLAY_LINKED)
$(REPLAY_TESTS): LDLIBS := $(B)/libtr.a $(RUN_LIBS) $(LDLIBS)
