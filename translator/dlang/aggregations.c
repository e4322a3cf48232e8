// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aggregations of D.
 *
 * An aggregation is an array of the tree: of integers for count, sum, min and max; of aggregates for avg and stddev. An
 * aggregation without keys has the key 0. Functions with buckets have a second array, with the number of the bucket as
 * a further key; the first array then holds the weighted sum, by which D sorts. stddev keeps the sum of squares there,
 * in two halves, because it may exceed 64 bits.
 *
 * Output is a loop of the tree, sorted by the value. So printing happens when the clause runs, from the values of that
 * time.
 */
#include "translator/dlang/lower.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/i18n.h"

static const struct aggregating_function {
	const char *name;
	guint fewest, most; /* arguments */
	bool has_buckets;
	bool is_statistic; /* the tree's array has aggregates */
	bool repeats_keys; /* a new value uses the keys more than once */
	bool has_no_zero; /* a first value is not the same as one after 0 */
} functions[D_FUNCTION_COUNT_] = {
	[D_COUNT] = {"count", 0, 0, false, false, false},
	[D_SUM] = {"sum", 1, 1, false, false, false},
	[D_AVG] = {"avg", 1, 1, false, true, false, true},
	[D_MIN] = {"min", 1, 1, false, false, true, true},
	[D_MAX] = {"max", 1, 1, false, false, true, true},
	[D_STDDEV] = {"stddev", 1, 1, true, true, true, true},
	[D_QUANTIZE] = {"quantize", 1, 2, true, false, true},
	[D_LQUANTIZE] = {"lquantize", 3, 5, true, false, true},
	[D_LLQUANTIZE] = {"llquantize", 5, 6, true, false, true},
};

/* Parameters of lquantize and llquantize. */
enum { LOW, HIGH, STEP };
enum { FACTOR, LOW_MAGNITUDE, HIGH_MAGNITUDE, STEPS };

