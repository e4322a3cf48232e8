/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of files, for scripts with probes of system calls. */
#ifndef SPILE_RUNTIME_USER_CACHED_PAGE_H
#define SPILE_RUNTIME_USER_CACHED_PAGE_H

#include <linux/types.h>

#include "runtime/core/internal.h"

struct address_space;
/**
 * Copy from a page of a file if the page cache has it and it is up to date. Task context; the task holds no lock of the
 * kernel except its mmap_lock. Preemption may be on or off.
 */
bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size);
/** Free what is left after the last handler. May sleep. */
SHARED void cached_pages_finish(void);

#endif
