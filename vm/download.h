/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of a guest for the host; see download.c. */
#ifndef SPILE_VM_DOWNLOAD_H
#define SPILE_VM_DOWNLOAD_H

#include "vm/client.h"

/**
 * Move files of the guest to the host.
 *
 * @param[in] what GUESTPREFIX:HOSTPREFIX: each regular file in the guest whose path begins with the former gets the
 *                 latter in its place. A file of the host that is there is overwritten.
 * @return An error too if there is no such file.
 */
struct error *download_files(struct client_session *session, const char *what);

#endif
