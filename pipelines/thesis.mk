# SPDX-License-Identifier: Apache-2.0
# `make thesis`: all tables of the thesis on the run-time profiler, 5.1 to 5.7 and those of its appendix C.

THESIS_TABLES := 5.1 5.2 5.3 5.4 5.5 5.6 5.7 c

.PHONY: thesis
thesis: $(THESIS_TABLES:%=thesis-%)
thesis: ## All tables of the thesis on the run-time profiler (1 hour)
