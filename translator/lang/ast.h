/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax tree of a script.
 *
 * Pass 1 (lang/) builds it. Pass 2 (sema/, probes/) resolves names, infers types, and replaces $variables by loads and
 * aliases by their points. Pass 3 (emit/) reads it. One tree serves all passes; fields that pass 2 fills in are marked
 * "sema:". Everything is arena-allocated; lists are arena-owned GPtrArrays, and may be NULL when empty.
 */
#ifndef SPILE_LANG_AST_H
#define SPILE_LANG_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "translator/lang/diagnostic.h"

/* The types of the language. TYPE_STATS is an aggregate ("<<<"). */
enum value_type { TYPE_UNKNOWN, TYPE_LONG, TYPE_STRING, TYPE_STATS, TYPE_COUNT_ };

enum expr_kind {
	EXPR_NUMBER, /* 42, 0x2a */
	EXPR_STRING, /* "text", also the concatenation of adjacent literals */
	EXPR_SYMBOL, /* name: local, global or parameter */
	EXPR_INDEX, /* base[keys]; base is a symbol or EXPR_HISTOGRAM; a key may be EXPR_WILDCARD */
	EXPR_WILDCARD, /* "*" as a key of a slice */
	EXPR_UNARY, /* + - ! ~ */
	EXPR_BINARY, /* arithmetic, bitwise, shifts */
	EXPR_COMPARE, /* == != < > <= >= */
	EXPR_LOGICAL, /* && || */
	EXPR_CONCAT, /* . */
	EXPR_REGEX, /* =~ !~ ; right is an EXPR_STRING */
	EXPR_IN, /* [keys] in array, key in array */
	EXPR_CONDITIONAL, /* a ? b : c */
	EXPR_ASSIGN, /* = += -= *= /= %= &= |= ^= <<= >>= .= <<< */
	EXPR_INCREMENT, /* ++x --x x++ x-- */
	EXPR_CALL, /* function(arguments) */
	EXPR_PRINT, /* print, println, printf, printd, printdln, sprint…, print_char, also @hist printing */
	EXPR_STATISTIC, /* @count(x) @sum @min @max @avg @variance(x[, shift]) */
	EXPR_HISTOGRAM, /* @hist_log(x), @hist_linear(x, low, high, width) */
	EXPR_TARGET, /* $name, @var("name@file"[, module]), @cast(...), with components; $$vars and friends */
	EXPR_DEFINED, /* @defined(e) */
	EXPR_ENTRY, /* @entry(e) */
	EXPR_PERF, /* @perf("name") */
	EXPR_CONST, /* @const("C text") */
	EXPR_ENUM, /* @enum("NAME"), @enumname("type", value) */
	EXPR_PROBEWRITE, /* @probewrite(global) */
	EXPR_REGISTER_OPERATOR, /* @kregister(n) @uregister(n) @kderef(size, addr) @uderef(size, addr) */
	EXPR_SIZE_OPERATOR, /* @sizeof, @offsetof, @container_of forms accepted by pass 1 */
	EXPR_EMBEDDED, /* %{ C expression %} */
	/* sema: the results of lowering $variables */
	EXPR_LOAD, /* fault-safe load of `size` bytes at `operand`, sign- or zero-extended */
	/*
	 * store `right` to `size` bytes at `operand`, or to DWARF register `number` if that is NULL; the value is
	 * `right`
	 */
	EXPR_STORE,
	EXPR_PROBE_REGISTER, /* DWARF register `number` of the probed context */
	/*
	 * DWARF register `number` at the entry of the function of `recorder`, in the call whose return address is at
	 * `operand`
	 */
	EXPR_ENTRY_REGISTER,
	EXPR_ENTRY_KNOWN, /* did the recorder see the entry of that call? */
	EXPR_THREAD_POINTER, /* of the current thread of a process that runs the executable `object` */
	/* link-time address `number` in `object`, in its section `text` (NULL: none), relocated at run time */
	EXPR_ADDRESS,
	EXPR_ENTRY_VALUE, /* slot `number` saved by the entry handler of a return probe */
	EXPR_KIND_COUNT_
};

