// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls: subroutines, which have a value, and actions, which are statements. Most subroutines are rows of a table that
 * name a function of the library.
 */
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"

/* ---- subroutines ------------------------------------------------------------------------------------------------- */

typedef bool subroutine_lowering(struct d_lowering *l, const struct d_node *node, struct d_value *ret);

struct subroutine {
	const char *name;
	const char *parameters; /* a letter each: s string, i integer or address; those after "|" are optional */
	const char *type; /* of the result */
	const char *function; /* of the library; called with all arguments, with 0 for missing numbers */
	subroutine_lowering *lower; /* instead of `function`, or NULL */
	const char *refused; /* why it is not supported, or NULL */
	bool is_destructive;
};

static guint most_arguments(const char *parameters)
{
	return (guint)strlen(parameters) - (strchr(parameters, '|') != NULL);
}

static guint fewest_arguments(const char *parameters)
{
	return (guint)strcspn(parameters, "|");
}

static char parameter_at(const char *parameters, guint index)
{
	return parameters[index + (index >= strcspn(parameters, "|"))];
}

bool d_check_count(struct d_lowering *l, const struct d_node *node, guint fewest, guint most)
{
	guint count = node->arguments->len;

	if (count >= fewest && count <= most)
		return true;
	return d_fail(l, &node->location, "D_PROTO_LEN",
		      fewest == most   ? _("%s( ) prototype mismatch: %u args passed, %u expected")
		      : count < fewest ? _("%s( ) prototype mismatch: %u args passed, at least %u expected")
				       : _("%s( ) prototype mismatch: %u args passed, at most %u expected"),
		      node->text, count, count < fewest ? fewest : most);
}

static const struct d_node *argument(const struct d_node *node, guint index)
{
	return g_ptr_array_index(node->arguments, index);
}

struct expr *d_lower_argument(struct d_lowering *l, const struct d_node *call, guint index, struct type **type)
{
	const struct d_node *node = argument(call, index);
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (value.is_void || d_is_struct(value.type) || (d_is_string(value.type) && value.expr)) {
		d_fail(l, &node->location, "D_PROTO_ARG",
		       _("%s( ) argument #%u is incompatible with prototype:\n\tprototype: integer\n\t argument: %s"),
		       call->text, index + 1, value.is_void ? "void" : value.type->spelling);
		return NULL;
	}
	if (type)
		*type = value.type;
	return d_read(l, &node->location, &value);
}

static bool lower_by_table(struct d_lowering *l, const struct subroutine *s, const struct d_node *node,
			   struct d_value *ret)
{
	struct expr *call = build_call(l->arena, &node->location, s->function, NULL);

	for (guint i = 0; i < most_arguments(s->parameters); i++) {
		char kind = parameter_at(s->parameters, i);
		struct expr *e;

		if (i < node->arguments->len)
			e = kind == 's' ? d_lower_string(l, argument(node, i)) : d_lower_argument(l, node, i, NULL);
		else
			e = kind == 's' ? build_string(l->arena, &node->location, "")
					: build_number(l->arena, &node->location, 0);
		if (!e)
			return false;
		g_ptr_array_add(call->arguments, e);
	}
	if (fewest_arguments(s->parameters) != most_arguments(s->parameters))
		g_ptr_array_add(call->arguments, build_number(l->arena, &node->location, node->arguments->len));
	d_number_value(ret, d_built_in_type(s->type), call);
	ret->is_void = !strcmp(s->type, "void");
	return true;
}

/* strjoin(a, b) */
static bool lower_strjoin(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *left = d_lower_string(l, argument(node, 0));
	struct expr *right = left ? d_lower_string(l, argument(node, 1)) : NULL;
	struct expr *e;

	if (!right)
		return false;
	e = expr_new(l->arena, EXPR_CONCAT, &node->location);
	e->op = OP_CONCAT;
	e->left = left;
	e->right = right;
	e->type = TYPE_STRING;
	d_number_value(ret, d_string_type(), e);
	return true;
}

