// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Type inference.
 *
 * Walk all handlers and functions repeatedly. Each walk propagates known types from uses to declarations and back,
 * until nothing changes. This ends because a type only ever changes from unknown to known. A last walk reports the
 * types that are still unknown. A contradiction is reported once, at the later place, with a note on where the other
 * type came from.
 *
 * The trap: some operands are inferred twice, from each other, which would be exponential for nested expressions. The
 * result depends only on the required type and on the known declarations, so an expression is walked once for each
 * required type until another declaration becomes known (settled_at).
 */
#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/lang/foreign_words.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/embedded.h"
#include "translator/sema/regex.h"
#include "translator/sema/sema.h"

struct inference {
	struct translation *t;
	struct function_declaration *function; /* being walked, or NULL */
	struct derived_probe *probe; /* likewise */
	bool changed;
	bool final; /* report what is still unknown */
	bool unused; /* walk the statements without effect, which come last */
};

/* Note that a declaration has changed, so that all expressions must be inferred again. */
static void declaration_changed(struct inference *in)
{
	in->changed = true;
	in->t->type_epoch++;
}

static const char *type_name(enum value_type type)
{
	switch (type) {
	case TYPE_LONG:
		return _("number");
	case TYPE_STRING:
		return _("string");
	case TYPE_STATS:
		return _("aggregate");
	default:
		return _("unknown");
	}
}

static enum value_type infer(struct inference *in, struct expr *expr, enum value_type wanted);

static void mismatch(struct inference *in, const struct location *at, const char *what, enum value_type is,
		     enum value_type wanted, const struct location *because)
{
	diagnose(in->t->diagnostics, SEMANTIC_ERROR, at, _("type mismatch: %s is of type %s, but type %s is needed"),
		 what, type_name(is), type_name(wanted));
	if (because && because->file)
		diagnose_note(in->t->diagnostics, because, _("the type %s was inferred here"), type_name(is));
}

/* Set the type of a declaration, or report an error if it has another type. Return its type. */
static enum value_type unify(struct inference *in, enum value_type *known, struct location *known_at,
			     enum value_type type, const struct location *at, const char *what)
{
	if (type == TYPE_UNKNOWN || *known == type)
		return *known;
	if (*known == TYPE_UNKNOWN) {
		*known = type;
		*known_at = *at;
		declaration_changed(in);
		return type;
	}
	mismatch(in, at, what, *known, type, known_at);
	return *known;
}

static const char *quoted(struct inference *in, const char *name)
{
	return arena_printf(in->t->arena, "'%s'", name);
}

static enum value_type infer_number_operands(struct inference *in, struct expr *expr)
{
	infer(in, expr->left, TYPE_LONG);
	infer(in, expr->right, TYPE_LONG);
	return TYPE_LONG;
}

/*
 * Infer a value without @known, the type that the context requires; use that only if the type stays unknown. So infer()
 * does not report a contradiction, which the caller reports with the place where the other type came from.
 */
static enum value_type infer_value(struct inference *in, struct expr *value, enum value_type known)
{
	return infer(in, value, TYPE_UNKNOWN) ?: infer(in, value, known);
}

/* Does the expression refer to a declaration, so that an error can show where its type came from? */
static bool is_declared(const struct expr *expr)
{
	return expr->kind == EXPR_SYMBOL || expr->kind == EXPR_INDEX || expr->kind == EXPR_CALL;
}

/* Infer two operands of equal type from each other. A contradiction is reported at the one with a declaration. */
static enum value_type infer_alike(struct inference *in, struct expr *left, struct expr *right, enum value_type wanted)
{
	enum value_type type = infer(in, left, wanted), other;

	if (!is_declared(left) && type)
		return infer(in, right, type) ?: type;
	other = infer_value(in, right, type ?: wanted);
	return infer(in, left, other ?: type);
}

/* Return similar names of variables that have a value, or NULL. */
static const GPtrArray *similar_variable(struct inference *in, const char *name)
{
	const GPtrArray *const lists[] = {in->function ? in->function->locals : NULL,
					  in->probe ? in->probe->locals : NULL, in->t->globals};
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (guint j = 0; lists[i] && j < lists[i]->len; j++) {
			const struct symbol *symbol = g_ptr_array_index(lists[i], j);

			if (symbol->type && strcmp(symbol->name, name) && symbol->name[0] != '_')
				g_ptr_array_add(names, (void *)symbol->name);
		}
	syscall_variable_names(in->function ? NULL : in->probe, names);
	return nearest_matches(in->t->arena, name, names, "", 3);
}