enum expr_operator {
	OP_NONE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHIFT_LEFT,
	OP_SHIFT_RIGHT, /* arithmetic */
	OP_SHIFT_RIGHT_LOGICAL, /* ">>>" */
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_LESS,
	OP_GREATER,
	OP_LESS_EQUAL,
	OP_GREATER_EQUAL,
	OP_LOGICAL_AND,
	OP_LOGICAL_OR,
	OP_CONCAT,
	OP_NEGATE,
	OP_PLUS,
	OP_LOGICAL_NOT,
	OP_COMPLEMENT,
	OP_AGGREGATE, /* "<<<", only in EXPR_ASSIGN */
	OP_COUNT_
};

/** Return the operator as written in a script ("+", "<<", "<<<"...); for assignments, without "=". */
const char *operator_text(enum expr_operator op);

/* One "->name", ".name"(only in casts of structs, treated as ->), "[index]" or trailing "$"/"$$" after a $variable. */
enum component_kind {
	COMPONENT_MEMBER,
	COMPONENT_INDEX, /* index expression; a literal one is an EXPR_NUMBER */
	COMPONENT_PRETTY_PRINT, /* "$" (depth 1) or "$$" (depth 2); always last */
};

struct component {
	enum component_kind kind;
	struct location location;
	const char *name;
	struct expr *index;
	int depth;
};

enum target_kind {
	TARGET_VARIABLE, /* $name; name without "$"; $$vars, $$parms, $$locals, $$return, $$name… keep the first "$" */
	TARGET_ATVAR, /* @var("name@cu", "module"): name = the first string, module = the second or NULL */
	TARGET_CAST, /* @cast(operand, "type"[, "module"]) */
};

/* Conversions of printf-like functions, one per "%…" directive or literal run. */
enum format_kind {
	FORMAT_LITERAL, /* text (with escapes already replaced; may hold NUL) */
	FORMAT_SIGNED, /* %d %i */
	FORMAT_UNSIGNED, /* %u */
	FORMAT_OCTAL, /* %o */
	FORMAT_HEX, /* %x, %X when uppercase */
	FORMAT_POINTER, /* %p, with digits in upper case %P */
	FORMAT_STRING, /* %s */
	FORMAT_CHARACTER, /* %c */
	FORMAT_BINARY, /* %b: raw bytes of the value, width = size (1, 2, 4, 8); upper case: most significant first */
	FORMAT_MEMORY, /* %m: precision bytes of kernel memory as they are */
	FORMAT_MEMORY_HEX, /* %M: the same as hex digits */
	FORMAT_KIND_COUNT_
};

struct format_part {
	enum format_kind kind;
	const char *text; /* FORMAT_LITERAL */
	size_t length;
	bool left, plus, space, alternate, zero; /* - + ' ' # 0 */
	bool uppercase; /* %X %P */
	bool width_from_argument, precision_from_argument; /* "*" */
	bool has_width, has_precision;
	int width, precision;
};

enum print_destination { PRINT_STREAM, PRINT_TO_STRING };

struct expr {
	enum expr_kind kind;
	enum value_type type; /* sema: (literals: set by the parser) */
	struct location location; /* of the operator or first token */

	int64_t number; /* EXPR_NUMBER, EXPR_PROBE_REGISTER, EXPR_ENTRY_REGISTER, EXPR_ADDRESS, EXPR_ENTRY_VALUE */
	const char *text; /* EXPR_STRING (NUL-terminated, length in text_length), names, EXPR_EMBEDDED code */
	size_t text_length;

	enum expr_operator op;
	/* EXPR_INCREMENT: x++ rather than ++x; op is OP_ADD or OP_SUBTRACT. EXPR_REGEX, EXPR_IN: see negated */
	bool postfix;
	bool negated; /* EXPR_REGEX: "!~" */
	struct expr *left, *right; /* binary kinds; EXPR_ASSIGN: target and value; EXPR_INDEX, EXPR_IN: left = array */
	struct expr
		*operand; /* unary kinds, EXPR_STATISTIC/HISTOGRAM (the aggregate), EXPR_DEFINED, @cast, EXPR_LOAD */
	struct expr *condition; /* EXPR_CONDITIONAL: condition ? left : right */
	GPtrArray *arguments; /* of struct expr *: calls, keys, print arguments, histogram bounds, variance shift */

