# SPDX-License-Identifier: Apache-2.0
# `make test-profiler`: random functions, with and without the stubs of prof-extract, on the
# functional model.

PROF_TEST := build/profiler
PROF_TEST_SEED := 1
PROF_TEST_COUNT := 10000
PROF_TEST_PROGRAMS := random-functions check-stubs damage-elf check-files stub-image
PROF_TEST_B := $(B)/profiler/bin

PROF_TEST_objs = $(patsubst %,$(B)/obj/tests/profiler/%.o,$(1)) $(B)/obj/tests/random/rng.o
OBJS += $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard tests/profiler/*.c)))
$(PROF_TEST_B)/random-functions: $(call PROF_TEST_objs,random-functions classes classes_jumps classes_refused pieces body forms)
$(PROF_TEST_B)/check-stubs: $(call PROF_TEST_objs,check-stubs bench plan plan_file reach) $(B)/libsocmodel.a $(B)/libtr.a
$(PROF_TEST_B)/damage-elf: $(call PROF_TEST_objs,damage-elf)
$(PROF_TEST_B)/check-files: $(call PROF_TEST_objs,check-files plan_file) $(B)/libtr.a
$(PROF_TEST_B)/stub-image: $(call PROF_TEST_objs,stub-image bench plan plan_file reach) $(B)/libsocmodel.a $(B)/libtr.a
$(PROF_TEST_PROGRAMS:%=$(PROF_TEST_B)/%):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Programs of other kinds: position-independent, with relocations and unwind tables; and
# without symbols.
$(PROF_TEST)/float.elf: $(wildcard sim/model/float*.c sim/model/float*.h) sim/model/arith.h
	$(call say,RVCC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)riscv64-linux-gnu-gcc -std=c11 -O2 -fpie -fasynchronous-unwind-tables -ffreestanding -nostdlib -static-pie \
		-Wl,--build-id=sha1,--export-dynamic,-e,soc_float_add -Isim -o $@ sim/model/float.c sim/model/float_compare.c -lgcc
$(PROF_TEST)/stripped.elf: $(PROF_TEST)/float.elf
	$(Q)riscv64-linux-gnu-strip -o $@ $<

# A static program without unwind tables of its own; in the second one the linker leaves calls
# of two instructions as they are.
PROF_TEST_CALLED := $(addprefix $(PROF_TEST)/,called.elf called-far.elf)
PROF_TEST_CALLED_SOURCES := $(PROF)/prof-extract.c $(PROF_HOST) $(wildcard filters/lib/stubs/*.c) \
	$(addprefix filters/lib/,base/csv.c base/status.c base/utf8.c stream/decode.c)
$(PROF_TEST)/called-far.elf: PROF_TEST_RELAX := -mno-relax -Wl,--no-relax
$(PROF_TEST_CALLED): $(PROF_TEST_CALLED_SOURCES)
	$(call say,RVCC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)riscv64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -O1 -fno-asynchronous-unwind-tables -fno-unwind-tables -static \
		-Wl,--build-id=sha1 $(PROF_TEST_RELAX) -Ifilters/lib -Isim -o $@ $^

PROF_TEST_DAMAGED := $(TARGET_B)/sort_crc.elf $(PROF_TEST)/float.elf $(PROF_TEST)/stripped.elf
test-profiler: export PROGRAMS = $(PROF_TEST_B)
test-profiler: export EXTRACT = $(B)/bin/prof-extract
.PHONY: test-profiler
test-profiler: $(PROF_TEST_PROGRAMS:%=$(PROF_TEST_B)/%) $(B)/bin/prof-extract $(PROF_TEST_DAMAGED) $(PROF_TEST_CALLED) ## Random functions with and without the stubs of the run-time profiler
	$(Q)tests/profiler/run.sh $(PROF_TEST)/random $(PROF_TEST_SEED) $(PROF_TEST_COUNT)
	$(Q)tests/profiler/called.sh $(PROF_TEST)/called $(PROF_TEST_CALLED)
	$(Q)tests/profiler/damage.sh $(PROF_TEST)/damaged 170 $(PROF_TEST_DAMAGED)

# What stubs cost a call on the hardware, wherever they are.
STUB_CYCLES := $(PROF_TEST)/stub_cycles.elf
STUB_CYCLES_SOURCES := $(addprefix tests/profiler/stub_cycles,.c _functions.S) $(TARGET)/benchmarks/bare.S
$(STUB_CYCLES): $(STUB_CYCLES_SOURCES) tests/profiler/stub_cycles.ld $(TARGET_B)/flags
	$(call say,RVCC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) $(TARGET_LDFLAGS) $(firstword $(TARGET_FLAGS)) -ffreestanding \
		-T tests/profiler/stub_cycles.ld -o $@ $(STUB_CYCLES_SOURCES)
test-stub-cycles: export PROGRAMS = $(PROF_TEST_B)
test-stub-cycles: export BIN = $(B)/bin
.PHONY: test-stub-cycles
test-stub-cycles: $(PROF_TEST_B)/stub-image $(B)/bin/prof-extract $(B)/bin/soc-sim $(STUB_CYCLES) ## What a stub costs a call on the hardware: near 7 cycles, far 9
	$(Q)tests/profiler/stub-cycles.sh $(PROF_TEST)/stub-cycles $(STUB_CYCLES)

# The files whose changes random functions must notice.
MUTANTS_PROFILER := $(B)/mutants-profiler
MUTANTS_PROFILER_SEED := 1
MUTANTS_PROFILER_COUNT := 60
MUTANTS_PROFILER_KILLED := 57
MUTANTS_PROFILER_FILES := $(PROF)/extract/stub_build.c $(PROF)/extract/live_registers.c $(PROF)/extract/live_paths.c filters/lib/stubs/stubs_place.c filters/lib/stubs/stubs_move.c
MUTANTS_PROFILER_UNITS := profiler-live profiler-paths profiler-stub stubs-move stubs-place
.PHONY: mutants-profiler
mutants-profiler: $(MUTANTS_PROFILER_UNITS:%=$(B)/unit/%) test-mutants $(MUTANTS)/mutate $(PROF_TEST_PROGRAMS:%=$(PROF_TEST_B)/%) $(B)/bin/prof-extract ## Test the tests of prof-extract: most of 60 seeded changes must be noticed
	$(Q)mkdir -p $(MUTANTS_PROFILER)
	$(Q)cp $(MUTANTS)/mutate $(MUTANTS_PROFILER)
	$(Q)CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDLIBS='$(LDLIBS)' \
		EXTRACT_OBJECTS='$(patsubst %.c,$(B)/obj/%.o,$(PROF)/prof-extract.c $(PROF_HOST)) $(B)/libtr.a' \
		CHECK_OBJECTS='$(call PROF_TEST_objs,check-stubs bench plan plan_file reach) $(B)/libsocmodel.a $(B)/libtr.a' \
		UNITS='$(MUTANTS_PROFILER_UNITS:%=$(B)/obj/tests/unit/%.o)' UNIT_OBJECTS='$(PROF_HOST:%.c=$(B)/obj/%.o) $(B)/libtr.a' \
		tests/mutants/run-profiler.sh $(MUTANTS_PROFILER) $(PROF_TEST_B) $(MUTANTS_PROFILER_SEED) $(MUTANTS_PROFILER_COUNT) \
		$(MUTANTS_PROFILER_KILLED) $(MUTANTS_PROFILER_FILES)
