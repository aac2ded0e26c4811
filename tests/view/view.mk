# SPDX-License-Identifier: Apache-2.0
# Waveforms and pipeline views. The simulator for them is a build of its own, so this is no
# everyday test.

FST := $(VERILATOR_ROOT)/include/gtkwave
$(B)/tests/fst: tests/view/fst.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -O1 -w -I$(VERILATOR_ROOT)/include -I$(FST) -DFST_CONFIG_INCLUDE='"fst_config.h"' -o $@ $< \
		$(addprefix $(FST)/,fstapi.c lz4.c fastlz.c) -lz -lpthread
$(B)/tests/window.elf: tests/view/window.S sim/soc.h tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $<
VIEW_WINDOW := $(if $(filter ooo,$(CORE)),$(B)/tests/window.elf $(ISA)/ooo-latency.elf)
.PHONY: test-view
test-view: soc-sim-view $(B)/tests/fst $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) $(B)/smp/lock.elf $(VIEW_WINDOW) target ## Compare waveform and pipeline view of a call with its trace
	$(Q)tests/view/run.sh $(B)/bin $(B)/tests/fst $(CORE) $(B)/smp/lock.elf
	$(if $(VIEW_WINDOW),$(Q)tests/view/window.sh $(B)/bin $(VIEW_WINDOW) tests/isa/ooo-latency.S)
