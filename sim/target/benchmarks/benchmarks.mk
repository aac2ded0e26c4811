# SPDX-License-Identifier: Apache-2.0
# The benchmarks: build/target/benchmarks/. NAME.elf is the program, NAME.lst its list
# of binaries, and NAME-image.elf what is loaded above the firmware: a supervisor that
# holds the programs, and the order to run this one. Those of BENCHMARKS_BARE are loaded
# alone.

BENCH_B := $(TARGET_B)/benchmarks
BENCH_O := $(TARGET_B)/obj/benchmarks

# In the order of the figures: like CoreMark and Dhrystone, then one for each class.
BENCHMARKS_MIXED := list matrix states crc records
BENCHMARKS_USER := $(BENCHMARKS_MIXED) icache_l2 icache_dram itlb fetch branch \
	chase_l2 chase_dram dtlb atomic load_use multiply divide
BENCHMARKS_BARE := flush trap device idle
BENCHMARKS := $(BENCHMARKS_USER) $(BENCHMARKS_BARE)

EXTRA_icache_l2 := icache_l2_code
EXTRA_icache_dram := icache_dram_code
EXTRA_itlb := itlb_code
EXTRA_fetch := fetch_code
EXTRA_trap := trap_code
EXTRA_chase_l2 := chase
EXTRA_chase_dram := chase
EXTRA_load_use := chase

bench_objs = $(patsubst %,$(BENCH_O)/%.o,$(1) $(EXTRA_$(1)) main)
$(foreach p,$(BENCHMARKS_USER),$(eval $(BENCH_B)/$(p).elf: $(call bench_objs,$(p)) $(LIB_OBJS)))
$(foreach p,$(BENCHMARKS_BARE),$(eval $(BENCH_B)/$(p).elf: $(call bench_objs,$(p)) $(BENCH_O)/bare.o))
$(BENCHMARKS_USER:%=$(BENCH_B)/%.elf): $(TARGET)/programs/user.ld
$(BENCHMARKS_BARE:%=$(BENCH_B)/%.elf): $(TARGET)/firmware/firmware.ld
$(BENCHMARKS:%=$(BENCH_B)/%.elf):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)

$(eval $(call program_holder,$(BENCH_O)/held.S,$(BENCH_B),$(BENCHMARKS_USER)))
$(BENCH_B)/supervisor.elf: $(filter-out %/programs.o,$(SUPERVISOR_OBJS)) $(BENCH_O)/held.o \
		$(TARGET)/supervisor/supervisor.ld
	$(call say,LD,$@)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)

$(BENCHMARKS_USER:%=$(BENCH_B)/%-image.elf): $(BENCH_B)/%-image.elf: $(BENCH_B)/supervisor.elf
	$(call say,SCRIPT,$@)
	$(Q)echo '$*' > $(BENCH_O)/$*.script
	$(Q)$(call set_script,$(BENCH_O)/$*.script,$<)

$(BENCHMARKS_USER:%=$(BENCH_B)/%.lst): $(BENCH_B)/%.lst: $(TARGET)/benchmarks/benchmarks.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '../firmware.elf firmware' 'supervisor.elf kernel' '$*.elf user' > $@
$(BENCHMARKS_BARE:%=$(BENCH_B)/%.lst): $(BENCH_B)/%.lst: $(TARGET)/benchmarks/benchmarks.mk
	$(Q)mkdir -p $(@D)
	$(Q)echo '$*.elf firmware' > $@

# What soc-sim loads, and what the window needs.
bench_images = $(if $(filter $(1),$(BENCHMARKS_BARE)),$(BENCH_B)/$(1).elf,$(FW) $(BENCH_B)/$(1)-image.elf)
bench_window = --start pc=$(BENCH_B)/$(1).elf:benchmark --stop pc=$(BENCH_B)/$(1).elf:benchmark_end

target: $(BENCHMARKS:%=$(BENCH_B)/%.elf) $(BENCHMARKS_USER:%=$(BENCH_B)/%-image.elf) $(BENCHMARKS:%=$(BENCH_B)/%.lst)