	/* EXPR_PRINT */
	const char *print_name; /* as written: "printf", "sprintd"… */
	enum print_destination destination;
	bool print_newline; /* …ln */
	bool print_delimited; /* printd, printdln: arguments[0] is the delimiter */
	bool print_character; /* print_char */
	bool print_formatted; /* printf, sprintf */
	GPtrArray *format; /* of struct format_part * */
	const char *fault_text; /* sprintf: its value when memory of its arguments cannot be read; NULL: an error */

	/* EXPR_TARGET */
	enum target_kind target;
	bool address_of; /* &$x->y */
	const char *type_name; /* @cast's type; @enumname's */
	const char *module; /* @cast's and @var's module, or NULL; the name of `object` */
	GPtrArray *components; /* of struct component * */

	/* sema: */
	/* the epoch (translation.type_epoch) in which types.c inferred it, by the required type; 0: never */
	unsigned int settled_at[TYPE_COUNT_];
	bool is_of_translator; /* EXPR_SYMBOL, EXPR_CALL: added by the translator; resolved as in the library */
	struct symbol *symbol; /* EXPR_SYMBOL: the declaration */
	struct function_declaration *function; /* EXPR_CALL: the callee, the first of `overloads` */
	GPtrArray *overloads; /* EXPR_CALL: of struct function_declaration *: tried in turn while they execute "next" */
	const struct compiled_regex *regex; /* EXPR_REGEX */
	int size; /* EXPR_LOAD: bytes; bit-fields are shifted and masked by ordinary operators around the load */
	/*
	 * EXPR_STORE, and the value of a bit-field in memory: the bits of the loaded unit, counted from its lowest.
	 * Size 0 means all bits.
	 */
	int bit_offset, bit_size;
	bool is_signed;
	bool user_space; /* EXPR_LOAD from user memory */
	GPtrArray *
		/* EXPR_EMBEDDED: of struct embedded_use *: the globals in its pragmas; or NULL */
		embedded_globals;
	struct debuginfo *object; /* EXPR_ADDRESS, EXPR_THREAD_POINTER: the object that contains it */
	/* EXPR_ADDRESS, EXPR_THREAD_POINTER: `object` is the program or library in which the probe is */
	bool in_own_object;
	struct call_recorder *recorder; /* EXPR_ENTRY_REGISTER, EXPR_ENTRY_KNOWN */
	struct type *c_type; /* the C type of a $variable's value, for pretty-printing and autocast; may be NULL */
};

enum statement_kind {
	STATEMENT_EMPTY,
	STATEMENT_EXPR,
	STATEMENT_BLOCK,
	STATEMENT_IF,
	STATEMENT_WHILE,
	STATEMENT_FOR,
	STATEMENT_FOREACH,
	STATEMENT_RETURN,
	STATEMENT_NEXT,
	STATEMENT_BREAK,
	STATEMENT_CONTINUE,
	STATEMENT_DELETE,
	STATEMENT_TRY,
	STATEMENT_EMBEDDED, /* %{ C code %} as a statement or a whole function body */
	STATEMENT_KIND_COUNT_
};

enum sort_direction { SORT_NONE = 0, SORT_ASCENDING = 1, SORT_DESCENDING = -1 };

struct statement {
	enum statement_kind kind;
	struct location location;
	struct expr *expr; /* expression, condition, return value (or NULL), thing to delete */
	struct statement *body; /* IF then, loops, TRY body */
	struct statement *otherwise; /* IF else, TRY handler */
	GPtrArray *statements; /* BLOCK: of struct statement * */
	struct expr *init, *update; /* FOR; may be NULL */

