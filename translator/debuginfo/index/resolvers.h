/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implementations of indirect functions, for the index. */
#ifndef SPILE_DEBUGINFO_INDEX_RESOLVERS_H
#define SPILE_DEBUGINFO_INDEX_RESOLVERS_H

#include "translator/debuginfo/kernel/code.h"

/** Append the addresses (uint64_t) of the functions among which a resolver (of code_resolvers()) chooses. */
void resolver_targets(struct debuginfo *debuginfo, const struct code *code, const struct code_symbol *resolver,
		      GArray *ret);

#endif
