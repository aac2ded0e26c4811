# SPDX-License-Identifier: Apache-2.0
# Files of counters and logs for the tests of prof-counts and prof-log.

$(eval $(call program,make-counts,tests/profiler/make-counts.c,tests))
$(eval $(call program,make-log,tests/profiler/make-log.c,tests))
