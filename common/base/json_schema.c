// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the JSON schema; see json_schema.h. */
#include "common/base/json_schema.h"

#include <string.h>

#define JSON_FIELD_ROW(id, owner, member, type) [JSON_##id] = {owner, member, type},
const struct json_field_row json_fields[JSON_FIELD_COUNT_] = {JSON_FIELDS(JSON_FIELD_ROW)};

static int64_t remote = -1; /* -1: none */

void json_set_remote(int64_t number)
{
	remote = number;
}

static bool has_remote(const char *owner)
{
	for (int i = 0; i < JSON_FIELD_COUNT_; i++)
		if (!strcmp(json_fields[i].owner, owner) && !strcmp(json_fields[i].member, "remote"))
			return !strcmp(json_fields[i].type, "number");
	return false;
}

void json_begin(struct json_writer *w, FILE *to, enum json_field field)
{
	const char *owner = json_fields[field].owner;

	json_line_begin(w, to, owner);
	if (remote >= 0 && has_remote(owner)) {
		json_name(w, "remote");
		json_number(w, remote);
	}
}

void json_member(struct json_writer *w, enum json_field field)
{
	json_name(w, json_fields[field].member);
}

void json_member_text(struct json_writer *w, enum json_field field, const char *text)
{
	json_member(w, field);
	json_text(w, text);
}

void json_member_number(struct json_writer *w, enum json_field field, int64_t number)
{
	json_member(w, field);
	json_number(w, number);
}

void json_member_bool(struct json_writer *w, enum json_field field, bool value)
{
	json_member(w, field);
	json_bool(w, value);
}

void json_member_address(struct json_writer *w, enum json_field field, uint64_t address)
{
	json_member(w, field);
	json_address(w, address);
}

void json_member_optional(struct json_writer *w, enum json_field field, const char *text)
{
	if (text)
		json_member_text(w, field, text);
}

void json_member_now(struct json_writer *w, enum json_field field)
{
	json_member(w, field);
	json_time_now(w);
}
