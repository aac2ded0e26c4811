# SPDX-License-Identifier: Apache-2.0
# Traces of the hardware that the model follows without a difference: of self-checking and
# random programs, of a billion instructions of these, and of Linux.

REPLAY_B := build/replay
REPLAY_SIM := $(B)/bin/soc-sim
REPLAY := tests/replay/replay.sh $(REPLAY_SIM)
# $(call replay_isa,OPTIONS,PROGRAMS): see tests/isa.
replay_isa = REPLAY_BIN=$(B)/bin ISA_TIMEOUT=300 tests/isa/run.sh '$(REPLAY) $(1) --' $(2)
# $(call replay_random,OPTIONS,FIRST_SEED COUNT INSTRUCTIONS): see tests/random.
replay_random = REPLAY_BIN=$(B)/bin RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(REPLAY) $(1) --' $(2)
replay_float = RANDOM_MIX=float RANDOM_SEEDS=/dev/null $(call replay_random,--isa rv64gc,$(1))
replay_windows_float = RANDOM_MIX=float RANDOM_SEEDS=/dev/null \
	$(call replay_random,--isa rv64gc --start insn=53/7f --stop insn=67/7f,$(1))
REPLAY_NEEDS := $(B)/random/random-program $(B)/bin/soc-sim $(B)/bin/tr-replay

# Programs that execute code which memory no longer has, of one hart and of two; and such
# that translate by page tables which it no longer has.
REPLAY_OLD := $(REPLAY_B)/old-code.elf $(REPLAY_B)/old-code-harts.elf
REPLAY_OLD_TRANSLATION := $(REPLAY_B)/old-translation.elf $(REPLAY_B)/old-translation-harts.elf $(REPLAY_B)/old-walk-harts.elf
REPLAY_OLD_COPY := $(REPLAY_B)/old-translation-copy.elf
$(REPLAY_OLD_COPY): tests/isa/copy.h
$(REPLAY_B)/old-code.elf $(REPLAY_B)/old-translation.elf $(REPLAY_OLD_COPY): $(REPLAY_B)/%.elf: $(ISA)/lib.o tests/replay/%.S $(ISA_HEADERS) \
		tests/isa/link.ld
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(filter %.o %.S,$^)
$(REPLAY_B)/old-code-harts.elf $(REPLAY_B)/old-translation-harts.elf $(REPLAY_B)/old-walk-harts.elf: $(REPLAY_B)/%.elf: tests/smp/start.S tests/replay/%.S \
		tests/smp/smp.h sim/soc.h tests/isa/link.ld
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link)

.PHONY: test-replay
test-replay: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(NIC_B)/loop.elf $(REPLAY_OLD) $(REPLAY_OLD_TRANSLATION) $(REPLAY_OLD_COPY) $(REPLAY_NEEDS) $(B)/smp/random-1.elf $(B)/bin/tr-text ## Programs on the hardware; the model follows their traces and windows
	$(Q)$(call replay_isa,,$(ISA_ELFS))
	$(Q)$(call replay_isa,--isa rv64gc,$(ISA_FLOAT))
	$(Q)$(call replay_isa,--copy-unit,$(ISA_COPY))
	$(Q)$(call replay_isa,--nic loopback,$(NIC_B)/loop.elf)
	$(Q)tests/replay/old-code.sh $(B)/bin $(REPLAY_OLD)
	$(Q)tests/replay/old-translation.sh $(B)/bin $(REPLAY_OLD_TRANSLATION)
	$(Q)$(call replay_isa,--lockstep,$(REPLAY_B)/old-code.elf $(REPLAY_B)/old-translation.elf)
	$(Q)$(call replay_isa,--lockstep --harts 2,$(REPLAY_B)/old-translation-harts.elf $(REPLAY_B)/old-walk-harts.elf)
	$(Q)$(call replay_isa,--lockstep --copy-unit,$(REPLAY_OLD_COPY))
	$(Q)$(call replay_random,,1 8 200000)
	$(Q)$(call replay_float,1 4 200000)
	$(Q)$(call replay_isa,--start insn=13/7f --stop insn=63/7f,$(ISA_ELFS))
	$(Q)$(call replay_isa,--copy-unit --start insn=13/7f --stop insn=63/7f,$(ISA_COPY))
	$(Q)$(call replay_isa,--nic loopback --start cycle=20k,$(NIC_B)/loop.elf)
	$(Q)$(call replay_random,--start cycle=100k,1 2 200000)
	$(Q)$(call replay_random,--start insn=73/7f --stop insn=67/7f,1 4 200000)
	$(Q)$(call replay_windows_float,1 2 200000)
	$(Q)for window in '--start cycle=100k' '--start insn=63/7f --stop insn=2f/7f' '--start insn=2f/7f --stop insn=63/7f'; do \
		REPLAY_BIN=$(B)/bin $(REPLAY) --harts 2 $$window -- $(B)/smp/random-1.elf || exit 1; done

