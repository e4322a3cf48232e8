/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the lowering of D share. A clause is lowered once for each place where it runs, because types of
 * args[] differ. A variable gets its type from its declaration or its first assignment, in the order of the program.
 */
#ifndef SPILE_DLANG_LOWER_H
#define SPILE_DLANG_LOWER_H

#include "translator/dlang/dlang.h"
#include "translator/dlang/types.h"
#include "translator/lowering/lowering.h"
#include "translator/sema/builder.h"

/* ---- the program ------------------------------------------------------------------------------------------------- */

struct d_variable {
	enum d_scope scope;
	const char *name;
	const char *symbol; /* its name in the tree */
	struct type *type; /* of the value; of an array, of its elements */
	enum memory_space memory; /* if it is a pointer: where it points to */
	GPtrArray *keys; /* of struct type *: of an associative array or array; or NULL */
	uint64_t count; /* elements of an array; 0: associative, or a scalar */
	bool is_default; /* read before any assignment */
	bool in_memory; /* a struct, or operand of "&": has a place of `type->size` bytes (tapset/dlang_memory.stp) */
	uint64_t offset; /* of that place, if the variable is no array and not thread-local */
};

enum d_function {
	D_COUNT,
	D_SUM,
	D_AVG,
	D_MIN,
	D_MAX,
	D_STDDEV,
	D_QUANTIZE,
	D_LQUANTIZE,
	D_LLQUANTIZE,
	D_FUNCTION_COUNT_
};

struct d_aggregation {
	const char *name; /* without "@" */
	const char *symbol, *buckets; /* names in the tree; buckets: NULL if the function has none */
	const char *printed, *divisor; /* names of scalars: was it printed? the argument of normalize(), or 0 */
	const char *cleared, *shown; /* names of arrays of keys, or NULL; see fill_cleared() */
	enum d_function function;
	bool is_used; /* some clause adds to it */
	bool is_signed;
	struct type *value_type;
	GPtrArray *keys; /* of struct type *; an aggregation without keys has the key 0 in the tree */
	int64_t parameters[4]; /* lquantize: low, high, step; llquantize: factor, low, high, steps; equal in all uses */
	struct location location;
};

struct d_provider;

/*
 * A place of a probe of D, and what clauses do there. Several places with the same name are one probe, as those of
 * lockstat; the first of them stands for it.
 */
struct d_place {
	struct derived_probe *derived;
	const struct d_provider *provider;
	const char *parts[D_PART_COUNT_];
	struct d_place *first; /* may be the place itself */
	/* In the first place: the clause that was lowered last at the probe, and its number there. */
	const struct d_clause *last_clause;
	unsigned int last_enabling;
	unsigned int id;
	bool is_return;
	struct statement *body; /* a block: the clauses so far */
};

struct d_translation {
	struct translation *t;
	struct arena *arena;
	struct d_program *program;
	struct d_options options;
	d_option_setter *set_option;
	struct script *script; /* the result */
	GHashTable *variables[D_SCOPE_COUNT_]; /* name -> struct d_variable * */
	GHashTable *aggregations; /* name -> struct d_aggregation * */
	GPtrArray *aggregation_list; /* … in the order of their first use */
	GHashTable *types; /* "struct name", typedef name -> struct type * */
	GHashTable *definitions; /* "struct name" -> struct d_written_type *: where the program defines it */
	GHashTable *enumerators; /* name -> struct expr * (EXPR_NUMBER) */
	GHashTable *places; /* key -> struct d_place * */
	GHashTable *first_places; /* name of the probe -> struct d_place * */
	GPtrArray *place_list; /* of struct d_place *, in the order of their ids */
	GHashTable *globals; /* names of symbols that the script declares already */
	GPtrArray *error_clauses; /* of struct d_clause *: those of ERROR */
	GHashTable *matched; /* struct source_file * -> number of probes, summed over clauses */
	GHashTable *uses; /* struct source_file * -> struct d_use *: of its clauses */
	bool uses_own_pid; /* $pid */
	unsigned int other_places; /* those whose ids are numbered */
	unsigned int enablings; /* pairs of a clause and a place so far */
	bool has_speculations;
	unsigned int error_enabling; /* the number of the last ERROR clause */
	uint64_t static_used, frame_used; /* bytes of global and clause-local structs */
};

