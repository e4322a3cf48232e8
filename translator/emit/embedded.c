// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit embedded C: its macros, and the code around each piece.
 *
 * Every piece has its own label `out`, to which STAP_ERROR and STAP_RETURN jump. The code after the piece checks for
 * errors and jumps to the nearest catch. SystemTap's modules include many headers of the kernel, and C in scripts
 * relies on that; so if the script contains C, the common headers are included. C of the tapset needs none, so scripts
 * without C compile faster.
 */
#include "translator/emit/embedded.h"

#include <string.h>

#include "translator/emit/writer.h"
#include "translator/sema/embedded.h"

static bool is_users(const struct location *at)
{
	return at->file && !at->file->is_tapset;
}

struct code_search {
	const char *text; /* that the code contains; "": any code */
	bool found;
};

static void search_code(struct code_search *search, const struct location *at, const char *code)
{
	search->found = search->found || (is_users(at) && strstr(code, search->text));
}

static void search_expr(struct expr **expr, void *data)
{
	if ((*expr)->kind == EXPR_EMBEDDED || (*expr)->kind == EXPR_CONST)
		search_code(data, &(*expr)->location, (*expr)->text);
}

static void search_statement(struct statement *s, void *data)
{
	if (s->kind == STATEMENT_EMBEDDED)
		search_code(data, &s->location, s->code);
}

bool users_code_contains(const struct translation *t, const char *text)
{
	struct code_search search = {.text = text};

	for_each_ptr(const struct statement *, embed, t->embeds)
		search_code(&search, &embed->location, embed->code);
	for_each_ptr(const struct function_declaration *, function, t->functions) {
		statement_visit(function->body, search_statement, &search);
		statement_walk(function->body, search_expr, &search);
	}
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		statement_visit(probe->body, search_statement, &search);
		statement_walk(probe->body, search_expr, &search);
	}
	return search.found;
}

/* Define the word of each DWARF register in the kernel's struct pt_regs, for systemtap.h. */
static void emit_register_words(const struct abi *abi, GString *out)
{
	g_string_append(out, "#define STP_DWARF_WORDS ");
	for (unsigned int i = 0; i < abi->register_count; i++)
		g_string_append_printf(out, "%s%u", i ? ", " : "", abi->register_words[i]);
	g_string_append_c(out, '\n');
}

/* Does a netfilter probe name constants of the kernel's headers? */
static bool probes_name_constants(const struct translation *t)
{
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		const struct registration *r = &probe->registration;

		if (r->family_text || r->hook_text || r->priority_text)
			return true;
	}
	return false;
}

void emit_embedded_headers(const struct translation *t, GString *out)
{
	if (!users_code_contains(t, "") && !probes_name_constants(t))
		return;
	g_string_append(out, "#define STP_KERNEL_HEADERS\n");
	emit_register_words(t->kernel.abi, out);
}

/* ---- members of the context, and hooks --------------------------------------------------------------------------- */

/* Does C of a script use members of the context that are set only for it? */
static bool uses_members(const struct location *at, const char *code)
{
	static const char *const members[] = {"->kregs",      "->uregs",     "->user_mode_p", "->probe_point",
					      "->last_error", "->last_stmt", "->busy"};

	for (size_t i = 0; is_users(at) && i < G_N_ELEMENTS(members); i++)
		if (strstr(code, members[i]))
			return true;
	return false;
}

void emit_members_begin(GString *out, const struct location *at, const char *code)
{
	g_autofree char *place = NULL, *quoted = NULL;

	if (!uses_members(at, code))
		return;
	place = g_strdup_printf("embedded C at %s:%d:%d", at->file->name, at->line, at->column);
	quoted = g_strescape(place, NULL);
	g_string_append_printf(out, "\tstp_context_members(c, \"%s\");\n", quoted);
}

void emit_members_end(GString *out, const struct location *at, const char *code)
{
	if (uses_members(at, code))
		g_string_append(out, "\tstp_context_error(c);\n");
}

