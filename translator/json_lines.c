// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON lines about probes, functions and globals; see json_lines.h. An address that the text of a list leaves open (one
 * line for several places) is a list here, so no line claims a place that is only one of several.
 */
#include "translator/json_lines.h"

#include <stdio.h>

#include "translator/probes/provider.h"
#include "translator/sema/sema.h"

/* ---- probes ------------------------------------------------------------------------------------------------------ */

static bool has_address(const struct derived_probe *probe)
{
	return probe->registration.debuginfo != NULL;
}

static bool same_section(const struct derived_probe *probe, const struct derived_probe *other)
{
	return !g_strcmp0(probe->registration.address.section, other->registration.address.section);
}

/* Write the address, or all of several. Those of modules are offsets in a section, which must be the same. */
static void write_addresses(struct json_writer *w, const GPtrArray *places)
{
	const struct derived_probe *first = g_ptr_array_index(places, 0);

	for_each_ptr(const struct derived_probe *, place, places)
		if (!has_address(place) || place->registration.debuginfo != first->registration.debuginfo ||
		    !same_section(place, first))
			return;
	json_member_optional(w, JSON_PROBE_SECTION, first->registration.address.section);
	if (places->len == 1) {
		json_member_address(w, JSON_PROBE_ADDRESS, first->registration.address.value);
		return;
	}
	json_member(w, JSON_PROBE_ADDRESSES);
	json_array_begin(w);
	for_each_ptr(const struct derived_probe *, place, places)
		json_address(w, place->registration.address.value);
	json_array_end(w);
}

/* Write the declaration of the probed function, or the line of a statement. */
static void write_declaration(struct json_writer *w, const struct derived_probe *probe)
{
	const struct function *function = probe->function;

	if (!function || !function->declaration_file || !*function->declaration_file)
		return;
	json_member_text(w, JSON_PROBE_FILE, function->declaration_file);
	json_member_number(w, JSON_PROBE_LINE, probe->line ?: function->declaration_line);
}

void write_probe(struct json_writer *w, const struct derived_probe *probe, const char *point, const GPtrArray *places)
{
	json_member_text(w, JSON_PROBE_POINT, point);
	json_member_text(w, JSON_PROBE_KIND, probe->of_alias ? "alias" : probe->provider->name);
	/* An alias may stand for places in several functions. */
	if (probe->of_alias)
		return;
	if (has_address(probe))
		json_member_text(w, JSON_PROBE_OBJECT, debuginfo_place_name(probe->registration.debuginfo));
	if (*probe->function_name)
		json_member_text(w, JSON_PROBE_FUNCTION, probe->function_name);
	write_declaration(w, probe);
	write_addresses(w, places);
}

