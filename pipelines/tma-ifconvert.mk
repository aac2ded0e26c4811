# SPDX-License-Identifier: Apache-2.0
# `make tma-ifconvert`: three programs with unpredictable branches. The effect of
# if-conversion on their cycles is predicted from the traces before it; then the programs
# are built with if-conversion, run, and compared. The function to convert has the
# program's name. Out of order the prediction is an interval, of slots.

IFC := $(TMA)/ifconvert
IFC_ERROR := 5
IFC_METHOD := tma-ifconvert$(if $(filter ooo,$(CORE)),-slots)

.PHONY: tma-ifconvert
tma-ifconvert: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) ## Predict if-conversion from the trace before it; build, run, compare
	@$(MAKE) -s --no-print-directory $(BENCHMARKS_CONVERTED:%=$(IFC)/%.predicted)
	@cat pipelines/$(IFC_METHOD).txt; \
	for p in $(BENCHMARKS_CONVERTED); do printf '\n%s\n' $$p; cat $(IFC)/$$p.predicted; done; echo
	@$(MAKE) -s --no-print-directory $(BENCHMARKS_CONVERTED:%=$(IFC)/%.measured)
	@echo; $(if $(filter ooo,$(CORE)),$(IFC_COMPARE_SLOTS),$(IFC_COMPARE))

ifc_code = riscv64-unknown-elf-objdump -d --no-show-raw-insn --disassemble=$* $(1)/$*.elf

# The compiler must have left no branch over an arm, and added no other branch.
$(IFC)/%.converted: $(BENCH_B)/%.elf $(CONVERTED_B)/%.elf pipelines/tma-ifconvert.awk
	$(Q)mkdir -p $(@D)
	$(Q)$(call ifc_code,$(BENCH_B)) > $(IFC)/$*.before
	$(Q)$(call ifc_code,$(CONVERTED_B)) > $(IFC)/$*.after
	$(Q)read -r all arms < <(awk -f pipelines/tma-ifconvert.awk $(IFC)/$*.before); \
	[ "$$(awk -f pipelines/tma-ifconvert.awk $(IFC)/$*.after)" = "$$((all - arms)) 0" ] || \
		{ echo "$*: the compiler did not convert the branches: $(IFC)/$*.after" >&2; exit 1; }
	$(Q)touch $@

ifneq ($(filter ooo,$(CORE)),)
# $(call ifc_slots,FOLDER): runs a program with the counters of dispatch in each cycle.
IFC_COUNTERS := instructions_dispatched,instructions_retired,recovery,recovery_fetch,fetch_stall
define ifc_slots
	$(call say,RUN,$(basename $(@F)))
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-sim --counters $(IFC_COUNTERS) --counters-every 1 --trace - $(call bench_run,$(1),$*) \
		< /dev/null 2> $@.console | $(B)/bin/tr-text --tokens | awk -v name=$* -f pipelines/tma-ifconvert-slots.awk > $@ || \
		{ echo "$*: the run failed, or its result is wrong: $@.console" >&2; exit 1; }
endef
$(IFC)/%.predicted: $(BENCH_B)/%-image.elf $(FW) pipelines/tma-ifconvert-slots.awk $(B)/bin/soc-sim $(B)/bin/tr-text
	$(call ifc_slots,$(BENCH_B))
$(IFC)/%.measured: $(CONVERTED_B)/%-image.elf $(FW) pipelines/tma-ifconvert-slots.awk $(IFC)/%.converted \
		$(B)/bin/soc-sim $(B)/bin/tr-text
	$(call ifc_slots,$(CONVERTED_B))
else
$(IFC)/%.predicted: $(TMA)/%.tr $(IFC)/%.converted pipelines/tma-ifconvert.awk $(B)/bin/tr-text
	$(Q)$(B)/bin/tr-text --tokens $< | awk -v name=$* -f pipelines/tma-ifconvert.awk $(IFC)/$*.before - > $@

$(IFC)/%.measured: $(CONVERTED_B)/%-image.elf $(FW) $(IFC)/%.converted $(B)/bin/soc-sim $(B)/bin/tr-capture $(B)/bin/tr-info
	$(call say,RUN,$*-converted)
	$(Q)$(B)/bin/tr-capture -o $(IFC)/$*.tr -- $(B)/bin/soc-sim $(call bench_run,$(CONVERTED_B),$*) \
		< /dev/null > $(IFC)/$*.console 2>&1 || \
		{ echo "$*: the run failed, or its result is wrong: $(IFC)/$*.console" >&2; exit 1; }
	$(Q)$(B)/bin/tr-info $(IFC)/$*.tr | awk '$$1 == "cycles" && !seen++ { print "measured", $$2 }' > $@
endif

define IFC_COMPARE
for p in $(BENCHMARKS_CONVERTED); do \
	sed -n 's/^now \([0-9]*\).*/now \1/p; /^predicted/p' $(IFC)/$$p.predicted; cat $(IFC)/$$p.measured; \
	echo "end $$p"; done | awk -v most=$(IFC_ERROR) '{ value[$$1] = $$2 } \
	BEGIN { printf "%-10s %10s %10s %10s %8s %9s\n", "cycles", "before", "predicted", "measured", "change", "error" } \
	$$1 == "end" { error = 100 * (value["predicted"] / value["measured"] - 1); \
		printf "%-10s %10d %10d %10d %+7.1f%% %+8.2f%%\n", $$2, value["now"], value["predicted"], \
			value["measured"], 100 * (value["measured"] / value["now"] - 1), error; \
		wrong += error > most || error < -most } \
	END { if (wrong) { print "tma-ifconvert: off by more than " most " %" > "/dev/stderr"; exit 1 } }'
endef

define IFC_COMPARE_SLOTS
for p in $(BENCHMARKS_CONVERTED); do \
	sed 's/^/before_/' $(IFC)/$$p.predicted; sed 's/^/after_/' $(IFC)/$$p.measured; \
	echo "end $$p"; done | awk '{ value[$$1] = $$2 } \
	BEGIN { printf "%-10s %10s %10s   %10s %10s %8s %8s %8s\n", "", "cycles", "converted", "slots", "converted", \
		"least", "saved", "most" } \
	$$1 == "end" { slots = value["before_slots"]; saved = slots - value["after_slots"]; \
		least = value["before_badspec"]; most = value["before_dispatch_badspec"] + value["before_dispatch_frontend"]; \
		out = saved < least || saved > most; wrong += out; \
		printf "%-10s %10d %10d   %10d %10d %7.1f%% %7.1f%% %7.1f%%%s\n", $$2, value["before_cycles"], value["after_cycles"], \
			slots, value["after_slots"], 100 * least / slots, 100 * saved / slots, 100 * most / slots, out ? ": outside" : "" } \
	END { if (wrong) { print "tma-ifconvert: a saving is not between the least and the most" > "/dev/stderr"; exit 1 } }'
endef
.SECONDARY: $(BENCHMARKS_CONVERTED:%=$(IFC)/%.predicted) $(BENCHMARKS_CONVERTED:%=$(IFC)/%.converted)
