# SPDX-License-Identifier: Apache-2.0
# What the threads of Linux wait for: by `tr-fold --off-cpu`, and by the hits of the probes alone,
# in the run of `make truth-tasks`. Without a wake-up, or with another state, the judge must see it.

OFF_CPU := $(B)/truth/off-cpu

$(OFF_CPU)/hits.txt: $(TASKS)/6.1.tr $(TASKS)/6.1.lst $(addprefix $(B)/bin/,tr-match tr-replay) $(LINUX_PROBES)
	$(call say,PROBES,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(TASKS)/6.1.lst $< 2>$(@:.txt=.log) | $(B)/bin/tr-replay --probes $(LINUX_PROBES) \
		-o $@ - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.txt=.log)
$(OFF_CPU)/off-cpu.folded: $(TASKS)/6.1.tr $(addprefix $(B)/bin/,tr-match tr-replay tr-unwind tr-fold) $(LINUX_PROBES)
	$(call say,WAITS,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(LINUX_B)/truth.lst $< 2>$(@:.folded=.log) | $(B)/bin/tr-replay --stream \
		--probes $(LINUX_PROBES) - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.folded=.log) | \
		$(B)/bin/tr-unwind 2>>$(@:.folded=.log) | $(B)/bin/tr-fold --off-cpu --by thread -o $@ 2>>$(@:.folded=.log)

.PHONY: truth-off-cpu
truth-off-cpu: linux ## Compare what threads wait for with switches and wake-ups
	$(Q)$(MAKE) -s --no-print-directory $(OFF_CPU)/hits.txt $(OFF_CPU)/off-cpu.folded
	$(Q)awk -f tests/truth/off-cpu.awk $(OFF_CPU)/hits.txt $(OFF_CPU)/off-cpu.folded
	$(Q)for change in '/ wakeup pid=1 /d' 's/ prev=1 \(.*\) prev_state=[1-9][0-9]*/ prev=1 \1 prev_state=0/' \
		'0,/ wakeup pid=1 /s/began=/began=1/'; do status=0; \
		sed "$$change" $(OFF_CPU)/hits.txt | awk -f tests/truth/off-cpu.awk - $(OFF_CPU)/off-cpu.folded >$(OFF_CPU)/broken.txt || status=$$?; \
		[ $$status = 1 ] || { echo "off-cpu: did not see $$change"; exit 1; }; done