/*
 * Scripts define these macros to name a function, or an expression that calls it. The exit hook may be a statement.
 * What they expand to is known only to the compiler, except for whether it is a call.
 */
static const struct hook {
	const char *macro, *member, *signature, *function, *before, *after;
} hooks[] = {
	{"STAP_MODULE_INIT_HOOK", "load_hook", "int script_loaded(void)", "script_loaded", "return (", ")"},
	{"STAP_MODULE_EXIT_HOOK", "unload_hook", "void script_unloaded(void)", "script_unloaded", "", ""},
};

/* Is the macro defined as a call or statement, so that nothing must be added to run it? */
static bool is_defined_as_call(const struct translation *t, const char *macro)
{
	for_each_ptr(const struct statement *, embed, t->embeds) {
		const char *found = is_users(&embed->location) ? strstr(embed->code, macro) : NULL;
		g_autofree char *rest = NULL;

		for (; found; found = strstr(found + 1, macro)) {
			const char *after = found + strlen(macro);

			if (g_ascii_isspace(*after) && *after != '\n' && found > embed->code &&
			    strchr(" \t", found[-1])) {
				rest = g_strndup(after, strcspn(after, "\n"));
				return strpbrk(rest, "(;") != NULL;
			}
		}
	}
	return false;
}

void emit_hooks(const struct translation *t, GString *out)
{
	if (!users_code_contains(t, ""))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(hooks); i++) {
		const struct hook *hook = &hooks[i];
		const char *call = is_defined_as_call(t, hook->macro) ? "" : "()";

		g_string_append_printf(out,
				       "#ifdef %s\nstatic %s\n{\n\t%s%s%s%s;\n}\n#else\n#define %s STP_NULL\n#endif\n",
				       hook->macro, hook->signature, hook->before, hook->macro, call, hook->after,
				       hook->function);
	}
}

void emit_hook_members(const struct translation *t, GString *out)
{
	if (!users_code_contains(t, ""))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(hooks); i++)
		g_string_append_printf(out, "\t.%s = %s,\n", hooks[i].member, hooks[i].function);
}

static gboolean rename_context(const GMatchInfo *match, GString *out, gpointer data)
{
	g_autofree char *text = g_match_info_fetch(match, 0);

	g_string_append(out, text[0] == '"' ? text : "struct stp_context");
	return FALSE;
}

const char *embedded_text(const struct translation *t, const struct location *at, const char *code)
{
	static GRegex *regex;
	g_autofree char *renamed = NULL;

	if (!is_users(at) || !strstr(code, "context"))
		return code;
	if (!regex)
		regex = g_regex_new("\"(?:[^\"\\\\]|\\\\.)*\"|\\bstruct\\s+context\\b", G_REGEX_RAW | G_REGEX_DOTALL, 0,
				    NULL);
	renamed = g_regex_replace_eval(regex, code, -1, 0, 0, rename_context, NULL, NULL);
	return renamed ? arena_strdup(t->arena, renamed) : code;
}

void emit_embedded_code(const struct translation *t, GString *out, const struct location *at, const char *code)
{
	if (at->file)
		g_string_append_printf(out, "#line %d %s\n", at->line,
				       c_string(t->arena, at->file->name, strlen(at->file->name)));
	g_string_append_printf(out, "%s\n#line 1 \"generated code\"\n", embedded_text(t, at, code));
}

static void emit_blocks(const struct translation *t, GString *out, bool are_suffixes)
{
	for_each_ptr(const struct statement *, embed, t->embeds) {
		if (embedded_says(embed->code, "pragma:suffix") == are_suffixes)
			emit_embedded_code(t, out, &embed->location, embed->code);
	}
}

