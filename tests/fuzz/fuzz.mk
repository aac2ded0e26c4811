# SPDX-License-Identifier: Apache-2.0
# `make fuzz`: AFL++ on each reader. Its build has sanitizers, no checksums (AFL++ defines
# FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION), and programs that process many inputs per
# process.

FUZZ_S ?= 60
FUZZ_TARGETS ?=
FUZZ_B := build/fuzz
FUZZED := tr-annotate tr-capture tr-diff tr-fold tr-info tr-match tr-replay tr-report tr-split-by-satp tr-text tr-timeline tr-unwind
FUZZ_READERS := read-btf read-cache read-checkpoint read-config read-exec read-explore read-names read-slices read-stubs read-window
FUZZ_SIM := $(MODEL) $(addprefix sim/run/,boot.c checkpoint_read.c checkpoint_state.c checkpoint_uses.c exec.c feature_text.c trouble.c) $(wildcard sim/replay/*.c) sim/lockstep/history.c
FUZZ_PROF := $(PROF)/prof-extract.c $(PROF)/prof-log.c $(PROF_HOST)
FUZZ_CONFIG := $(PROF)/daemon/daemon_config.c
FUZZ_OBJS := $(patsubst %.c,$(FUZZ_B)/obj/%.o,$(wildcard filters/lib/*/*.c) $(FUZZED:%=filters/%.c) \
	tests/fuzz/harness.c tests/fuzz/plain-zstd.c $(FUZZ_READERS:%=tests/fuzz/%.c) $(FUZZ_SIM) $(FUZZ_PROF) $(FUZZ_CONFIG))
FUZZ_BINS := $(addprefix $(FUZZ_B)/bin/,$(FUZZED) $(FUZZ_READERS) prof-extract prof-log)
FUZZ_CC := AFL_QUIET=1 afl-clang-fast
FUZZ_FLAGS := $(CPPFLAGS) -std=c11 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all

$(FUZZ_OBJS): $(FUZZ_B)/obj/%.o: %.c tests/fuzz/fuzz.mk
	$(call say,FUZZCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) $(FUZZ_RENAMED) -MMD -MP -c -o $@ $<
$(filter-out %/harness.o,$(FUZZ_OBJS)): FUZZ_RENAMED := -Dmain=filter_main -Dexit=filter_exit
$(FUZZED:%=$(FUZZ_B)/bin/%): $(FUZZ_B)/bin/%: $(FUZZ_B)/obj/filters/%.o
$(FUZZ_READERS:%=$(FUZZ_B)/bin/%): $(FUZZ_B)/bin/%: $(FUZZ_B)/obj/tests/fuzz/%.o
$(addprefix $(FUZZ_B)/bin/,read-checkpoint read-exec tr-replay): $(FUZZ_SIM:%.c=$(FUZZ_B)/obj/%.o)
$(addprefix $(FUZZ_B)/bin/prof-,extract log): $(FUZZ_B)/bin/%: $(FUZZ_B)/obj/$(PROF)/%.o $(PROF_HOST:%.c=$(FUZZ_B)/obj/%.o)
$(FUZZ_B)/bin/read-config: $(FUZZ_CONFIG:%.c=$(FUZZ_B)/obj/%.o) $(FUZZ_B)/obj/sim/run/trouble.o
# What these read is not compressed.
$(addprefix $(FUZZ_B)/bin/read-,explore slices window): $(FUZZ_B)/obj/tests/fuzz/plain-zstd.o
$(FUZZ_B)/plain-zstd.so: tests/fuzz/plain-zstd.c tests/fuzz/fuzz.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<
$(FUZZ_OBJS): | $(EMBEDDED) $(PROTO_SOURCES)
$(FUZZ_BINS): $(filter %/harness.o $(FUZZ_B)/obj/filters/lib/%,$(FUZZ_OBJS)) $(PROTO_OBJS)
	$(call say,FUZZLD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -o $@ $^ $(LDLIBS) $(RUN_LIBS)
-include $(FUZZ_OBJS:.o=.d)

.PHONY: fuzz
fuzz: $(FUZZ_BINS) $(FUZZ_B)/plain-zstd.so $(addprefix $(B)/tests/,make-counts make-log places) $(addprefix $(B)/bin/,prof-extract soc-model tr-annotate tr-explore tr-fold tr-match tr-replay tr-text tr-unwind) build/isa/disk-requests.elf ## Fuzz each reader for FUZZ_S seconds (60)
	$(Q)tests/fuzz/fuzz.sh $(FUZZ_S) $(FUZZ_TARGETS)
