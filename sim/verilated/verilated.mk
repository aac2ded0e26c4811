# SPDX-License-Identifier: Apache-2.0
# soc-sim: the Verilated hardware and its harness.
#
# The hot code is compiled twice: instrumented, to run part of the demo, and then with the
# profile of that run. PGO=no omits this (for work on the hardware).

SIM := $(B)/harness
SIM_GEN := build/rtl/verilated$(CORE_SUFFIX)
SMP_GEN = $(SIM_GEN)-smp
SIM_TOP := soc
# The version of Verilator that shorten.sh supports.
SIM_VERILATOR := 5.006
# TRACE_PORT=0 omits the trace port of one hart, to measure its cost: set B and SIM_GEN too.
# COVER=0 omits the cover points, for the same reason. ASSERT=1 checks the assertions.
# FLOAT=0 omits F and D. ONE_HART=1 omits the machine of several harts.
TRACE_PORT := 1
COVER := 1
ASSERT := 0
# SIZES changes sizes of a hart, as in SIZES='L1dWays=2 BtbEntries=64': see rtl/pkg/config_pkg.sv.
# CHAOS=1 gives the out-of-order core random inputs: see rtl/core/ooo/chaos_ooo.sv.
# VIEW=1 can draw waveforms and stages; soc-sim-view, below, is this build.
FLOAT := 1
VIEW := 0
CHAOS :=
ONE_HART := 0
SIZES :=
# CORE, of the Makefile, is a core, or one for each of two harts: their numbers in the bits of Cores,
# and the lanes of their trace ports.
SIM_CORES := $(if $(filter ooo,$(CORE)),3,$(if $(filter inorder$(comma)ooo,$(CORE)),2,$(if $(filter-out inorder,$(CORE)), \
	$(error CORE=$(CORE): not inorder, ooo or inorder$(comma)ooo))))
# Not empty: the harts have different cores, and the program has no machine of one hart.
SIM_MIXED := $(findstring $(comma),$(CORE))
SIM_COMMITS := $(if $(SIM_CORES),4,RTL_Commits)
SIM_MISSES := $(if $(SIM_CORES),4,1)
CXX := g++
VERILATOR_FLAGS := --cc -O3 $(if $(filter 0,$(TRACE_PORT)),-GTracePort=0) $(if $(filter 0,$(FLOAT)),-GFloat=0) $(addprefix -G,$(SIZES)) $(if $(SIM_CORES),-GCores=$(SIM_CORES) -GCommits=$(SIM_COMMITS) -GL1dMisses=$(SIM_MISSES)) \
	$(if $(filter 0,$(COVER)),,-DCOVER_POINTS) -DPROBES --x-assign fast --x-initial fast \
	$(if $(filter 0,$(ASSERT)),--noassert,--assert -DASSERTIONS) \
	$(if $(CHAOS),-DCHAOS=$(CHAOS)) $(if $(filter 1,$(VIEW)),--trace-fst --trace-structs -DVIEW) --prefix Vsoc
SIM_VLT := $(RTL_PROBES) sim/verilated/peek.vlt
# Asked for once, by the first recipe that needs it.
VERILATOR_ROOT = $(eval VERILATOR_ROOT := $(shell verilator --getenv VERILATOR_ROOT 2> /dev/null))$(VERILATOR_ROOT)
# C++17: its `new` respects the alignment of Verilator's types.
CXXFLAGS := -std=c++17 -g $(SANFLAGS)
CXXWARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow $(WERROR)
# MARCH=x86-64 builds for any processor of this kind, as packages do; it is slower.
MARCH := native
CXXFLAGS_hot := -O3 -march=$(MARCH)
# For the code of an edge: vectors join stores of bytes that are read one by one soon after. In
# functions of this size, copies of the ends of blocks (tracer), common subexpressions kept over
# blocks (gcse), and instructions without branches cost 6 % of all instructions.
CXXFLAGS_edge := -fno-tree-slp-vectorize -fno-tracer -fno-gcse -fno-if-conversion
# Verilator's headers and code need not be free of warnings.
SIM_INCLUDES = -isystem $(if $(findstring smp,$(@F)),$(SMP_GEN),$(SIM_GEN)) -Ibuild/rtl $(addprefix -isystem $(VERILATOR_ROOT)/include,/ /vltstd) \
	-DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=$(VIEW) -DVIEW=$(VIEW) -DVL_TIME_CONTEXT -DTRACE_PORT=$(TRACE_PORT) -DHAS_FLOAT=$(FLOAT) -DCOMMITS=$(SIM_COMMITS) -DHAS_WINDOW=$(if $(SIM_CORES),1,0) -DL1D_MISSES=$(SIM_MISSES)