/* If the symbol is a global that hides a variable of an alias, suggest to rename it. */
static bool hint_hidden(struct inference *in, const struct symbol *symbol)
{
	if (in->function || !symbol->is_global || !alias_sets(in->probe, symbol->name))
		return false;
	diagnose_hint(in->t->diagnostics, _("the global '%s' hides the variable that '%s' sets; rename the global"),
		      symbol->name, in->probe->name);
	return true;
}

static void diagnose_no_value(struct inference *in, const struct expr *expr, const char *name)
{
	const char *value = suggest_value_for(in->t, in->function ? in->function->context_probe : in->probe, name);
	const GPtrArray *meant = value ? names_one(in->t->arena, value) : NULL;

	diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->location, _("the type of '%s' cannot be inferred"), name);
	if (expr->symbol && hint_hidden(in, expr->symbol))
		return;
	if (!meant && !foreign_word_hint(name))
		meant = similar_variable(in, name);
	if (meant)
		diagnose_hint(in->t->diagnostics, _("did you mean %s?"), diagnose_names(in->t->diagnostics, meant));
	else if (foreign_word_hint(name))
		diagnose_hint(in->t->diagnostics, "%s", foreign_word_hint(name));
	else
		diagnose_hint(in->t->diagnostics, _("'%s' is never given a value; is the name right?"), name);
}

/* Is the C type a char pointer or char array? */
static bool is_text(const struct type *type)
{
	return type && (type->kind == KIND_POINTER || type->kind == KIND_ARRAY) && type->target &&
	       type->target->is_char;
}

static void hint_text(struct inference *in)
{
	diagnose_hint(in->t->diagnostics,
		      _("it is the address of a text: kernel_string() reads it, user_string() in a program"));
}

static enum value_type infer_symbol(struct inference *in, struct expr *expr, enum value_type wanted)
{
	struct symbol *symbol = expr->symbol;

	if (symbol->arity > 0) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->location,
			 _("'%s' is an array; use an element, as in %s[key]"), symbol->name, symbol->name);
		return symbol->type;
	}
	if (symbol->is_global && symbol->arity < 0)
		symbol->arity = 0;
	unify(in, &symbol->type, &symbol->type_location, wanted, &expr->location, quoted(in, symbol->name));
	if (symbol->type == TYPE_LONG && wanted == TYPE_STRING && symbol->holds_text)
		hint_text(in);
	if (in->final && symbol->type == TYPE_UNKNOWN) {
		if (!symbol->in_embedded_c)
			diagnose_no_value(in, expr, symbol->name);
		symbol->type = TYPE_LONG;
	}
	return symbol->type;
}

/* Infer the keys of an array, in an index, an `in`, a slice or a foreach. */
static void infer_keys(struct inference *in, struct symbol *array, GPtrArray *keys, const struct location *at)
{
	int count = keys ? (int)keys->len : 0;

	if (array->arity < 0 || (array->arity == 0 && !array->is_global)) {
		array->arity = count;
		array->type_location = *at;
		declaration_changed(in);
	}
	if (array->arity != count || count > MAX_KEYS) {
		if (array->arity)
			diagnose(in->t->diagnostics, SEMANTIC_ERROR, at,
				 ngettext("'%s' has %d key elsewhere, but %d here",
					  "'%s' has %d keys elsewhere, but %d here", array->arity),
				 array->name, array->arity, count);
		else
			diagnose(in->t->diagnostics, SEMANTIC_ERROR, at,
				 ngettext("'%s' is not an array, but is used with %d key here",
					  "'%s' is not an array, but is used with %d keys here", count),
				 array->name, count);
		return;
	}
	for (int i = 0; i < count; i++) {
		struct expr *key = g_ptr_array_index(keys, i);
		enum value_type type;

		if (key->kind == EXPR_WILDCARD)
			continue;
		type = infer_value(in, key, array->key_types[i]);
		if (is_text(key->c_type))
			array->text_keys |= 1u << i;
		unify(in, &array->key_types[i], &array->key_locations[i], type, &key->location,
		      arena_printf(in->t->arena, _("key %d of '%s'"), i + 1, array->name));
	}
}

static bool check_is_global_array(struct inference *in, const struct expr *base)
{
	if (base->kind == EXPR_SYMBOL && base->symbol->is_global)
		return true;
	diagnose(in->t->diagnostics, SEMANTIC_ERROR, &base->location, _("only a global can be an array; '%s' is local"),
		 base->text ?: "?");
	if (base->text)
		diagnose_hint(in->t->diagnostics, _("declare it at the top of the script: global %s"), base->text);
	return false;
}

static enum value_type infer_bucket(struct inference *in, struct expr *expr);

/* May nothing have been stored in it? A script may use a part of a tapset that only reads or deletes. */
static bool may_be_unused(const struct symbol *array)
{
	return array->in_embedded_c || (array->location.file && array->location.file->is_tapset);
}

