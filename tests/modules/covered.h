// SPDX-License-Identifier: Apache-2.0
// Cases that a random run of a bench must come across.
#ifndef COVERED_H
#define COVERED_H

// A case, and how often it occurred.
struct covered_case {
	const char *name;
	unsigned count;
};

#endif