# A billion: of one hart, half of them with floating point, and of two harts that write to
# lines which they share.
REPLAY_SOAK_PROGRAMS := 550
REPLAY_SOAK_INSTRUCTIONS := 25M
replay_soak_smp = for elf in $(SMP_SOAK_RANDOM); do REPLAY_BIN=$(B)/bin $(REPLAY) --harts 2 \
	--max-instructions $(REPLAY_SOAK_INSTRUCTIONS) $(1) -- $$elf || exit 1; done
.PHONY: soak-replay
soak-replay: export REPLAY_COUNT := $(REPLAY_B)/count
soak-replay: all $(REPLAY_NEEDS) ## Replay a billion random instructions; memory must not grow
	$(Q)mkdir -p $(REPLAY_B); rm -f $(REPLAY_COUNT)
	$(Q)$(call replay_random,,1000 $(REPLAY_SOAK_PROGRAMS) 500000)
	$(Q)$(call replay_float,1000 $(REPLAY_SOAK_PROGRAMS) 500000)
	$(Q)$(call replay_soak_smp,)
	$(Q)$(call replay_soak_smp,--isa rv64gc)
	$(Q)awk '{ n += $$1 } END { printf "replay: %.1f M random instructions of the hardware in %d traces: no difference\n", n / 1e6, NR }' \
		$(REPLAY_COUNT)
	$(Q)tests/bench/soak.sh replay

# Linux. $(call replay_linux,NAME,INPUT,OPTIONS OF THE SIMULATOR,WHAT BOTH GET): records and
# replays a run; its console must end with power-off.
replay_linux = printf '$(2)' | REPLAY_NAME='$(1)' REPLAY_BIN=$(B)/bin $(REPLAY) --ram 64M $(3) -- $(4) \
	> $(REPLAY_B)/console.txt && grep -q 'reboot: Power down' $(REPLAY_B)/console.txt || \
	{ tail -n 5 $(REPLAY_B)/console.txt; exit 1; }
replay_image = $(FW) $(LINUX_B)/vmlinux $(LINUX_B)/$(1).elf
replay_smp = $(call replay_linux,$(1) on two harts,,--harts 2 $(2),--dtb $(SMP_B)/$(1)-2.dtb --initrd $(SMP_B)/$(1).cpio $(SMP_IMAGES))

# From checkpoints at the start of programs and in the middle of others, as resume-linux.
replay_resumed = $(B)/bin/soc-model --ram 64M --checkpoint $(REPLAY_B)/resume.ck --checkpoint-at $(2) \
	$(call replay_image,$(1)) < /dev/null > $(REPLAY_B)/console.txt && \
	REPLAY_NAME='$(1) from $(notdir $(2))' REPLAY_BIN=$(B)/bin $(REPLAY) -- --resume $(REPLAY_B)/resume.ck < /dev/null \
		> $(REPLAY_B)/console.txt && grep -q 'reboot: Power down' $(REPLAY_B)/console.txt

.PHONY: replay-linux replay-linux-one replay-linux-go replay-linux-smp replay-linux-net
replay-linux: replay-linux-one replay-linux-go replay-linux-smp replay-linux-net ## Run Linux on one hart, two harts and two nodes; replay the traces
replay-linux-one replay-linux-go replay-linux-smp replay-linux-net: | $(REPLAY_B)
$(REPLAY_B):
	$(Q)mkdir -p $@
replay-linux-one: linux $(B)/bin/soc-sim $(B)/bin/soc-model $(B)/bin/tr-replay
	$(Q)$(call replay_linux,boot,exit\n,,$(call replay_image,shell))
	$(Q)$(foreach s,busybox iperf3 truth,$(call replay_linux,$(s),,,$(call replay_image,$(s)));)
	$(Q)$(call replay_linux,a window of busybox,,--start cycle=40M,$(call replay_image,busybox))
	$(Q)$(call replay_linux,windows of busybox from do_exit to schedule,,--start pc=do_exit --stop pc=schedule,$(call replay_image,busybox))
	$(Q)$(foreach r,$(RESUME_LINUX),$(call replay_resumed,$(firstword $(subst :, ,$(r))),$(lastword $(subst :, ,$(r)))) || exit 1;)
replay-linux-go: linux-gc-smp $(B)/bin/soc-sim $(B)/bin/tr-replay
	$(Q)$(call replay_linux,Go,,--isa rv64gc,--dtb $(GC_B)/go-1.dtb --initrd $(GC_B)/go.cpio $(FW) $(GC_B)/vmlinux)
	$(Q)$(call replay_linux,Go on two harts,,--isa rv64gc --harts 2 --lockstep,--dtb $(GC_SMP_B)/go-2.dtb --initrd $(GC_B)/go.cpio \
		$(TARGET_B)/firmware-smp.elf $(GC_SMP_B)/vmlinux)
# Locks: in lockstep as well.
replay-linux-smp: linux-smp-build $(B)/bin/soc-sim $(B)/bin/tr-replay
	$(Q)$(call replay_smp,iperf3,)
	$(Q)$(call replay_smp,locks,--lockstep)
	$(Q)$(call replay_smp,iperf3,--start cycle=40M)
	$(Q)$(call replay_smp,iperf3,--start pc=do_exit --stop pc=schedule)
