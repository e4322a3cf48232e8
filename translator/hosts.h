/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --remote; see hosts.c. */
#ifndef SPILE_HOSTS_H
#define SPILE_HOSTS_H

#include "translator/driver.h"

/** Translate the script for the kernel of each host, and run it on all. @p d is the driver of the command line. */
struct error *run_remotely(struct driver *d);

#endif
