/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files that are compressed as a whole; see compressed.c. */
#ifndef SPILE_ELF_COMPRESSED_H
#define SPILE_ELF_COMPRESSED_H

#include <libelf.h>

/**
 * Open an ELF file, uncompressing it if necessary. elf_version() must have been called.
 *
 * @param[in,out] fd The file. It is replaced by that of the uncompressed contents, which must live as long as the
 *                result.
 * @return NULL if it cannot be read, is damaged, or has more than 1 GB. The result need not be an ELF file.
 */
Elf *elf_begin_compressed(int *fd);

#endif
