/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directories of our data (tapsets, runtime sources), programs, messages and settings. A program in its build
 * directory uses the data of the source directory. An installed program finds the other directories relative to its
 * own, as configured, so an installed tree can be moved as a whole.
 */
#ifndef SPILE_BASE_PATHS_H
#define SPILE_BASE_PATHS_H

/** Return the directory of tapset/, runtime/, examples/ and vm/: $SPILE_DATADIR, the source or the installed one. */
const char *data_directory(void);

/** Return the directory of internal programs: $SPILE_LIBEXEC, the build directory or the installed one. */
const char *libexec_directory(void);

/** Return the directory of message catalogs: $SPILE_LOCALEDIR or the installed one. */
const char *locale_directory(void);

/** Return the directory of the administrator's settings. The environment cannot change it. */
const char *settings_directory(void);

/** Return the directory in settings_directory() of the certificates whose modules staprun trusts. */
const char *keys_directory(void);

/** Suffix of a module's signature file, after the name of the module (staprun/signature.c). */
#define SIGNATURE_SUFFIX ".sgn"
/** How the name of a signed module begins, so that it cannot take the name of one of the kernel's. */
#define SIGNED_MODULE_PREFIX "stap_"

/** Return the path of one of our programs: beside the running one, else its bare name, for PATH. Never freed. */
const char *program_path(const char *name);

#endif
