# SPDX-License-Identifier: Apache-2.0
# soc-sim: the hardware through Verilator, and the harness around it.
#
# The hot code is built twice: instrumented, to run the demo for a while, and then
# with what that run has shown. PGO=no leaves that out (for work on the hardware).

SIM := $(B)/rtl
SIM_GEN := build/rtl/verilated
SIM_TOP := soc
# TRACE_PORT=0 leaves the port out, to measure what it costs: give B and SIM_GEN too.
# COVER=0 leaves the cover points out, for the same reason. ASSERT=1 checks the assertions.
TRACE_PORT := 1
COVER := 1
ASSERT := 0
CXX := g++
VERILATOR_FLAGS := --cc -O3 $(if $(filter 0,$(TRACE_PORT)),-GTracePort=0) \
	$(if $(filter 0,$(COVER)),,-DCOVER_POINTS) --x-assign fast --x-initial fast \
	$(if $(filter 0,$(ASSERT)),--noassert,--assert -DASSERTIONS) --prefix Vsoc
VERILATOR_ROOT = $(shell verilator --getenv VERILATOR_ROOT)
# C++17: its `new` aligns what Verilator declares aligned.
CXXFLAGS := -std=c++17 -g $(SANFLAGS)
CXXWARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow $(WERROR)
CXXFLAGS_hot := -O3 -march=native
# Verilator's headers and code need not be free of warnings.
SIM_INCLUDES = -isystem $(SIM_GEN) $(addprefix -isystem $(VERILATOR_ROOT)/include,/ /vltstd) \
	-DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVL_TIME_CONTEXT -DTRACE_PORT=$(TRACE_PORT)
ifdef SAN
PGO := no
CXXFLAGS_hot := -O1
endif

# $(1) for the compiler's use of profiles; $(2) the folder of objects.
sim_cxx = $(CXX) $(CPPFLAGS) -iquote . $(SIM_INCLUDES) $(CXXFLAGS) $(1) -MMD -MP -c

SIM_FLAGS := $(CXX) $(CPPFLAGS) $(CXXFLAGS) $(CXXWARN) $(CXXFLAGS_hot) $(VERILATOR_FLAGS) PGO=$(PGO)
$(SIM)/flags: FORCE
	@mkdir -p $(@D); echo '$(SIM_FLAGS)' | cmp -s - $@ || echo '$(SIM_FLAGS)' > $@

# Value and index of a memory's write are looked at when there is one, and set then.
# Verilator sets them to 0 in each cycle before: 2 % of all instructions.
$(SIM_GEN)/Vsoc.h: $(RTL) $(RTL_LINT) sim/rtl/peek.vlt sim/rtl/rtl-sim.mk
	$(call say,RTL,$@)
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)verilator $(VERILATOR_FLAGS) --top-module $(SIM_TOP) --Mdir $(@D) $(RTL_LINT) \
		sim/rtl/peek.vlt $(RTL)
	$(Q)sed -i -E '/^ +__Vdlyv(val|dim[0-9]+)__\w+ = 0;$$/d' $(@D)/*.cpp

# One file of what runs every cycle, one of the rest. No path in it is absolute, so that a
# copy of the folder need not be built again.
$(SIM)/hot.cc $(SIM)/cold.cc: $(SIM_GEN)/Vsoc.h
	$(Q)mkdir -p $(@D)
	$(Q)for f in $(SIM_GEN)/*.cpp; do case $$f in \
		*Slow.cpp | *Syms.cpp | *ConstPool*) [ $(@F) = hot.cc ] ;; *) [ $(@F) = cold.cc ] ;; esac || \
		echo "#include \"$$f\""; done > $@

# What is the same with and without a profile.
$(SIM)/cold.o: $(SIM)/cold.cc $(SIM)/flags
	$(call say,CXX,$@)
	$(Q)$(call sim_cxx) -O1 -w -o $@ $<
$(SIM)/verilated.o $(SIM)/verilated_threads.o: $(SIM)/%.o: $(SIM)/flags
	$(call say,CXX,$@)
	$(Q)$(call sim_cxx) -O2 -w -o $@ $(VERILATOR_ROOT)/include/$*.cpp
$(SIM)/peek.o $(SIM)/cover.o: $(SIM)/%.o: sim/rtl/%.cc $(SIM_GEN)/Vsoc.h $(SIM)/flags
	$(call say,CXX,$<)
	$(Q)$(call sim_cxx) -O2 $(CXXWARN) -o $@ $<

# $(call hot,FOLDER,FLAGS): its two objects.
define hot
$(1)/hot.o: $(SIM)/hot.cc $(SIM)/flags
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(call sim_cxx,$$(CXXFLAGS_hot) $(2)) -w -o $$@ $$<
$(1)/rtl.o: sim/rtl/rtl.cc $(SIM_GEN)/Vsoc.h $(SIM)/flags
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(call sim_cxx,$$(CXXFLAGS_hot) $(2)) $(CXXWARN) -o $$@ $$<
endef

SIM_C := $(addprefix sim/rtl/,counters.c harness.c harness_run.c memory.c soc-sim.c) $(RUN)
SIM_SHARED := $(SIM_C:%.c=$(B)/obj/%.o) $(addprefix $(SIM)/,cold.o verilated.o verilated_threads.o cover.o peek.o)
SIM_LIBS := $(B)/liblockstep.a $(B)/libsocmodel.a $(B)/libtr.a
OBJS += $(SIM_C:%.c=$(B)/obj/%.o) $(addprefix $(SIM)/,cover.o peek.o rtl.o)
CFLAGS_sim/rtl/soc-sim.c := -Ibuild/rtl
$(B)/obj/sim/rtl/soc-sim.o: $(RTL_CLASSES)
sim_link = $(CXX) $(LDFLAGS) $(1) -o $@ $(filter %.o,$^) $(SIM_LIBS) $(RUN_LIBS) $(LDLIBS)

all: $(B)/bin/soc-sim
$(B)/bin/soc-sim: $(SIM)/hot.o $(SIM)/rtl.o $(SIM_SHARED) $(SIM_LIBS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call sim_link)

ifeq ($(PGO),no)
$(eval $(call hot,$(SIM),))
else
$(eval $(call hot,$(SIM),-fprofile-use=$(SIM)/train/$$(*F).gcda -Wno-missing-profile))
$(eval $(call hot,$(SIM)/train,-fprofile-generate -fprofile-update=single))
OBJS += $(SIM)/train/rtl.o
$(SIM)/train/soc-sim: $(SIM)/train/hot.o $(SIM)/train/rtl.o $(SIM_SHARED) $(SIM_LIBS)
	$(call say,LD,$@)
	$(Q)$(call sim_link,-fprofile-generate)
# Runs of firmware, kernel and programs, of about a second each: as nobody watches, traced,
# and with counters.
SIM_TRAINING := --max-cycles 3M $(addprefix $(TARGET_B)/,firmware.elf demo.elf)
$(SIM)/train/done: $(SIM)/train/soc-sim $(TARGET_B)/firmware.elf $(TARGET_B)/demo.elf
	$(call say,TRAIN,$@)
	$(Q)rm -f $(@D)/*.gcda
	$(Q)$< $(SIM_TRAINING) < /dev/null > $@
	$(Q)$< $(SIM_TRAINING) --trace /dev/null < /dev/null >> $@
	$(Q)[ $(COVER) = 0 ] || $< $(SIM_TRAINING) --counters all --counters-csv /dev/null < /dev/null >> $@
$(SIM)/hot.o $(SIM)/rtl.o: $(SIM)/train/done
endif