	/* FOREACH: foreach (value = [keys] in array[slice] sort limit n) */
	GPtrArray *keys; /* of struct expr * (EXPR_SYMBOL) */
	struct expr *value; /* EXPR_SYMBOL or NULL */
	struct expr *array; /* EXPR_SYMBOL, or EXPR_HISTOGRAM to iterate over its buckets */
	GPtrArray *slice; /* of struct expr *, EXPR_WILDCARD for "*"; NULL: none */
	int sort_column; /* 0: the value, 1…: that key; only meaningful with sort_direction */
	enum sort_direction sort_direction;
	const char *sort_statistic; /* "count", "sum", "min", "max", "avg" as in `in arr @count-`, or NULL */
	struct expr *limit; /* or NULL */
	/* A loop that the translator made. Its body changes only the current element of the array. */
	bool changes_element;
	bool sorts_ties_by_key; /* elements of equal rank are in the order of their keys */
	int walk; /* sema: maximal number of enclosing loops over the same array, also in callers */

	const char *code; /* EMBEDDED: text between %{ and %} */
	GPtrArray *embedded_globals; /* sema: EMBEDDED: of struct embedded_use *: the globals in its pragmas; or NULL */
	struct expr *catch_variable; /* TRY: EXPR_SYMBOL or NULL */
};

/* sema: the C pointer type of a variable or a function's result, inferred from assignments and returns. */
struct pointer_note {
	struct type *type; /* NULL: not known */
	struct type *other; /* a different type from another assignment, or NULL */
	bool used; /* it was dereferenced */
};

/* sema: facts about a text that may be a stack; all zero if it is not a stack */
struct stack_text {
	bool is_kernel, is_user; /* both: one after the other */
	bool is_addresses; /* as from backtrace(): addresses, separated by spaces */
	bool is_symbols; /* as from sprint_backtrace(): a frame per line */
	/* The possible kinds of the innermost address in the kernel: an instruction, or the address after a call. */
	bool begins_at, begins_after;
};

static inline bool is_stack_text(const struct stack_text *text)
{
	return text->is_kernel || text->is_user;
}

/* A variable: global, local of a handler or function, or parameter. */
struct symbol {
	const char *name; /* as written */
	const char *unique_name; /* sema: name in the generated C */
	struct location location; /* declaration, or first use of a local */
	enum value_type type;
	struct location type_location; /* sema: where the type was inferred */
	enum value_type key_types[32]; /* sema: of an array */
	struct location key_locations[32]; /* sema */
	int arity; /* number of keys; 0 scalar, -1 not known yet */

	/* globals */
	bool is_global;
	bool is_private;
	bool wraps; /* declared with % */
	int walks; /* sema: arrays: nesting depth of the foreach loops over it */
	int64_t declared_size; /* [size] or 0 */
	bool is_aggregation; /* an array of an aggregation in D */
	struct expr *initializer; /* literal or NULL */
	const char *unit, *show; /* of comments at the declaration (annotations.h); or NULL */
	struct stack_text stack_keys[32]; /* sema: of an array: the keys that are stacks */
	const char *key_names[32]; /* sema: of an array: what the keys are called in reports; NULL: unknown */
	/* locals */
	bool is_parameter;
	bool is_helper; /* sema: internal to the library (sema/scope.h) */
	/* pass 3: a number that is stored in the frame; a string in it whose address is hidden from the compiler */
	bool in_frame, is_opaque;

	/* sema: the first @hist_… and @variance of an aggregate, which decide what it stores; or NULL */
	const struct expr *histogram, *variance;
	bool arms_probes; /* pass 3: globals: a condition that arms and disarms probes depends on it */
	bool in_embedded_c; /* sema: globals: embedded C accesses it by STAP_GLOBAL_GET_ or _SET_ */
	struct pointer_note pointer; /* sema: globals and parameters */
	/* sema: some assigned value is a char pointer; bit mask of keys of an array that are char pointers */
	bool holds_text;
	uint32_t text_keys;
	/* sema: use counts over live code */
	unsigned int reads, writes;
	void *sema_data; /* lock plan and other per-pass notes */
};

enum { MAX_KEYS = 32 };