static enum value_type infer_index(struct inference *in, struct expr *expr, enum value_type wanted)
{
	struct symbol *array;

	if (expr->left->kind == EXPR_HISTOGRAM)
		return infer_bucket(in, expr);
	if (!check_is_global_array(in, expr->left))
		return TYPE_LONG;
	array = expr->left->symbol;
	infer_keys(in, array, expr->arguments, &expr->location);
	unify(in, &array->type, &array->type_location, wanted, &expr->location,
	      arena_printf(in->t->arena, _("an element of '%s'"), array->name));
	if (in->final && array->type == TYPE_UNKNOWN && may_be_unused(array)) {
		array->type = TYPE_LONG;
	} else if (in->final && array->type == TYPE_UNKNOWN) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->location,
			 _("the type of the elements of '%s' cannot be inferred"), array->name);
		diagnose_hint(in->t->diagnostics, _("nothing is ever stored in '%s'"), array->name);
		array->type = TYPE_LONG;
	}
	return array->type;
}

static enum value_type infer_in(struct inference *in, struct expr *expr)
{
	if (check_is_global_array(in, expr->left))
		infer_keys(in, expr->left->symbol, expr->arguments, &expr->location);
	return TYPE_LONG;
}

static bool is_assignable(const struct expr *expr)
{
	return expr->kind == EXPR_SYMBOL || (expr->kind == EXPR_INDEX && expr->left->kind == EXPR_SYMBOL);
}

static void refuse_no_value(struct inference *in, struct expr *value)
{
	if (value->kind != EXPR_CALL || !value->function || value->function->type != TYPE_UNKNOWN)
		return;
	diagnose(in->t->diagnostics, SEMANTIC_ERROR, &value->location, _("function '%s' returns no value"),
		 value->function->name);
	value->function->type = TYPE_LONG;
}

static enum value_type infer_assignment(struct inference *in, struct expr *expr, enum value_type wanted)
{
	if (!is_assignable(expr->left)) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->left->location, _("this cannot be assigned to"));
		return TYPE_LONG;
	}
	switch (expr->op) {
	case OP_NONE:
		if (in->final)
			refuse_no_value(in, expr->right);
		if (expr->left->kind == EXPR_SYMBOL && is_text(expr->right->c_type))
			expr->left->symbol->holds_text = true;
		/* If the type is unknown, report the value, not the variable that it is assigned to. */
		if (in->final)
			wanted = infer(in, expr->right, wanted) ?: wanted;
		return infer_alike(in, expr->left, expr->right, wanted);
	case OP_CONCAT:
		infer(in, expr->left, TYPE_STRING);
		return infer(in, expr->right, TYPE_STRING);
	case OP_AGGREGATE:
		if (expr->left->kind == EXPR_SYMBOL && !expr->left->symbol->is_global) {
			diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->left->location,
				 _("only a global can be an aggregate; '%s' is local"), expr->left->text);
			diagnose_hint(in->t->diagnostics, _("declare it at the top of the script: global %s"),
				      expr->left->text);
			return TYPE_LONG;
		}
		infer(in, expr->left, TYPE_STATS);
		return infer(in, expr->right, TYPE_LONG);
	default:
		infer(in, expr->left, TYPE_LONG);
		return infer(in, expr->right, TYPE_LONG);
	}
}

static void infer_arguments(struct inference *in, struct expr *call, struct function_declaration *function)
{
	for (guint i = 0; call->arguments && i < call->arguments->len; i++) {
		struct symbol *parameter = g_ptr_array_index(function->parameters, i);
		struct expr *argument = g_ptr_array_index(call->arguments, i);
		enum value_type type = infer_value(in, argument, parameter->type);

		unify(in, &parameter->type, &parameter->type_location, type, &argument->location,
		      arena_printf(in->t->arena, _("argument %u of '%s'"), i + 1, function->name));
	}
}

static enum value_type infer_result(struct inference *in, struct expr *call, struct function_declaration *function,
				    enum value_type wanted)
{
	if (function->type_declared) {
		if (wanted && function->type && function->type != wanted)
			mismatch(in, &call->location, arena_printf(in->t->arena, "%s()", function->name),
				 function->type, wanted, &function->location);
		return function->type;
	}
	/* A function without a return value can be used as 0 or "": n > 9 && exit(). */
	unify(in, &function->type, &function->type_location, wanted, &call->location,
	      arena_printf(in->t->arena, "%s()", function->name));
	return function->type;
}

/* Infer a call. All its overloads have the same types, so each learns from the others. */
static enum value_type infer_call(struct inference *in, struct expr *expr, enum value_type wanted)
{
	enum value_type type = wanted;