ifdef SAN
PGO := no
CXXFLAGS_hot := -O1
endif

# $(1): the compiler's options for profiles; $(2): the folder of objects.
sim_cxx = $(CXX) $(CPPFLAGS) -iquote . $(SIM_INCLUDES) $(CXXFLAGS) $(1) -MMD -MP -c

# -Werror changes no code, and this build takes minutes.
SIM_FLAGS := $(CXX) $(CPPFLAGS) $(CXXFLAGS) $(filter-out $(WERROR),$(CXXWARN)) $(CXXFLAGS_hot) $(CXXFLAGS_edge) $(VERILATOR_FLAGS) PGO=$(PGO)
$(SIM)/flags: FORCE
	@mkdir -p $(@D); echo '$(SIM_FLAGS)' | cmp -s - $@ || echo '$(SIM_FLAGS)' > $@

# With other options than last time, Verilator generates its files again.
$(SIM_GEN).flags: FORCE
	@mkdir -p $(@D); echo '$(VERILATOR_FLAGS)' | cmp -s - $@ || echo '$(VERILATOR_FLAGS)' > $@

$(SIM_GEN)/Vsoc.h: $(SIM_GEN).flags $(RTL) $(RTL_LINT) $(SIM_VLT) sim/verilated/shorten.sh sim/verilated/verilated.mk
	$(call say,RTL,$@)
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)verilator $(VERILATOR_FLAGS) --top-module $(SIM_TOP) --Mdir $(@D) $(RTL_LINT) \
		$(SIM_VLT) $(RTL)
	$(Q)sim/verilated/shorten.sh $(@D) $(SIM_VERILATOR)

