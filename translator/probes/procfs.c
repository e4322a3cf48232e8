// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfs("path").read and .write: files in /proc/systemtap/MODULE. A read returns the text that its handlers assign to
 * $value. In the handlers of a write, $value is the written text.
 */
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"

enum { LONGEST_VALUE = 1 << 24 };

enum variant { READ, WRITE };

/* The file name, .umask(n) and, of reads, .maxsize(n) are optional; .maxsize(n) may precede or follow .read. */
#define PROCFS(kind)                                                                                                   \
	{{{"procfs", kind}, {"read", NO_ARGUMENT}}, READ},                                                             \
		{{{"procfs", kind}, {"umask", NUMBER_ARGUMENT}, {"read", NO_ARGUMENT}}, READ},                         \
		{{{"procfs", kind}, {"read", NO_ARGUMENT}, {"maxsize", NUMBER_ARGUMENT}}, READ},                       \
		{{{"procfs", kind}, {"maxsize", NUMBER_ARGUMENT}, {"read", NO_ARGUMENT}}, READ},                       \
		{{{"procfs", kind}, {"umask", NUMBER_ARGUMENT}, {"read", NO_ARGUMENT}, {"maxsize", NUMBER_ARGUMENT}},  \
		 READ},                                                                                                \
		{{{"procfs", kind}, {"umask", NUMBER_ARGUMENT}, {"maxsize", NUMBER_ARGUMENT}, {"read", NO_ARGUMENT}},  \
		 READ},                                                                                                \
		{{{"procfs", kind}, {"umask", NUMBER_ARGUMENT}, {"maxsize", NUMBER_ARGUMENT}}, READ},                  \
		{{{"procfs", kind}, {"write", NO_ARGUMENT}}, WRITE},                                                   \
	{                                                                                                              \
		{{"procfs", kind}, {"umask", NUMBER_ARGUMENT}, {"write", NO_ARGUMENT}}, WRITE                          \
	}

static const struct point_pattern patterns[] = {
	PROCFS(STRING_ARGUMENT),
	PROCFS(NO_ARGUMENT),
	{0},
};

/* Return whether the path stays below the script's directory and has no empty component, which the kernel rejects. */
static bool is_good_path(const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, "/", -1);

	for (char **name = names; *name; name++)
		if (!**name || !strcmp(*name, ".") || !strcmp(*name, "..") || strlen(*name) > NAME_MAX)
			return false;
	return names[0] != NULL;
}

static bool check_range(struct translation *t, const struct probe_component *component, int64_t least, int64_t most)
{
	if (!component || (component->argument->number >= least && component->argument->number <= most))
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location, _("'%s' must be between %lld and %lld"),
		 component->name, (long long)least, (long long)most);
	return false;
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	const struct probe_component *umask = point_component(point, "umask"),
				     *size = point_component(point, "maxsize");
	const char *path = first->argument ? first->argument->text : "command";
	unsigned int hidden = umask ? umask->argument->number : 0077;
	struct derived_probe *derived;
	struct stp_details *details;

	if (!is_good_path(path)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &first->location,
			 _("'%s' is not a valid path below /proc/systemtap/MODULE"), path);
		return;
	}
	if (!check_range(t, umask, 0, 0777) || !check_range(t, size, 1, LONGEST_VALUE))
		return;
	derived = derived_probe_new(t, point);
	details = arena_new0(t->arena, struct stp_details);
	details->path = path;
	details->mode = (pattern->variant == READ ? 0444 : 0222) & ~hidden;
	details->size = size			  ? size->argument->number
			: t->limits.procfs_buffer ? t->limits.procfs_buffer
						  : t->limits.max_string_length;
	derived->registration.kind = pattern->variant == READ ? STP_PROBE_PROCFS_READ : STP_PROBE_PROCFS_WRITE;
	derived->registration.details = details;
	g_ptr_array_add(ret, derived);
}

/* ---- $value ------------------------------------------------------------------------------------------------------ */

static bool is_value(struct translation *t, const struct expr *target)
{
	bool plain = !target->components || !target->components->len;

	if (!strcmp(target->text, "value") && plain && !target->address_of)
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
		 _("procfs probes have only one variable, the string $value"));
	return false;
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	if (!is_value(t, target))
		return NULL;
	if (probe->registration.kind == STP_PROBE_PROCFS_READ) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
			 _("$value cannot be read in a read probe, only assigned"));
		diagnose_hint(t->diagnostics, _("append to it with: $value .= …"));
		return NULL;
	}
	return build_call(t->arena, &target->location, "__procfs_value", NULL);
}

static struct expr *assign_variable(struct translation *t, struct derived_probe *probe, struct expr *assignment)
{
	bool adds = assignment->op == OP_CONCAT;

	if (!is_value(t, assignment->left))
		return NULL;
	if (probe->registration.kind != STP_PROBE_PROCFS_READ) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &assignment->location,
			 _("$value cannot be assigned in a write probe, only in a read probe"));
		return NULL;
	}
	if (!adds && assignment->op != OP_NONE) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &assignment->location,
			 _("$value is a string; assign with = or .="));
		return NULL;
	}
	return build_call(t->arena, &assignment->location, adds ? "__procfs_add" : "__procfs_set", assignment->right);
}

const struct provider procfs_provider = {
	.name = "procfs",
	.summary = N_("files in /proc"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
	.assign_variable = assign_variable,
};