static bool is_histogram(const struct d_aggregation *a)
{
	return a->function >= D_QUANTIZE;
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

static struct d_aggregation *find_aggregation(struct d_lowering *l, const struct d_node *node)
{
	return g_hash_table_lookup(l->d->aggregations, node->text);
}

static enum value_type key_tree_type(const struct type *type)
{
	return d_is_text(type) || d_is_stack(type) ? TYPE_STRING : TYPE_LONG;
}

static void declare_array(struct d_translation *d, const struct d_aggregation *a, const char *name,
			  enum value_type type, const enum value_type *keys, int arity)
{
	struct symbol *array = d_declare_global(d, name, type, keys, arity, &a->location);

	if (array)
		array->is_aggregation = true;
}

static void declare_arrays(struct d_translation *d, const struct d_aggregation *a)
{
	enum value_type keys[MAX_KEYS] = {TYPE_LONG};
	int arity = 0;

	for_each_ptr(const struct type *, key, a->keys)
		keys[arity++] = key_tree_type(key);
	arity = MAX(arity, 1);
	declare_array(d, a, a->symbol, functions[a->function].is_statistic ? TYPE_STATS : TYPE_LONG, keys, arity);
	if (a->buckets) {
		keys[arity] = TYPE_LONG;
		declare_array(d, a, a->buckets, TYPE_LONG, keys, arity + 1);
	}
	if (a->cleared) {
		declare_array(d, a, a->cleared, TYPE_LONG, keys, arity);
		declare_array(d, a, a->shown, TYPE_LONG, keys, arity);
	}
}

static struct d_aggregation *new_aggregation(struct d_lowering *l, const struct d_node *node, enum d_function function,
					     GPtrArray *keys)
{
	struct d_aggregation *a = arena_new0(l->arena, struct d_aggregation);

	a->name = node->text;
	a->location = node->location;
	a->function = function;
	a->keys = keys;
	a->symbol = arena_printf(l->arena, "d_agg_%s", node->text);
	a->buckets = functions[function].has_buckets ? arena_printf(l->arena, "d_buckets_%s", node->text) : NULL;
	if (functions[function].has_no_zero &&
	    g_ptr_array_find_with_equal_func(l->d->program->cleared, node->text, g_str_equal, NULL)) {
		a->cleared = arena_printf(l->arena, "d_cleared_%s", node->text);
		a->shown = arena_printf(l->arena, "d_shown_%s", node->text);
	}
	a->printed = arena_printf(l->arena, "d_printed_%s", node->text);
	a->divisor = arena_printf(l->arena, "d_divisor_%s", node->text);
	declare_arrays(l->d, a);
	d_declare_global(l->d, a->printed, TYPE_LONG, NULL, 0, &a->location);
	d_declare_global(l->d, a->divisor, TYPE_LONG, NULL, 0, &a->location);
	g_hash_table_insert(l->d->aggregations, (void *)a->name, a);
	g_ptr_array_add(l->d->aggregation_list, a);
	return a;
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static struct expr *array_symbol(struct d_lowering *l, const struct location *at, const char *name)
{
	struct expr *e = expr_new(l->arena, EXPR_SYMBOL, at);

	e->text = name;
	return e;
}

/* Return array[keys, last]; last may be NULL. */
static struct expr *element(struct d_lowering *l, const struct location *at, const char *array, const GPtrArray *keys,
			    struct expr *last)
{
	struct expr *e = expr_new(l->arena, EXPR_INDEX, at);

	e->left = array_symbol(l, at, array);
	e->arguments = arena_ptr_array(l->arena);
	for_each_ptr(struct expr *, key, keys)
		g_ptr_array_add(e->arguments, expr_copy(l->arena, key));
	if (last)
		g_ptr_array_add(e->arguments, last);
	return e;
}

static struct statement *assign(struct d_lowering *l, struct expr *left, enum expr_operator op, struct expr *right)
{
	struct expr *e = expr_new(l->arena, EXPR_ASSIGN, &left->location);

	e->op = op;
	e->left = left;
	e->right = right;
	return build_expr_statement(l->arena, e);
}

static struct statement *increment(struct d_lowering *l, struct expr *operand)
{
	struct expr *e = expr_new(l->arena, EXPR_INCREMENT, &operand->location);

	e->op = OP_ADD;
	e->postfix = true;
	e->operand = operand;
	return build_expr_statement(l->arena, e);
}

/* Keep a value in a local variable, unless it is constant. */
static struct expr *keep(struct d_lowering *l, struct expr *value, enum value_type type)
{
	struct expr *local;

	if (value->kind == EXPR_NUMBER || value->kind == EXPR_STRING || value->kind == EXPR_SYMBOL)
		return value;
	local = expr_new(l->arena, EXPR_SYMBOL, &value->location);
	/* All clauses of a place share the locals, so the names depend on the type. */
	local->text = arena_printf(l->arena, type == TYPE_STRING ? "d_text_%u" : "d_number_%u", l->temporaries++);
	local->type = type;
	d_emit(l, assign(l, local, OP_NONE, value));
	return expr_copy(l->arena, local);
}

/* Lower the keys for a function; their types go to @p types. Return NULL after a diagnostic. */
static GPtrArray *lower_keys(struct d_lowering *l, const struct d_node *node, int function, GPtrArray *types)
{
	GPtrArray *keys = arena_ptr_array(l->arena);

	for_each_ptr(const struct d_node *, argument, node->arguments) {
		struct d_value value;
		struct expr *key;

		if (types->len == MAX_KEYS - 2) {
			d_fail(l, &node->location, "D_AGG_KEYS", _("an aggregation has at most %d keys"), MAX_KEYS - 2);
			return NULL;
		}
		if (argument->kind == D_AGGREGATION) {
			d_fail(l, &argument->location, "D_KEY_TYPE", _("an aggregation cannot be a key"));
			return NULL;
		}
		if (!d_lower(l, argument, &value))
			return NULL;
		if (value.is_void || (d_is_struct(value.type) && !value.translator)) {
			d_fail(l, &argument->location, "D_KEY_TYPE", _("a key requires a single value"));
			return NULL;
		}
		key = d_is_text(value.type) ? d_read_string(l, &argument->location, &value)
					    : d_read(l, &argument->location, &value);
		if (!key)
			return NULL;
		if (functions[function].repeats_keys)
			key = keep(l, key, key_tree_type(value.type));
		g_ptr_array_add(keys, key);
		g_ptr_array_add(types, d_is_text(value.type)				     ? d_string_type()
				       : d_is_address(value.type) && !d_is_stack(value.type) ? d_base_type(D_ULONG)
											     : value.type);
	}
	if (!keys->len)
		g_ptr_array_add(keys, build_number(l->arena, &node->location, 0));
	return keys;
}

static int find_function(const char *name)
{
	for (int i = 0; i < D_FUNCTION_COUNT_; i++)
		if (!strcmp(functions[i].name, name))
			return i;
	return -1;
}

bool d_aggregates(const char *name)
{
	return find_function(name) >= 0;
}

/* The constant parameters of lquantize() and llquantize(), and how tags of errors call them. */
static const struct parameter {
	const char *tag, *matching;
	int64_t low, high;
} line_parameters[] = {{"LQUANT_BASE", "LQUANT_MATCHBASE", INT32_MIN, INT32_MAX},
		       {"LQUANT_LIM", "LQUANT_MATCHLIM", INT32_MIN, INT32_MAX},
		       {"LQUANT_STEP", "LQUANT_MATCHSTEP", 1, INT64_MAX}},
  log_parameters[] = {{"LLQUANT_FACTOR", "LLQUANT_FACTORMATCH", INT64_MIN, UINT16_MAX},
		      {"LLQUANT_LOW", "LLQUANT_LOWMATCH", 0, UINT16_MAX},
		      {"LLQUANT_HIGH", "LLQUANT_HIGHMATCH", 0, UINT16_MAX},
		      {"LLQUANT_NSTEP", "LLQUANT_NSTEPMATCH", 0, UINT16_MAX}};

static const struct parameter *parameters_of(enum d_function function, guint *count)
{
	*count = function == D_LQUANTIZE    ? G_N_ELEMENTS(line_parameters)
		 : function == D_LLQUANTIZE ? G_N_ELEMENTS(log_parameters)
					    : 0;
	return function == D_LQUANTIZE ? line_parameters : log_parameters;
}

static bool check_lquantize(struct d_lowering *l, const struct d_node *call, const int64_t *p)
{
	if (p[LOW] >= p[HIGH])
		return d_fail(l, &call->location, "D_LQUANT_MISMATCH",
			      _("the base of lquantize() must be less than its limit"));
	if (p[STEP] > p[HIGH] - p[LOW])
		return d_fail(l, &call->location, "D_LQUANT_STEPLARGE",
			      _("the step of lquantize() is larger than its range"));
	if ((p[HIGH] - p[LOW]) / p[STEP] > UINT16_MAX)
		return d_fail(l, &call->location, "D_LQUANT_STEPSMALL", _("lquantize() has at most %d steps"),
			      UINT16_MAX);
	return p[STEP] <= UINT16_MAX || d_fail(l, &call->location, "D_LQUANT_STEPVAL",
					       _("the step of lquantize() must be from 1 to %d"), UINT16_MAX);
}

static bool check_llquantize(struct d_lowering *l, const struct d_node *call, const int64_t *p)
{
	double largest = 1;
	int64_t power;

	if (p[FACTOR] < 2)
		return d_fail(l, &call->location, "D_LLQUANT_FACTORSMALL",
			      _("the factor of llquantize() must be at least 2"));
	if (p[LOW_MAGNITUDE] >= p[HIGH_MAGNITUDE])
		return d_fail(l, &call->location, "D_LLQUANT_MAGRANGE",
			      _("the lower magnitude of llquantize() must be less than the higher one"));
	if (p[STEPS] < p[FACTOR])
		return d_fail(l, &call->location, "D_LLQUANT_FACTORNSTEPS",
			      _("llquantize() must have at least as many steps as its factor"));
	for (power = p[FACTOR]; power < p[STEPS]; power *= p[FACTOR])
		;
	if (p[STEPS] % p[FACTOR] || power % p[STEPS])
		return d_fail(
			l, &call->location, "D_LLQUANT_FACTOREVEN",
			_("the steps of llquantize() must be a multiple of its factor, and divide a power of it"));
	for (int64_t m = 0; m <= p[HIGH_MAGNITUDE] && largest < (double)UINT64_MAX; m++)
		largest *= (double)p[FACTOR];
	return largest < (double)UINT64_MAX || d_fail(l, &call->location, "D_LLQUANT_MAGTOOBIG",
						      _("the factor to the power of the higher magnitude of "
							"llquantize() exceeds 64 bits"));
}

/* Read the constant parameters of lquantize and llquantize. */
static bool read_parameters(struct d_lowering *l, const struct d_node *call, enum d_function function, int64_t *ret)
{
	guint count;
	const struct parameter *parameters = parameters_of(function, &count);

	if (function == D_LQUANTIZE)
		ret[STEP] = 1;
	for (guint i = 0; i < count && i + 1 < call->arguments->len; i++) {
		const struct d_node *node = g_ptr_array_index(call->arguments, i + 1);
		struct d_value value;
		struct expr *e;

		if (!d_lower(l, node, &value))
			return false;
		e = value.is_void || !d_is_integer(value.type) ? NULL : value.expr;
		if (!e || e->kind != EXPR_NUMBER)
			return d_fail(l, &node->location, arena_printf(l->arena, "D_%sTYPE", parameters[i].tag),
				      _("%s( ) argument #%u must be an integer constant"), call->text, i + 2);
		ret[i] = e->number;
		if (ret[i] < parameters[i].low || ret[i] > parameters[i].high)
			return d_fail(l, &node->location, arena_printf(l->arena, "D_%sVAL", parameters[i].tag),
				      _("%s( ) argument #%u must be from %" PRId64 " to %" PRId64), call->text, i + 2,
				      parameters[i].low, parameters[i].high);
	}
	return function == D_LQUANTIZE	  ? check_lquantize(l, call, ret)
	       : function == D_LLQUANTIZE ? check_llquantize(l, call, ret)
					  : true;
}

/* Check that the parameters are those of an earlier use. */
static bool check_same_parameters(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a,
				  const int64_t *parameters)
{
	guint count;
	const struct parameter *known = parameters_of(a->function, &count);

	for (guint i = 0; i < count; i++)
		if (a->parameters[i] != parameters[i])
			return d_fail(l, &node->location, arena_printf(l->arena, "D_%s", known[i].matching),
				      _("%s( ) argument #%u differs from that of an earlier use of @%s"),
				      functions[a->function].name, i + 2, a->name);
	return true;
}

/* Check that all uses of an aggregation agree, or declare it. */
static struct d_aggregation *declared(struct d_lowering *l, const struct d_node *node, enum d_function function,
				      GPtrArray *types, const int64_t *parameters)
{
	struct d_aggregation *a = find_aggregation(l, node);

	if (!a) {
		a = new_aggregation(l, node, function, types);
		memcpy(a->parameters, parameters, sizeof(a->parameters));
		return a;
	}
	if (a->function != function) {
		d_fail(l, &node->location, "D_AGG_REDEF", _("@%s is already defined with %s(), not %s()"), a->name,
		       functions[a->function].name, functions[function].name);
		return NULL;
	}
	if (!check_same_parameters(l, node, a, parameters))
		return NULL;
	if (a->keys->len != types->len) {
		d_fail(l, &node->location, "D_AGG_KEY", _("@%s has %u keys, not %u"), a->name, a->keys->len,
		       types->len);
		return NULL;
	}
	for (guint i = 0; i < types->len; i++) {
		const struct type *known = g_ptr_array_index(a->keys, i), *type = g_ptr_array_index(types, i);

		if (key_tree_type(known) == key_tree_type(type) && d_is_stack(known) == d_is_stack(type))
			continue;
		d_fail(l, &node->location, "D_KEY_TYPE", _("key %u of @%s is of type '%s', not '%s'"), i + 1, a->name,
		       known->spelling, type->spelling);
		return NULL;
	}
	return a;
}

static struct expr *call_of(struct d_lowering *l, const struct location *at, const char *name, struct expr *value,
			    const int64_t *parameters, int count)
{
	struct expr *call = build_call(l->arena, at, name, expr_copy(l->arena, value));

	for (int i = 0; i < count; i++)
		g_ptr_array_add(call->arguments, build_number(l->arena, at, parameters[i]));
	return call;
}

/* Return the number of the bucket for a value. */
static struct expr *bucket_of(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
			      struct expr *value)
{
	if (a->function == D_QUANTIZE)
		return call_of(l, at, "__dtrace_quantize", value, NULL, 0);
	if (a->function == D_LQUANTIZE)
		return call_of(l, at, "__dtrace_lquantize", value, a->parameters, 3);
	return call_of(l, at, "__dtrace_llquantize", value, a->parameters, 4);
}

static void add_histogram(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
			  const GPtrArray *keys, struct expr *value, struct expr *weight)
{
	struct expr *product = build_binary(l->arena, OP_MULTIPLY, value, expr_copy(l->arena, weight));

	if (weight->kind == EXPR_NUMBER && weight->number == 1)
		product = value;
	d_emit(l, assign(l, element(l, at, a->symbol, keys, NULL), OP_ADD, product));
	d_emit(l, assign(l, element(l, at, a->buckets, keys, bucket_of(l, at, a, value)), OP_ADD, weight));
}

/*
 * if (! ([keys] in array) || value < array[keys]) array[keys] = value;
 *
 * Values of aggregations are signed, whatever their type was: this is how they are printed and sorted.
 */
static void add_extreme(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
			const GPtrArray *keys, struct expr *value)
{
	struct expr *old = element(l, at, a->symbol, keys, NULL), *is_in = expr_new(l->arena, EXPR_IN, at), *absent;
	enum expr_operator op = a->function == D_MIN ? OP_LESS : OP_GREATER;
	struct expr *is_beyond = build_binary(l->arena, op, expr_copy(l->arena, value), old);

	is_in->left = array_symbol(l, at, a->symbol);
	is_in->arguments = expr_copy(l->arena, old)->arguments;
	is_in->type = TYPE_LONG;
	absent = expr_new(l->arena, EXPR_UNARY, at);
	absent->op = OP_LOGICAL_NOT;
	absent->operand = is_in;
	absent->type = TYPE_LONG;
	d_emit(l, d_if(l, build_logical(l->arena, OP_LOGICAL_OR, absent, is_beyond),
		       assign(l, expr_copy(l->arena, old), OP_NONE, value)));
}

/* The sum of squares is kept in parts, which do not overflow. */
enum { SQUARE_PARTS = 3 };

static void add_squares(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
			const GPtrArray *keys, struct expr *value)
{
	for (int64_t i = 0; i < SQUARE_PARTS; i++)
		d_emit(l, assign(l, element(l, at, a->buckets, keys, build_number(l->arena, at, i)), OP_ADD,
				 call_of(l, at, "__dtrace_square", value, &i, 1)));
}

static void add_value(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
		      const GPtrArray *keys, struct expr *value, struct expr *weight)
{
	switch (a->function) {
	case D_COUNT:
		d_emit(l, increment(l, element(l, at, a->symbol, keys, NULL)));
		break;
	case D_SUM:
		d_emit(l, assign(l, element(l, at, a->symbol, keys, NULL), OP_ADD, value));
		break;
	case D_MIN:
	case D_MAX:
		add_extreme(l, at, a, keys, value);
		break;
	case D_STDDEV:
		add_squares(l, at, a, keys, value);
		d_emit(l, assign(l, element(l, at, a->symbol, keys, NULL), OP_AGGREGATE, value));
		break;
	case D_AVG:
		d_emit(l, assign(l, element(l, at, a->symbol, keys, NULL), OP_AGGREGATE, value));
		break;
	default:
		add_histogram(l, at, a, keys, value, weight);
		break;
	}
}

bool d_aggregate(struct d_lowering *l, const struct d_node *assignment)
{
	const struct d_node *node = assignment->left, *call = assignment->right;
	const struct location *at = &assignment->location;
	int function = call->kind == D_CALL ? find_function(call->text) : -1;
	GPtrArray *types = arena_ptr_array(l->arena), *keys;
	struct expr *value = NULL, *weight = build_number(l->arena, at, 1);
	int64_t parameters[4] = {0};
	struct d_aggregation *a;
	guint last;

	if (assignment->op != OP_NONE)
		return d_fail(l, &assignment->location, "D_AGG_COMP", _("@%s can only be assigned with '='"),
			      node->text);
	if (function < 0) {
		d_fail(l, &call->location, "D_AGG_FUNC",
		       _("@%s must be assigned the result of an aggregating function"), node->text);
		diagnose_hint(l->t->diagnostics, _("these are count, sum, avg, min, max, stddev, quantize, lquantize "
						   "and llquantize"));
		return false;
	}
	if (call->arguments->len < functions[function].fewest || call->arguments->len > functions[function].most)
		return d_check_count(l, call, functions[function].fewest, functions[function].most);
	keys = lower_keys(l, node, function, types);
	if (!keys)
		return false;
	if (call->arguments->len) {
		value = d_lower_argument(l, call, 0, NULL);
		if (!value)
			return false;
		value = keep(l, value, TYPE_LONG);
	}
	if (!read_parameters(l, call, (enum d_function)function, parameters))
		return false;
	last = function == D_QUANTIZE ? 1 : function == D_LQUANTIZE ? 4 : 5;
	if (functions[function].has_buckets && call->arguments->len > last) {
		weight = d_lower_number(l, g_ptr_array_index(call->arguments, last), NULL);
		if (!weight)
			return false;
		weight = keep(l, weight, TYPE_LONG);
	}
	a = declared(l, node, (enum d_function)function, types, parameters);
	if (!a)
		return false;
	add_value(l, at, a, keys, value, weight);
	return true;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Return the name of the loop variable for a key; all loops of a handler share it, so it depends on the type. */
static const char *key_name(struct d_lowering *l, const struct d_aggregation *a, guint index)
{
	bool is_text = index < a->keys->len && key_tree_type(g_ptr_array_index(a->keys, index)) == TYPE_STRING;

	return arena_printf(l->arena, is_text ? "d_text_key%u" : "d_key%u", index);
}

/* Return "d_key0, d_key1": the names of loop variables for the keys. */
static const char *key_names(struct d_lowering *l, const struct d_aggregation *a)
{
	g_autoptr(GString) names = g_string_new(key_name(l, a, 0));

	for (guint i = 1; i < a->keys->len; i++)
		g_string_append_printf(names, ", %s", key_name(l, a, i));
	return arena_strdup(l->arena, names->str);
}

static struct expr *key_local(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
			      guint index)
{
	return d_symbol_expr(l, at, key_name(l, a, index), key_tree_type(g_ptr_array_index(a->keys, index)));
}

/* Return the text of an expression that reads the value of the element at the loop's keys. */
static const char *value_text(struct d_lowering *l, const struct d_aggregation *a)
{
	const char *keys = key_names(l, a), *s = a->symbol;

	switch (a->function) {
	case D_AVG:
		return arena_printf(l->arena, "__dtrace_average(@count(%s[%s]), @sum(%s[%s]))", s, keys, s, keys);
	case D_STDDEV:
		return arena_printf(l->arena,
				    "__dtrace_deviation(@count(%s[%s]), @sum(%s[%s]), %s[%s, 0], %s[%s, 1], %s[%s, 2])",
				    s, keys, s, keys, a->buckets, keys, a->buckets, keys, a->buckets, keys);
	default:
		return arena_printf(l->arena, "%s[%s]", s, keys);
	}
}

/* Compute the value of the element, divided by the argument of normalize(). */
static struct expr *element_value_expr(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	const char *value = value_text(l, a);
	const struct statement *s = d_template(l->d, at,
					       arena_printf(l->arena, "d_v = %s ? __dtrace_normal(%s, %s) : %s",
							    a->divisor, value, a->divisor, value));
	const struct statement *first = g_ptr_array_index(s->statements, 0);

	return first->expr->right;
}

/* Return the highest bucket number; the lowest is 0, but for quantize. */
static int64_t last_bucket(const struct d_aggregation *a)
{
	const int64_t *p = a->parameters;
	int64_t count = 0, magnitude = 1;

	if (a->function == D_QUANTIZE)
		return 64;
	if (a->function == D_LQUANTIZE)
		return (p[HIGH] - p[LOW]) / p[STEP] + ((p[HIGH] - p[LOW]) % p[STEP] != 0) + 1;
	for (int64_t m = 0; m <= p[HIGH_MAGNITUDE] && magnitude <= INT64_MAX / p[FACTOR]; m++) {
		int64_t next = magnitude * p[FACTOR], width = MAX(1, next / p[STEPS]);

		if (m >= p[LOW_MAGNITUDE])
			count += (next - magnitude) / width;
		magnitude = next;
	}
	return count + 1;
}

static const char *label_text(struct d_lowering *l, const struct d_aggregation *a, const char *bucket)
{
	const int64_t *p = a->parameters;

	if (a->function == D_QUANTIZE)
		return arena_printf(l->arena, "__dtrace_quantize_label(%s)", bucket);
	if (a->function == D_LQUANTIZE)
		return arena_printf(l->arena, "__dtrace_lquantize_label(%s, %" PRId64 ", %" PRId64 ", %" PRId64 ")",
				    bucket, p[LOW], p[HIGH], p[STEP]);
	return arena_printf(l->arena,
			    "__dtrace_llquantize_label(%s, %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ")", bucket,
			    p[FACTOR], p[LOW_MAGNITUDE], p[HIGH_MAGNITUDE], p[STEPS]);
}

/* Print the distribution of the element at the loop's keys: the buckets with a count, and one on each side. */
static void print_histogram(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	const char *bucket = arena_printf(l->arena, "%s[%s, d_i]", a->buckets, key_names(l, a));
	long long low = a->function == D_QUANTIZE ? -64 : 0, high = last_bucket(a);
	const char *sums = l->d->options.zooms ? "if (d_n > d_above) d_above = d_n; if (-d_n > d_below) d_below = -d_n;"
					       : "if (d_n > 0) d_above += d_n; else d_below -= d_n;";

	d_emit(l, d_template(l->d, at,
			     arena_printf(l->arena,
					  "d_first = %lld; d_last = %lld; d_above = 0; d_below = 0; "
					  "for (d_i = %lld; d_i <= %lld; d_i++) { d_n = %s; if (d_n) { "
					  "if (d_first > d_last) d_first = d_i; d_last = d_i; "
					  "%s } } "
					  "if (d_first > d_last) { d_first = %lld; d_last = %lld; } "
					  "if (d_first > %lld) d_first--; if (d_last < %lld) d_last++; "
					  "printf(\"\\n%%16s %%41s %%-9s\\n\", \"value\", \"%s\", \"count\"); "
					  "for (d_i = d_first; d_i <= d_last; d_i++) { d_n = %s; "
					  "printf(\"%%16s %%s %%-9d\\n\", %s, __dtrace_bar(d_n, d_above, d_below), "
					  "%s ? __dtrace_normal(d_n, %s) : d_n) }",
					  high + 1, high, low, high, bucket, sums, low, high, low, high,
					  "------------- Distribution -------------", bucket, label_text(l, a, "d_i"),
					  a->divisor, a->divisor)));
}

/* Return the suffix of a foreach that sorts as the options say. */
static const char *sort_text(struct d_lowering *l, const struct d_aggregation *a)
{
	const struct d_options *o = &l->d->options;
	const char *direction = o->sorts_in_reverse ? "-" : "+";

	if (o->sorts_by_key || !a)
		return direction;
	return a->function == D_AVG || a->function == D_STDDEV ? arena_printf(l->arena, " @avg%s", direction)
							       : direction;
}

/* Return the keys of a foreach, one of them with a sort suffix if the output is sorted by key. */
static const char *sorted_keys(struct d_lowering *l, const struct d_aggregation *a)
{
	g_autoptr(GString) names = g_string_new(NULL);
	guint position = (guint)l->d->options.aggregation_sort_position;

	for (guint i = 0; i < MAX(a->keys->len, 1); i++)
		g_string_append_printf(names, "%s%s%s", i ? ", " : "", key_name(l, a, i),
				       l->d->options.sorts_by_key && i == MIN(position, MAX(a->keys->len, 1) - 1)
					       ? sort_text(l, NULL)
					       : "");
	return arena_strdup(l->arena, names->str);
}

/*
 * Append a loop over the elements of an aggregation and direct further statements into it. Return the block to go back
 * to.
 */
static struct statement *begin_loop(struct d_lowering *l, const struct location *at, const struct d_aggregation *a,
				    const char *before)
{
	struct statement *outer = l->block, *loop;
	const char *sort = l->d->options.sorts_by_key ? "" : sort_text(l, a);

	loop = d_template(l->d, at,
			  arena_printf(l->arena, "foreach ([%s] in %s%s) { %s {} }", sorted_keys(l, a), a->symbol, sort,
				       before));
	d_emit(l, loop);
	l->block = d_template_hole(loop);
	return outer;
}

/* Print the value of an element in its default form. */
static void print_value(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	struct d_print p;

	if (is_histogram(a)) {
		print_histogram(l, at, a);
		return;
	}
	d_print_begin(&p, l, at);
	d_print_text(&p, " ");
	d_print_value(&p, FORMAT_SIGNED, 16, element_value_expr(l, at, a));
	d_print_end(&p);
}

static void print_keys(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	struct d_print p;

	d_print_begin(&p, l, at);
	for (guint i = 0; i < a->keys->len; i++) {
		const struct type *type = g_ptr_array_index(a->keys, i);

		d_print_key(&p, type, key_local(l, at, a, i));
	}
	d_print_end(&p);
}

static void print_newline(struct d_lowering *l, const struct location *at)
{
	struct d_print p;

	d_print_begin(&p, l, at);
	d_print_text(&p, "\n");
	d_print_end(&p);
}

/* Return the test that no earlier aggregation of a printa() has the loop's keys. */
static const char *not_in_earlier(struct d_lowering *l, struct d_aggregation *const *list, guint index)
{
	g_autoptr(GString) text = g_string_new("1");

	for (guint i = 0; i < index; i++)
		g_string_append_printf(text, " && !([%s] in %s)", key_names(l, list[i]), list[i]->symbol);
	return arena_printf(l->arena, "if (%s)", text->str);
}

bool d_is_keyless_aggregation(const struct d_translation *d, const struct expr *element)
{
	for_each_ptr(const struct d_aggregation *, a, d->aggregation_list)
		if (element->left->kind == EXPR_SYMBOL && !strcmp(a->symbol, element->left->text))
			return !a->keys->len;
	return false;
}

/* Return the aggregations with that of -x aggsortpos first, whose loop comes first. */
static GPtrArray *loop_order(struct d_lowering *l, struct d_aggregation *const *list, guint count)
{
	guint first = (guint)CLAMP(l->d->options.aggregation_sort_number, 0, (int64_t)count - 1);
	GPtrArray *order = arena_ptr_array(l->arena);

	g_ptr_array_add(order, list[first]);
	for (guint i = 0; i < count; i++)
		if (i != first)
			g_ptr_array_add(order, list[i]);
	return order;
}

static void emit_text(struct d_lowering *l, const struct location *at, const char *text)
{
	d_emit(l, d_template(l->d, at, text));
}

/*
 * Give cleared elements the value 0 while a handler uses the aggregation, until empty_cleared(). clear() has moved the
 * keys of avg(), min() and others to another array, because the next value must count as a first one. The handler holds
 * the locks of all arrays.
 */
static void fill_cleared(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	const char *keys = key_names(l, a);

	if (a->cleared)
		emit_text(l, at,
			  arena_printf(l->arena, "foreach ([%s] in %s) if (!([%s] in %s)) { %s[%s] %s 0; %s[%s] = 1 }",
				       keys, a->cleared, keys, a->symbol, a->symbol, keys,
				       functions[a->function].is_statistic ? "<<<" : "=", a->shown, keys));
}

static void empty_cleared(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	const char *keys = key_names(l, a);

	if (a->cleared)
		emit_text(l, at,
			  arena_printf(l->arena, "foreach ([%s] in %s) delete %s[%s]; delete %s", keys, a->shown,
				       a->symbol, keys, a->shown));
}

/* Print aggregations in the default form. */
static void print_default(struct d_lowering *l, const struct location *at, struct d_aggregation *const *list,
			  guint count)
{
	struct d_aggregation *const *order = (struct d_aggregation *const *)loop_order(l, list, count)->pdata;

	for (guint i = 0; i < count; i++) {
		struct statement *outer = begin_loop(l, at, order[i], not_in_earlier(l, order, i));

		print_keys(l, at, list[i]);
		for (guint j = 0; j < count; j++)
			print_value(l, at, list[j]);
		print_newline(l, at);
		l->block = outer;
	}
}

static void note_printed(struct d_lowering *l, const struct location *at, const struct d_aggregation *a)
{
	d_emit(l, assign(l, array_symbol(l, at, a->printed), OP_NONE, build_number(l->arena, at, 1)));
}

/* ---- printa ------------------------------------------------------------------------------------------------------ */

struct printa_values {
	struct d_aggregation *const *list;
	guint count, next_value, next_key;
};

static bool next_printed(struct d_lowering *l, const struct location *at, enum d_next kind, struct expr **expr,
			 struct type **type, void *data)
{
	struct printa_values *values = data;
	const struct d_aggregation *a;

	if (kind == D_NEXT_AGGREGATION) {
		a = values->list[MIN(values->next_value, values->count - 1)];
		values->next_value++;
		*type = d_base_type(D_LONG);
		*expr = NULL;
		if (is_histogram(a))
			print_histogram(l, at, a);
		else
			*expr = element_value_expr(l, at, a);
		return true;
	}
	a = values->list[0];
	if (values->next_key >= a->keys->len)
		return d_fail(l, at, "D_PRINTF_ARG_PROTO", _("the format has more conversions than @%s has keys"),
			      a->name);
	*type = g_ptr_array_index(a->keys, values->next_key);
	*expr = key_local(l, at, a, values->next_key++);
	return true;
}

static void print_formatted(struct d_lowering *l, const struct d_node *format, struct d_aggregation *const *list,
			    guint count)
{
	const struct location *at = &format->location;
	struct d_aggregation *const *order = (struct d_aggregation *const *)loop_order(l, list, count)->pdata;

	for (guint i = 0; i < count; i++) {
		struct printa_values values = {.list = list, .count = count};
		struct statement *outer = begin_loop(l, at, order[i], not_in_earlier(l, order, i));

		d_print_format(l, format, next_printed, &values);
		l->block = outer;
	}
}

/* Return the tag of an error of an action: "D_TRUNC_AGGARG". */
static const char *action_tag(struct d_lowering *l, const struct d_node *call, const char *suffix)
{
	g_autofree char *name = g_ascii_strup(call->text, -1);

	return arena_printf(l->arena, "D_%s_%s", name, suffix);
}

/* Find the aggregations that are arguments of a call from index @from on. */
static bool find_arguments(struct d_lowering *l, const struct d_node *call, guint from, GPtrArray *ret)
{
	for (guint i = from; i < call->arguments->len; i++) {
		const struct d_node *node = g_ptr_array_index(call->arguments, i);
		struct d_aggregation *a = node->kind == D_AGGREGATION ? find_aggregation(l, node) : NULL, *first;

		if (node->kind != D_AGGREGATION)
			return d_fail(l, &node->location, action_tag(l, call, "AGGARG"),
				      _("%s() requires an aggregation here"), call->text);
		if (!a)
			return d_fail(l, &node->location, action_tag(l, call, "AGGBAD"),
				      _("the aggregation @%s is not defined"), node->text);
		if (node->arguments)
			return d_fail(l, &node->location, action_tag(l, call, "AGGKEY"),
				      _("%s() requires the name of the aggregation, without keys"), call->text);
		first = ret->len ? g_ptr_array_index(ret, 0) : a;
		if (first->keys->len != a->keys->len)
			return d_fail(l, &node->location, action_tag(l, call, "AGGPROTO"),
				      _("@%s and @%s have different keys"), first->name, a->name);
		g_ptr_array_add(ret, a);
	}
	return true;
}

/*
 * BEGIN and END wait until there is room for their output, and other probes lose what does not fit. If they print
 * aggregations, the buffers get the size that those of DTrace have.
 */
static void enlarge_buffers(struct d_lowering *l)
{
	enum { MEGABYTES = 4 };
	int64_t *size = &l->t->limits.buffer_megabytes;

	if (strcmp(l->place->parts[D_PROVIDER], "dtrace") && !*size)
		*size = MEGABYTES;
}

/* printa([format,] @aggregation, …) */
bool d_printa(struct d_lowering *l, const struct d_node *node)
{
	const struct d_node *format = node->arguments->len ? g_ptr_array_index(node->arguments, 0) : NULL;
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	struct d_aggregation **first;

	if (format && format->kind != D_STRING)
		format = NULL;
	if (node->arguments->len < (format ? 2 : 1))
		return d_fail(l, &node->location, "D_PRINTA_PROTO", _("printa() requires an aggregation"));
	if (!find_arguments(l, node, format ? 1 : 0, list))
		return false;
	first = (struct d_aggregation **)list->pdata;
	d_report_drops(l, &node->location);
	enlarge_buffers(l);
	for_each_ptr(const struct d_aggregation *, a, list)
		fill_cleared(l, &node->location, a);
	if (format)
		print_formatted(l, format, first, list->len);
	else {
		print_newline(l, &node->location);
		print_default(l, &node->location, first, list->len);
	}
	for_each_ptr(const struct d_aggregation *, a, list) {
		empty_cleared(l, &node->location, a);
		note_printed(l, &node->location, a);
	}
	return !l->failed;
}

void d_report_drops(struct d_lowering *l, const struct location *at)
{
	d_emit_expr(l, build_call(l->arena, at, "__dtrace_report_drops", NULL));
}

void d_print_remaining(struct d_lowering *l)
{
	for_each_ptr(struct d_aggregation *, a, l->d->aggregation_list) {
		const struct location *at = &a->location;
		struct statement *outer = l->block, *test;

		fill_cleared(l, at, a);
		test = d_template(l->d, at,
				  arena_printf(l->arena,
					       "if (!%s) { d_some = 0; foreach ([%s] in %s) d_some = 1; "
					       "if (d_some) { print(\"\\n\"); {} } }",
					       a->printed, key_names(l, a), a->symbol));
		d_emit(l, test);
		l->block = d_template_hole(test);
		print_default(l, at, &a, 1);
		l->block = outer;
	}
}

/* ---- trunc, clear, normalize, denormalize ------------------------------------------------------------------------ */

/* Delete the buckets of the element at the loop's keys. */
static const char *delete_buckets(struct d_lowering *l, const struct d_aggregation *a)
{
	long long low = a->function == D_QUANTIZE ? -64 : 0, high = is_histogram(a) ? last_bucket(a) : SQUARE_PARTS - 1;

	if (!a->buckets)
		return "";
	return arena_printf(l->arena, "for (d_i = %lld; d_i <= %lld; d_i++) delete %s[%s, d_i];", low, high, a->buckets,
			    key_names(l, a));
}

/* Check that the second argument is a number. */
static bool check_scalar(struct d_lowering *l, const struct d_node *node)
{
	const struct d_node *argument = g_ptr_array_index(node->arguments, 1);
	struct d_value value;

	if (!d_lower(l, argument, &value))
		return false;
	return (!value.is_void && d_is_integer(value.type)) ||
	       d_fail(l, &argument->location, action_tag(l, node, "SCALAR"), _("%s( ) argument #2 must be a number"),
		      node->text);
}

/* trunc(@a), trunc(@a, number): keep the elements with the highest, or for a negative number the lowest values */
static bool truncate_aggregation(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a)
{
	const struct location *at = &node->location;
	const char *statistic = functions[a->function].is_statistic ? " @avg" : "", *keys = key_names(l, a);
	int64_t kept;

	if (node->arguments->len == 1) {
		emit_text(l, at, arena_printf(l->arena, "delete %s", a->symbol));
		if (a->buckets)
			emit_text(l, at, arena_printf(l->arena, "delete %s", a->buckets));
		if (a->cleared)
			emit_text(l, at, arena_printf(l->arena, "delete %s", a->cleared));
		return true;
	}
	if (!check_scalar(l, node) || !d_constant_value(l, g_ptr_array_index(node->arguments, 1), &kept))
		return false;
	fill_cleared(l, at, a);
	emit_text(l, at,
		  arena_printf(l->arena,
			       "d_n = 0; foreach ([%s] in %s%s%s) { if (d_n++ >= %" PRId64
			       ") { %s %s delete %s[%s] } }",
			       keys, a->symbol, statistic, kept >= 0 ? "-" : "+", ABS(kept), delete_buckets(l, a),
			       a->cleared ? arena_printf(l->arena, "delete %s[%s];", a->cleared, keys) : "", a->symbol,
			       keys));
	empty_cleared(l, at, a);
	return true;
}

static bool clear_aggregation(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a)
{
	const char *keys = key_names(l, a);

	if (a->buckets)
		emit_text(l, &node->location, arena_printf(l->arena, "delete %s", a->buckets));
	emit_text(l, &node->location,
		  a->cleared ? arena_printf(l->arena, "foreach ([%s] in %s) { %s[%s] = 1 } delete %s", keys, a->symbol,
					    a->cleared, keys, a->symbol)
			     : arena_printf(l->arena, "foreach ([%s] in %s) { %s[%s] = 0 }", keys, a->symbol, a->symbol,
					    keys));
	return true;
}

static bool normalize_aggregation(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a)
{
	struct expr *factor =
		check_scalar(l, node) ? d_lower_number(l, g_ptr_array_index(node->arguments, 1), NULL) : NULL;

	if (!factor)
		return false;
	d_emit(l, assign(l, array_symbol(l, &node->location, a->divisor), OP_NONE, factor));
	return true;
}

static bool denormalize_aggregation(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a)
{
	d_emit(l, assign(l, array_symbol(l, &node->location, a->divisor), OP_NONE,
			 build_number(l->arena, &node->location, 0)));
	return true;
}

static const struct {
	const char *name;
	guint fewest, most;
	bool (*lower)(struct d_lowering *l, const struct d_node *node, const struct d_aggregation *a);
} aggregation_actions[] = {
	{"trunc", 1, 2, truncate_aggregation},
	{"clear", 1, 1, clear_aggregation},
	{"normalize", 2, 2, normalize_aggregation},
	{"denormalize", 1, 1, denormalize_aggregation},
};

bool d_aggregation_action(struct d_lowering *l, const struct d_node *node, bool *good)
{
	for (size_t i = 0; i < G_N_ELEMENTS(aggregation_actions); i++) {
		g_autoptr(GPtrArray) list = NULL;
		struct d_node first = *node;

		if (strcmp(node->text, aggregation_actions[i].name))
			continue;
		*good = true;
		if (node->arguments->len < aggregation_actions[i].fewest ||
		    node->arguments->len > aggregation_actions[i].most) {
			*good = d_fail(l, &node->location, action_tag(l, node, "PROTO"),
				       _("%s() requires %u arguments, not %u"), node->text,
				       aggregation_actions[i].fewest, node->arguments->len);
			return true;
		}
		list = g_ptr_array_new();
		first.arguments = arena_ptr_array(l->arena);
		g_ptr_array_add(first.arguments, g_ptr_array_index(node->arguments, 0));
		*good = find_arguments(l, &first, 0, list) &&
			aggregation_actions[i].lower(l, node, g_ptr_array_index(list, 0));
		return true;
	}
	return false;
}
