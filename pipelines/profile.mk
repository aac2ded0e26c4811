# SPDX-License-Identifier: Apache-2.0
# From a trace to its stacks, its joined flame graph and its table of functions: macros that
# make these rules for each system. Arguments are expanded when the rules are made; TITLE is a
# word of the shell, quotes included.
#
# If OPTIONS have -v, the other filters of the rule have it too, and what each of them says is in
# a log beside the results, NAME.log for tr-NAME, which is shown if one of them fails.

# For .SECONDARY, in the folder of a run: nothing is repeated because one of these files is
# missing, if what was made from it is up to date.
PROFILE_KEPT := run.tr console.txt run.log seconds.txt run.stacks.tr match.log unwind.log fold.log joined.folded

# What the joined flame graph of a system shows, for its title
PROFILE_ALL := all programs, the kernel and the firmware

# $(call profile_logs,OPTIONS,RESULT,NAME...): the logs of these filters
profile_logs = $(if $(filter -v,$(1)),$(3:%=$(dir $(2))%.log))
# $(call profile_log,OPTIONS,RESULT,NAME): the redirection at the end of a filter's command
profile_log = $(patsubst %, 2> %,$(call profile_logs,$(1),$(2),$(3)))
# $(call profile_show,OPTIONS,RESULT,NAME...): the end of a rule's command
profile_show = $(if $(filter -v,$(1)),|| { cat $(call profile_logs,$(1),$(2),$(3)) >&2; exit 1; })

# $(call profile_stacks,STACKS,TRACE,INPUTS,OPTIONS[,REPLAY]): stacks by tr-match with OPTIONS,
# which use INPUTS, and tr-unwind. REPLAY is a command of tr-replay whose output is matched
# instead of TRACE.
define profile_stacks
$(1) $(call profile_logs,$(4),$(1),$(if $(5),replay) match unwind) &: $(2) $(3) $(B)/bin/tr-match $(B)/bin/tr-unwind
	$$(call say,STACKS,$(1))
	$(Q)$(if $(5),$(5)$(call profile_log,$(4),$(1),replay) | )$(B)/bin/tr-match $(4)$(if $(5),, $(2))$(call profile_log,$(4),$(1),match) | \
		$(B)/bin/tr-unwind $(filter -v,$(4)) -o $(1)$(call profile_log,$(4),$(1),unwind) \
		$(call profile_show,$(4),$(1),$(if $(5),replay) match unwind)
endef

# In two steps, where the matched trace is used as well.
# $(call profile_matched,MATCHED,TRACE,INPUTS,OPTIONS)
define profile_matched
$(1) $(call profile_logs,$(4),$(1),match) &: $(2) $(3) $(B)/bin/tr-match
	$$(call say,MATCH,$(1))
	$(Q)$(B)/bin/tr-match $(4) -o $(1) $(2)$(call profile_log,$(4),$(1),match) $(call profile_show,$(4),$(1),match)
endef
# $(call profile_unwound,STACKS,MATCHED,OPTIONS)
define profile_unwound
$(1) $(call profile_logs,$(3),$(1),unwind) &: $(2) $(B)/bin/tr-unwind
	$$(call say,STACKS,$(1))
	$(Q)$(B)/bin/tr-unwind $(3) -o $(1) $(2)$(call profile_log,$(3),$(1),unwind) $(call profile_show,$(3),$(1),unwind)
endef

# $(call profile_joined,PICTURE,STACKS,TITLE,OPTIONS[,INPUTS]): the flame graph PICTURE, NAME.svg,
# and NAME.folded.
define profile_joined
$(1) $(1:.svg=.folded) $(call profile_logs,$(4),$(1),fold) &: $(2) $(5) $(B)/bin/tr-fold
	$$(call say,FOLD,$(1))
	$(Q)$(B)/bin/tr-fold $(4) --title $(3) --svg $(1) -o $(1:.svg=.folded) $(2)$(call profile_log,$(4),$(1),fold) \
		$(call profile_show,$(4),$(1),fold)
endef

# $(call profile_functions,TABLE,STACKS,OPTIONS[,INPUTS])
define profile_functions
$(1): $(2) $(4) $(B)/bin/tr-report
	$$(call say,REPORT,$(1))
	$(Q)$(B)/bin/tr-report functions $(3) -o $(1) $(2)
endef

# $(call profile_drawn,FOLDER,TITLE,FOLD,FUNCTIONS): both from FOLDER/run.stacks.tr. FOLD and
# FUNCTIONS are options.
define profile_drawn
$(call profile_joined,$(1)/joined.svg,$(1)/run.stacks.tr,$(2),$(3))
$(call profile_functions,$(1)/functions.txt,$(1)/run.stacks.tr,$(4))
endef

# $(call profile_rules,FOLDER,TITLE,INPUTS,MATCH,FUNCTIONS[,REPLAY]): all of them from
# FOLDER/run.tr. MATCH and FUNCTIONS are options.
define profile_rules
$(call profile_stacks,$(1)/run.stacks.tr,$(1)/run.tr,$(3),$(4),$(6))
$(call profile_drawn,$(1),$(2),$(filter -v,$(4)),$(5))
endef
