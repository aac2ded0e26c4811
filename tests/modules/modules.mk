# SPDX-License-Identifier: Apache-2.0
# Benches for single hardware modules: NAME.cc drives NAME.sv, with its assertions on,
# and compares it with a plain reference. NAME-VARIANT does so with the parameters
# MODULES_PARAMETERS_NAME-VARIANT, which the bench has as macros in upper case. Of a module
# with others inside, MODULES_BELOW_NAME has their sources, and MODULES_TOP_NAME the module
# that the bench drives, if that is not NAME; MODULES_OBJS_NAME are more objects of its bench:
# parts of it in tests/modules/NAME/, and of the model.

MODULES := $(B)/modules
MODULES_PARAMETERS_dcache-32x2 := Sets=32 Ways=2
MODULES_PARAMETERS_dcache-coherent := Coherent=1
MODULES_PARAMETERS_dcache_nonblocking-1 := Misses=1
MODULES_PARAMETERS_dcache_nonblocking-8 := Misses=8
MODULES_PARAMETERS_dcache_nonblocking-coherent := Coherent=1
MODULES_PARAMETERS_dcache_nonblocking-2x2 := Sets=2 Ways=2 Misses=2 Coherent=1
MODULES_PARAMETERS_tlb-32x2 := Sets=32 Ways=2
MODULES_PARAMETERS_crossbar-4 := Harts=4
MODULES_PARAMETERS_crossbar-misses := Misses=4
MODULES_PARAMETERS_crossbar-4x4 := Harts=4 Misses=4
MODULES_PARAMETERS_crossbar_gather-8 := Ids=8
MODULES_PARAMETERS_predictor-64 := BtbEntries=64 BhtEntries=32 RasEntries=4
MODULES_PARAMETERS_block_predictor-small := BtbSets=8 Counters=128 Branches=16 Targets=32 Ras=4
MODULES_PARAMETERS_direction_predictor-small := Counters=64 Entries=16
MODULES_PARAMETERS_target_predictor-small := Entries=16
MODULES_PARAMETERS_csr-4 := Commits=4 EventBits=42
MODULES_PARAMETERS_trace_port-4 := Commits=4
MODULES_PARAMETERS_fetch_port-64x4 := Sets=64 Ways=4
MODULES_PARAMETERS_extract-1 := Width=1
MODULES_PARAMETERS_extract-2 := Width=2
MODULES_PARAMETERS_window-8 := Window=8
MODULES_PARAMETERS_window-1 := Width=1
MODULES_PARAMETERS_memory_queue-2 := Queue=2
MODULES_VARIANTS := dcache-32x2 dcache-coherent dcache_nonblocking-1 dcache_nonblocking-8 dcache_nonblocking-coherent \
	dcache_nonblocking-2x2 tlb-32x2 crossbar-4 crossbar-misses crossbar-4x4 crossbar_gather-8 csr-4 trace_port-4 predictor-64 \
	block_predictor-small direction_predictor-small target_predictor-small fetch_port-64x4 extract-1 extract-2 window-8 window-1 memory_queue-2
