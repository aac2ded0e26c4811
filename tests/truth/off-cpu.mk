# SPDX-License-Identifier: Apache-2.0
# What the threads of Linux wait for: by `tr-fold --off-cpu`, and by the hits of the probes alone,
# in the run of `make truth-tasks`, or with CORE=ooo, or OFF_CPU_ON=soc-sim, in that of the hardware.
# Without a wake-up, or with another state, the judge must see it. Each hit of a switch is also one
# in the table of switches, which begins in __schedule. The same of a kernel on two harts.

OFF_CPU_ON := $(if $(filter inorder,$(CORE)),soc-model,soc-sim)
OFF_CPU := $(B)/truth/off-cpu-$(OFF_CPU_ON)
# tasks.mk is read later.
OFF_CPU_TASKS := $(B)/truth/tasks
OFF_CPU_RUN := $(if $(filter soc-model,$(OFF_CPU_ON)),$(OFF_CPU_TASKS)/6.1.tr,$(TRUTH_LINUX_HARDWARE).tr)
# A thread changes with the instruction that writes tp.
OFF_CPU_CHANGE = $$($(LINUX_CROSS)objdump -d --disassemble=__switch_to $(LINUX_B)/vmlinux | \
	awk '/<__switch_to>:/ { first = substr($$1, 9) } $$3 == "mv" && $$4 ~ /^tp,/ { print "0x" substr($$1, 9, 8), "0x" first }' | \
	{ read -r at first; echo $$((at - first)); })

$(OFF_CPU)/hits.txt: $(OFF_CPU_RUN) $(OFF_CPU_TASKS)/6.1.lst $(addprefix $(B)/bin/,tr-match tr-replay) $(LINUX_PROBES) tests/truth/off-cpu.mk
	$(call say,PROBES,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(TASKS)/6.1.lst $< 2>$(@:.txt=.log) | $(B)/bin/tr-replay --probes $(LINUX_PROBES) \
		--probe "switched: vmlinux:__switch_to+$(OFF_CPU_CHANGE) { to = tp }" \
		-o $@ - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.txt=.log)
$(OFF_CPU)/stacks.tr: $(OFF_CPU_RUN) $(addprefix $(B)/bin/,tr-match tr-replay tr-unwind) $(LINUX_PROBES)
	$(call say,STACKS,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(LINUX_B)/truth.lst $< 2>$(@:.tr=.log) | $(B)/bin/tr-replay --stream \
		--probes $(LINUX_PROBES) - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.tr=.log) | \
		$(B)/bin/tr-unwind -o $@ 2>>$(@:.tr=.log)
$(OFF_CPU)/off-cpu.folded: $(OFF_CPU)/stacks.tr $(B)/bin/tr-fold
	$(call say,WAITS,$@)
	$(Q)$(B)/bin/tr-fold --off-cpu --by thread -o $@ $< 2>$(@:.folded=.log)
$(OFF_CPU)/switches.csv: $(OFF_CPU)/stacks.tr $(B)/bin/tr-timeline
	$(call say,TABLE,$@)
	$(Q)$(B)/bin/tr-timeline --table switches --format csv -o $@ $< 2>$(@:.csv=.log)

# $(call off_cpu_judge,FOLDER,OPTIONS,CHANGES): each change of the hits must be seen.
define off_cpu_judge
$(Q)awk $(2) -f tests/truth/off-cpu.awk $(1)/hits.txt $(1)/off-cpu.folded
$(Q)for change in $(3); do status=0; \
	sed "$$change" $(1)/hits.txt | awk $(2) -f tests/truth/off-cpu.awk - $(1)/off-cpu.folded >$(1)/broken.txt || status=$$?; \
	[ $$status = 1 ] || { echo "off-cpu: did not see $$change"; exit 1; }; done
endef

.PHONY: truth-off-cpu truth-off-cpu-harts
truth-off-cpu: linux ## Compare what threads wait for with switches and wake-ups
	$(Q)$(MAKE) -s --no-print-directory $(OFF_CPU)/hits.txt $(OFF_CPU)/off-cpu.folded $(OFF_CPU)/switches.csv
	$(Q)awk -F, 'FNR == NR { split($$0, field, " "); hits += field[4] == "switch"; next } \
		FNR > 1 && $$8 == "__schedule" { switches += $$1 } \
		END { printf "switches: %d hits, %d in the table\n", hits, switches; exit !hits || hits != switches }' \
		$(OFF_CPU)/hits.txt $(OFF_CPU)/switches.csv
	$(call off_cpu_judge,$(OFF_CPU),-v least=50 -v execs=2,'/ wakeup pid=1 /d' \
		's/ prev=1 \(.*\) prev_state=[1-9][0-9]*/ prev=1 \1 prev_state=0/' '0$(comma)/ wakeup pid=1 /s/began=/began=1/')

# Tasks that move between two harts, of the hardware; none ends.
OFF_CPU_HARTS := $(B)/truth/off-cpu-harts
OFF_CPU_KERNEL := $(KERNEL_ELF)/xv6_calm.elf
$(OFF_CPU_HARTS)/run.tr: $(OFF_CPU_KERNEL) $(B)/bin/soc-sim
	$(call say,RUN,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/soc-sim --harts 2 --max-instructions 2M --trace $@ $< </dev/null
$(OFF_CPU_HARTS)/hits.txt: $(OFF_CPU_HARTS)/run.tr $(KERNEL_B)/xv6_calm.lst tests/truth/off-cpu.probes $(addprefix $(B)/bin/,tr-match tr-replay)
	$(Q)$(B)/bin/tr-match --bins $(KERNEL_B)/xv6_calm.lst $< | $(B)/bin/tr-replay --probes tests/truth/off-cpu.probes -o $@ - $(OFF_CPU_KERNEL)
$(OFF_CPU_HARTS)/off-cpu.folded: $(OFF_CPU_HARTS)/hits.txt $(addprefix $(B)/bin/,tr-unwind tr-fold tr-report)
	$(Q)$(B)/bin/tr-match --bins $(KERNEL_B)/xv6_calm.lst $(@D)/run.tr | $(B)/bin/tr-replay --stream --probes tests/truth/off-cpu.probes \
		- $(OFF_CPU_KERNEL) | $(B)/bin/tr-unwind -o $(@D)/stacks.tr; \
	$(B)/bin/tr-fold --off-cpu --by thread -o $@ $(@D)/stacks.tr
truth-off-cpu-harts: $(OFF_CPU_HARTS)/hits.txt $(OFF_CPU_HARTS)/off-cpu.folded ## The same on two harts, of bare metal (CORE=ooo: out of order)
	$(call off_cpu_judge,$(OFF_CPU_HARTS),-v whole=1 -v least=3,'/ wakeup pid=5 /d' \
		'0$(comma)/ prev=5 prev_state=1/s// prev=5 prev_state=0/' '0$(comma)/hart 1 switched/s//hart 0 switched/')
	$(Q)$(B)/bin/tr-report functions --format csv $(OFF_CPU_HARTS)/stacks.tr | awk -F, -v away="$$(awk '!/;\[at the end\];/ { sum += $$NF } \
		END { printf "%.0f", sum }' $(OFF_CPU_HARTS)/off-cpu.folded)" '$$12 == "swtch" { sum += $$10 } \
		END { print "off-cpu: " away " cycles away, " sum " in swtch"; exit sum != away }'
truth: truth-off-cpu-harts
