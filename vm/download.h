/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Move files from a guest to the host; see download.c. */
#ifndef SPILE_VM_DOWNLOAD_H
#define SPILE_VM_DOWNLOAD_H

#include "vm/client.h"

/**
 * Move files from the guest to the host.
 *
 * @param[in] what GUESTPREFIX:HOSTPREFIX. In the path of each regular file in the guest that begins with the former,
 *            the latter replaces it. Existing files on the host are overwritten.
 * @param[in] most Most bytes of all files together.
 * @return An error also if no file matches.
 */
struct error *download_files(struct client_session *session, const char *what, uint64_t most);

#endif