void write_variables(struct json_writer *w, const GPtrArray *variables)
{
	json_member(w, JSON_PROBE_VARIABLES);
	json_array_begin(w);
	for_each_ptr(const struct listed_variable *, variable, variables) {
		json_object_begin(w);
		json_member_text(w, JSON_LISTED_NAME, variable->name);
		json_member_text(w, JSON_LISTED_TYPE, variable->type);
		json_member_optional(w, JSON_LISTED_PLACE, variable->place);
		json_object_end(w);
	}
	json_array_end(w);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

void write_function(struct json_writer *w, const struct function_declaration *function)
{
	json_member_text(w, JSON_FUNCTION_NAME, function->name);
	json_member_text(w, JSON_FUNCTION_RETURNS, type_text(function->type));
	json_member(w, JSON_FUNCTION_PARAMETERS);
	json_array_begin(w);
	for_each_ptr(const struct symbol *, parameter, function->parameters) {
		json_object_begin(w);
		json_member_text(w, JSON_LISTED_NAME, parameter->name);
		json_member_text(w, JSON_LISTED_TYPE, type_text(parameter->type));
		json_object_end(w);
	}
	json_array_end(w);
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static const char *data_type(enum value_type type)
{
	static const char *const names[TYPE_COUNT_] = {
		[TYPE_UNKNOWN] = "unknown",
		[TYPE_LONG] = "number",
		[TYPE_STRING] = "string",
		[TYPE_STATS] = "statistics",
	};

	return names[type];
}

static void write_keys(struct json_writer *w, const struct symbol *global)
{
	json_member(w, JSON_GLOBAL_KEYS);
	json_array_begin(w);
	for (int i = 0; i < global->arity; i++)
		json_text(w, is_stack_text(&global->stack_keys[i]) ? "stack" : data_type(global->key_types[i]));
	json_array_end(w);
}

static void write_stack(struct json_writer *w, int key, const struct stack_text *text)
{
	json_object_begin(w);
	json_member_number(w, JSON_STACK_KEY, key);
	json_member_text(w, JSON_STACK_KIND,
			 text->is_kernel && text->is_user ? "both"
			 : text->is_kernel		  ? "kernel"
							  : "user");
	json_member_text(w, JSON_STACK_FORM,
			 text->is_addresses && text->is_symbols ? "mixed"
			 : text->is_addresses			? "addresses"
								: "symbols");
	json_object_end(w);
}

static void write_stacks(struct json_writer *w, const struct symbol *global)
{
	int stacks = 0;

	for (int i = 0; i < global->arity; i++)
		stacks += is_stack_text(&global->stack_keys[i]);
	if (!stacks)
		return;
	json_member(w, JSON_GLOBAL_STACKS);
	json_array_begin(w);
	for (int i = 0; i < global->arity; i++)
		if (is_stack_text(&global->stack_keys[i]))
			write_stack(w, i, &global->stack_keys[i]);
	json_array_end(w);
}

static void write_key_names(struct json_writer *w, const struct symbol *global)
{
	bool is_known = false;

	for (int i = 0; i < global->arity; i++)
		is_known |= global->key_names[i] != NULL;
	if (!is_known)
		return;
	json_member(w, JSON_GLOBAL_KEY_NAMES);
	json_array_begin(w);
	for (int i = 0; i < global->arity; i++)
		json_text(w, global->key_names[i] ?: "");
	json_array_end(w);
}

static void write_global(struct json_writer *w, const struct symbol *global)
{
	json_member_text(w, JSON_GLOBAL_NAME, global->name);
	json_member_text(w, JSON_GLOBAL_KIND, global->arity > 0 ? "array" : "scalar");
	write_keys(w, global);
	write_key_names(w, global);
	write_stacks(w, global);
	json_member_text(w, JSON_GLOBAL_VALUES, data_type(global->type));
	json_member_optional(w, JSON_GLOBAL_UNIT, global->unit);
	json_member_optional(w, JSON_GLOBAL_SHOW, global->show);
	location_write(w, JSON_GLOBAL_PLACE, &global->location);
}

/* ---- results of passes ------------------------------------------------------------------------------------------- */

void write_source(int pass, const char *text, size_t length)
{
	struct json_writer w;

	json_begin(&w, stdout, JSON_SOURCE_PASS);
	json_member_number(&w, JSON_SOURCE_PASS, pass);
	json_member(&w, JSON_SOURCE_TEXT);
	json_string(&w, text, length);
	json_line_end(&w);
}

void write_analysis(const struct translation *t)
{
	struct json_writer w;

	for_each_ptr(const struct symbol *, global, t->globals) {
		json_begin(&w, stdout, JSON_GLOBAL_NAME);
		write_global(&w, global);
		json_line_end(&w);
	}
	for_each_ptr(const struct function_declaration *, function, t->functions) {
		json_begin(&w, stdout, JSON_FUNCTION_NAME);
		write_function(&w, function);
		json_line_end(&w);
	}
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		g_autoptr(GPtrArray) places = g_ptr_array_new();

		g_ptr_array_add(places, probe);
		json_begin(&w, stdout, JSON_PROBE_POINT);
		write_probe(&w, probe, probe->point_text, places);
		json_line_end(&w);
	}
}

void write_check(unsigned int errors, unsigned int warnings)
{
	struct json_writer w;

	json_begin(&w, stdout, JSON_CHECK_ERRORS);
	json_member_number(&w, JSON_CHECK_ERRORS, errors);
	json_member_number(&w, JSON_CHECK_WARNINGS, warnings);
	json_line_end(&w);
}

void write_module(const char *path)
{
	struct json_writer w;

	json_begin(&w, stdout, JSON_MODULE_PATH);
	json_member_text(&w, JSON_MODULE_PATH, path);
	json_line_end(&w);
}
