/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of marks; see mark.c. */
#ifndef SPILE_PROBES_MARK_H
#define SPILE_PROBES_MARK_H

#include "translator/translation.h"

/** Return the arguments of a mark (const struct variable *); an empty array if the probe has no named_place. */
const GPtrArray *named_place_arguments(const struct derived_probe *probe);

/** Return the name of the mark or linkage table entry of a probe; NULL if it is of another kind. */
const char *named_place_name(const struct derived_probe *probe);

#endif
