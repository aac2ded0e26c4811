# SPDX-License-Identifier: Apache-2.0
# `make test` runs every part; each part has a target of its own.

include $(wildcard tests/*/*.mk)

UNITS := $(basename $(notdir $(wildcard tests/unit/*.c)))
OBJS += $(UNITS:%=$(B)/obj/tests/unit/%.o)
# Tests may keep their input on the stack.
$(UNITS:%=$(B)/obj/tests/unit/%.o): CFLAGS += -Wno-frame-larger-than
$(UNITS:%=$(B)/unit/%): $(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# These objects need libraries, which must therefore follow them again.
$(B)/unit/counter-choice: $(B)/obj/sim/run/choice.o
$(B)/unit/counter-choice: LDLIBS := $(B)/libtr.a $(LDLIBS)
$(B)/unit/soc-checkpoint: $(CHECKPOINT_OBJS)
$(B)/unit/soc-checkpoint: LDLIBS := $(B)/libsocmodel.a $(B)/libtr.a $(LDLIBS)
$(B)/unit/l2-dma $(B)/unit/l2-misses $(B)/unit/memory-masters: $(addprefix $(B)/obj/sim/verilated/,l2_dma.o l2_dram.o memory.o smp_memory.o)
$(B)/unit/disk-queue: $(addprefix $(B)/obj/sim/verilated/,disk_queue.o disk_queue_find.o disk_queue_move.o) $(B)/libsocmodel.a
$(B)/unit/trace-windows: $(addprefix $(B)/obj/sim/run/,trace.o trace_header.o identity.o) $(CHECKPOINT_OBJS)
$(B)/unit/trace-windows: LDLIBS := $(B)/libsocmodel.a $(B)/libtr.a $(LDLIBS)
$(B)/unit/wire-loopback: $(B)/obj/sim/verilated/wire.o $(B)/libsocnet.a
PROFILER_UNITS := $(addprefix $(B)/unit/profiler-,hostile live padding paths stub)
$(PROFILER_UNITS): $(addprefix $(B)/obj/sim/target/profiler/extract/,insn.o insn_compressed.o live_paths.o live_registers.o stub_build.o stub_padding.o)
$(PROFILER_UNITS): LDLIBS := $(B)/libtr.a $(LDLIBS)
$(B)/unit/profiler-guard: $(B)/obj/$(PROF)/guarded_memory.o
$(B)/unit/profiler-config: $(addprefix $(B)/obj/,$(PROF)/daemon/daemon_config.o sim/run/trouble.o)
$(B)/unit/profiler-config: LDLIBS := $(B)/libtr.a $(LDLIBS)
$(B)/unit/profiler-log: $(B)/libprof.a
$(B)/unit/palette $(B)/unit/soc-float: LDLIBS += -lm
# The test changes the host's rounding mode.
$(B)/obj/tests/unit/soc-float.o: CFLAGS += -frounding-math

.PHONY: test-unit
test-unit: $(UNITS:%=$(B)/unit/%) ## Run the unit tests
	$(Q)passed=0; failed=0; for t in $(UNITS:%=$(B)/unit/%); do \
		if out=$$(timeout 300 $$t 2>&1); then passed=$$((passed + 1)); \
		else failed=$$((failed + 1)); echo "$$t failed:"; echo "$$out"; fi; done; \
	echo "unit: $$passed passed, $$failed failed"; [ $$passed -gt 0 ] && [ $$failed = 0 ]

# Other tests limit their memory, or take too long for TSan.
.PHONY: test-threads
test-threads: ## Run the unit tests of threads under TSan
	$(Q)$(MAKE) --no-print-directory SAN=thread UNITS='stream-decode-ahead stream-frames stream-link stream-roundtrip stream-threads stubs-log-race' test-unit

# Names with two leading underscores belong to the compiler and the sanitizers.
# Parts of the simulators and of the replay that return their failures.
RETURNING := $(RUN:%.c=$(B)/obj/%.o) $(REPLAY_OBJS) $(LOCKSTEP_OBJS) $(MODEL_OBJS)

.PHONY: test-symbols
test-symbols: $(B)/libtr.a $(RETURNING) ## Fail on exported names without tr_ or of two modules, and parts that exit
	$(Q)names=$$(nm -g --defined-only $< | awk 'NF == 3 && $$3 !~ /^__/ { print $$3 }'); \
	count=$$(grep -c ^tr_ <<< "$$names" || :); \
	others=$$(grep -v ^tr_ <<< "$$names" || :) twice=$$(sort <<< "$$names" | uniq -d); \
	[ -z "$$others" ] || printf '%s is exported without tr_\n' $$others; \
	[ -z "$$twice" ] || printf '%s is exported twice\n' $$twice; \
	echo "symbols: $$count exported"; [ -z "$$others$$twice" ] && [ $$count -gt 0 ]
	$(Q)ends=$$(nm -A -u $(RETURNING) | grep -E ' (_?exit|abort|tr_die|tr_cli_(apart|check|input|need|protect_input|range|two_outputs|u64))$$' || :); \
	[ -z "$$ends" ] || printf '%s\n' "$$ends"; \
	echo "symbols: $(words $(RETURNING)) parts that return failures"; [ -z "$$ends" ]

# $(call folder_order,README,FILES,OPTIONS): fails if a file includes a header of a folder below its
# own in the table of the README; with OPTIONS -v closed=1 also of one that it does not have.
folder_order = awk $(3) 'match($$0, /^\| `[a-z]+\/`/) { rank[substr($$0, 4, RLENGTH - 5)] = ++count } \
		FILENAME ~ /\.(c|h|cc)$$/ && match($$0, /^\#include "[a-z]+\/[a-z0-9_]+\.h"/) { \
			parts = split(FILENAME, own, "/"); split($$2, header, /["\/]/); \
			if ((closed && !(header[2] in rank)) || rank[header[2]] > rank[own[parts - 1]]) { wrong++; print FILENAME ": " $$2 ": not a folder above" } \
		} END { print "includes: " count + 0 " folders of $(dir $(1)) in order"; exit wrong || !count }' $(1) $(2)

.PHONY: test-includes
test-includes: ## Fail if a file includes what its folder may not include
	$(Q)awk 'match($$0, /^#include "[a-z]+\/[a-z0-9_]+_(internal|state)\.h"/) { \
		count++; split($$2, header, /["\/]/); \
		if (FILENAME !~ "^(filters/lib|sim)/" header[2] "/") { others++; print FILENAME ": " $$2 } \
	} END { print "includes: " count + 0 " of internal headers"; exit others || !count }' \
		filters/*.c filters/lib/*/*.[ch] sim/*/*.[ch] sim/*/*.cc
	$(Q)$(call folder_order,filters/lib/README.md,filters/lib/*/*.[ch],-v closed=1)
	$(Q)$(call folder_order,sim/README.md,sim/*/*.[ch] sim/*/*.cc)

# Everyday tests, the longest first, so that the last of them end together. Those that measure
# time or memory, or expect an answer in time, run alone.
TESTS := test-cli test-isa-hardware test-smp test-replay test-unit test-assert test-no-float test-random test-tma $(if $(SAN),,test-cover) \
	test-modules test-ooo test-ooo-random test-gdb test-trace-core test-nic test-replay-places test-pipeline test-tutorial test-install test-decode test-profiler test-stub-cycles test-isa test-isa-traced \
	test-linux truth rtl-synth-check rtl-lint test-speedscope test-fireperf test-sweep test-sample test-parts test-targets test-mutants test-symbols test-includes test-names test-modes
TESTS_ALONE := test-net test-timeline test-browser
# Parts that run at a time, and further parts of .ci/run.
TEST_JOBS := $(shell nproc)
TESTS_MORE :=

# Everything that these tests need is built first, by one make: with PREPARE=1 a test does
# nothing once it has what it needs. Other parts of a test begin with its name.
ifdef PREPARE
test-% truth truth-% rtl-lint rtl-synth-check trace-lint: private SHELL := true
endif
.PHONY: test test-build
test-build: ## Build everything that the everyday tests need
	$(Q)$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(TEST_JOBS)) -k PREPARE=1 all $(TESTS) $(TESTS_ALONE)
test: ## Run all everyday tests (SAN=1: under ASan and UBSan)
	$(Q)MAKE='$(MAKE)' tests/parts/parts.sh $(TEST_JOBS) $(B)/parts test-build -- $(TESTS) $(TESTS_MORE) -- $(TESTS_ALONE)
