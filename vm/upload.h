/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy files to a running guest; see upload.c. */
#ifndef SPILE_VM_UPLOAD_H
#define SPILE_VM_UPLOAD_H

#include "vm/client.h"

/**
 * Copy files to a guest.
 *
 * @param[in] files HOSTPATH[:GUESTPATH] strings, as for initramfs_pack(). Files that are unchanged since an earlier
 *            upload are not sent again.
 */
struct error *upload_files(struct client_session *session, char **files);

#endif