/* strtok(string or NULL, delimiters) */
static bool lower_strtok(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct d_node *first = argument(node, 0);
	bool goes_on =
		(first->kind == D_NUMBER && !first->number) || (first->kind == D_NAME && !strcmp(first->text, "NULL"));
	struct expr *text = goes_on ? NULL : d_lower_string(l, first);
	struct expr *delimiters = text || goes_on ? d_lower_string(l, argument(node, 1)) : NULL;
	struct expr *call;

	if (!delimiters)
		return false;
	call = build_call(l->arena, &node->location, text ? "__dtrace_strtok_first" : "__dtrace_strtok_next", text);
	g_ptr_array_add(call->arguments, delimiters);
	d_number_value(ret, d_string_type(), call);
	return true;
}

/* copyinstr(address[, size]) */
static bool lower_copyinstr(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *address = d_lower_argument(l, node, 0, NULL), *call, *size;

	if (!address)
		return false;
	call = build_call(l->arena, &node->location, node->arguments->len > 1 ? "user_string_n" : "user_string",
			  address);
	if (node->arguments->len > 1) {
		size = d_lower_argument(l, node, 1, NULL);
		if (!size)
			return false;
		g_ptr_array_add(call->arguments,
				build_binary(l->arena, OP_SUBTRACT, size, build_number(l->arena, &node->location, 1)));
	}
	d_number_value(ret, d_string_type(), call);
	return true;
}

/* Evaluate a constant of stack() and its relatives. */
static bool stack_parameter(struct d_lowering *l, const struct d_node *node, const char *tag, int64_t *ret)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return false;
	if (value.is_void || !d_is_integer(value.type) || !value.expr || value.expr->kind != EXPR_NUMBER ||
	    value.expr->number < 0)
		return d_fail(l, &node->location, tag, _("the size must be a positive integer constant"));
	*ret = value.expr->number;
	return true;
}

void d_need_frames(struct d_lowering *l, int64_t frames)
{
	struct script_limits *limits = &l->t->limits;
	struct d_options *options = &l->d->options;
	int64_t size;

	frames = MIN(frames, limit_highest("MAXBACKTRACE", PRIVILEGE_STAPDEV));
	size = frames * (int64_t)strlen("0x0123456789abcdef ") + 1;
	limits->max_backtrace = MAX(limits->max_backtrace, frames);
	if (size <= limits->max_string_length)
		return;
	/* The program's own strings keep their size. */
	options->string_size = options->string_size ?: limits->max_string_length;
	limits->max_string_length = size;
}

/* stack([frames]), ustack([frames[, string size]]) as a value: a key, or an argument of trace() and printf() */
static bool lower_stack(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	bool is_user = node->text[0] != 's';
	int64_t frames = is_user ? l->d->options.user_stack_frames : l->d->options.stack_frames, size;
	guint most = is_user ? 2 : 1;
	struct expr *call;

	if (node->arguments->len > most)
		return d_fail(l, &node->location, is_user ? "D_USTACK_PROTO" : "D_STACK_PROTO",
			      _("%s( ) prototype mismatch: too many arguments"), node->text);
	if (node->arguments->len &&
	    !stack_parameter(l, argument(node, 0), is_user ? "D_USTACK_FRAMES" : "D_STACK_SIZE", &frames))
		return false;
	if (node->arguments->len > 1 && !stack_parameter(l, argument(node, 1), "D_USTACK_STRSIZE", &size))
		return false;
	frames = MIN(frames, l->d->options.most_frames);
	d_need_frames(l, frames);
	call = build_call(l->arena, &node->location, is_user ? "__dtrace_user_stack" : "__dtrace_stack",
			  build_number(l->arena, &node->location, frames));
	d_number_value(ret, d_stack_type(is_user), call);
	return true;
}