	if (!expr->function)
		return wanted;
	for_each_ptr(struct function_declaration *, function, expr->overloads) {
		infer_arguments(in, expr, function);
		type = infer_result(in, expr, function, type) ?: type;
	}
	return type == wanted ? expr->function->type : type;
}

static enum value_type directive_type(const struct format_part *part)
{
	return part->kind == FORMAT_STRING ? TYPE_STRING : TYPE_LONG;
}

static void infer_formatted(struct inference *in, struct expr *expr)
{
	guint next = 0;

	for_each_ptr(const struct format_part *, part, expr->format) {
		if (part->kind == FORMAT_LITERAL)
			continue;
		if (part->width_from_argument)
			infer(in, g_ptr_array_index(expr->arguments, next++), TYPE_LONG);
		if (part->precision_from_argument)
			infer(in, g_ptr_array_index(expr->arguments, next++), TYPE_LONG);
		infer(in, g_ptr_array_index(expr->arguments, next++), directive_type(part));
	}
}

static enum value_type infer_print(struct inference *in, struct expr *expr)
{
	enum value_type result = expr->destination == PRINT_TO_STRING ? TYPE_STRING : TYPE_LONG;

	if (expr->print_formatted) {
		infer_formatted(in, expr);
		return result;
	}
	for (guint i = 0; expr->arguments && i < expr->arguments->len; i++) {
		struct expr *argument = g_ptr_array_index(expr->arguments, i);
		bool is_delimiter = expr->print_delimited && i == 0;
		enum value_type type;

		type = infer(in, argument,
			     is_delimiter	     ? TYPE_STRING
			     : expr->print_character ? TYPE_LONG
						     : TYPE_UNKNOWN);
		if (type == TYPE_STATS && argument->kind != EXPR_HISTOGRAM)
			diagnose(in->t->diagnostics, SEMANTIC_ERROR, &argument->location,
				 _("an aggregate cannot be printed as it is; use @count, @sum, @min, @max or @avg of "
				   "it"));
		if (in->final && type == TYPE_UNKNOWN)
			diagnose(in->t->diagnostics, SEMANTIC_ERROR, &argument->location,
				 _("this has no value to print"));
	}
	return result;
}

/* ---- aggregates -------------------------------------------------------------------------------------------------- */

/* Return the global whose aggregate an operator asks for; NULL after a diagnostic. */
static struct symbol *infer_aggregate(struct inference *in, struct expr *operator)
{
	struct expr *operand = operator->operand, *base;

	if (!is_assignable(operand)) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &operand->location,
			 _("@%s takes an aggregate: a global or an array element that '<<<' fills"), operator->text);
		return NULL;
	}
	infer(in, operand, TYPE_STATS);
	base = operand->kind == EXPR_INDEX ? operand->left : operand;
	return base->symbol->is_global ? base->symbol : NULL;
}

/* An aggregate keeps what one set of parameters asks for: every other use must ask for the same. */
static void keep_alike(struct inference *in, const struct expr **known, const struct expr *operator, bool same,
		       const struct symbol *global)
{
	if (!*known) {
		*known = operator;
		return;
	}
	if (same)
		return;
	diagnose(in->t->diagnostics, SEMANTIC_ERROR, &operator->location,
		 _("@%s conflicts with another operator of '%s'; an aggregate has one histogram and one bit shift"),
		 operator->text, global->name);
	diagnose_note(in->t->diagnostics, &(*known)->location, _("the other operator"));
	diagnose_hint(in->t->diagnostics, _("add the values to a second aggregate for the other operator"));
}

static int64_t literal_argument(const struct expr *operator, guint index)
{
	const struct expr *argument;

	if (!operator->arguments || index >= operator->arguments->len)
		return 0;
	argument = g_ptr_array_index(operator->arguments, index);
	return argument->number;
}

static void infer_variance(struct inference *in, struct symbol *global, const struct expr *expr)
{
	enum { MOST_BITS = 62 };
	const struct expr *shift =
		expr->arguments && expr->arguments->len ? g_ptr_array_index(expr->arguments, 0) : NULL;

	if (shift && (shift->kind != EXPR_NUMBER || shift->number < 0 || shift->number > MOST_BITS)) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &shift->location,
			 _("the bit shift of @variance must be a literal number from 0 to %d"), MOST_BITS);
		return;
	}
	keep_alike(in, &global->variance, expr,
		   global->variance && literal_argument(global->variance, 0) == literal_argument(expr, 0), global);
}

static enum value_type infer_statistic(struct inference *in, struct expr *expr)
{
	struct symbol *global = infer_aggregate(in, expr);

	if (global && !strcmp(expr->text, "variance"))
		infer_variance(in, global, expr);
	return TYPE_LONG;
}

