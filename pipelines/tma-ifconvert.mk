# SPDX-License-Identifier: Apache-2.0
# `make tma-ifconvert`: three programs with unpredictable branches. The effect of
# if-conversion on their cycles is predicted from the traces before it; then the programs
# are built with if-conversion, run, and compared. The function to convert has the
# program's name.

IFC := $(TMA)/ifconvert
IFC_ERROR := 5

.PHONY: tma-ifconvert
tma-ifconvert: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) ## Predict if-conversion from the trace before it; build, run, compare
	@$(MAKE) -s --no-print-directory $(BENCHMARKS_CONVERTED:%=$(IFC)/%.predicted)
	@cat pipelines/tma-ifconvert.txt; \
	for p in $(BENCHMARKS_CONVERTED); do printf '\n%s\n' $$p; cat $(IFC)/$$p.predicted; done; echo
	@$(MAKE) -s --no-print-directory $(BENCHMARKS_CONVERTED:%=$(IFC)/%.measured)
	@echo; $(IFC_COMPARE)

ifc_code = riscv64-unknown-elf-objdump -d --no-show-raw-insn --disassemble=$* $(1)/$*.elf

$(IFC)/%.predicted: $(TMA)/%.tr $(BENCH_B)/%.elf pipelines/tma-ifconvert.awk $(B)/bin/tr-text
	$(Q)mkdir -p $(@D)
	$(Q)$(call ifc_code,$(BENCH_B)) > $(IFC)/$*.before
	$(Q)$(B)/bin/tr-text --tokens $< | awk -v name=$* -f pipelines/tma-ifconvert.awk $(IFC)/$*.before - > $@

# The compiler must have left no branch over an arm, and added no other branch.
$(IFC)/%.measured: $(CONVERTED_B)/%-image.elf $(CONVERTED_B)/%.elf $(FW) $(IFC)/%.predicted \
		$(B)/bin/soc-sim $(B)/bin/tr-capture $(B)/bin/tr-info
	$(call say,RUN,$*-converted)
	$(Q)$(call ifc_code,$(CONVERTED_B)) > $(IFC)/$*.after
	$(Q)read -r all arms < <(awk -f pipelines/tma-ifconvert.awk $(IFC)/$*.before); \
	[ "$$(awk -f pipelines/tma-ifconvert.awk $(IFC)/$*.after)" = "$$((all - arms)) 0" ] || \
		{ echo "$*: the compiler did not convert the branches: $(IFC)/$*.after" >&2; exit 1; }
	$(Q)$(B)/bin/tr-capture -o $(IFC)/$*.tr -- $(B)/bin/soc-sim $(call bench_run,$(CONVERTED_B),$*) \
		< /dev/null > $(IFC)/$*.console 2>&1 || \
		{ echo "$*: the run failed, or its result is wrong: $(IFC)/$*.console" >&2; exit 1; }
	$(Q)$(B)/bin/tr-info $(IFC)/$*.tr | awk '$$1 == "cycles" && !seen++ { print "measured", $$2 }' > $@

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
.SECONDARY: $(BENCHMARKS_CONVERTED:%=$(IFC)/%.predicted)
