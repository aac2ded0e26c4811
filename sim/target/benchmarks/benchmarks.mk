# SPDX-License-Identifier: Apache-2.0
# The benchmarks: build/target/benchmarks/. NAME.elf is the program, NAME.lst its list of
# binaries, and NAME-image.elf is loaded above the firmware: a supervisor with the
# programs and the command to run this one. BENCHMARKS_BARE are loaded alone.
# build/target/converted/ has if-converted versions of some, with a supervisor of their
# own.

BENCH_B := $(TARGET_B)/benchmarks
BENCH_O := $(TARGET_B)/obj/benchmarks
CONVERTED_B := $(TARGET_B)/converted
CONVERTED_O := $(TARGET_B)/obj/converted

# In the order of the figures: programs like CoreMark and Dhrystone; programs with
# branches that can be if-converted; one per class, and one whose fetch misses are hidden.
BENCHMARKS_CONVERTED := bits ranks search
BENCHMARKS_USER := list matrix states crc records $(BENCHMARKS_CONVERTED) \
	icache_l2 icache_dram icache_hidden itlb fetch branch \
	chase_l2 chase_dram dtlb atomic load_use multiply divide
BENCHMARKS_BARE := flush trap device idle
BENCHMARKS := $(BENCHMARKS_USER) $(BENCHMARKS_BARE)

EXTRA_icache_l2 := icache_l2_code
EXTRA_icache_dram := icache_dram_code
EXTRA_icache_hidden := icache_hidden_code
EXTRA_itlb := itlb_code
EXTRA_fetch := fetch_code
EXTRA_trap := trap_code
EXTRA_chase_l2 := chase
EXTRA_chase_dram := chase
EXTRA_load_use := chase

bench_objs = $(patsubst %,$(BENCH_O)/%.o,$(1) $(EXTRA_$(1)) main)
$(foreach p,$(BENCHMARKS_USER),$(eval $(BENCH_B)/$(p).elf: $(call bench_objs,$(p)) $(LIB_OBJS)))
$(foreach p,$(BENCHMARKS_BARE),$(eval $(BENCH_B)/$(p).elf: $(call bench_objs,$(p)) $(BENCH_O)/bare.o))
$(foreach p,$(BENCHMARKS_CONVERTED),$(eval $(CONVERTED_B)/$(p).elf: \
	$(CONVERTED_O)/$(p).o $(BENCH_O)/main.o $(LIB_OBJS)))
CONVERTED_ELFS := $(BENCHMARKS_CONVERTED:%=$(CONVERTED_B)/%.elf)
$(BENCHMARKS_USER:%=$(BENCH_B)/%.elf) $(CONVERTED_ELFS): $(TARGET)/programs/user.ld
$(BENCHMARKS_BARE:%=$(BENCH_B)/%.elf): $(TARGET)/firmware/firmware.ld
$(BENCHMARKS:%=$(BENCH_B)/%.elf) $(CONVERTED_ELFS):
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)
$(CONVERTED_O)/%.o: $(TARGET)/benchmarks/%.c $(TARGET_B)/flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) -DIF_CONVERTED -MMD -MP -c -o $@ $<

# $(call bench_supervisor,FOLDER,FOLDER OF OBJECTS,PROGRAMS): images and lists.
define bench_supervisor
$(call program_holder,$(2)/held.S,$(1),$(3))
$(2)/held.S: $(TARGET)/benchmarks/benchmarks.mk
$(1)/supervisor.elf: $(filter-out %/programs.o,$(SUPERVISOR_OBJS)) $(2)/held.o \
		$(TARGET)/supervisor/supervisor.ld
	$$(call say,LD,$$@)
	$(Q)$(TARGET_CC) $$(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $$(filter %.ld,$$^) -o $$@ $$(filter %.o,$$^)
$(3:%=$(1)/%-image.elf): $(1)/%-image.elf: $(1)/supervisor.elf
	$$(call say,SCRIPT,$$@)
	$(Q)echo '$$*' > $(2)/$$*.script
	$(Q)$$(call set_script,$(2)/$$*.script,$$<)
$(3:%=$(1)/%.lst): $(1)/%.lst: $(TARGET)/benchmarks/benchmarks.mk
	$(Q)mkdir -p $$(@D)
	$(Q)printf '%s\n' '../firmware.elf firmware' 'supervisor.elf kernel' '$$*.elf user' > $$@
endef
$(eval $(call bench_supervisor,$(BENCH_B),$(BENCH_O),$(BENCHMARKS_USER)))
$(eval $(call bench_supervisor,$(CONVERTED_B),$(CONVERTED_O),$(BENCHMARKS_CONVERTED)))
$(BENCHMARKS_BARE:%=$(BENCH_B)/%.lst): $(BENCH_B)/%.lst: $(TARGET)/benchmarks/benchmarks.mk
	$(Q)mkdir -p $(@D)
	$(Q)echo '$*.elf firmware' > $@

target: $(BENCHMARKS:%=$(BENCH_B)/%.elf) $(BENCHMARKS_USER:%=$(BENCH_B)/%-image.elf) $(BENCHMARKS:%=$(BENCH_B)/%.lst)

# $(call bench_run,FOLDER,NAME): options and files of soc-sim; the window is benchmark().
bench_run = --start pc=$(1)/$(2).elf:benchmark --stop pc=$(1)/$(2).elf:benchmark_end \
	$(if $(filter $(2),$(BENCHMARKS_BARE)),$(1)/$(2).elf,$(TARGET_B)/firmware.elf $(1)/$(2)-image.elf)
