/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units in comments about globals (staplang(3stap)), as OpenMetrics wants them; see units.c. */
#ifndef SPILE_EXPORTER_UNITS_H
#define SPILE_EXPORTER_UNITS_H

#include <stdbool.h>

struct metric_unit {
	char *suffix; /* of the name, such as "seconds"; NULL: none */
	unsigned int exponent; /* divide values by 10^exponent */
	bool is_total; /* the value only grows */
};

/** Set the unit that a comment gives; @p text may be NULL. */
void unit_parse(const char *text, struct metric_unit *ret);
void unit_clear(struct metric_unit *unit);

/** Remove the abbreviation of the unit from the end of a name: "_ns", if the unit is ns. */
void unit_strip(const char *text, char *name);

#endif