static bool same_histogram(const struct expr *a, const struct expr *b)
{
	if (!a || strcmp(a->text, b->text))
		return false;
	for (guint i = 0; a->arguments && i < a->arguments->len; i++)
		if (literal_argument(a, i) != literal_argument(b, i))
			return false;
	return true;
}

int64_t histogram_buckets(const struct expr *histogram)
{
	enum { LOG_BUCKETS = 128, OUTER = 2 };
	uint64_t range;

	if (!strcmp(histogram->text, "hist_log"))
		return LOG_BUCKETS;
	if (literal_argument(histogram, 2) <= 0)
		return 0;
	range = (uint64_t)literal_argument(histogram, 1) - literal_argument(histogram, 0);
	range /= literal_argument(histogram, 2);
	return range >= INT32_MAX ? INT32_MAX : (int64_t)range + 1 + OUTER;
}

static enum value_type infer_histogram(struct inference *in, struct expr *expr)
{
	enum { MOST_BUCKETS = 1024 };
	struct symbol *global = infer_aggregate(in, expr);

	if (!histogram_buckets(expr)) {
		if (in->final)
			diagnose(in->t->diagnostics, WARNING, &expr->location,
				 _("this histogram is empty: the width of its buckets must be above 0"));
	} else if (histogram_buckets(expr) > MOST_BUCKETS) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->location,
			 _("this histogram has too many buckets; there can be %d"), MOST_BUCKETS - 2);
		diagnose_hint(in->t->diagnostics, _("make the range smaller or the buckets wider"));
	} else if (global) {
		keep_alike(in, &global->histogram, expr, same_histogram(global->histogram, expr), global);
	}
	return TYPE_STATS;
}

/* @hist_…(x)[index] */
static enum value_type infer_bucket(struct inference *in, struct expr *expr)
{
	infer_histogram(in, expr->left);
	if (!expr->arguments || expr->arguments->len != 1)
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &expr->location,
			 _("a histogram's buckets have one index, a number"));
	else
		infer(in, g_ptr_array_index(expr->arguments, 0), TYPE_LONG);
	return TYPE_LONG;
}

/* ---- regular expressions ----------------------------------------------------------------------------------------- */

bool embedded_code_uses(const struct translation *t, const char *name)
{
	for_each_ptr(const struct function_declaration *, function, t->functions) {
		if (function->is_embedded && strstr(function->body->code, name))
			return true;
	}
	return false;
}

bool wants_regex_groups(const struct translation *t)
{
	return embedded_code_uses(t, "stp_matched") || embedded_code_uses(t, "stp_group_count");
}

static const struct compiled_regex *find_regex(struct inference *in, const struct expr *pattern)
{
	for_each_ptr(const struct compiled_regex *, regex, in->t->regexes) {
		if (regex->length == pattern->text_length && !memcmp(regex->text, pattern->text, regex->length))
			return regex;
	}
	return NULL;
}

/* Return the place inside of the literal, or the literal if it has escapes and offsets are unknown. */
static struct location pattern_place(const struct expr *pattern, size_t at)
{
	struct location place = pattern->location;

	if (place.length == (int)pattern->text_length + 2) {
		place.column += 1 + at;
		place.length = 1;
	}
	return place;
}

/* Compile a pattern, and add it to t->regexes. Return NULL after a diagnostic. */
static const struct compiled_regex *compile_regex(struct inference *in, const struct expr *pattern)
{
	struct arena *arena = in->t->arena;
	struct compiled_regex *regex;
	struct regex_program *program;
	const char *message;
	size_t at = 0;

	program = regex_parse(arena, pattern->text, pattern->text_length, &message, &at);
	if (!program) {
		struct location place = pattern_place(pattern, at);

		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &place, "%s", message);
		return NULL;
	}
	regex = arena_new0(arena, struct compiled_regex);
	regex->text = pattern->text;
	regex->length = pattern->text_length;
	regex->unique_name = arena_printf(arena, "regex_%u", in->t->regexes->len);
	regex->tables = regex_tables(arena, program, wants_regex_groups(in->t));
	if (!regex->tables) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &pattern->location,
			 _("the tables of this regular expression would be too large"));
		diagnose_hint(in->t->diagnostics,
			      _("use smaller bounds: {20} after a choice multiplies the number of states"));
		return NULL;
	}
	g_ptr_array_add(in->t->regexes, regex);
	return regex;
}

static enum value_type infer_regex(struct inference *in, struct expr *expr)
{
	infer(in, expr->left, TYPE_STRING);
	if (!expr->regex)
		expr->regex = find_regex(in, expr->right) ?: compile_regex(in, expr->right);
	return TYPE_LONG;
}

static enum value_type infer_concatenation(struct inference *in, struct expr *expr)
{
	const struct type *type = expr->left->c_type;