/* sym(address), func, mod, usym, ufunc, umod, uaddr */
static bool lower_symbol(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	bool is_user = node->text[0] == 'u';
	const char *kind = node->text + is_user;
	struct expr *address = d_lower_argument(l, node, 0, NULL);

	if (!address)
		return false;
	d_number_value(ret,
		       d_symbol_type(is_user, !strcmp(kind, "mod")    ? 'm'
					      : !strcmp(kind, "addr") ? 's'
								      : 'f'),
		       address);
	return true;
}

/* speculation() */
static bool lower_speculation(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	l->d->has_speculations = true;
	d_number_value(ret, d_base_type(D_INT),
		       build_call(l->arena, &node->location, "__dtrace_speculation",
				  build_number(l->arena, &node->location, l->d->options.speculations)));
	return true;
}

/* mutex_owner(lock): the thread that holds it, as a pointer */
static bool lower_mutex_owner(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *lock = d_lower_argument(l, node, 0, NULL);
	struct type *task = lock ? d_struct_pointer(l, "task_struct") : NULL;

	if (!task)
		return false;
	d_number_value(ret, task, build_call(l->arena, &node->location, "__dtrace_mutex_owner", lock));
	ret->memory = MEMORY_KERNEL;
	return true;
}

/* mutex_type_adaptive(lock), mutex_type_spin(lock): the type of the argument tells it. */
static bool lower_mutex_type(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *type;
	bool spins;

	if (!d_lower_argument(l, node, 0, &type))
		return false;
	spins = strstr(type->spelling, "spinlock") != NULL;
	d_number_value(ret, d_base_type(D_INT),
		       build_number(l->arena, &node->location, spins == g_str_has_suffix(node->text, "_spin")));
	return true;
}

/* setopt("name"[, "value"]) has its effect on all that follows in the program. */
static bool lower_setopt(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct d_node *name = argument(node, 0), *value = node->arguments->len > 1 ? argument(node, 1) : NULL;
	const char *problem;

	for (guint i = 0; i < node->arguments->len; i++)
		if (argument(node, i)->kind != D_STRING)
			return d_fail(l, &argument(node, i)->location, "D_PROTO_ARG",
				      _("setopt( ) argument #%u must be a string constant"), i + 1);
	problem = l->d->set_option(l->d->t, &l->d->options, name->text, value ? value->text : NULL);
	if (problem)
		return d_fail(l, &node->location, "D_SETOPT", "%s", problem);
	*ret = (struct d_value){.type = d_base_type(D_VOID), .is_void = true};
	return true;
}

#define OF_SOLARIS N_("it describes structures of Solaris")

