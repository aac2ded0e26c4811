/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of functions between two runs of which at least one was sampled: whether they
 * exceed the errors of the two. */
#ifndef TR_SAMPLE_DIFF_H
#define TR_SAMPLE_DIFF_H

#include <stddef.h>

#include "base/report.h"
#include "profile/profile.h"

struct tr_sample_diff {
	size_t beyond, within; /* functions whose own cycles changed by more or less than
				* the error of the change */
	uint64_t total[2];     /* cycles before and after */
	double error[2];       /* of these; 0 if they are exact */
};
/* Reports the table "functions" of those that changed by more than the error, which is
 * that of two independent runs, and by more than `least` cycles; the largest change
 * first. Functions are joined by binary and name. `profiles` are before and after.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_sample_diff_report(struct tr_sample_diff *diff,
			  struct tr_profile *const profiles[2], double least,
			  struct tr_report *report);

#endif
