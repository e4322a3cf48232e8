/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses in programs. Scripts use the functions of script/services.h. */
#ifndef SPILE_RUNTIME_USER_STACKS_SYMBOLS_H
#define SPILE_RUNTIME_USER_STACKS_SYMBOLS_H

struct stp_snapshot_object;
struct stp_snapshot_symbol;

/** See struct stp_part. */
void user_symbol_tell(struct stp_snapshot_symbol *symbol, char *to, size_t size);
bool user_object_tell(unsigned int number, struct stp_snapshot_object *object, char *to, size_t size);

#endif
