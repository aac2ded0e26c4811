# SPDX-License-Identifier: Apache-2.0
# A program that runs others on the functional model, with probes, and the files that the
# unit tests of the probes open.

$(eval $(call program,probe-run,tests/probe/probe-run.c,tests))
$(B)/tests/probe-run: $(B)/libsocmodel.a
$(B)/tests/probe-run: LDLIBS += -lm
test-cli golden: $(B)/tests/probe-run

PROBE_DIR := build/probe-fixtures
PROBE_CC := riscv64-unknown-elf-gcc -ffreestanding -nostdlib -g -Tsim/target/firmware/firmware.ld
PROBE_FIXTURES := $(addprefix $(PROBE_DIR)/,rv64-0.elf rv64-2.elf rv32-0.elf rv32-2.elf split.elf)
PROBE_MODULE := $(PROBE_DIR)/module.ko

PROBE_LEVEL = -O$(lastword $(subst -, ,$(basename $(@F))))
$(PROBE_FIXTURES): tests/probe/program.c tests/probe/probe.mk
	$(call say,ELF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(PROBE_CC) $(PROBE_FLAGS) -o $@ $< -lgcc
$(PROBE_DIR)/rv64-%.elf: PROBE_FLAGS = -march=rv64gc -mabi=lp64d -mcmodel=medany $(PROBE_LEVEL)
$(PROBE_DIR)/rv32-%.elf: PROBE_FLAGS = -march=rv32imafc -mabi=ilp32f $(PROBE_LEVEL)
$(PROBE_DIR)/split.elf: PROBE_FLAGS = -march=rv64gc -mabi=lp64d -mcmodel=medany -gsplit-dwarf

# A kernel module, which is a relocatable object.
$(PROBE_MODULE): tests/probe/program.c tests/probe/probe.mk
	$(call say,ELF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)riscv64-unknown-elf-gcc -ffreestanding -g -march=rv64gc -mabi=lp64d -mcmodel=medany -mno-relax -O2 -c -o $@.o $<
	$(Q)riscv64-unknown-elf-objcopy --add-section .modinfo=tests/probe/probe.mk \
		--set-section-flags .modinfo=alloc,readonly,data $@.o $@; rm $@.o

PROBE_TESTS := $(filter probe-%,$(basename $(notdir $(wildcard tests/unit/probe-*.c))))
$(foreach t,$(PROBE_TESTS),$(eval \
	CFLAGS_tests/unit/$(t).c := -Itests/image -DPROBES='"$(PROBE_DIR)"'))
test-unit: | $(PROBE_FIXTURES) $(PROBE_MODULE)
