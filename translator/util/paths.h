/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things are: our data (tapsets, runtime source), our other programs, messages, the cache. A program that runs in
 * the folder it was built in takes its data from the source folder. An installed one finds the other folders from where
 * it is itself, as far from there as configure was told, so an installed tree can be moved as a whole.
 */
#ifndef SPILE_UTIL_PATHS_H
#define SPILE_UTIL_PATHS_H

/** Folder of tapset/, runtime/, examples/ and vm/: $SPILE_DATADIR, the source folder, or the installed place. */
const char *data_folder(void);

/** Folder of programs that no user calls: $SPILE_LIBEXEC, the build folder, or the installed place. */
const char *libexec_folder(void);

/** Folder of message catalogues: $SPILE_LOCALEDIR, or the installed place. */
const char *locale_folder(void);

/** Folder of what an administrator settles for all users: the installed place, whatever anybody says. */
const char *settings_folder(void);

/** Folder of the certificates of those whose modules staprun trusts, in settings_folder(). */
const char *keys_folder(void);

/** What the name of a module's signature ends in, behind that of the module (staprun/signature.c). */
#define SIGNATURE_SUFFIX ".sgn"

/** Path of one of our programs: beside the running one, else its bare name for a search in PATH. Never freed. */
const char *program_path(const char *name);

#endif
