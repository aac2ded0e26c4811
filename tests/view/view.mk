# SPDX-License-Identifier: Apache-2.0
# Waveforms and pipeline views. The simulator for them is a build of its own, so this is no
# everyday test.

FST := $(VERILATOR_ROOT)/include/gtkwave
$(B)/tests/fst: tests/view/fst.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -O1 -w -I$(VERILATOR_ROOT)/include -I$(FST) -DFST_CONFIG_INCLUDE='"fst_config.h"' -o $@ $< \
		$(addprefix $(FST)/,fstapi.c lz4.c fastlz.c) -lz -lpthread
.PHONY: test-view
test-view: soc-sim-view $(B)/tests/fst $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) $(B)/smp/lock.elf target ## Compare waveform and pipeline view of a call with its trace
	$(Q)tests/view/run.sh $(B)/bin $(B)/tests/fst $(CORE) $(B)/smp/lock.elf
