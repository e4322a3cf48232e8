// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON lines about a run as a whole; see run_lines.h. The loader writes them, because it sees the start and the end
 * of the run.
 */
#include "staprun/run_lines.h"

#include <sys/utsname.h>

#include "common/base/json_schema.h"

void run_lines_start(FILE *to, const char *module, int64_t remote_number, const char *uri)
{
	struct utsname system = {0};
	struct json_writer w;

	uname(&system);
	json_begin(&w, to, JSON_START_TIME);
	json_member_now(&w, JSON_START_TIME);
	json_member_number(&w, JSON_START_VERSION, JSON_SCHEMA_VERSION);
	json_member_text(&w, JSON_START_MODULE, module);
	json_member_text(&w, JSON_START_HOST, system.nodename);
	json_member_text(&w, JSON_START_KERNEL, system.release);
	if (uri) {
		json_member(&w, JSON_START_REMOTE);
		json_object_begin(&w);
		json_member_number(&w, JSON_REMOTE_NUMBER, remote_number);
		json_member_text(&w, JSON_REMOTE_URI, uri);
		json_object_end(&w);
	}
	json_line_end(&w);
	fflush(to);
}

void run_lines_end(FILE *to, int exit_status, const struct control_status *status)
{
	const struct {
		enum json_field field;
		unsigned long long count;
	} skipped[] = {
		{JSON_SKIPPED_REENTRANT, status->skipped_reentrant},
		{JSON_SKIPPED_LOCK, status->skipped_lock},
		{JSON_SKIPPED_MISSED_RETURN, status->missed_return},
		{JSON_SKIPPED_MISSED_DEEP_RETURN, status->missed_deep_return},
		{JSON_SKIPPED_STACK, status->skipped_stack},
	};
	struct json_writer w;

	json_begin(&w, to, JSON_END_TIME);
	json_member_now(&w, JSON_END_TIME);
	json_member_number(&w, JSON_END_STATUS, exit_status);
	json_member_number(&w, JSON_END_HITS, (int64_t)status->hits);
	json_member_number(&w, JSON_END_ERRORS, (int64_t)status->errors);
	json_member_number(&w, JSON_END_LOST, (int64_t)status->lost);
	json_member(&w, JSON_END_SKIPPED);
	json_object_begin(&w);
	for (size_t i = 0; i < sizeof(skipped) / sizeof(skipped[0]); i++)
		json_member_number(&w, skipped[i].field, (int64_t)skipped[i].count);
	json_object_end(&w);
	json_line_end(&w);
	fflush(to);
}
