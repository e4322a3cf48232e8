// SPDX-License-Identifier: GPL-2.0-or-later
/* begin, end, error, never, oneshot: events of the script's own session. */
#include "common/base/i18n.h"
#include "translator/probes/provider.h"

enum variant { BEGIN, END, ERROR, NEVER, ONESHOT, VARIANT_COUNT_ };

static const struct point_pattern patterns[] = {
	{{{"begin", OPTIONAL_NUMBER}}, BEGIN}, {{{"end", OPTIONAL_NUMBER}}, END},
	{{{"error", OPTIONAL_NUMBER}}, ERROR}, {{{"never", NO_ARGUMENT}}, NEVER},
	{{{"oneshot", NO_ARGUMENT}}, ONESHOT}, {0},
};

static const enum stp_probe_kind kinds[VARIANT_COUNT_] = {
	[BEGIN] = STP_PROBE_BEGIN, [END] = STP_PROBE_END,	[ERROR] = STP_PROBE_ERROR,
	[NEVER] = STP_PROBE_NEVER, [ONESHOT] = STP_PROBE_BEGIN,
};

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	struct derived_probe *derived = derived_probe_new(t, point);

	derived->registration.kind = kinds[pattern->variant];
	derived->registration.order = point_number(point, 0);
	derived->registration.exits = pattern->variant == ONESHOT;
	g_ptr_array_add(ret, derived);
}

const struct provider session_provider = {
	.name = "session",
	.summary = N_("start, end and failure of the script itself"),
	.patterns = patterns,
	.unprivileged = true,
	.resolve = resolve,
};
