# SPDX-License-Identifier: Apache-2.0
# A second opinion on the counters of the run-time profiler: executions of entries in traces.

PROFILED := tests/profiler
COUNT_ENTRIES := $(B)/profiler/count-entries

COUNT_ENTRIES_OBJS := $(patsubst %,$(B)/obj/$(PROFILED)/%.o,block_marks count_entries given_files process_lives stub_costs watched_programs)
OBJS += $(COUNT_ENTRIES_OBJS)
$(COUNT_ENTRIES): $(COUNT_ENTRIES_OBJS) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
test-cli golden: $(COUNT_ENTRIES)