/* ---- one clause at one place ------------------------------------------------------------------------------------- */

struct d_lowering {
	struct d_translation *d;
	unsigned int enabling; /* the number of this clause at this place, for error messages */
	/* What the clause has done so far; see order.c. */
	bool speculates, commits, has_recorded;
	struct translation *t;
	struct arena *arena;
	struct d_place *place;
	const struct d_clause *clause;
	struct statement *block; /* receives statements */
	unsigned int temporaries;
	int64_t action; /* the number of the statement */
	const char *unknown_type_tag; /* of an error about a type that is not known, or NULL */
	const char *constant_tag; /* of an error if an expression is not constant, or NULL */
	bool uses_scratch; /* calls alloca() or similar */
	bool failed; /* an error has been reported */
	bool in_error; /* an ERROR clause */
	/* while a translator or inline is expanded: its input or parameters */
	const struct d_binding *bindings;
	guint binding_count;
	const struct d_expansion *expansion;
	unsigned int expansions; /* in this clause */
};

/* One inline, or one member of a translator, that is being expanded. */
struct d_expansion {
	const struct d_node *value;
	const struct d_expansion *outer;
};

/* The result of an expression. */
struct d_value {
	struct type *type;
	enum memory_space memory; /* a pointer: where it points to */
	struct expr *expr; /* the value: a number, or for a string its text; NULL: read it from `place` */
	struct typed_value place; /* of a value in memory */
	const struct d_variable *variable; /* assignable: expr reads it */
	const struct member *bit_field; /* of the struct at place.address; expr reads it */
	bool is_void; /* a call without a value */
	/* the output of a translator, whose members are expressions of its input; else NULL (declarations.c) */
	const struct d_translator *translator;
	const struct d_value *input;
};

/* The input of a translator or the parameter of an inline. */
struct d_binding {
	const char *name;
	struct d_value value;
};

