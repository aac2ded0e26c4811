# SPDX-License-Identifier: Apache-2.0
# `make test-profiler`: random functions, with and without the stubs of prof-extract, on the
# functional model.

PROF_TEST := build/profiler
PROF_TEST_SEED := 1
PROF_TEST_COUNT := 10000
PROF_TEST_PROGRAMS := random-functions check-stubs
PROF_TEST_B := $(B)/profiler/bin

PROF_TEST_objs = $(patsubst %,$(B)/obj/tests/profiler/%.o,$(1)) $(B)/obj/tests/random/rng.o
OBJS += $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard tests/profiler/*.c)))
$(PROF_TEST_B)/random-functions: $(call PROF_TEST_objs,random-functions classes classes_jumps classes_refused pieces body forms)
$(PROF_TEST_B)/check-stubs: $(call PROF_TEST_objs,check-stubs bench plan) $(B)/libsocmodel.a $(B)/libtr.a
$(PROF_TEST_PROGRAMS:%=$(PROF_TEST_B)/%):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

test-profiler: export PROGRAMS = $(PROF_TEST_B)
test-profiler: export EXTRACT = $(B)/bin/prof-extract
.PHONY: test-profiler
test-profiler: $(PROF_TEST_PROGRAMS:%=$(PROF_TEST_B)/%) $(B)/bin/prof-extract ## Random functions with and without the stubs of the run-time profiler
	$(Q)tests/profiler/run.sh $(PROF_TEST)/random $(PROF_TEST_SEED) $(PROF_TEST_COUNT)
