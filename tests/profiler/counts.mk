# SPDX-License-Identifier: Apache-2.0
# Files of counters for the tests of prof-counts.

$(eval $(call program,make-counts,tests/profiler/make-counts.c,tests))