	infer(in, expr->left, TYPE_STRING);
	if (expr->left->type == TYPE_LONG && type && type->kind == KIND_POINTER && expr->right->kind == EXPR_SYMBOL)
		diagnose_hint(in->t->diagnostics, _("'.' joins texts; a member is taken with ->%s"), expr->right->text);
	infer(in, expr->right, TYPE_STRING);
	return TYPE_STRING;
}

/* Infer the type of the expression that the entry handler saves, from the expression and from the uses of its value. */
static enum value_type infer_entry_value(struct inference *in, const struct expr *expr, enum value_type wanted)
{
	const struct derived_probe *probe = in->function ? in->function->context_probe : in->probe;

	return infer_value(in, g_ptr_array_index(probe->entry_values, expr->number), wanted);
}

static enum value_type infer_kind(struct inference *in, struct expr *expr, enum value_type wanted)
{
	switch (expr->kind) {
	case EXPR_NUMBER:
	case EXPR_ADDRESS:
	case EXPR_THREAD_POINTER:
	case EXPR_PROBE_REGISTER:
		return TYPE_LONG;
	case EXPR_STRING:
		return TYPE_STRING;
	case EXPR_ENTRY_VALUE:
		return infer_entry_value(in, expr, wanted);
	case EXPR_SYMBOL:
		return infer_symbol(in, expr, wanted);
	case EXPR_INDEX:
		return infer_index(in, expr, wanted);
	case EXPR_IN:
		return infer_in(in, expr);
	case EXPR_STORE:
		if (expr->operand)
			infer(in, expr->operand, TYPE_LONG);
		infer(in, expr->right, TYPE_LONG);
		return TYPE_LONG;
	case EXPR_UNARY:
	case EXPR_LOAD:
	case EXPR_ENTRY_REGISTER:
	case EXPR_ENTRY_KNOWN:
		infer(in, expr->operand, TYPE_LONG);
		return TYPE_LONG;
	case EXPR_BINARY:
	case EXPR_LOGICAL:
		return infer_number_operands(in, expr);
	case EXPR_COMPARE:
		infer_alike(in, expr->left, expr->right, TYPE_UNKNOWN);
		return TYPE_LONG;
	case EXPR_CONCAT:
		return infer_concatenation(in, expr);
	case EXPR_CONDITIONAL:
		infer(in, expr->condition, TYPE_LONG);
		return infer_alike(in, expr->left, expr->right, wanted);
	case EXPR_ASSIGN:
		return infer_assignment(in, expr, wanted);
	case EXPR_INCREMENT:
		return infer(in, expr->operand, TYPE_LONG);
	case EXPR_CALL:
		return infer_call(in, expr, wanted);
	case EXPR_PRINT:
		return infer_print(in, expr);
	case EXPR_STATISTIC:
		return infer_statistic(in, expr);
	case EXPR_HISTOGRAM:
		return infer_histogram(in, expr);
	case EXPR_REGEX:
		return infer_regex(in, expr);
	case EXPR_CONST:
		return TYPE_LONG;
	case EXPR_EMBEDDED:
		return strstr(expr->text, "/* string */") ? TYPE_STRING : TYPE_LONG;
	default:
		return TYPE_UNKNOWN;
	}
}

static void mismatch_of_value(struct inference *in, const struct expr *expr, enum value_type is, enum value_type wanted)
{
	mismatch(in, &expr->location, _("this"), is, wanted, NULL);
	if (wanted == TYPE_STRING && is == TYPE_LONG && is_text(expr->c_type))
		hint_text(in);
	else if (wanted == TYPE_STRING && is == TYPE_LONG)
		diagnose_hint(in->t->diagnostics, _("sprint() makes a string of a number; %%d prints one"));
	else if (wanted == TYPE_LONG && is == TYPE_STRING)
		diagnose_hint(in->t->diagnostics, _("strtol() reads the number in a text; '.' joins two texts"));
}

static enum value_type infer(struct inference *in, struct expr *expr, enum value_type wanted)
{
	unsigned int epoch = in->t->type_epoch;
	enum value_type type;