# Two nodes of a network, at the same time.
replay_node = env REPLAY_NAME='node $(1)' REPLAY_SAYS=$(REPLAY_B)/$(1).txt REPLAY_BIN=$(B)/bin $(REPLAY) --nic wire --ram 64M : \
	--dtb $(NET_B)/$(2).dtb --initrd $(NET_B)/$(1).cpio $(FW) $(NET_B)/vmlinux
replay-linux-net: linux-net $(B)/bin/soc-sim $(B)/bin/soc-net $(B)/bin/tr-replay
	$(Q)rm -f $(REPLAY_B)/server.txt $(REPLAY_B)/client.txt
	$(Q)$(B)/bin/soc-net -o $(REPLAY_B)/node -- $(call replay_node,server,server-base) -- $(call replay_node,client,client-short) \
		< /dev/null || { tail -n 5 $(REPLAY_B)/node*.txt; exit 1; }
	$(Q)grep -q ' receiver' $(REPLAY_B)/node1.txt && cat $(REPLAY_B)/server.txt $(REPLAY_B)/client.txt

# The replay, by replays of good and damaged traces: of one hart, with and without floating
# point, and of two.
MUTANTS_REPLAY_SEED := 1
MUTANTS_REPLAY_COUNT := 40
MUTANTS_REPLAY_KILLED := 36
MUTANTS_REPLAY_FILES := $(patsubst %,sim/%.c,$(addprefix replay/,retain old_code order replay input compare) model/old_code model/tables)
MUTANTS_REPLAY := $(MUTANTS)/replay
MUTANTS_REPLAY_MAINS := $(B)/obj/filters/tr-replay.o $(B)/obj/tests/replay/places.o
MUTANTS_REPLAY_OBJECTS = $(RUN_BOOT) $(CHECKPOINT_OBJS) $(REPLAY_OBJS) \
	$(addprefix $(B)/,libtr.a liblockstep.a libsocmodel.a libtr.a)

# $(call replay_trace,NAME,OPTIONS OF THE SIMULATOR,FILES,PROGRAMS)
define replay_trace
$(MUTANTS_REPLAY)/$(1).tr: $(3) $(B)/bin/soc-sim
	$$(call say,RUN,$$@)
	$(Q)mkdir -p $$(@D); echo '$(3)' > $$(@:.tr=.args)
	$(Q)$(B)/bin/soc-sim --no-provenance $(2) --trace $$@ $(3) > /dev/null < /dev/null
MUTANTS_REPLAY_TRACES += $(MUTANTS_REPLAY)/$(1).tr
endef
$(eval $(call replay_trace,hello,,$(TARGET_B)/firmware.elf $(TARGET_B)/hello.elf))
$(eval $(call replay_trace,old-code,,$(REPLAY_B)/old-code.elf))
$(eval $(call replay_trace,old-code-harts,--harts 2,$(REPLAY_B)/old-code-harts.elf))
$(eval $(call replay_trace,old-translation,,$(REPLAY_B)/old-translation.elf))
$(eval $(call replay_trace,old-translation-harts,--harts 2,$(REPLAY_B)/old-translation-harts.elf))
$(eval $(call replay_trace,old-walk-harts,--harts 2,$(REPLAY_B)/old-walk-harts.elf))
$(eval $(call replay_trace,random-1,,$(MUTANTS_RTL)/random-1.elf))
$(eval $(call replay_trace,random-2,,$(MUTANTS_RTL)/random-2.elf))
$(eval $(call replay_trace,float-1,--isa rv64gc,$(MUTANTS_RTL)/float-1.elf))
$(eval $(call replay_trace,ipi,--harts 2,$(B)/smp/ipi.elf))
$(eval $(call replay_trace,lrsc,--harts 2,$(B)/smp/lrsc.elf))
# Windows.
$(eval $(call replay_trace,hello-windows,--start pc=schedule --stop insn=73/7f,$(TARGET_B)/firmware.elf $(TARGET_B)/hello.elf))
$(eval $(call replay_trace,random-window,--start cycle=100k,$(MUTANTS_RTL)/random-1.elf))
$(eval $(call replay_trace,ipi-window,--harts 2 --start cycle=20k,$(B)/smp/ipi.elf))
$(eval $(call replay_trace,loop,--nic loopback --harts 2 --max-instructions 400k,$(NIC_B)/loop.elf))

.PHONY: mutants-replay
mutants-replay: all test-mutants test-replay-places $(MUTANTS)/mutate $(MUTANTS_REPLAY_TRACES) ## Test the tests of tr-replay: most of 40 seeded changes must be noticed
	$(Q)cp $(MUTANTS)/mutate $(MUTANTS_REPLAY)
	$(Q)CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDLIBS='$(LDLIBS) $(RUN_LIBS)' OBJECTS='$(MUTANTS_REPLAY_OBJECTS)' MAINS='$(MUTANTS_REPLAY_MAINS)' \
		tests/mutants/run-replay.sh $(MUTANTS_REPLAY) $(B)/bin $(MUTANTS_REPLAY_SEED) $(MUTANTS_REPLAY_COUNT) \
		$(MUTANTS_REPLAY_KILLED) $(MUTANTS_REPLAY_FILES)
