# SPDX-License-Identifier: Apache-2.0
# The log that prof-daemon writes against the trace of the same run.

FOLLOW_LOG := $(B)/profiler/follow-log

FOLLOW_LOG_OBJS := $(patsubst %,$(B)/obj/$(PROF_TRUTH)/%.o,block_marks counter_loads follow_log given_files log_facts process_lives trace_walk watched_programs)
OBJS += $(FOLLOW_LOG_OBJS)
$(FOLLOW_LOG): $(FOLLOW_LOG_OBJS) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
test-cli golden: $(FOLLOW_LOG)
