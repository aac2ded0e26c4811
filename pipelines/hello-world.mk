# SPDX-License-Identifier: Apache-2.0
# hello_world of the userspace paper (section VI): cycles of foo, a loop of 10^n
# iterations, and of one printf, for n = 0 to 5.

HELLO := build/hello-world$(OTHER)
HELLO_POWERS := 0 1 2 3 4 5
DEMO_TEXTS += $(DEMO)/hello-world.txt

$(HELLO)/%.elf: $(TARGET_B)/supervisor.elf
	$(Q)mkdir -p $(@D); echo 'hello_world $*' > $(HELLO)/$*.script
	$(Q)$(call set_script,$(HELLO)/$*.script)

$(HELLO)/%.table: $(HELLO)/%.elf $(FW) $(BINS) $(DEMO_BIN) $(FILTERS:%=$(B)/bin/%)
	$(call say,HELLO,10^$*)
	$(Q)$(B)/bin/tr-capture -o $(HELLO)/$*.tr -- $(DEMO_BIN) $(FW) $< \
		< /dev/null > $(HELLO)/$*.console
	$(Q)$(B)/bin/tr-match --bins $(BINS) $(HELLO)/$*.tr | $(B)/bin/tr-unwind | \
		$(B)/bin/tr-report functions --by program > $@

# Columns of the table: calls, self, self %, total, total %, min, median, max, away,
# program, binary, function.
$(DEMO)/hello-world.txt: $(HELLO_POWERS:%=$(HELLO)/%.table)
	$(Q)mkdir -p $(@D)
	$(Q){ printf 'hello_world: cycles of foo (a loop of 10^n iterations) and of printf, kernel included\n'; \
	printf '%3s %10s %12s %10s   %s\n' n iterations foo printf 'paper: foo, printf'; \
	for n in $(HELLO_POWERS); do \
		awk -v n=$$n '$$12 == "hello_world" && $$14 == "foo" { foo = $$4 } \
			$$12 == "hello_world" && $$14 == "printf" { printf_ = $$4 } \
			END { printf "%3d %10d %12d %10d   O(10^%d), O(10^4) to O(10^5)\n", \
				n, 10^n, foo, printf_, n + 1 }' $(HELLO)/$$n.table; done; } > $@
.SECONDARY: $(HELLO_POWERS:%=$(HELLO)/%.elf)
