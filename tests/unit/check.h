/* SPDX-License-Identifier: Apache-2.0 */
/* Checks for unit tests: a failed one prints its place and goes on.
 *
 * int main(void)
 * {
 *	CHECK(tr_thing_new() != NULL);
 *	CHECK_EQ(tr_thing_count(thing), 3);
 *	CHECK_STR(tr_thing_name(thing), "three");
 *	return check_done();
 * }
 */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned check_count, check_failures;

static inline bool check_(bool good, const char *file, int line, const char *text)
{
	check_count++;
	if (good)
		return true;
	check_failures++;
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
	return false;
}

static inline bool check_eq_(uint64_t is, uint64_t want, const char *file, int line,
			     const char *text)
{
	check_count++;
	if (is == want)
		return true;
	check_failures++;
	fprintf(stderr, "%s:%d: %s is %" PRId64 " (0x%" PRIx64 "), not %" PRId64 "\n",
		file, line, text, (int64_t)is, is, (int64_t)want);
	return false;
}

static inline bool check_str_(const char *is, const char *want, const char *file,
			      int line, const char *text)
{
	check_count++;
	if (is && want ? strcmp(is, want) == 0 : is == want)
		return true;
	check_failures++;
	fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", file, line, text,
		is ? is : "(null)", want ? want : "(null)");
	return false;
}

/* Each returns whether the check passed, so that a test can stop early. */
#define CHECK(condition) check_(condition, __FILE__, __LINE__, #condition)
/* Integers of any kind, negative ones included. */
#define CHECK_EQ(is, want)                                                               \
	check_eq_((uint64_t)(is), (uint64_t)(want), __FILE__, __LINE__, #is)
#define CHECK_STR(is, want) check_str_(is, want, __FILE__, __LINE__, #is)

/* Returns the exit status of main(): 0, or 1 (with a line on stderr) after a failure, or
 * if nothing was checked. */
static inline int check_done(void)
{
	if (check_failures || !check_count)
		fprintf(stderr, "%u of %u checks failed\n", check_failures, check_count);
	return check_failures || !check_count ? 1 : 0;
}

#endif
