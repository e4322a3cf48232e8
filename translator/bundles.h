/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bundle; see bundles.c. */
#ifndef SPILE_BUNDLES_H
#define SPILE_BUNDLES_H

#include "translator/driver.h"

/** --bundle, --bundle-add: translate the script for all kernels, and write the file. */
struct error *make_bundle(struct driver *first);

#endif