void emit_embedded_prelude(const struct translation *t, GString *out)
{
	g_string_append(out, "#define CONTEXT c\n"
			     "#define STAP_PRINTF(...) stp_printf(c, __VA_ARGS__)\n"
			     "#define STAP_ERROR(...) do { stp_error(c, __VA_ARGS__); goto out; } while (0)\n"
			     "#define kread(pointer) ((__typeof__(*(pointer)))kderef(sizeof(*(pointer)), pointer))\n"
			     "#define kderef(size, address) ({ \\\n"
			     "\tint fault_ = 0; \\\n"
			     "\tunsigned long address_ = (unsigned long)(address); \\\n"
			     "\tstp_long value_ = stp_load(address_, size, &fault_); \\\n"
			     "\tif (fault_) { stp_fault(c, address_); goto out; } \\\n"
			     "\tvalue_; })\n"
			     "#define CATCH_DEREF_FAULT() do { } while (0)\n\n");
	emit_blocks(t, out, false);
}

void emit_embedded_suffix(const struct translation *t, GString *out)
{
	emit_blocks(t, out, true);
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

/* Return "k0, k1": the macro parameters for an array's keys. */
static char *key_parameters(const struct symbol *array)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < array->arity; i++)
		g_string_append_printf(text, "%sk%d", i ? ", " : "", i);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *key_values(const struct symbol *array)
{
	g_autoptr(GString) text = g_string_new("(const union stp_value []){ ");

	for (int i = 0; i < array->arity; i++)
		g_string_append_printf(text, "{ .%s = (k%d) }, ",
				       array->key_types[i] == TYPE_STRING ? "string" : "number", i);
	g_string_append(text, "}");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void emit_array_macros(GString *out, const struct symbol *array)
{
	g_autofree char *parameters = key_parameters(array), *keys = key_values(array);
	bool is_string = array->type == TYPE_STRING;

	g_string_append_printf(out, "#define STAP_GLOBAL_GET_%s(%s) stp_map_get_%s(c, %s, %s)\n", array->name,
			       parameters, is_string ? "string" : "long", array->unique_name, keys);
	g_string_append_printf(out, "#define STAP_GLOBAL_SET_%s(%s, v) ", array->name, parameters);
	if (is_string)
		g_string_append_printf(out, "stp_map_set_string(c, %s, %s, v)\n", array->unique_name, keys);
	else
		g_string_append_printf(out,
				       "({ stp_long v_ = (v); "
				       "stp_long *slot_ = stp_map_slot_long(c, %s, %s); if (slot_) *slot_ = v_; })\n",
				       array->unique_name, keys);
}

static void emit_scalar_macros(GString *out, const struct symbol *global)
{
	bool is_string = global->type == TYPE_STRING;

	g_string_append_printf(out, "#define STAP_GLOBAL_GET_%s() %s%s\n", global->name,
			       is_string ? "(const char *)" : "", global->unique_name);
	g_string_append_printf(out,
			       is_string ? "#define STAP_GLOBAL_SET_%s(v) stp_copy(%s, v)\n"
			       : global->arms_probes
				       ? "#define STAP_GLOBAL_SET_%s(v) (%s = (v), stp_conditions_changed())\n"
				       : "#define STAP_GLOBAL_SET_%s(v) (%s = (v))\n",
			       global->name, global->unique_name);
}

static void emit_macros(GString *out, const struct symbol *global)
{
	if (global->arity > 0)
		emit_array_macros(out, global);
	else
		emit_scalar_macros(out, global);
}

/* Does C of several files use globals of the same name? Then each piece of C gets its own macros. */
static bool is_ambiguous(const struct translation *t, const struct symbol *global)
{
	for_each_ptr(const struct symbol *, other, t->globals) {
		if (other != global && other->in_embedded_c && !strcmp(other->name, global->name))
			return true;
	}
	return false;
}

void emit_embedded_globals(const struct translation *t, GString *out)
{
	for_each_ptr(const struct symbol *, global, t->globals)
		if (global->in_embedded_c && !is_ambiguous(t, global))
			emit_macros(out, global);
}

void emit_embedded_uses(const struct translation *t, GString *out, const GPtrArray *uses)
{
	for_each_ptr(const struct embedded_use *, use, uses) {
		const char *name = use->global->name;

		if (!is_ambiguous(t, use->global))
			continue;
		g_string_append_printf(out, "#undef STAP_GLOBAL_GET_%s\n#undef STAP_GLOBAL_SET_%s\n", name, name);
		emit_macros(out, use->global);
	}
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static const char *c_type(enum value_type type)
{
	return type == TYPE_STRING ? "char *" : "stp_long ";
}

/*
 * Emit THIS->x and THIS->__retvalue, which C for SystemTap before 1.8 uses. Later versions name the parameter l_x.
 */
static void emit_this(GString *out, const struct function_declaration *function)
{
	g_string_append(out, "\tstruct {\n");
	for_each_ptr(const struct symbol *, parameter, function->parameters)
		g_string_append_printf(out, "\t\tunion { %s%s; %sl_%s; };\n", c_type(parameter->type), parameter->name,
				       c_type(parameter->type), parameter->name);
	g_string_append_printf(out, "\t\t%s__retvalue;\n\t} this_ = {\n", c_type(function->type));
	for_each_ptr(const struct symbol *, parameter, function->parameters)
		g_string_append_printf(out, "\t\t.%s = %s,\n", parameter->name, parameter->unique_name);
	if (function->type == TYPE_STRING)
		g_string_append(out, "\t\t.__retvalue = result,\n");
	g_string_append(out, "\t}, *THIS __attribute__((unused)) = &this_;\n");
}

static void emit_function_macros(GString *out, const struct function_declaration *function, const char *result,
				 bool unmangled)
{
	for_each_ptr(const struct symbol *, parameter, function->parameters)
		g_string_append_printf(out, "#define STAP_ARG_%s %s%s\n", parameter->name, unmangled ? "THIS->" : "",
				       unmangled ? parameter->name : parameter->unique_name);
	g_string_append_printf(out, "#define STAP_RETVALUE %s\n", result);
	g_string_append(out, "#define STAP_NEXT do { c->passed_on = 1; goto out; } while (0)\n");
	/* STAP_RETURN() without an argument is for functions without a value. */
	if (function->type == TYPE_UNKNOWN)
		g_string_append(out, "#define STAP_RETURN(...) do { goto out; } while (0)\n");
	else if (function->type == TYPE_STRING)
		g_string_append_printf(
			out, "#define STAP_RETURN(value) do { stp_copy(%s, value); goto out; } while (0)\n", result);
	else
		g_string_append_printf(out, "#define STAP_RETURN(value) do { %s = (value); goto out; } while (0)\n",
				       result);
}

void emit_embedded_function(const struct translation *t, GString *out, const struct function_declaration *function,
			    const char *signature)
{
	const char *code = function->body->code;
	bool unmangled = embedded_says(code, "unmangled") || (is_users(&function->location) && strstr(code, "THIS"));
	const char *result = unmangled ? "THIS->__retvalue" : "result";

	emit_function_macros(out, function, result, unmangled);
	g_string_append_printf(out, "%s\n{\n", signature);
	if (unmangled)
		emit_this(out, function);
	else if (function->type == TYPE_LONG)
		g_string_append(out, "\tstp_long result = 0;\n");
	if (!strcmp(t->language.privilege, "stapusr") && embedded_says(code, "myproc-unprivileged"))
		g_string_append(out, "\tif (!stp_may_see_process(c))\n\t\tgoto out;\n");
	emit_members_begin(out, &function->location, code);
	g_string_append(out, "\t{\n");
	emit_embedded_uses(t, out, function->body->embedded_globals);
	emit_embedded_code(t, out, &function->body->location, code);
	g_string_append(out, "\t}\n");
	g_string_append(out, "out: __attribute__((unused));\n");
	emit_members_end(out, &function->location, code);
	if (function->type == TYPE_LONG)
		g_string_append_printf(out, "\treturn %s;\n}\n", result);
	else
		g_string_append(out, "\treturn;\n}\n");
	for_each_ptr(const struct symbol *, parameter, function->parameters)
		g_string_append_printf(out, "#undef STAP_ARG_%s\n", parameter->name);
	g_string_append(out, "#undef STAP_RETVALUE\n#undef STAP_RETURN\n#undef STAP_NEXT\n\n");
}
