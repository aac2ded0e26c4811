# SPDX-License-Identifier: Apache-2.0
# The out-of-order core on flat memory, in lockstep with the functional model.

OOO := $(B)/ooo
OOO_RTL = $(filter rtl/core/ooo/%,$(RTL_MODULES)) rtl/core/ooo/probe_ooo.vlt \
	$(call rtl_files,alu expand decoder decoder_float divider lsu lsu_address lsu_queue reservation amo_unit retire) \
	$(filter rtl/exec/fpu%,$(RTL_MODULES))
# Variants of the core, and their parameters; those of the nightly run come last.
OOO_VARIANTS := core small two
OOO_VARIANTS_LONG := narrow three
OOO_PARAMETERS_small := Window=8 Queue=2 BtbSets=32 Counters=256 Branches=64 Targets=16 Ras=4
OOO_PARAMETERS_two := Commits=2 Window=32 Queue=8
OOO_PARAMETERS_three := Commits=3 Window=8 Queue=4
OOO_PARAMETERS_narrow := Commits=1 Window=16 Queue=4
OOO_SOURCES := lockstep check chaos
OOO_RANDOM := $(OOO)/random_code.o $(OOO)/random_float.o $(OOO)/random_head.o
OOO_MODEL_LIBS := -lelf -lxxhash -lzstd -lpthread

# $(call ooo_bench,VARIANT)
define ooo_bench
$(OOO)/$(1)/verilated/Vdut.h: $(RTL_MACROS) $(RTL_PKG) $$(OOO_RTL) tests/ooo/flat.sv tests/ooo/ooo.mk
	$$(call say,RTL,$$@)
	$(Q)rm -rf $$(@D); mkdir -p $$(@D)
	$(Q)$(MODULES_VERILATOR) -DPROBES $(addprefix -G,$(OOO_PARAMETERS_$(1))) --top-module flat --Mdir $$(@D) \
		$$(filter %.vlt,$$^) $$(filter %.svh %.sv,$$^)
$(OOO)/$(1)/dut.o: $(OOO)/$(1)/verilated/Vdut.h $(MODULES_HEADERS).gch
	$$(call say,CXX,$$@)
	$(Q)for f in $$(<D)/*.cpp; do echo "#include \"$$$$f\""; done > $$(@:.o=.cc)
	$(Q)$$(MODULES_CXX) -iquote . -w -c -o $$@ $$(@:.o=.cc)
$(OOO_SOURCES:%=$(OOO)/$(1)/%.o): $(OOO)/$(1)/%.o: tests/ooo/%.cc $(OOO)/$(1)/verilated/Vdut.h $(MODULES_HEADERS).gch
	$$(call say,CXX,$$<)
	$(Q)$$(call modules_macros,$(filter Commits=%,$(OOO_PARAMETERS_$(1))))
	$(Q)$$(MODULES_CXX) -include $$(modules_macros_file) -isystem $(OOO)/$(1)/verilated -MMD -MP -c -o $$@ $$<
$(OOO)/$(1)/lockstep: $(OOO_SOURCES:%=$(OOO)/$(1)/%.o) $(OOO)/$(1)/dut.o $(OOO_RANDOM) \
		$(B)/libsocmodel.a $(SIM)/verilated.o $(SIM)/verilated_threads.o
	$$(call say,LD,$$@)
	$(Q)$(CXX) $(LDFLAGS) -o $$@ $$^ $(OOO_MODEL_LIBS)
OBJS += $(OOO_SOURCES:%=$(OOO)/$(1)/%.o)
endef
$(foreach v,$(OOO_VARIANTS) $(OOO_VARIANTS_LONG),$(eval $(call ooo_bench,$(v))))
$(OOO_RANDOM): $(OOO)/%.o: tests/ooo/%.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) $(CXXWARN) -Itests -O1 -MMD -MP -c -o $@ $<
OBJS += $(OOO_RANDOM)

# Directed tests that need no CSRs and no traps, with a start of their own; programs of the
# benchmarks, for machine mode.
OOO_P := build/ooo/programs
OOO_ISA := $(filter-out %-hints %-reserved %-tp %-mixed,$(patsubst tests/isa/%.S,%,$(sort $(wildcard tests/isa/rv64[imc]-*.S))))
# Tables of operands of F and D; lockstep gives the programs of a run the rounding modes in turn.
OOO_FLOAT := float-arithmetic-d float-arithmetic-s
OOO_MODES := 1 2 3 4 5
OOO_KERNELS := list matrix states records ranks search multiply divide
# About a million cycles or more each, for the nightly run
OOO_LONG := crc bits branch load_use
OOO_ELFS := $(OOO_ISA:%=$(OOO_P)/%.elf) $(OOO_FLOAT:%=$(OOO_P)/%.elf) $(OOO_KERNELS:%=$(OOO_P)/%.elf)
$(OOO_P)/start.o: tests/ooo/start.S sim/soc.h
	$(call say,RVAS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -c -o $@ $<
$(OOO_ISA:%=$(OOO_P)/%.elf): $(OOO_P)/%.elf: tests/isa/%.S $(OOO_P)/start.o $(ISA_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(OOO_P)/start.o $<
$(OOO_FLOAT:%=$(OOO_P)/%.elf): $(OOO_P)/%.elf: tests/isa/%.S $(OOO_P)/start.o tests/ooo/run-float.h $(ISA_FLOAT_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -march=rv64gc -include tests/ooo/run-float.h $(ISA_LDFLAGS) -o $@ $(OOO_P)/start.o $<
$(foreach p,$(OOO_KERNELS) $(OOO_LONG),$(eval $(OOO_P)/$(p).elf: $(call bench_objs,$(p)) $(BENCH_O)/bare.o))
$(patsubst %,$(OOO_P)/%.elf,$(OOO_KERNELS) $(OOO_LONG)): $(TARGET)/firmware/firmware.ld
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)

# $(call ooo_variants,VARIANTS): what each runs.
ooo_variants = for v in $(1); do \
	$(OOO)/$$v/lockstep > $(OOO)/$$v/log && \
	$(OOO)/$$v/lockstep --chaos $(OOO_ISA:%=$(OOO_P)/%.elf) $(OOO_FLOAT:%=$(OOO_P)/%.elf) >> $(OOO)/$$v/log || \
	{ cat $(OOO)/$$v/log; exit 1; }; done
.PHONY: test-ooo test-ooo-long
test-ooo-long: $(patsubst %,$(OOO)/%/lockstep,core $(OOO_VARIANTS_LONG)) $(OOO_ELFS) $(OOO_LONG:%=$(OOO_P)/%.elf) ## The longer benchmarks on that core, and further sizes of it, likewise
	$(Q)$(OOO)/core/lockstep $(OOO_LONG:%=$(OOO_P)/%.elf)
	$(Q)$(call ooo_variants,$(OOO_VARIANTS_LONG))
test-ooo: $(OOO_VARIANTS:%=$(OOO)/%/lockstep) $(OOO_ELFS) ## Run the out-of-order core on flat memory in lockstep
	$(Q)$(OOO)/core/lockstep $(OOO_ELFS)
	$(Q)$(OOO)/core/lockstep $(foreach m,$(OOO_MODES),$(OOO_FLOAT:%=$(OOO_P)/%.elf)) > $(OOO)/core/log || { cat $(OOO)/core/log; exit 1; }
	$(Q)$(call ooo_variants,$(OOO_VARIANTS))