	if (expr->settled_at[wanted] == epoch)
		return expr->type;
	in->t->inference_steps++;
	type = infer_kind(in, expr, wanted);
	/* If infer_kind() has changed a declaration, the epoch is over, and the expression is inferred again. */
	expr->settled_at[wanted] = epoch;
	if (type != expr->type && type != TYPE_UNKNOWN) {
		expr->type = type;
		in->changed = true;
	}
	/* Contradictions with a declaration have been reported by unify(). */
	if (wanted && type && type != wanted && expr->kind != EXPR_SYMBOL && expr->kind != EXPR_INDEX &&
	    expr->kind != EXPR_CALL)
		mismatch_of_value(in, expr, type, wanted);
	return type;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void find_effect(struct expr **expr, void *data)
{
	bool *has_effect = data;

	switch ((*expr)->kind) {
	case EXPR_ASSIGN:
	case EXPR_INCREMENT:
	case EXPR_STORE:
	case EXPR_REGEX: /* sets the result of matched() */
	case EXPR_EMBEDDED:
		*has_effect = true;
		break;
	case EXPR_PRINT:
		*has_effect |= (*expr)->destination == PRINT_STREAM;
		break;
	case EXPR_CALL:
		for_each_ptr(const struct function_declaration *, function, (*expr)->overloads)
			*has_effect |= !function->is_embedded || !embedded_says(function->body->code, "pure");
		break;
	default:
		break;
	}
}

static bool has_effect(struct expr *expr)
{
	bool found = false;

	expr_walk(&expr, find_effect, &found);
	return found;
}

static void skip_invalid(struct inference *in, struct statement *s, size_t mark)
{
	const struct expr *value = s->expr;
	struct derived_probe *probe = in->function ? in->function->context_probe : in->probe;
	const char *meant = value->kind == EXPR_SYMBOL ? suggest_value_for(in->t, probe, value->symbol->name) : NULL;

	diagnostics_rewind(in->t->diagnostics, mark);
	s->kind = STATEMENT_EMPTY;
	s->expr = NULL;
	if (!value->location.file || value->location.file->is_tapset)
		return;
	diagnose(in->t->diagnostics, WARNING, &value->location,
		 _("this statement is invalid here; it is skipped, because its value is not used"));
	if (meant)
		diagnose_hint(in->t->diagnostics, _("did you mean %s?"),
			      diagnose_names(in->t->diagnostics, names_one(in->t->arena, meant)));
}

/*
 * Infer an expression whose value is not used. If it has no effect, no types follow from it, and it is skipped if its
 * own types are wrong; so is `exit`, which should have been exit().
 */
static void infer_unused(struct inference *in, struct statement *s)
{
	size_t mark = diagnostics_mark(in->t->diagnostics);

	if (in->t->options->unoptimized || has_effect(s->expr)) {
		infer(in, s->expr, TYPE_UNKNOWN);
		return;
	}
	if (!in->unused)
		return;
	infer(in, s->expr, TYPE_UNKNOWN);
	if (diagnostics_failed_since(in->t->diagnostics, mark))
		skip_invalid(in, s, mark);
}

static void infer_statement(struct inference *in, struct statement *s);

/* foreach (count = bucket in @hist_…(x)) */
static void infer_buckets(struct inference *in, struct statement *s)
{
	infer_histogram(in, s->array);
	if (!s->keys || s->keys->len != 1 || s->slice)
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &s->location,
			 _("a histogram's buckets have one index, a number"));
	else
		infer(in, g_ptr_array_index(s->keys, 0), TYPE_LONG);
	if (s->value)
		infer(in, s->value, TYPE_LONG);
}

static void infer_foreach(struct inference *in, struct statement *s)
{
	struct symbol *array;

	if (s->limit)
		infer(in, s->limit, TYPE_LONG);
	if (s->array->kind == EXPR_HISTOGRAM) {
		infer_buckets(in, s);
		return;
	}
	if (!check_is_global_array(in, s->array))
		return;
	array = s->array->symbol;
	if (s->slice)
		infer_keys(in, array, s->slice, &s->location);
	infer_keys(in, array, s->keys, &s->location);
	for (guint i = 0; s->keys && i < s->keys->len && i < MAX_KEYS; i++) {
		const struct expr *key = g_ptr_array_index(s->keys, i);

		key->symbol->holds_text |= array->text_keys >> i & 1;
	}
	if (s->value && array->type == TYPE_STATS) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &s->value->location,
			 _("'%s' is an aggregate here; read it with @count, @sum or a similar operator"),
			 s->value->text);
		diagnose_hint(in->t->diagnostics, _("write @count(%s)"), s->value->text);
		return;
	}
	if (s->value) {
		enum value_type type = infer_value(in, s->value, array->type);

		unify(in, &array->type, &array->type_location, type, &s->value->location,
		      arena_printf(in->t->arena, _("an element of '%s'"), array->name));
	}
}

/* Refuse a return without a value in a function that has one. Its use may have given the function a type, too. */
static void check_returns_nothing(struct inference *in, const struct statement *s)
{
	const struct function_declaration *function = in->function;

	if (!function->returns_value && !function->type_declared)
		return;
	diagnose(in->t->diagnostics, SEMANTIC_ERROR, &s->location,
		 _("function '%s' returns a %s, but this return has no value"), function->name,
		 type_name(function->type));
	diagnose_hint(in->t->diagnostics,
		      function->type == TYPE_STRING ? _("write: return \"\"") : _("write: return 0"));
}