struct function_declaration {
	const char *name;
	const char *unique_name; /* sema */
	struct location location;
	enum value_type type; /* declared (function f:long) or inferred; TYPE_UNKNOWN if it returns nothing */
	bool type_declared;
	struct location type_location; /* sema */
	bool is_private;
	bool has_priority;
	int64_t priority; /* function f(x):1 */
	GPtrArray *parameters; /* of struct symbol *; .type set where declared (a:string) */
	GPtrArray *locals; /* sema: of struct symbol * */
	struct statement *body; /* STATEMENT_EMBEDDED for embedded C functions */
	bool is_embedded;
	const struct script *script; /* the file it is from */
	bool returns_value; /* sema: some return has a value */
	bool live; /* sema: reachable from a probe */
	bool lowered; /* sema: $variables and @cast in it are loads */
	/* sema: functions that use $variables, @entry or registers of the calling probe (specialize.c) */
	bool depth_known, context_known, needs_context, used_in_context;
	GPtrArray *copies; /* of struct function_declaration *: one for each probe that calls it; or NULL */
	struct derived_probe *context_probe; /* of a copy: the probe; else NULL */
	const char *context_text; /* of a copy that probes can share: the text of its body */
	struct pointer_note pointer; /* sema: of its result */
	void *sema_data;
};

/* One "name" or "name(argument)" of a probe point; name may hold glob characters. */
struct probe_component {
	const char *name;
	struct location location;
	struct expr *argument; /* EXPR_NUMBER or EXPR_STRING, or NULL */
};

struct probe_point {
	struct location location;
	GPtrArray *components; /* of struct probe_component * */
	bool optional; /* "?" */
	bool sufficient; /* "!" : stop at the first that resolves */
	struct expr *condition; /* if (…) or NULL */
	/* The parser expands "prefix.{a, b?}" to several points. */
};

struct probe {
	struct location location; /* of "probe" */
	GPtrArray *points; /* of struct probe_point * */
	struct statement *body;
	bool is_private;
	const struct script *script;
};

/* probe name.component = points { prologue }  /  += points { epilogue }  /  = points { p }, { e } */
struct alias {
	struct location location;
	GPtrArray *names; /* of struct probe_point *: usually one */
	GPtrArray *points; /* of struct probe_point * */
	struct statement *prologue; /* runs before the user's handler, or NULL */
	struct statement *epilogue; /* runs after it, or NULL */
	bool is_private;
	const struct script *script;
};

/* One parsed file. */
struct script {
	const struct source_file *file;
	GPtrArray *probes; /* of struct probe * */
	GPtrArray *aliases; /* of struct alias * */
	GPtrArray *globals; /* of struct symbol * */
	GPtrArray *functions; /* of struct function_declaration * */
	GPtrArray *embeds; /* of struct statement * (STATEMENT_EMBEDDED): top-level %{ %} */
	bool privileged; /* embedded C allowed: -g or a tapset */
	bool probes_derived; /* sema: a library script that is used: its probes run too */
};

/** Return the component of a point with this name, or NULL. */
const struct probe_component *point_component(const struct probe_point *point, const char *name);

/** Return the text of a point as a user writes it ("timer.s(1)"), with its condition and "?" or "!" if requested. */
const char *probe_point_text(struct arena *arena, const struct probe_point *point, bool with_flags);

/** Make a node with the place set. */
struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct location *location);
struct statement *statement_new(struct arena *arena, enum statement_kind kind, const struct location *location);

/** Copy deeply. Fields that pass 2 has bound, such as symbols, are shared. */
struct expr *expr_copy(struct arena *arena, const struct expr *expr);
struct statement *statement_copy(struct arena *arena, const struct statement *statement);
struct probe_point *probe_point_copy(struct arena *arena, const struct probe_point *point);

/**
 * Visit @p *expr and all its sub-expressions, children before parents. @p visit may replace the node by storing to the
 * pointer; the children of the replacement are not visited. Component indexes and arguments are included.
 */
typedef void (*expr_visitor)(struct expr **expr, void *data);
void expr_walk(struct expr **expr, expr_visitor visit, void *data);
/** Call @p visit for each direct sub-expression, in the order of evaluation. */
void expr_visit_children(struct expr *expr, expr_visitor visit, void *data);
/** Walk all expressions below a statement in evaluation order, with expr_walk semantics. */
void statement_walk(struct statement *statement, expr_visitor visit, void *data);

typedef void (*statement_visitor)(struct statement *statement, void *data);
/** Visit a statement and all statements below it, parents first. */
void statement_visit(struct statement *statement, statement_visitor visit, void *data);

#endif
