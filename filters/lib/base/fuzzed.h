/* SPDX-License-Identifier: Apache-2.0 */
/* TR_IS_FUZZED is 1 in the build of `make fuzz`, which ignores checksums: a fuzzer cannot
 * guess them. */
#ifndef TR_FUZZED_H
#define TR_FUZZED_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { TR_IS_FUZZED = 1 };
#else
enum { TR_IS_FUZZED = 0 };
#endif

#endif