static void infer_return(struct inference *in, struct statement *s)
{
	enum value_type type;

	if (!in->function) {
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &s->location, _("return outside of a function"));
		diagnose_hint(in->t->diagnostics, _("a probe handler ends early with next"));
		return;
	}
	if (!s->expr) {
		if (in->final)
			check_returns_nothing(in, s);
		return;
	}
	in->function->returns_value = true;
	type = infer_value(in, s->expr, in->function->type);
	if (in->function->type_declared && type && in->function->type != type) {
		mismatch(in, &s->expr->location, _("what is returned"), type, in->function->type, NULL);
		diagnose_note(in->t->diagnostics, &in->function->location, _("declared here"));
		return;
	}
	unify(in, &in->function->type, &in->function->type_location, type, &s->expr->location,
	      arena_printf(in->t->arena, "%s()", in->function->name));
}

/* Infer the operand of delete. It may be a whole array, which infer_symbol() would reject. */
static void infer_delete(struct inference *in, struct statement *s)
{
	if (s->expr->kind == EXPR_INDEX)
		infer(in, s->expr, TYPE_UNKNOWN);
	else if (s->expr->kind != EXPR_SYMBOL)
		diagnose(in->t->diagnostics, SEMANTIC_ERROR, &s->expr->location,
			 _("only variables, arrays and their elements can be deleted"));
}

static void infer_children(struct inference *in, struct statement *s)
{
	infer_statement(in, s->body);
	for_each_ptr(struct statement *, child, s->statements)
		infer_statement(in, child);
	infer_statement(in, s->otherwise);
}

static void infer_statement(struct inference *in, struct statement *s)
{
	if (!s)
		return;
	switch (s->kind) {
	case STATEMENT_FOREACH:
		infer_foreach(in, s);
		break;
	case STATEMENT_RETURN:
		infer_return(in, s);
		break;
	case STATEMENT_DELETE:
		infer_delete(in, s);
		break;
	case STATEMENT_TRY:
		if (s->catch_variable)
			infer(in, s->catch_variable, TYPE_STRING);
		break;
	case STATEMENT_EXPR:
		infer_unused(in, s);
		break;
	default:
		if (s->init)
			infer(in, s->init, TYPE_UNKNOWN);
		if (s->expr)
			infer(in, s->expr, TYPE_LONG);
		if (s->update)
			infer(in, s->update, TYPE_UNKNOWN);
		break;
	}
	infer_children(in, s);
}

static void infer_probe(struct inference *in, struct derived_probe *probe)
{
	in->function = NULL;
	in->probe = probe;
	for (guint i = 0; i < probe->entry_values->len; i++)
		infer(in, g_ptr_array_index(probe->entry_values, i), TYPE_UNKNOWN);
	infer_statement(in, probe->body);
}

static void infer_initializer(struct inference *in, struct symbol *global)
{
	if (!global->initializer)
		return;
	global->arity = 0;
	unify(in, &global->type, &global->type_location, global->initializer->type, &global->location,
	      quoted(in, global->name));
}

static void infer_all(struct inference *in)
{
	for_each_ptr(struct symbol *, global, in->t->globals)
		infer_initializer(in, global);
	for_each_ptr(struct derived_probe *, probe, in->t->probes)
		infer_probe(in, probe);
	for_each_ptr(struct function_declaration *, function, in->t->functions) {
		in->function = function;
		if (!function->is_embedded)
			infer_statement(in, function->body);
	}
}

static void check_parameters(struct inference *in)
{
	for_each_ptr(struct function_declaration *, function, in->t->functions) {
		for_each_ptr(struct symbol *, parameter, function->parameters) {
			if (parameter->type != TYPE_UNKNOWN)
				continue;
			/* Unused, so the type does not matter. */
			parameter->type = TYPE_LONG;
		}
	}
}

static bool infer_until_settled(struct inference *in)
{
	do {
		in->changed = false;
		infer_all(in);
	} while (in->changed && !diagnostics_errors(in->t->diagnostics));
	return diagnostics_errors(in->t->diagnostics) == 0;
}

bool infer_known_types(struct translation *t)
{
	struct inference in = {.t = t};

	t->type_epoch++;
	return infer_until_settled(&in);
}

bool infer_types(struct translation *t)
{
	struct inference in = {.t = t};

	t->type_epoch++;
	if (!infer_until_settled(&in))
		return false;
	check_parameters(&in);
	in.final = true;
	t->type_epoch++;
	infer_all(&in);
	in.unused = true;
	if (!diagnostics_errors(t->diagnostics))
		infer_all(&in);
	return diagnostics_errors(t->diagnostics) == 0;
}
