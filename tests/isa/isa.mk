# SPDX-License-Identifier: Apache-2.0
# Self-checking programs for the machine of sim/soc.h. They do not depend on the kind of
# host build, so they are in build/isa even with SAN.

ISA := build/isa
ISA_CC := riscv64-unknown-elf-gcc
ISA_CFLAGS := -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany \
	-Isim -Itests/isa -I$(ISA)
ISA_LDFLAGS := -nostdlib -static -T tests/isa/link.ld -Wl,--no-warn-rwx-segments
# Programs that check the timing of one core, and run on that alone.
ISA_INORDER := counter-interlocks float-interlocks float-latency
ISA_OOO := $(patsubst tests/isa/%.S,%,$(wildcard tests/isa/ooo-*.S))
ISA_OTHER_CORE := $(if $(filter inorder,$(CORE)),$(ISA_OOO),$(ISA_INORDER))
# One program per source file, except the shared ones.
ISA_PROGRAMS := $(filter-out lib $(ISA_OTHER_CORE),$(patsubst tests/isa/%.S,%,$(sort $(wildcard tests/isa/*.S))))
ISA_TESTS := $(filter-out float-% copy-%,$(ISA_PROGRAMS))
ISA_ELFS := $(ISA_TESTS:%=$(ISA)/%.elf)
# Programs that need the F and D extensions, and those that check a machine without them.
ISA_WITHOUT_FLOAT := csr-warl mstatus-warl
ISA_FLOAT := $(patsubst %,$(ISA)/%.elf,$(filter float-%,$(ISA_PROGRAMS)))
# Programs that fail with case 254 on a machine that counts no events, as on the model.
ISA_SOURCES := $(wildcard tests/isa/*.S)
ISA_COUNTS := $(patsubst tests/isa/%.S,$(ISA)/%.elf,$(if $(ISA_SOURCES),$(shell grep -l COUNTS_EVENTS $(ISA_SOURCES))))
# $(call isa_model,MACHINE COMMAND,PROGRAMS)
isa_model = tests/isa/run.sh '$(1)' $(filter-out $(ISA_COUNTS),$(2)); ISA_EXIT=254 tests/isa/run.sh '$(1)' $(filter $(ISA_COUNTS),$(2))
# Programs that need the copy unit.
ISA_COPY := $(patsubst tests/isa/%.S,$(ISA)/%.elf,$(sort $(wildcard tests/isa/copy-*.S)))
ISA_FLOAT_TABLES := $(ISA)/float-s.inc $(ISA)/float-d.inc
ISA_HEADERS := $(wildcard tests/isa/*.h) sim/soc.h
ISA_TABLES := $(addprefix $(ISA)/,$(addsuffix .inc,op op-imm op-32 shift-imm mul div branch amo \
	c-op c-imm c-shift))

# The reference, with extensions that the machine lacks disabled.
ISA_QEMU := qemu-system-riscv64 -M virt -m 128M -nographic -monitor none \
	-cpu rv64,priv_spec=v1.12.0,f=off,d=off,h=off,sstc=off,zba=off,zbb=off,zbc=off,zbs=off -bios
ISA_QEMU_DIFFERS := $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' tests/isa/qemu-differs.txt)

$(ISA)/gen: tests/isa/gen.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O1 $(WARN) -o $@ $<

# Tables of expected results, computed on the host.
$(ISA_TABLES): $(ISA)/%.inc: $(ISA)/gen
	$(Q)$(ISA)/gen $* > $@

$(ISA)/lib.o: tests/isa/lib.S $(ISA_HEADERS) tests/isa/isa.mk
	$(call say,RVAS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -c -o $@ $<

$(ISA)/%.elf: tests/isa/%.S $(ISA)/lib.o $(ISA_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(ISA)/lib.o $<

$(ISA)/gen-float: tests/isa/gen-float.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O1 -frounding-math $(WARN) -o $@ $< -lm

$(ISA_FLOAT_TABLES): $(ISA)/float-%.inc: $(ISA)/gen-float
	$(Q)$(ISA)/gen-float $* > $@

$(ISA_FLOAT): ISA_CFLAGS += -march=rv64gc
$(ISA_FLOAT): $(ISA_FLOAT_TABLES)

.PHONY: isa test-isa test-isa-traced test-isa-hardware isa-qemu
isa: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) ## Build the self-checking programs
test-isa: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(B)/bin/soc-model ## Run the self-checking programs on the model
	$(Q)$(call isa_model,$(B)/bin/soc-model,$(ISA_ELFS))
	$(Q)$(call isa_model,$(B)/bin/soc-model --isa rv64gc,$(filter-out $(ISA_WITHOUT_FLOAT:%=$(ISA)/%.elf),$(ISA_ELFS)) $(ISA_FLOAT))
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --copy-unit' $(ISA_COPY)
test-isa-traced: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(B)/bin/soc-model ## Run the self-checking programs while the model writes its trace
	$(Q)$(call isa_model,$(B)/bin/soc-model --trace /dev/null,$(ISA_ELFS))
	$(Q)$(call isa_model,$(B)/bin/soc-model --isa rv64gc --trace /dev/null,$(ISA_FLOAT))
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --copy-unit --trace /dev/null' $(ISA_COPY)
test-isa-hardware: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(B)/bin/soc-sim ## Run the self-checking programs on the hardware, and in lockstep
	$(Q)tests/isa/run.sh $(B)/bin/soc-sim $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --lockstep' $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc' $(ISA_FLOAT)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc --trace /dev/null' $(ISA_FLOAT)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc --lockstep' $(filter-out $(ISA_WITHOUT_FLOAT:%=$(ISA)/%.elf),$(ISA_ELFS)) $(ISA_FLOAT)
	$(Q)for options in '' '--no-skip' '--lockstep' '--lockstep --l2-latency 1 --dram-latency 3'; do \
		tests/isa/run.sh "$(B)/bin/soc-sim --copy-unit $$options" $(ISA_COPY) || exit 1; done
isa-qemu: $(ISA_ELFS) $(ISA_FLOAT) ## Run the self-checking programs on QEMU, except where it differs
	$(Q)tests/isa/run.sh '$(ISA_QEMU)' \
		$(filter-out $(ISA_QEMU_DIFFERS:%=$(ISA)/%.elf),$(ISA_ELFS))
	$(Q)tests/isa/run.sh '$(subst f=off$(comma)d=off$(comma),,$(ISA_QEMU))' \
		$(filter-out $(ISA_QEMU_DIFFERS:%=$(ISA)/%.elf),$(ISA_FLOAT))
