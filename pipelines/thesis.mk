# SPDX-License-Identifier: Apache-2.0
# `make -j2 thesis`: all tables of the thesis on the run-time profiler, 5.1 to 5.7 and those of its
# appendix C. Runs that two tables need are made once.

THESIS_TEXTS := $(patsubst %,$(THESIS)/%.txt,5.1 5.2 5.3 5.4 5.5 5.6 5.7 c)

.PHONY: thesis
thesis: linux-daemon $(THESIS_TOOLS) $(addprefix $(B)/bin/,tr-fold soc-model)
thesis: ## All tables of the thesis on the run-time profiler (1 hour)
	@$(MAKE) -s --no-print-directory $(THESIS_TEXTS) $(THESIS_PICTURES)
	@for text in $(THESIS_TEXTS); do printf '\n--- %s\n' $$text; cat $$text; done
	@printf '%s\n' '' '--- pictures' $(THESIS_PICTURES)
