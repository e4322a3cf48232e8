// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics of the exporter itself, with a table of the metrics of each script. */
#include "exporter/own_metrics.h"

#include <inttypes.h>
#include <string.h>

#include "exporter/decimal.h"
#include "exporter/labels.h"

static char *number(uint64_t value)
{
	return g_strdup_printf("%" PRIu64, value);
}

/* The label of a script. */
static char *labels_of(const struct script *script, const struct exporter_limits *limits)
{
	GString *labels = g_string_new(NULL);

	label_append(labels, "script", script_name(script), strlen(script_name(script)), limits);
	return g_string_free(labels, FALSE);
}

static const struct {
	const char *name, *help;
	size_t datum; /* offset in struct script_counts */
} rows[] = {
#define MEMBER(name) offsetof(struct script_counts, name)
	{"stap_exporter_script_starts", "Starts of the script.", MEMBER(starts)},
	{"stap_exporter_script_restarts", "Starts of the script after it ended or changed.", MEMBER(restarts)},
	{"stap_exporter_script_errors", "Errors that stap has reported for the script.", MEMBER(errors)},
	{"stap_exporter_script_warnings", "Warnings that stap has reported for the script.", MEMBER(warnings)},
	{"stap_exporter_script_snapshots", "Complete snapshots of the globals of the script.", MEMBER(snapshots)},
	{"stap_exporter_script_incomplete_globals", "Globals of the script that were too large to be read whole.",
	 MEMBER(incomplete)},
	{"stap_exporter_script_lost_records", "Records that were lost between the kernel and staprun.", MEMBER(lost)},
	{"stap_exporter_script_throttles", "Seconds for which the output of the script was not read.",
	 MEMBER(throttled)},
	{"stap_exporter_script_long_lines", "Lines of the script that were dropped because of their length.",
	 MEMBER(long_lines)},
	{"stap_exporter_script_invalid_lines", "Lines of the script that are not in the format of stap-json(5).",
	 MEMBER(invalid_lines)},
	{"stap_exporter_shortened_labels", "Values of labels that were cut to the limit.", MEMBER(shortened)},
	{"stap_exporter_failed_scrapes", "Scrapes of the script that got no metrics.", MEMBER(failed_scrapes)},
#undef MEMBER
};

static void add_counters(struct metric_set *set, GList *scripts)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct metric_family *family = metric_set_add(set, METRIC_COUNTER, rows[i].name, NULL, rows[i].help);

		for (GList *at = scripts; at; at = at->next) {
			g_autofree char *labels = labels_of(at->data, set->limits);
			struct script_counts counts = script_counts(at->data);

			metric_add_one(set, family, "_total", labels,
				       number(*(const uint64_t *)((const char *)&counts + rows[i].datum)));
		}
	}
}

static void add_up(struct metric_set *set, GList *scripts)
{
	struct metric_family *family = metric_set_add(set, METRIC_GAUGE, "stap_exporter_script_up", NULL,
						      "1 if the script runs and has data.");

	for (GList *at = scripts; at; at = at->next) {
		g_autofree char *labels = labels_of(at->data, set->limits);

		metric_add_one(set, family, "", labels, number(script_is_up(at->data)));
	}
}

static void add_dropped(struct metric_set *set, GList *scripts)
{
	struct metric_family *family =
		metric_set_add(set, METRIC_COUNTER, "stap_exporter_dropped_series", NULL,
			       "Samples that were not exported: beyond a limit, duplicate, or not valid.");

	for (GList *at = scripts; at; at = at->next) {
		g_autofree char *labels = labels_of(at->data, set->limits);
		struct script_counts counts = script_counts(at->data);

		for (int i = 0; i < DROP_REASON_COUNT_; i++) {
			g_autofree char *all = g_strdup_printf("%s,reason=\"%s\"", labels, drop_reasons[i]);

			metric_add_one(set, family, "_total", all, number(counts.dropped[i]));
		}
	}
}

static void add_durations(struct metric_set *set, GList *scripts)
{
	enum { MICROSECONDS = 6 };
	struct metric_family *family = metric_set_add(set, METRIC_SUMMARY, "stap_exporter_scrape_duration", "seconds",
						      "Time to answer scrapes of the script.");

	for (GList *at = scripts; at; at = at->next) {
		g_autofree char *labels = labels_of(at->data, set->limits);
		struct script_counts counts = script_counts(at->data);
		GArray *samples = metric_samples_new();

		metric_samples_append(samples, "_count", labels, NULL, number(counts.scrapes));
		metric_samples_append(samples, "_sum", labels, NULL, decimal_scaled(counts.microseconds, MICROSECONDS));
		metric_add(set, family, samples);
	}
}

static void add_gauge(struct metric_set *set, const char *name, const char *help, uint64_t value)
{
	metric_add_one(set, metric_set_add(set, METRIC_GAUGE, name, NULL, help), "", "", number(value));
}

static void add_http(struct metric_set *set, const struct http_counts *http)
{
	struct metric_family *family =
		metric_set_add(set, METRIC_COUNTER, "stap_exporter_http_responses", NULL, "Responses by their status.");

	for (size_t i = 0; i < G_N_ELEMENTS(http->responses); i++) {
		g_autofree char *labels = g_strdup_printf("code=\"%zu\"", i);

		if (http->responses[i])
			metric_add_one(set, family, "_total", labels, number(http->responses[i]));
	}
	metric_add_one(set,
		       metric_set_add(set, METRIC_COUNTER, "stap_exporter_http_timeouts", NULL,
				      "Connections that were closed because a request or response took too long."),
		       "_total", "", number(http->timeouts));
	add_gauge(set, "stap_exporter_http_connections", "Open connections.", http->connections);
}

struct metric_set *own_metrics(const struct registry *registry, const struct http_counts *http,
			       const struct exporter_limits *limits)
{
	struct metric_set *set = metric_set_new(limits);
	GList *scripts = registry_scripts(registry);

	metric_add_one(set,
		       metric_set_add(set, METRIC_INFO, "stap_exporter_build", NULL, "The version of stap-exporter."),
		       "_info", "version=\"" PACKAGE_VERSION "\"", number(1));
	add_up(set, scripts);
	add_durations(set, scripts);
	add_counters(set, scripts);
	add_dropped(set, scripts);
	add_gauge(set, "stap_exporter_refused_scripts", "Scripts of the directory that are refused; see the log.",
		  registry_refused_count(registry));
	add_http(set, http);
	g_list_free(scripts);
	return set;
}