static const struct subroutine subroutines[] = {
	{"strlen", "s", "size_t", "strlen", NULL, NULL, false},
	{"strjoin", "ss", "string", NULL, lower_strjoin, NULL, false},
	{"strchr", "si", "string", "__dtrace_strchr", NULL, NULL, false},
	{"strrchr", "si", "string", "__dtrace_strrchr", NULL, NULL, false},
	{"strstr", "ss", "string", "__dtrace_strstr", NULL, NULL, false},
	{"strtok", "ss", "string", NULL, lower_strtok, NULL, false},
	{"substr", "si|i", "string", "__dtrace_substr", NULL, NULL, false},
	{"index", "ss|i", "int", "__dtrace_strindex", NULL, NULL, false},
	{"rindex", "ss|i", "int", "__dtrace_rindex", NULL, NULL, false},
	{"toupper", "s", "string", "__dtrace_toupper", NULL, NULL, false},
	{"tolower", "s", "string", "__dtrace_tolower", NULL, NULL, false},
	{"basename", "s", "string", "__dtrace_basename", NULL, NULL, false},
	{"dirname", "s", "string", "__dtrace_dirname", NULL, NULL, false},
	{"cleanpath", "s", "string", "__dtrace_cleanpath", NULL, NULL, false},
	{"json", "ss", "string", "__dtrace_json", NULL, NULL, false},
	{"d_path", "i", "string", "d_path", NULL, NULL, false},
	{"lltostr", "i|i", "string", "__dtrace_lltostr", NULL, NULL, false},
	{"strtoll", "s|i", "int64_t", "__dtrace_strtoll", NULL, NULL, false},
	{"inet_ntoa", "i", "string", "__dtrace_inet_ntoa", NULL, NULL, false},
	{"inet_ntoa6", "i", "string", "__dtrace_inet_ntoa6", NULL, NULL, false},
	{"inet_ntop", "ii", "string", "__dtrace_inet_ntop", NULL, NULL, false},
	{"link_ntop", "ii", "string", "__dtrace_link_ntop", NULL, NULL, false},
	{"htonl", "i", "uint32_t", "htonl", NULL, NULL, false},
	{"htonll", "i", "uint64_t", "htonll", NULL, NULL, false},
	{"htons", "i", "uint16_t", "htons", NULL, NULL, false},
	{"ntohl", "i", "uint32_t", "ntohl", NULL, NULL, false},
	{"ntohll", "i", "uint64_t", "ntohll", NULL, NULL, false},
	{"ntohs", "i", "uint16_t", "ntohs", NULL, NULL, false},
	{"rand", "", "int", "__dtrace_rand", NULL, NULL, false},
	{"progenyof", "i", "int", "__dtrace_progenyof", NULL, NULL, false},
	{"getmajor", "i", "uint32_t", "MAJOR", NULL, NULL, false},
	{"getminor", "i", "uint32_t", "MINOR", NULL, NULL, false},
	{"__page_size", "", "int", "mem_page_size", NULL, NULL, false},
	{"__hz", "", "int", "HZ", NULL, NULL, false},
	{"__system_call", "", "short", "__dtrace_system_call", NULL, NULL, false},
	{"__chip", "i", "int", "__dtrace_chip", NULL, NULL, false},
	{"speculation", "", "int", NULL, lower_speculation, NULL, false},
	{"copyin", "ii", "void", NULL, d_copyin, NULL, false},
	{"copyinto", "iii", "void", NULL, d_copyinto, NULL, false},
	{"alloca", "i", "void", NULL, d_alloca, NULL, false},
	{"bcopy", "iii", "void", NULL, d_bcopy, NULL, false},
	{"copyout", "iii", "void", NULL, d_copyout, NULL, true},
	{"copyoutstr", "sii", "void", NULL, d_copyout, NULL, true},
	{"copyinstr", "i|i", "string", NULL, lower_copyinstr, NULL, false},
	{"stack", "|iiiiii", "void", NULL, lower_stack, NULL, false},
	{"ustack", "|iiiiii", "void", NULL, lower_stack, NULL, false},
	{"jstack", "|iiiiii", "void", NULL, lower_stack, NULL, false},
	{"sym", "i", "void", NULL, lower_symbol, NULL, false},
	{"func", "i", "void", NULL, lower_symbol, NULL, false},
	{"mod", "i", "void", NULL, lower_symbol, NULL, false},
	{"usym", "i", "void", NULL, lower_symbol, NULL, false},
	{"ufunc", "i", "void", NULL, lower_symbol, NULL, false},
	{"umod", "i", "void", NULL, lower_symbol, NULL, false},
	{"uaddr", "i", "void", NULL, lower_symbol, NULL, false},
	{"raise", "i", "void", "raise", NULL, NULL, true},
	{"stop", "", "void", "__dtrace_stop", NULL, NULL, true},
	{"chill", "i", "void", "__dtrace_chill", NULL, NULL, true},
	{"panic", "", "void", "__dtrace_panic", NULL, NULL, true},
	{"breakpoint", "", "void", NULL, NULL, N_("the kernel's debugger is not entered from probes"), true},
	{"mutex_owned", "i", "int", "__dtrace_mutex_owned", NULL, NULL, false},
	{"mutex_owner", "i", "uintptr_t", NULL, lower_mutex_owner, NULL, false},
	{"mutex_type_adaptive", "i", "int", NULL, lower_mutex_type, NULL, false},
	{"mutex_type_spin", "i", "int", NULL, lower_mutex_type, NULL, false},
	{"rw_iswriter", "i", "int", "__dtrace_rw_iswriter", NULL, NULL, false},
	{"rw_read_held", "i", "int", "__dtrace_rw_read_held", NULL, NULL, false},
	{"rw_write_held", "i", "int", "__dtrace_rw_write_held", NULL, NULL, false},
	{"ddi_pathname", "ii", "string", NULL, NULL, OF_SOLARIS, false},
	{"msgdsize", "i", "size_t", NULL, NULL, OF_SOLARIS, false},
	{"msgsize", "i", "size_t", NULL, NULL, OF_SOLARIS, false},
	{"setopt", "s|s", "void", NULL, lower_setopt, NULL, false},
	{"pcap", "ii", "void", NULL, NULL, N_("packets are not captured to files"), false},
};

