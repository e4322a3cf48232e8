/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files for a guest that runs already; see upload.c. */
#ifndef SPILE_VM_UPLOAD_H
#define SPILE_VM_UPLOAD_H

#include "vm/client.h"

/**
 * Bring files to a guest.
 *
 * @param[in] files HOSTPATH[:GUESTPATH] texts, as for initramfs_pack(). What the guest has from an earlier upload,
 * unchanged, is
 *                  not sent again.
 */
struct error *upload_files(struct client_session *session, char **files);

#endif
