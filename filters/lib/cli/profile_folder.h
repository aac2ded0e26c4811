/* SPDX-License-Identifier: Apache-2.0 */
/* The folder into which tr-profile writes. */
#ifndef TR_PROFILE_FOLDER_H
#define TR_PROFILE_FOLDER_H

#include "cli/profiled.h"

/* Returns the folder's path, which does not begin with '-': that of -o, or a name after
 * the last image of a command, or after the file. Static storage. Dies if it is too long.
 */
const char *tr_profile_folder_name(const struct tr_cli *cli,
				   const struct tr_profiled *profiled);

/* Makes the folder, keeps other runs of tr-profile out of it until it is released, and
 * removes the results of an earlier run. The input stays, and with stacks the trace
 * beside them, from which they were made, with a trace the checkpoint and the list of
 * binaries. Dies with a message if the folder cannot be
 * made, if another run writes into it, or if a result would replace the input. */
void tr_profile_folder_take(const struct tr_cli *cli, const char *folder,
			    const struct tr_profiled *profiled);

/* Lets others write into the folder, and says by that that it is complete. The end of the
 * process does that as well. */
void tr_profile_folder_release(void);

/* Prints what was found out about the trace, and the files in the folder, with what they
 * are. */
void tr_profile_folder_show(const struct tr_cli *cli, const char *folder);

#endif