/** Report an error at a node, with a tag; return false. */
bool d_fail(struct d_lowering *l, const struct location *at, const char *tag, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* lower.c */
/** Lower a clause at a place and append the result to the place's body. */
void d_lower_clause(struct d_translation *d, const struct d_clause *clause, struct d_place *place);
/** Lower a clause of dtrace:::ERROR for an error at a place, whose names are those of ERROR. */
void d_lower_error_clause(struct d_translation *d, const struct d_clause *clause, struct d_place *place);
/** Append a statement. */
void d_emit(struct d_lowering *l, struct statement *statement);
void d_emit_expr(struct d_lowering *l, struct expr *expr);
/** Build "if (condition) body". */
struct statement *d_if(struct d_lowering *l, struct expr *condition, struct statement *body);

/* lower_expression.c */
bool d_lower(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
/** Lower the value of an inline or of a translator's member @p name, in which only the @p bindings are known. */
bool d_expand(struct d_lowering *l, const struct location *at, const char *name, const struct d_node *value,
	      const struct d_binding *bindings, guint count, struct d_value *ret);
/** Return the scope of a variable: node is a D_NAME, D_SELF or D_THIS. */
enum d_scope d_scope_of(const struct d_node *node);
/** Lower to a number; a pointer gives its address. */
struct expr *d_lower_number(struct d_lowering *l, const struct d_node *node, struct type **type);
/** Lower to a string: a string, an array of characters or a pointer to characters. */
struct expr *d_lower_string(struct d_lowering *l, const struct d_node *node);
/** Read a value as a number or, if its type is a string, as a text. Return NULL after a diagnostic. */
struct expr *d_read(struct d_lowering *l, const struct location *at, const struct d_value *value);
struct expr *d_read_string(struct d_lowering *l, const struct location *at, const struct d_value *value);
/** Lower a condition to a number that is 0 or not. */
struct expr *d_lower_condition(struct d_lowering *l, const struct d_node *node);
/** Convert a number of type @p from to an integer or pointer type. */
struct expr *d_convert(struct d_lowering *l, struct expr *value, const struct type *from, const struct type *to);
/** Is it, at the place @p at, the name of a variable, built-in or of the program, or of an inline? */
bool d_is_variable_name(struct d_lowering *l, const struct location *at, const char *name);
/** Is it the name of a variable of D itself? */
bool d_is_built_in_name(const char *name);
/** Is it a place of the program, and not of the library? */
bool d_is_of_user(const struct d_lowering *l, const struct location *at);
/** Evaluate a constant; false after a diagnostic. */
bool d_constant_value(struct d_lowering *l, const struct d_node *node, int64_t *ret);
void d_number_value(struct d_value *ret, struct type *type, struct expr *expr);
/** Find a member of a struct in memory or of a translator's output. */
bool d_member(struct d_lowering *l, const struct location *at, const struct d_value *outer, const char *name,
	      struct d_value *ret);

/** The same with another tag of errors. */
bool d_constant_value_as(struct d_lowering *l, const struct d_node *node, const char *tag, int64_t *ret);

/* declarations.c */
/** Return the type as written; NULL after a diagnostic. */
struct type *d_resolve_type(struct d_lowering *l, const struct d_written_type *written);
/** Declare everything of the program: types, variables, inlines. */
bool d_declare_all(struct d_lowering *l);
/** Lower xlate <type>(expression). */
bool d_translate(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
/** Return whether two types are the same struct or union, or pointers to such. */
bool d_same_type(const struct type *a, const struct type *b);
/** Set @p ret to the output of the program's translator from a value to @p output; false after a diagnostic. */
bool d_translate_value(struct d_lowering *l, const struct location *at, struct type *output,
		       const struct d_value *value, struct d_value *ret);
/** Lower a member of a translator's output. */
bool d_translated_member(struct d_lowering *l, const struct d_node *node, const struct d_value *outer,
			 struct d_value *ret);

/* memory.c */
/** Set @p ret to the place of a variable that is a struct. */
void d_memory_variable(struct d_lowering *l, const struct location *at, const struct d_variable *variable,
		       const GPtrArray *keys, struct d_value *ret);
/** Does a variable of this type need memory because the program takes its address? */
bool d_is_addressed(const struct d_translation *d, enum d_scope scope, const char *name, const struct type *type);
/** Give a variable its place in memory. */
bool d_place_variable(struct d_translation *d, struct d_variable *variable);
/** Lower the assignment to a value in memory of the program. */
bool d_store(struct d_lowering *l, const struct d_node *node, const struct d_value *to, const struct d_value *value,
	     struct d_value *ret);
/** alloca, bcopy, copyin, copyinto, copyout, copyoutstr */
bool d_alloca(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
bool d_bcopy(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
bool d_copyin(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
bool d_copyinto(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
bool d_copyout(struct d_lowering *l, const struct d_node *node, struct d_value *ret);

/* variables.c */
struct d_variable *d_find_variable(struct d_translation *d, enum d_scope scope, const char *name);
struct d_variable *d_new_variable(struct d_translation *d, enum d_scope scope, const char *name, struct type *type,
				  GPtrArray *keys, const struct location *at);
/** Return the expression of a variable, with the keys given. */
struct expr *d_variable_expr(struct d_lowering *l, const struct location *at, const struct d_variable *variable,
			     const GPtrArray *keys);
/** Lower the name of a built-in variable. Return false without a diagnostic if no such variable exists. */
bool d_built_in(struct d_lowering *l, const struct d_node *node, struct d_value *ret, bool *good);
/** Lower args[index]. */
bool d_typed_argument(struct d_lowering *l, const struct d_node *node, int64_t index, struct d_value *ret);
/** Return a pointer to a struct of the kernel; NULL after a diagnostic. */
struct type *d_struct_pointer(struct d_lowering *l, const char *name);
/** Lower fds[number], a fileinfo_t. */
bool d_file_of_number(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
/** Lower uregs[index]. */
bool d_user_register(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
/** Return a variable of the tree: a global, or a local of the handler. */
struct expr *d_symbol_expr(struct d_lowering *l, const struct location *at, const char *name, enum value_type type);
/** May evaluating an expression twice differ from once? */
bool d_has_effects(struct expr *e);
/**
 * Return the second use of a value that is assigned to, so that its keys and its address are evaluated once: the first
 * use, @p target, keeps them in locals of the handler.
 */
struct d_value d_second_use(struct d_lowering *l, struct d_value *target);
/** Let stacks of so many frames be recorded, or as many as the runtime can, and fit into a string. */
void d_need_frames(struct d_lowering *l, int64_t frames);
/** Append the names of built-in variables. */
void d_built_in_names(GPtrArray *names);
/** Declare a global of the tree. Arrays have an arity. Return NULL if that was done before. */
struct symbol *d_declare_global(struct d_translation *d, const char *symbol, enum value_type type,
				const enum value_type *keys, int arity, const struct location *at);
/** Take back the declaration that was made last, if it is of this symbol. */
void d_undeclare_global(struct d_translation *d, const char *symbol);

/* order.c */
/** Check that a statement may follow those before it in the clause, and note it. */
bool d_check_order(struct d_lowering *l, const struct d_node *node);

/* subroutines.c */
/** Check the number of arguments of a call. */
bool d_check_count(struct d_lowering *l, const struct d_node *node, guint fewest, guint most);
/** Lower an argument that must be a number or an address. Return NULL after a diagnostic. */
struct expr *d_lower_argument(struct d_lowering *l, const struct d_node *call, guint index, struct type **type);
/** Is it the name of a subroutine, action or aggregating function? */
bool d_is_call_name(const char *name);
/** Does the call change the system, so that it needs -w? */
bool d_is_destructive(const char *name);
bool d_call(struct d_lowering *l, const struct d_node *node, struct d_value *ret);
/** Does the statement record data, so that a line is printed for its clause? */
bool d_records(const struct d_node *node);
/** Lower an action, a call that is a statement. */
bool d_action(struct d_lowering *l, const struct d_node *node, bool *is_action);

/* print.c */
/* A printf under construction. */
struct d_print {
	struct d_lowering *l;
	const struct location *at;
	GPtrArray *format, *arguments;
};

void d_print_begin(struct d_print *p, struct d_lowering *l, const struct location *at);
void d_print_text(struct d_print *p, const char *text);
/** Append a conversion with a width (0: none), left-aligned if negative. */
void d_print_value(struct d_print *p, enum format_kind kind, int width, struct expr *value);
struct statement *d_print_statement(struct d_print *p);
/** Append the statement. */
void d_print_end(struct d_print *p);
bool d_trace(struct d_lowering *l, const struct d_node *node);
bool d_printf(struct d_lowering *l, const struct d_node *node);
/** Lower print(), in print_value.c. */
bool d_print_value_action(struct d_lowering *l, const struct d_node *node);
/** Print the beginning of a record: CPU, ID and name, or the indentation. */
void d_print_head(struct d_lowering *l, const struct location *at);
void d_print_tail(struct d_lowering *l, const struct location *at);
/** Append a key of an aggregation in its default form. */
void d_print_key(struct d_print *p, const struct type *type, struct expr *key);
/**
 * Print by a format. @p next returns the value for a conversion: its expression and type; @p data is passed to it.
 */
enum d_next { D_NEXT_VALUE, D_NEXT_WIDTH, D_NEXT_AGGREGATION };
typedef bool d_next_value(struct d_lowering *l, const struct location *at, enum d_next kind, struct expr **expr,
			  struct type **type, void *data);
bool d_print_format(struct d_lowering *l, const struct d_node *format, d_next_value *next, void *data);
/** A type that marks a key that is a stack, or an address to be shown as a symbol. */
struct type *d_stack_type(bool is_user);
struct type *d_symbol_type(bool is_user, char kind);
bool d_is_stack(const struct type *type);

/* template.c */
/** Parse statements of the SystemTap language. The text is of this front end: an error in it is a bug. */
struct statement *d_template(struct d_translation *d, const struct location *at, const char *text);
/** Parse a script of the SystemTap language. Return NULL after a diagnostic. */
struct script *d_template_script(struct d_translation *d, const char *text);
/** Return the first empty block in a template, which the caller fills. */
struct statement *d_template_hole(struct statement *statement);

/* aggregations.c */
/** Is it the name of an aggregating function? */
bool d_aggregates(const char *name);
/** Lower "@name[keys] = function(…)". */
bool d_aggregate(struct d_lowering *l, const struct d_node *assignment);
bool d_printa(struct d_lowering *l, const struct d_node *node);
/** trunc, clear, normalize, denormalize: return false for other calls. */
bool d_aggregation_action(struct d_lowering *l, const struct d_node *node, bool *good);
/** Is it the only element of an aggregation without keys? */
bool d_is_keyless_aggregation(const struct d_translation *d, const struct expr *element);
/** Print the aggregations that no printa() has printed. */
void d_print_remaining(struct d_lowering *l);
/** Report the elements that found their array full. */
void d_report_drops(struct d_lowering *l, const struct location *at);

/* providers.c */
enum { D_MOST_ARGUMENTS = 32 /* elements of args[] */ };

struct d_provider {
	const char *name;
	/** Append the points (struct d_point *) that a description names. */
	void (*points)(struct d_translation *d, const struct d_provider *provider,
		       const struct d_description *description, GPtrArray *ret);
	/** Lower argument @p index as an int64_t: argN. NULL: the provider has none. */
	struct expr *(*argument)(struct d_lowering *l, const struct location *at, unsigned int index);
	/** Lower args[index]; NULL: the provider has none. */
	bool (*typed)(struct d_lowering *l, const struct location *at, unsigned int index, struct d_value *ret);
	/** Return the name of the type of args[index]; NULL if it has none. Without this function, typed() tells it. */
	const char *(*type_name)(const struct d_place *place, unsigned int index);
};

/* A point that a description names. */
struct d_point {
	const char *text; /* in the SystemTap language */
	const struct d_provider *provider;
	const char *parts[D_PART_COUNT_]; /* a function that is NULL is known only at the hit */
	bool is_return;
	bool is_of_all; /* one point for all system calls */
	int system_call; /* number of its row, or 0 */
	const char *guard; /* a condition in the SystemTap language under which the probe exists, or NULL */
	/* The derived probe tells the module and function, or the name of the probe. */
	bool names_function, names_probe;
	bool names_mark; /* of a program: the name of the mark and of the function around it */
	const char *wanted_function; /* of a mark */
	uint64_t offset; /* from the start of the function, in bytes */
};

enum { D_FIRST_ID = 4 /* after those of BEGIN, END and ERROR */ };

/** Return the number of system calls of the kernel. */
unsigned int d_syscall_count(const struct d_translation *d);

/** Return the process of "pid1234"; 0 for other names. */
int64_t d_pid_of(const char *provider);
/** Return the name of a provider for messages: "pid$target" if the process does not exist yet. */
const char *d_shown_provider(struct arena *arena, const char *name);
/** Return the name of the place's provider, with the process that it has when the program runs. */
struct expr *d_provider_name(struct d_lowering *l, const struct location *at);
/** Does a part of a description match a name? An empty part matches all names. */
bool d_part_matches(const char *part, const char *name);
/** Return why a provider of DTrace is missing; NULL for other names. */
const char *d_missing_provider(const char *name);
/** Append the points (struct d_point *) of a description. */
void d_find_points(struct d_translation *d, const struct d_description *description, GPtrArray *ret);

#endif