# The SoC with two harts.
$(SMP_GEN)/Vsmp.h: $(SIM_GEN).flags $(RTL) $(RTL_LINT) $(SIM_VLT) sim/verilated/smp.vlt sim/verilated/shorten.sh \
		sim/verilated/merge.awk sim/verilated/harts.awk sim/verilated/verilated.mk
	$(call say,RTL,$@)
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)verilator $(filter-out -GTracePort=0,$(VERILATOR_FLAGS:Vsoc=Vsmp)) --top-module soc_smp --Mdir $(@D) \
		$(RTL_LINT) $(SIM_VLT) sim/verilated/smp.vlt $(RTL)
	$(Q)sim/verilated/shorten.sh $(@D) $(SIM_VERILATOR) Vsmp
	$(Q)[ '$(SIM_MIXED)' ] || { mkdir $(@D)/merged; merge=$$PWD/sim/verilated/merge.awk; cd $(@D); code=$$(ls *.cpp | grep -v 'Syms\|ConstPool\|Dpi'); \
	if awk -v out=merged -f "$$merge" $$code; then mv merged/* .; \
	else echo '  NOTE   the harts do not share code; soc-sim --harts 2 is slower for it' >&2; fi; }

# One file has the code that runs every cycle, the other the rest. Paths in them are
# relative, so that a copy of the folder need not be rebuilt.
$(SIM)/hot.cc $(SIM)/cold.cc: $(SIM_GEN)/Vsoc.h
$(SIM)/smp_hot.cc $(SIM)/smp_cold.cc: $(SMP_GEN)/Vsmp.h
$(addprefix $(SIM)/,hot.cc cold.cc smp_hot.cc smp_cold.cc):
	$(Q)mkdir -p $(@D)
	$(Q)for f in $(<D)/*.cpp; do case $$f in \
		*Slow.cpp | *Syms.cpp | *ConstPool*) [ '$(findstring hot,$(@F))' ] ;; *) [ '$(findstring cold,$(@F))' ] ;; esac || \
		echo "#include \"$$f\""; done > $@
SMP_HOT := smp_hot.o soc_smp.o
SMP_COLD := $(SIM)/smp_cold.o
SMP_OBJS := $(SMP_HOT:%=$(SIM)/%) $(SMP_COLD)
# Of generated code lines are known, but no variables, which take long to compile.
SIM_GENERATED := -g1
# Objects that do not depend on a profile. The rest runs once, at the start.
$(SIM)/cold.o $(SIM)/smp_cold.o: $(SIM)/%.o: $(SIM)/%.cc $(SIM)/flags
	$(call say,CXX,$@)
	$(Q)$(call sim_cxx,-O0 $(SIM_GENERATED)) -w -o $@ $<
$(addprefix $(SIM)/,verilated.o verilated_threads.o verilated_fst_c.o): $(SIM)/%.o: $(SIM)/flags
	$(call say,CXX,$@)
	$(Q)$(call sim_cxx) -O2 -w -o $@ $(VERILATOR_ROOT)/include/$*.cpp
# They use Verilator's interface to signals of any top.
VIEW_CXX := view.o view_log.o view_stages.o view_window.o
SIM_CXX := cover.o probe.o rtl.o $(if $(filter 1,$(VIEW)),$(VIEW_CXX))
$(SIM_CXX:%=$(SIM)/%): $(SIM)/%.o: sim/verilated/%.cc $(SIM)/flags
	$(call say,CXX,$<)
	$(Q)$(call sim_cxx) -O2 $(CXXWARN) -o $@ $<

# $(call hot,FOLDER,FLAGS): its objects. They share one -dumpdir, because g++ derives
# the names of the profile and of the static functions in it from that.
define hot
$(1)/hot.o $(1)/smp_hot.o: $(1)/%.o: $(SIM)/%.cc $(SIM)/flags
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(call sim_cxx,$$(CXXFLAGS_hot) $$(CXXFLAGS_edge) $$(SIM_GENERATED) $(2) -dumpdir $(SIM)/) -o $$@ $$<
$(1)/soc.o: $(SIM_GEN)/Vsoc.h
$(1)/soc_smp.o: $(SMP_GEN)/Vsmp.h
$(1)/soc.o $(1)/soc_smp.o: $(1)/%.o: sim/verilated/%.cc $(SIM)/flags $(RTL_CONSTANTS)
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(call sim_cxx,$$(CXXFLAGS_hot) $(2) -dumpdir $(SIM)/) $(CXXWARN) -o $$@ $$<
endef

SIM_C := $(addprefix sim/verilated/,caches.c counters.c devices.c disk_queue.c disk_queue_find.c disk_queue_move.c hart.c harness.c harness_exec.c harness_lockstep.c harness_run.c l2_dma.c \
	l2_dram.c memory.c peek.c poke.c smp_memory.c soc-sim.c tlb.c wire.c written.c) \
	sim/functional/model_machine.c $(addprefix sim/sample/,children.c recording.c sampling.c) $(RUN)
# SIM_FROM is another build, with VIEW=0, whose objects that do not depend on the hardware are linked.
SIM_FROM := $(B)
SIM_ANY_HARDWARE := $(patsubst %.c,$(SIM_FROM)/obj/%.o,$(filter-out %/soc-sim.c,$(SIM_C))) \
	$(addprefix $(SIM_FROM)/harness/,verilated.o verilated_threads.o cover.o probe.o)
SIM_SHARED := $(SIM_ANY_HARDWARE) $(B)/obj/sim/verilated/soc-sim.o $(addprefix $(SIM)/,$(if $(SIM_MIXED),,cold.o) $(filter-out cover.o probe.o,$(SIM_CXX)))
ifeq ($(VIEW),1)
SIM_SHARED += $(SIM)/verilated_fst_c.o
endif
SIM_LIBS := $(addprefix $(SIM_FROM)/,libsocnet.a liblockstep.a libsocmodel.a libtr.a)
# Those of another build, if it gives them, are made there.
$(filter-out $(B)/%,$(SIM_ANY_HARDWARE) $(SIM_LIBS)): ;
OBJS += $(SIM_C:%.c=$(B)/obj/%.o) $(addprefix $(SIM)/,$(SIM_CXX) soc.o soc_smp.o)
CFLAGS_sim/verilated/smp_memory.c := -Ibuild/rtl
CFLAGS_sim/verilated/caches.c := -Ibuild/rtl
CFLAGS_sim/verilated/peek.c := -Ibuild/rtl
CFLAGS_sim/verilated/poke.c := -Ibuild/rtl
$(addprefix $(B)/obj/sim/verilated/,caches.o smp_memory.o peek.o poke.o soc-sim.o) $(SIM)/rtl.o: $(RTL_CONSTANTS)
CFLAGS_sim/verilated/soc-sim.c := -Ibuild/rtl -DHAS_FLOAT=$(FLOAT) -DVIEW=$(VIEW) -DCOMMITS=$(SIM_COMMITS) -DCORES=$(or $(SIM_CORES),0) -DCORE='"$(CORE)"'
$(B)/obj/sim/verilated/soc-sim.o: $(RTL_CLASSES)
# $(call sim_link,OBJECTS,OPTIONS)
sim_link = $(CXX) $(LDFLAGS) $(2) -o $@ $(1) $(SIM_SHARED) $(SIM_LIBS) $(RUN_LIBS) $(LDLIBS)

# A second build, which soc-sim --wave and --kanata run in their place.
VIEW_MAKE := $(MAKE) --no-print-directory VIEW=1 PGO=no COVER=0 B=$(B)/view SIM_GEN=$(SIM_GEN)-view
.PHONY: soc-sim-view
soc-sim-view: $(B)/bin/soc-sim-view ## Build the simulator for waveforms and pipeline views
$(B)/bin/soc-sim-view: FORCE
	$(Q)$(VIEW_MAKE) $(B)/view/bin/soc-sim
	$(Q)mkdir -p $(@D); cmp -s $(B)/view/bin/soc-sim $@ || cp $(B)/view/bin/soc-sim $@

# Builds with other cores, which soc-sim --core runs in its place.
.PHONY: $(foreach s,-ooo -inorder-ooo,soc-sim$(s) soc-sim$(s)-view)
soc-sim-ooo: $(B)/bin/soc-sim-ooo ## Build the simulator of the out-of-order core
soc-sim-inorder-ooo: $(B)/bin/soc-sim-inorder-ooo ## Build that of two harts, one with each core
soc-sim-ooo-view soc-sim-inorder-ooo-view: %: $(B)/bin/%
# $(call sim_of_core,CORE,SUFFIX)
define sim_of_core
$(B)/bin/soc-sim$(2) $(B)/bin/soc-sim$(2)-view: FORCE | $(RTL_MAP) $(RTL_CLASSES) $(RTL_CONSTANTS) $(SIM_LIBS)
	$(Q)$$(MAKE) --no-print-directory CORE=$(1) B=$(B)/core$(2) SIM_GEN=$(SIM_GEN)$(2) SIM_LIBS="$(SIM_LIBS)" $(B)/core$(2)/bin/$$(subst $(2),,$$(@F))
	$(Q)mkdir -p $$(@D); cmp -s $(B)/core$(2)/bin/$$(subst $(2),,$$(@F)) $$@ || cp $(B)/core$(2)/bin/$$(subst $(2),,$$(@F)) $$@
endef
ifeq ($(CORE),inorder)
$(eval $(call sim_of_core,ooo,-ooo))
$(eval $(call sim_of_core,inorder$$(comma)ooo,-inorder-ooo))
endif

# The simulator, and one for the demo that is built sooner: it has a single hart.
all: $(B)/bin/soc-sim
SIM_HOT := $(addprefix $(SIM)/,hot.o soc.o)
SIM_ONE := $(SIM)/one-hart/soc-sim
ifeq ($(SIM_MIXED),)
$(SIM_ONE): $(SIM_HOT) $(SIM_SHARED) $(SIM_LIBS)
endif
$(B)/bin/soc-sim: $(if $(SIM_MIXED),,$(SIM_HOT)) $(if $(filter 0,$(ONE_HART)),$(SMP_OBJS)) $(SIM_SHARED) $(SIM_LIBS)
$(SIM_ONE) $(B)/bin/soc-sim:
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call sim_link,$(filter-out $(SIM_SHARED) %.a,$^))

ifeq ($(PGO),no)
$(eval $(call hot,$(SIM),))
else
# A missing or outdated profile is an error, since it would go unnoticed otherwise. Values
# are not profiled, since those of pointers differ from run to run. One thread runs this code.
$(eval $(call hot,$(SIM),-fprofile-use -fno-profile-values -Werror=missing-profile))
$(eval $(call hot,$(SIM)/train,-fprofile-generate -fprofile-update=single -fno-profile-values))
OBJS += $(addprefix $(SIM)/train/,soc.o soc_smp.o)
# The profile is of these objects alone: it is not made again for a change of the others.
SIM_TRAINED := $(addprefix $(SIM)/train/,hot.o soc.o)
$(SIM)/train/soc-sim: $(SIM_TRAINED) | $(SIM_SHARED) $(SIM_LIBS)
$(SIM)/train/soc-sim-smp: $(if $(SIM_MIXED),,$(SIM_TRAINED)) $(SMP_HOT:%=$(SIM)/train/%) | $(SMP_COLD) $(SIM_SHARED) $(SIM_LIBS)
$(SIM)/train/soc-sim $(SIM)/train/soc-sim-smp:
	$(call say,LD,$@)
	$(Q)$(call sim_link,$^ $(filter $(SMP_COLD),$|),-fprofile-generate)
# Runs of firmware, kernel and programs of about a second each: unobserved, traced, and
# with counters. The profiles go to GCOV_PREFIX, even in a copy of the folder; those of several
# harts by way of a folder of their own, because all of a program's objects write one.
SIM_TRAINING := --max-cycles 3M $(addprefix $(TARGET_B)/,firmware.elf demo.elf)
# $(call sim_train,FOLDER,ARGUMENTS)
sim_train = GCOV_PREFIX="$$PWD/$(1)" GCOV_PREFIX_STRIP=99 $< $(2) < /dev/null
SMP_TRAINING := $(addprefix $(B)/smp/,compute.elf lock.elf compute-1.elf)
smp_train = $(call sim_train,$(@D)/smp,--harts 2 --max-cycles 2M $(1))
$(SIM)/train/done: $(SIM)/train/soc-sim $(TARGET_B)/firmware.elf $(TARGET_B)/demo.elf
	$(call say,TRAIN,$@)
	$(Q)rm -f $(SIM)/hot.gcda $(SIM)/soc.gcda
	$(Q)$(call sim_train,$(SIM),$(SIM_TRAINING)) > $@
	$(Q)$(call sim_train,$(SIM),$(SIM_TRAINING) --trace /dev/null) >> $@
	$(Q)[ $(COVER) = 0 ] || $(call sim_train,$(SIM),$(SIM_TRAINING) --counters all --counters-csv /dev/null) >> $@
$(SIM)/train/done-smp: $(SIM)/train/soc-sim-smp $(SMP_TRAINING)
	$(call say,TRAIN,$@)
	$(Q)rm -rf $(@D)/smp; : > $@
	$(Q)for elf in $(SMP_TRAINING); do $(call smp_train,$$elf) >> $@; $(call smp_train,--trace /dev/null $$elf) >> $@; done
	$(Q)mv $(addprefix $(@D)/smp/,$(SMP_HOT:.o=.gcda)) $(SIM)/
$(SIM_HOT): $(SIM)/train/done
$(SMP_HOT:%=$(SIM)/%): $(SIM)/train/done-smp
endif
