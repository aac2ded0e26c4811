# SPDX-License-Identifier: Apache-2.0
# Programs for the bare machine of 300 M instructions and more, with which `make sample-check`
# compares sampled runs: build/target/sampled/NAME.elf, and NAME.lst for tr-match.

SAMPLED_B := $(TARGET_B)/sampled
SAMPLED_O := $(TARGET_B)/obj/sampled
SAMPLED := mix tree lz kernels
SAMPLED_KERNELS := list matrix states crc

$(SAMPLED_KERNELS:%=$(SAMPLED_O)/kernel_%.o): $(SAMPLED_O)/kernel_%.o: $(TARGET)/benchmarks/%.c $(TARGET_B)/flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) -Dprepare=$*_prepare -Dbenchmark=$*_benchmark -Dright=$*_right \
		-MMD -MP -c -o $@ $<
$(SAMPLED_B)/kernels.elf: $(SAMPLED_KERNELS:%=$(SAMPLED_O)/kernel_%.o)
$(SAMPLED:%=$(SAMPLED_B)/%.elf): $(SAMPLED_B)/%.elf: $(SAMPLED_O)/%.o $(BENCH_O)/main.o $(BENCH_O)/bare.o $(TARGET)/firmware/firmware.ld
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)
$(SAMPLED:%=$(SAMPLED_B)/%.lst): $(SAMPLED_B)/%.lst: $(TARGET)/sampled/sampled.mk
	$(Q)mkdir -p $(@D)
	$(Q)echo '$*.elf firmware' > $@

target: $(SAMPLED:%=$(SAMPLED_B)/%.elf) $(SAMPLED:%=$(SAMPLED_B)/%.lst)