static const struct subroutine *find_subroutine(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(subroutines); i++)
		if (!strcmp(subroutines[i].name, name))
			return &subroutines[i];
	return NULL;
}

static bool is_action_name(const char *name);

static bool unknown_function(struct d_lowering *l, const struct d_node *node)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	if (is_action_name(node->text))
		return d_fail(l, &node->location, "D_OP_ACT", _("%s() is an action; it is only allowed as a statement"),
			      node->text);
	for (size_t i = 0; i < G_N_ELEMENTS(subroutines); i++)
		g_ptr_array_add(names, (void *)subroutines[i].name);
	if (d_is_variable_name(l, &node->location, node->text))
		return d_fail(l, &node->location, "D_FUNC_IDKIND", _("%s cannot be called: it is a variable"),
			      node->text);
	if (d_aggregates(node->text))
		return d_fail(l, &node->location, "D_AGG_MDIM", _("%s( ) can only be assigned to an aggregation"),
			      node->text);
	d_fail(l, &node->location, "D_FUNC_UNDEF", _("undefined function name: %s"), node->text);
	near = nearest_matches(l->arena, node->text, names, "", 3);
	if (near)
		diagnose_near(l->t->diagnostics, near);
	return false;
}

static bool check_destructive(struct d_lowering *l, const struct d_node *node)
{
	if (l->d->options.destructive)
		return true;
	d_fail(l, &node->location, "D_ACT_DESTRUCT", _("destructive actions are not allowed: %s()"), node->text);
	diagnose_hint(l->t->diagnostics, _("use -w, if you know what it does"));
	return false;
}

bool d_call(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct subroutine *s = find_subroutine(node->text);

	if (!s)
		return unknown_function(l, node);
	if (s->refused)
		return d_fail(l, &node->location, "D_FUNC_UNSUP", _("%s() is not supported: %s"), s->name,
			      _(s->refused));
	if (s->is_destructive && !check_destructive(l, node))
		return false;
	if (!d_check_count(l, node, fewest_arguments(s->parameters), most_arguments(s->parameters)))
		return false;
	return s->lower ? s->lower(l, node, ret) : lower_by_table(l, s, node, ret);
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

/* stack() and its relatives as statements */
static bool print_stack(struct d_lowering *l, const struct d_node *node)
{
	struct d_node trace = *node;

	trace.text = "trace";
	trace.arguments = arena_ptr_array(l->arena);
	g_ptr_array_add(trace.arguments, (void *)node);
	return d_trace(l, &trace);
}

/* Return the argument of an action that has one; NULL after an error. */
static struct expr *only_argument(struct d_lowering *l, const struct d_node *node)
{
	return d_check_count(l, node, 1, 1) ? d_lower_argument(l, node, 0, NULL) : NULL;
}

/* exit(status) */
static bool exit_action(struct d_lowering *l, const struct d_node *node)
{
	struct expr *status = only_argument(l, node);

	if (!status)
		return false;
	d_emit_expr(l, build_call(l->arena, &node->location, "__dtrace_exit", status));
	return true;
}

/* tracemem(address, size[, bytes to show]) */
/* Lower the third argument of tracemem(), how many bytes are shown. Return NULL after a diagnostic. */
static struct expr *lower_shown_size(struct d_lowering *l, const struct d_node *node)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (value.is_void || !d_is_integer(value.type)) {
		d_fail(l, &node->location, "D_TRACEMEM_DYNSIZE",
		       _("the third argument of tracemem() must be an integer"));
		return NULL;
	}
	return d_read(l, &node->location, &value);
}