MODULES_BENCHES := $(basename $(notdir $(wildcard tests/modules/*.cc))) $(MODULES_VARIANTS)
MODULES_VERILATOR := verilator --cc -O3 --assert -DASSERTIONS --x-assign unique --x-initial unique \
	--prefix Vdut
MODULES_INCLUDES = $(addprefix -isystem $(VERILATOR_ROOT)/include,/ /vltstd) -Itests -Itests/modules -Isim -Isim/verilated -Ibuild/rtl \
	-DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVL_TIME_CONTEXT
# Verilator's headers, which take longer to compile than most modules and benches, are compiled once,
# with the same options as the code that uses them. Macros of parameters come after them, because they
# use some of these names. Of the generated code lines are known, but no variables.
MODULES_HEADERS := $(MODULES)/headers.h
MODULES_FLAGS = $(CXXFLAGS) -g1 $(CXXWARN) $(MODULES_INCLUDES) -O1
MODULES_CXX = $(CXX) -Winvalid-pch -include $(MODULES_HEADERS) $(MODULES_FLAGS)
# $(call modules_macros,NAME=VALUE...): writes the file $(modules_macros_file).
modules_macros_file = $(@:.o=.macros.h)
modules_macros = printf '%s\n' $(1) | sed -nE 's/(.*)=(.*)/\#define \U\1\E \2/p' > $(modules_macros_file)
$(MODULES_HEADERS).gch: $(SIM)/flags tests/modules/modules.mk
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D); printf '#include <%s>\n' verilated.h cstring vector > $(@:.gch=)
	$(Q)$(CXX) $(MODULES_FLAGS) -x c++-header -o $@ $(@:.gch=)

MODULES_TOP_crossbar := caches
MODULES_BELOW_crossbar := $(wildcard rtl/mem/crossbar_*.sv) $(call rtl_files,round_robin dcache dcache_nonblocking reservation) \
	tests/modules/crossbar/caches.sv
MODULES_BELOW_fpu := $(wildcard rtl/exec/fpu_*.sv)
MODULES_PARTS = $(patsubst tests/modules/%.cc,$(MODULES)/%.o,$(sort $(wildcard tests/modules/$(1)/*.cc)))
MODULES_PARTS_fpu := $(call MODULES_PARTS,fpu)
MODULES_OBJS_fpu := $(MODULES_PARTS_fpu) $(B)/obj/sim/model/float.o $(B)/obj/sim/model/float_compare.o

MODULES_BELOW_ptw_arbiter := $(call rtl_files,walker)
MODULES_BELOW_csr := $(wildcard rtl/csr/csr_*.sv)
MODULES_PARTS_csr := $(call MODULES_PARTS,csr)
MODULES_OBJS_csr := $(MODULES_PARTS_csr)
MODULES_TOP_lsu := back
MODULES_BELOW_lsu := $(call rtl_files,lsu_address lsu_queue tlb reservation amo_unit) tests/modules/lsu/back.sv
MODULES_PARTS_lsu := $(call MODULES_PARTS,lsu)
MODULES_OBJS_lsu := $(MODULES_PARTS_lsu)
MODULES_TOP_fetch := front
MODULES_BELOW_fetch := $(call rtl_files,tlb predictor icache) tests/modules/fetch/front.sv
MODULES_TOP_fetch_port := block_front
MODULES_BELOW_fetch_port := $(call rtl_files,tlb icache) tests/modules/fetch_port/block_front.sv
MODULES_BELOW_copy_unit := $(call rtl_files,copy_reader copy_writer)

MODULES_BELOW_block_predictor := $(call rtl_files,path_history path_folds direction_predictor target_predictor)
MODULES_BELOW_direction_predictor := $(call rtl_files,path_folds)
MODULES_BELOW_target_predictor := $(call rtl_files,path_folds)
MODULES_BELOW_window := $(call rtl_files,window_operand window_rename window_select window_wake)
MODULES_BELOW_memory_queue := $(call rtl_files,load_queue store_queue queue_pointers)
MODULES_PARTS_memory_queue := $(call MODULES_PARTS,memory_queue)
MODULES_OBJS_memory_queue := $(MODULES_PARTS_memory_queue)

MODULES_TOP_memory_unit := data_side
MODULES_BELOW_memory_unit := $(call rtl_files,memory_port access_record memory_queue load_queue store_queue queue_pointers \
	lsu lsu_address lsu_queue reservation amo_unit tlb dcache_nonblocking) tests/modules/memory_unit/data_side.sv
MODULES_PARTS_memory_unit := $(call MODULES_PARTS,memory_unit)
MODULES_OBJS_memory_unit := $(MODULES_PARTS_memory_unit)

MODULES_BELOW_nic := $(wildcard rtl/nic/nic_*.sv)
MODULES_PARTS_nic := $(call MODULES_PARTS,nic)
MODULES_OBJS_nic := $(MODULES_PARTS_nic)

$(MODULES_PARTS_csr) $(MODULES_PARTS_fpu) $(MODULES_PARTS_lsu) $(MODULES_PARTS_memory_queue) $(MODULES_PARTS_memory_unit) $(MODULES_PARTS_nic): $(MODULES)/%.o: tests/modules/%.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) $(CXXWARN) -Isim -O1 -MMD -MP -c -o $@ $<
OBJS += $(MODULES_PARTS_csr) $(MODULES_PARTS_fpu) $(MODULES_PARTS_lsu) $(MODULES_PARTS_memory_queue) $(MODULES_PARTS_memory_unit) $(MODULES_PARTS_nic)

# $(call module_bench,BENCH,NAME): compiles Verilator's output as one.
define module_bench
$(MODULES)/$(1)/verilated/Vdut.h: $(RTL_MACROS) $(RTL_PKG) $$(call rtl_files,$(2)) $$(MODULES_BELOW_$(2)) \
		tests/modules/modules.mk
	$$(call say,RTL,$$@)
	$(Q)rm -rf $$(@D); mkdir -p $$(@D)
	$(Q)$(MODULES_VERILATOR) $(subst Coherent=1,Coherent="1'b1",$(addprefix -G,$(MODULES_PARAMETERS_$(1)))) --top-module $(or $(MODULES_TOP_$(2)),$(2)) --Mdir $$(@D) \
		$$(filter %.svh %.sv,$$^)
$(MODULES)/$(1)/dut.o: $(MODULES)/$(1)/verilated/Vdut.h $(MODULES_HEADERS).gch
	$$(call say,CXX,$$@)
	$(Q)for f in $$(<D)/*.cpp; do echo "#include \"$$$$f\""; done > $$(@:.o=.cc)
	$(Q)$$(MODULES_CXX) -iquote . -w -c -o $$@ $$(@:.o=.cc)
$(MODULES)/$(1)/bench.o: tests/modules/$(2).cc $(MODULES)/$(1)/verilated/Vdut.h $(MODULES_HEADERS).gch $(RTL_CONSTANTS)
	$$(call say,CXX,$$<)
	$(Q)$$(call modules_macros,$(MODULES_PARAMETERS_$(1)))
	$(Q)$$(MODULES_CXX) -include $$(modules_macros_file) -isystem $(MODULES)/$(1)/verilated -DBENCH='"$(1)"' -MMD -MP -c -o $$@ $$<
$(MODULES)/$(1)/bench: $(addprefix $(MODULES)/$(1)/,bench.o dut.o) $(MODULES_OBJS_$(2)) \
		$(SIM)/verilated.o $(SIM)/verilated_threads.o
	$$(call say,LD,$$@)
	$(Q)$(CXX) $(LDFLAGS) -o $$@ $$^ -lpthread
OBJS += $(MODULES)/$(1)/bench.o
endef
$(foreach bench,$(MODULES_BENCHES),$(eval $(call module_bench,$(bench),$(firstword $(subst -, ,$(bench))))))

.PHONY: test-modules
test-modules: $(MODULES_BENCHES:%=$(MODULES)/%/bench) ## Run the benches of single hardware modules
	$(Q)ran=0; failed=0; for t in $^; do \
		if timeout 300 $$t; then ran=$$((ran + 1)); else failed=$$((failed + 1)); fi; done; \
	echo "modules: $$ran passed, $$failed failed"; [ $$ran -gt 0 ] && [ $$failed = 0 ]