static bool tracemem_action(struct d_lowering *l, const struct d_node *node)
{
	struct expr *call, *address, *shown;
	struct d_value value;
	int64_t size;

	if (node->arguments->len < 2)
		return d_check_count(l, node, 2, 3);
	if (node->arguments->len > 3)
		return d_fail(l, &node->location, "D_TRACEMEM_ARGS",
			      _("tracemem( ) prototype mismatch: %u args passed, at most 3 expected"),
			      node->arguments->len);
	if (!d_lower(l, argument(node, 0), &value))
		return false;
	if (value.is_void || (!d_is_address(value.type) && !d_is_integer(value.type)))
		return d_fail(l, &node->location, "D_TRACEMEM_ADDR", _("tracemem() requires an address"));
	address = d_read(l, &node->location, &value);
	if (!address || !stack_parameter(l, argument(node, 1), "D_TRACEMEM_SIZE", &size))
		return false;
	if (size <= 0 || size > UINT16_MAX)
		return d_fail(l, &node->location, "D_TRACEMEM_SIZE", _("the size of tracemem() must be from 1 to %d"),
			      UINT16_MAX);
	shown = node->arguments->len > 2 ? lower_shown_size(l, argument(node, 2))
					 : build_number(l->arena, &node->location, size);
	if (!shown)
		return false;
	call = build_call(l->arena, &node->location, "__dtrace_tracemem", address);
	g_ptr_array_add(call->arguments, build_number(l->arena, &node->location, size));
	g_ptr_array_add(call->arguments, shown);
	g_ptr_array_add(call->arguments, build_number(l->arena, &node->location, value.memory == MEMORY_USER));
	d_emit_expr(l, call);
	return true;
}

static bool commit_action(struct d_lowering *l, const struct d_node *node)
{
	struct expr *id = only_argument(l, node);

	if (!id)
		return false;
	d_emit_expr(l, build_call(l->arena, &node->location,
				  node->text[0] == 'c' ? "__dtrace_commit" : "__dtrace_discard", id));
	return true;
}

static bool speculate_action(struct d_lowering *l, const struct d_node *node)
{
	struct statement *first;
	struct expr *id = only_argument(l, node);

	if (!id)
		return false;
	/* Number 0, which speculation() returns if no buffer is free, drops the output. */
	d_emit(l, d_template(l->d, &node->location, "d_speculation = 0; __dtrace_speculate()"));
	first = ((struct statement *)g_ptr_array_index(l->block->statements, l->block->statements->len - 1))
			->statements->pdata[0];
	first->expr->right = build_binary(l->arena, OP_ADD, id, build_number(l->arena, &node->location, 1));
	return true;
}

/* Call a function with the text that the arguments make as those of printf() do. */
static bool call_with_text(struct d_lowering *l, const struct d_node *node, const char *function)
{
	struct statement *outer = l->block, *inner = build_block(l->arena, &node->location), *print;
	bool good;

	if (!check_destructive(l, node) || !d_check_count(l, node, 1, G_MAXUINT))
		return false;
	l->block = inner;
	good = d_printf(l, node);
	l->block = outer;
	if (!good)
		return false;
	if (!inner->statements->len) {
		d_emit_expr(l, build_call(l->arena, &node->location, function,
					  build_string(l->arena, &node->location, "")));
		return true;
	}
	print = g_ptr_array_index(inner->statements, 0);
	if (inner->statements->len > 1 || print->expr->kind != EXPR_PRINT)
		return d_fail(l, &node->location, "D_PRINTF_ARG_TYPE", _("%s() cannot print a stack"), node->text);
	print->expr->print_name = "sprintf";
	print->expr->destination = PRINT_TO_STRING;
	print->expr->type = TYPE_STRING;
	d_emit_expr(l, build_call(l->arena, &node->location, function, print->expr));
	return true;
}

/* system("format", …): a command for sh */
static bool system_action(struct d_lowering *l, const struct d_node *node)
{
	return call_with_text(l, node, "system");
}

/* freopen("format", …): what follows goes to this file */
static bool freopen_action(struct d_lowering *l, const struct d_node *node)
{
	return call_with_text(l, node, "__dtrace_freopen");
}

/* ftruncate(): remove what was printed. Only staprun can do that, so it must write the file itself. */
static bool ftruncate_action(struct d_lowering *l, const struct d_node *node)
{
	const struct options *options = l->t->options;

	if (options->json || options->report || (options->output_file && options->remotes->len))
		return d_fail(l, &node->location, "D_FUNC_UNSUP",
			      _("ftruncate() is not supported with --format=json, with --report, or with both -o and "
				"--remote"));
	if (!d_check_count(l, node, 0, 0))
		return false;
	d_emit_expr(l, build_call(l->arena, &node->location, "__dtrace_ftruncate", NULL));
	return true;
}

static const struct action {
	const char *name;
	bool records;
	bool (*lower)(struct d_lowering *l, const struct d_node *node);
	bool is_destructive;
} actions[] = {
	{"trace", true, d_trace},
	{"print", true, d_print_value_action},
	{"printf", true, d_printf},
	{"printa", true, d_printa},
	{"stack", true, print_stack},
	{"ustack", true, print_stack},
	{"jstack", true, print_stack},
	{"sym", true, print_stack},
	{"func", true, print_stack},
	{"mod", true, print_stack},
	{"usym", true, print_stack},
	{"ufunc", true, print_stack},
	{"umod", true, print_stack},
	{"uaddr", true, print_stack},
	{"tracemem", true, tracemem_action},
	{"exit", true, exit_action},
	{"system", true, system_action, true},
	{"freopen", true, freopen_action, true},
	{"ftruncate", true, ftruncate_action},
	{"speculate", false, speculate_action},
	{"commit", false, commit_action},
	{"discard", false, commit_action},
	{"trunc", true, NULL},
	{"clear", true, NULL},
	{"normalize", true, NULL},
	{"denormalize", true, NULL},
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

static bool is_action_name(const char *name)
{
	return find_action(name) != NULL;
}

bool d_is_call_name(const char *name)
{
	return find_action(name) || find_subroutine(name) || d_aggregates(name);
}

bool d_is_destructive(const char *name)
{
	const struct subroutine *s = find_subroutine(name);
	const struct action *action = find_action(name);

	return (action && action->is_destructive) || (s && s->is_destructive);
}

bool d_records(const struct d_node *node)
{
	const struct action *action;

	if (node->kind == D_COMMA)
		return d_records(node->left) || d_records(node->right);
	action = node->kind == D_CALL ? find_action(node->text) : NULL;
	/* raise(), stop() and the like record nothing, but a clause with only them prints no line either. */
	return action && action->records;
}

bool d_action(struct d_lowering *l, const struct d_node *node, bool *is_action)
{
	const struct action *action = node->kind == D_CALL ? find_action(node->text) : NULL;
	bool good;

	*is_action = action != NULL;
	if (!action)
		return true;
	if (action->lower)
		return action->lower(l, node);
	return d_aggregation_action(l, node, &good) && good;
}
