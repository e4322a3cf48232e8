// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random programs for differential tests of values (testsuite/suites/values.sh). A program has functions with random
 * signatures. It prints the values that it passes, returns and assigns, in the order in which this happens. The script
 * prints the same from probes, "?" for what the compiler has not described. Any other difference is a fault.
 *
 *     make-program C|C++ SEED PROGRAM.c SCRIPT.stp
 *
 * The program is the same for each compiler and option, so that a difference shows what a compiler did.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 14, MOST_PARAMETERS = 8, MOST_MEMBERS = 5, TYPES = 7, RECURSION = 3 };

enum kind {
	KIND_INTEGER,
	KIND_CHARACTER,
	KIND_POINTER,
	KIND_OPAQUE, /* it takes registers and memory, but scripts cannot read it */
	KIND_ARRAY, /* of integers; only a member */
	KIND_AGGREGATE,
};

struct type {
	enum kind kind;
	const char *name; /* precedes a declared name */
	int bits; /* of an integer, or of a bit-field if it is one */
	int count; /* of an array */
	bool is_union;
	bool has_constructors; /* in C++: such a class is passed and returned by its address */
	GPtrArray *members; /* of struct member */
};

struct member {
	char *name; /* "" in an anonymous union */
	const struct type *type;
	int bits; /* of a bit-field; 0: none */
};

static const struct type scalars[] = {
	{KIND_INTEGER, "signed char", 8}, {KIND_INTEGER, "unsigned char", 8},
	{KIND_INTEGER, "short", 16},	  {KIND_INTEGER, "unsigned short", 16},
	{KIND_INTEGER, "int", 32},	  {KIND_INTEGER, "unsigned", 32},
	{KIND_INTEGER, "long", 32},	  {KIND_INTEGER, "unsigned long", 32},
	{KIND_INTEGER, "long long", 64},  {KIND_INTEGER, "unsigned long long", 64},
	{KIND_INTEGER, "bool", 1},	  {KIND_INTEGER, "enum choice", 2},
	{KIND_CHARACTER, "char", 8},	  {KIND_POINTER, "void *", 64},
	{KIND_OPAQUE, "float"},		  {KIND_OPAQUE, "double"},
	{KIND_OPAQUE, "long double"},	  {KIND_OPAQUE, "wide"},
	{KIND_OPAQUE, "vector"},
};

struct parameter {
	char name[8];
	const struct type *type;
	bool is_pointer, is_reference;
};

struct function {
	int number;
	struct parameter parameters[MOST_PARAMETERS];
	int count;
	const struct type *result; /* NULL: none */
	bool is_variadic, is_recursive, is_inlined, is_static, is_method;
	int abi; /* 0: the usual one */
	int line; /* of HERE; 0: none */
};

struct maker {
	GRand *random;
	bool cxx;
	GString *program, *script, *run; /* run: the body of run() */
	struct type types[TYPES];
	struct function functions[FUNCTIONS];
};

static int pick(struct maker *m, int count)
{
	return g_rand_int_range(m->random, 0, count);
}

static bool chance(struct maker *m, int one_in)
{
	return pick(m, one_in) == 0;
}

static void __attribute__((format(printf, 2, 3))) put(GString *out, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	g_string_append_vprintf(out, format, values);
	va_end(values);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static const struct type *pick_scalar(struct maker *m)
{
	return &scalars[pick(m, G_N_ELEMENTS(scalars))];
}

/* Choose a scalar or one of the first @p count aggregates. */
static const struct type *pick_type(struct maker *m, int count)
{
	return count && chance(m, 3) ? &m->types[pick(m, count)] : pick_scalar(m);
}

static const struct type *new_array(struct maker *m)
{
	struct type *array = g_new0(struct type, 1);

	*array = scalars[pick(m, 10)];
	array->kind = KIND_ARRAY;
	array->count = 1 + pick(m, 4);
	return array;
}

/*
 * Can it not be in a union? A bool that shares its place with other members could get a value other than 0 and 1. A
 * member with constructors would require constructors of the union.
 */
static bool stays_out_of_unions(const struct type *type)
{
	for (guint i = 0; type->kind == KIND_AGGREGATE && i < type->members->len; i++)
		if (stays_out_of_unions(((const struct member *)type->members->pdata[i])->type))
			return true;
	return type->has_constructors || (type->kind == KIND_INTEGER && type->bits == 1);
}

static void add_member(struct maker *m, struct type *type, int number, int aggregates)
{
	struct member *member = g_new0(struct member, 1);

	member->name = g_strdup_printf("m%d", number);
	member->type = chance(m, 5) ? new_array(m) : pick_type(m, aggregates);
	if (type->is_union && stays_out_of_unions(member->type))
		member->type = &scalars[0];
	if (member->type->kind == KIND_INTEGER && member->type->bits >= 8 && chance(m, 3))
		member->bits = 1 + pick(m, member->type->bits);
	g_ptr_array_add(type->members, member);
}

static void declare_member(GString *out, const struct member *member)
{
	put(out, "\t%s %s", member->type->name, member->name);
	if (member->bits)
		put(out, " : %d", member->bits);
	if (member->type->kind == KIND_ARRAY)
		put(out, "[%d]", member->type->count);
	put(out, ";\n");
}

static void make_type(struct maker *m, int number)
{
	struct type *type = &m->types[number];
	bool packed = chance(m, 5);

	type->kind = KIND_AGGREGATE;
	type->is_union = chance(m, 6);
	type->name = g_strdup_printf("%s t%d", type->is_union ? "union" : "struct", number);
	type->members = g_ptr_array_new();
	for (int i = 0, count = 1 + pick(m, MOST_MEMBERS); i < count; i++)
		add_member(m, type, i, number);
	put(m->program, "%s {\n", type->name);
	for (guint i = 0; i < type->members->len; i++)
		declare_member(m->program, type->members->pdata[i]);
	if (m->cxx && !type->is_union && chance(m, 4)) {
		type->has_constructors = true;
		put(m->program, "\tt%d() {}\n", number);
		put(m->program, "\tt%d(const t%d &other) { memcpy(this, &other, sizeof(*this)); }\n", number, number);
	}
	put(m->program, "}%s;\n", packed ? " __attribute__((packed))" : "");
}

/* ---- leaves: the scalars in a value ------------------------------------------------------------------------------ */

/* Print one leaf: in C it is @p c, in a script "$" and @p script, and in the output @p path. */
typedef void leaf_function(struct maker *m, GString *out, const char *c, const char *script, const char *path,
			   const struct type *type, int bits);

static void for_each_leaf(struct maker *m, GString *out, const char *c, const char *script, const char *path,
			  const struct type *type, int bits, leaf_function *visit)
{
	if (type->kind == KIND_ARRAY) {
		for (int i = 0; i < type->count; i++) {
			g_autofree char *index = g_strdup_printf("[%d]", i);
			g_autofree char *in_c = g_strconcat(c, index, NULL);
			g_autofree char *in_script = g_strconcat(script, index, NULL);
			g_autofree char *in_path = g_strconcat(path, index, NULL);

			visit(m, out, in_c, in_script, in_path, type, 0);
		}
	} else if (type->kind == KIND_AGGREGATE) {
		for (guint i = 0; i < type->members->len; i++) {
			const struct member *member = type->members->pdata[i];
			g_autofree char *in_c = g_strconcat(c, ".", member->name, NULL);
			g_autofree char *in_script = g_strconcat(script, "->", member->name, NULL);
			g_autofree char *in_path = g_strconcat(path, ".", member->name, NULL);

			for_each_leaf(m, out, in_c, in_script, in_path, member->type, member->bits, visit);
		}
	} else {
		visit(m, out, c, script, path, type, bits);
	}
}

/* Print the leaf in the program; an integer as a script shows it, extended to 64 bits. */
static void print_leaf(struct maker *m, GString *out, const char *c, const char *script, const char *path,
		       const struct type *type, int bits)
{
	if (type->kind == KIND_POINTER)
		put(out, "\tprint_value(\" %s=\", (size_type)%s);\n", path, c);
	else if (type->kind != KIND_OPAQUE)
		put(out, "\tprint_value(\" %s=\", (number)(long long)%s);\n", path, c);
}

static void probe_leaf(struct maker *m, GString *out, const char *c, const char *script, const char *path,
		       const struct type *type, int bits)
{
	if (type->kind == KIND_OPAQUE)
		return;
	put(out,
	    "\tif (@defined(%s)) {\n\t\ttry { printf(\" %s=%%x\", %s) } catch { print(\" %s=fault\") }\n\t} else {\n",
	    script, path, script, path);
	put(out, "\t\tprint(\" %s=?\")\n\t}\n", path);
}

static void set_leaf(struct maker *m, GString *out, const char *c, const char *script, const char *path,
		     const struct type *type, int bits)
{
	guint64 value = (guint64)g_rand_int(m->random) << 32 | g_rand_int(m->random);

	if (type->kind == KIND_OPAQUE && !strcmp(type->name, "vector"))
		put(out, "\t%s = (vector){%d, 2, 3, %d};\n", c, pick(m, 100), pick(m, 100));
	else if (type->kind == KIND_OPAQUE)
		put(out, "\t%s = (%s)%d;\n", c, type->name, pick(m, 100000));
	else if (type->kind == KIND_POINTER)
		put(out, "\t%s = (void *)(size_type)0x%" G_GINT64_MODIFIER "x;\n", c, value & 0x7fffffff);
	else if (!strcmp(type->name, "enum choice"))
		put(out, "\t%s = %s;\n", c, (const char *[]){"FIRST", "SECOND", "LAST"}[value % 3]);
	else
		put(out, "\t%s = (%s)0x%" G_GINT64_MODIFIER "xull;\n", c, type->name,
		    type->bits == 1 ? value & 1 : value >> (chance(m, 3) ? 64 - type->bits / 2 - 1 : 0));
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void make_signature(struct maker *m, struct function *f, int number)
{
	f->number = number;
	f->count = pick(m, MOST_PARAMETERS + 1);
	f->result = chance(m, 5) ? NULL : pick_type(m, TYPES);
	f->is_inlined = chance(m, 6);
	f->is_static = chance(m, 3);
	f->is_recursive = !f->is_inlined && chance(m, 6);
	f->is_method = m->cxx && !f->is_inlined && !f->is_recursive && chance(m, 4);
	f->is_variadic = f->count && !f->is_inlined && !f->is_recursive && chance(m, 8);
	f->abi = f->is_variadic || f->is_inlined || f->is_method || !chance(m, 5) ? 0 : 1 + pick(m, 3);
	for (int i = 0; i < f->count; i++) {
		struct parameter *parameter = &f->parameters[i];

		g_snprintf(parameter->name, sizeof(parameter->name), "p%d", i);
		parameter->type = pick_type(m, TYPES);
		if (parameter->type->kind == KIND_AGGREGATE && chance(m, 3))
			*(m->cxx && chance(m, 2) ? &parameter->is_reference : &parameter->is_pointer) = true;
	}
}

/* Print the declaration of the argument in run() that is passed as @p parameter. */
static void declare_argument(struct maker *m, const struct function *f, const struct parameter *parameter)
{
	g_autofree char *name = g_strdup_printf("a%d_%s", f->number, parameter->name);

	put(m->program, "static %s %s;\n", parameter->type->name, name);
	for_each_leaf(m, m->run, name, "", "", parameter->type, 0, set_leaf);
}

static void put_parameters(GString *out, const struct function *f)
{
	const char *comma = "";

	if (f->is_recursive) {
		put(out, "int depth");
		comma = ", ";
	}
	for (int i = 0; i < f->count; i++) {
		const struct parameter *parameter = &f->parameters[i];

		put(out, "%s%s %s%s", comma, parameter->type->name,
		    parameter->is_pointer     ? "*"
		    : parameter->is_reference ? "&"
					      : "",
		    parameter->name);
		comma = ", ";
	}
	if (f->is_variadic)
		put(out, ", ...");
	if (!f->is_variadic && !f->count && !f->is_recursive)
		put(out, "void");
}

/* Print in the program what the function is about to be called with, as @p prefix and the parameter's name. */
static void print_call(struct maker *m, GString *out, const struct function *f, const char *prefix, const char *depth)
{
	put(out, "\tprint(\"call f%d\");\n", f->number);
	if (f->is_method)
		put(out, "\tprint_value(\" this.mine=\", object%d.mine);\n", f->number);
	if (f->is_recursive)
		put(out, "\tprint_value(\" depth=\", %s);\n", depth);
	for (int i = 0; i < f->count; i++) {
		const struct parameter *parameter = &f->parameters[i];
		bool is_dereferenced = parameter->is_pointer && !*prefix;
		g_autofree char *c = g_strdup_printf(is_dereferenced ? "(*%s%s)" : "%s%s", prefix, parameter->name);

		for_each_leaf(m, out, c, "", parameter->name, parameter->type, 0, print_leaf);
	}
	put(out, "\tprint_line();\n");
}

static void put_call(GString *out, const struct function *f, const char *prefix, const char *depth)
{
	if (f->result)
		put(out, "\tr%d = ", f->number);
	else
		put(out, "\t");
	if (f->is_method)
		put(out, "object%d.", f->number);
	put(out, "f%d(", f->number);
	if (f->is_recursive)
		put(out, "%s%s", depth, f->count ? ", " : "");
	for (int i = 0; i < f->count; i++) {
		const struct parameter *parameter = &f->parameters[i];

		put(out, "%s", i ? ", " : "");
		if (!*prefix)
			put(out, "%s", parameter->name);
		else if (parameter->is_pointer)
			put(out, "HIDE(&%s%s)", prefix, parameter->name);
		else
			put(out, "*HIDE(&%s%s)", prefix, parameter->name);
	}
	if (f->is_variadic)
		put(out, ", 1, 2ll, 3.0");
	put(out, ");\n");
}

static void print_return(struct maker *m, GString *out, const struct function *f)
{
	g_autofree char *c = g_strdup_printf("r%d", f->number);

	put(out, "\tprint(\"return f%d\");\n", f->number);
	if (f->result)
		for_each_leaf(m, out, c, "", "return", f->result, 0, print_leaf);
	put(out, "\tprint_line();\n");
}

/*
 * The use of a parameter decides where the compiler keeps it: nowhere, in a register, or in memory. All functions use
 * their structures, because clang's callers may not store them otherwise, although its DWARF says where.
 */
static void use_parameters(struct maker *m, const struct function *f)
{
	for (int i = 0; i < f->count; i++) {
		const struct parameter *parameter = &f->parameters[i];

		if (parameter->type->kind == KIND_AGGREGATE || chance(m, 3))
			put(m->program, "\tESCAPE(%s);\n", parameter->name);
		else if (parameter->type->kind <= KIND_POINTER && chance(m, 2))
			put(m->program, "\tKEEP(%s);\n", parameter->name);
	}
}

static int line_of(const GString *text)
{
	int line = 1;

	for (const char *at = text->str; (at = strchr(at, '\n')); at++)
		line++;
	return line;
}

/* A line with locals, which exist before and after it. */
static void put_locals(struct maker *m, struct function *f)
{
	GString *out = m->program;

	for (int i = 0; i < f->count; i++) {
		const struct parameter *parameter = &f->parameters[i];

		if (parameter->type->kind == KIND_INTEGER && parameter->type->bits >= 8)
			put(out, "\tlong long l%d = (long long)%s * 3 + %d;\n", i, parameter->name, i);
	}
	put(out, "\tprint(\"line f%d\");\n", f->number);
	for (int i = 0; i < f->count; i++)
		if (f->parameters[i].type->kind == KIND_INTEGER && f->parameters[i].type->bits >= 8)
			put(out, "\tprint_value(\" l%d=\", l%d);\n", i, i);
	put(out, "\tprint_line();\n");
	f->line = line_of(out);
	put(out, "\tHERE;\n");
	for (int i = 0; i < f->count; i++)
		if (f->parameters[i].type->kind == KIND_INTEGER && f->parameters[i].type->bits >= 8)
			put(out, "\tESCAPE(l%d);\n", i);
}

static void put_function(struct maker *m, struct function *f)
{
	GString *out = m->program;

	if (f->is_method)
		put(out, "struct c%d {\n\tint mine;\n", f->number);
	if (f->is_inlined)
		put(out, "INLINE ");
	else if (!f->is_method)
		put(out, "%sNOINLINE ", f->is_static ? "static " : "");
	else
		put(out, "NOINLINE ");
	if (f->abi)
		put(out, "ABI_%d ", f->abi);
	put(out, "%s f%d(", f->result ? f->result->name : "void", f->number);
	put_parameters(out, f);
	put(out, ")\n{\n");
	/* Without it, equal functions would be merged. */
	put(out, "\t__asm__ volatile(\"/* f%d */\" : : : \"memory\");\n", f->number);
	if (f->is_recursive) {
		put(out, "\tif (depth) {\n");
		print_call(m, out, f, "", "depth - 1");
		put_call(out, f, "", "depth - 1");
		print_return(m, out, f);
		put(out, "\t}\n");
	}
	use_parameters(m, f);
	if (chance(m, 2))
		put_locals(m, f);
	if (f->result)
		put(out, "\treturn *HIDE(&r%d);\n", f->number);
	put(out, "}\n");
	if (f->is_method)
		put(out, "};\nstatic struct c%d object%d = {%d};\n", f->number, f->number, pick(m, 100000));
}

/* ---- the script -------------------------------------------------------------------------------------------------- */

static void put_probes(struct maker *m, const struct function *f)
{
	GString *out = m->script;

	put(out, "probe process(@1).function(\"f%d\").%s {\n\tprint(\"call f%d\")\n", f->number,
	    f->is_inlined ? "inline" : "call", f->number);
	if (f->is_method)
		probe_leaf(m, out, "", "$this->mine", "this.mine", &scalars[4], 0);
	if (f->is_recursive)
		probe_leaf(m, out, "", "$depth", "depth", &scalars[4], 0);
	for (int i = 0; i < f->count; i++) {
		g_autofree char *script = g_strdup_printf("$%s", f->parameters[i].name);

		for_each_leaf(m, out, "", script, f->parameters[i].name, f->parameters[i].type, 0, probe_leaf);
	}
	put(out, "\tprint(\"\\n\")\n}\n");
	if (f->line) {
		put(out, "probe process(@1).statement(\"f%d@*:%d\") {\n\tprint(\"line f%d\")\n", f->number, f->line,
		    f->number);
		for (int i = 0; i < f->count; i++) {
			g_autofree char *name = g_strdup_printf("$l%d", i);

			if (f->parameters[i].type->kind == KIND_INTEGER && f->parameters[i].type->bits >= 8)
				probe_leaf(m, out, "", name, name + 1, &scalars[8], 0);
		}
		put(out, "\tprint(\"\\n\")\n}\n");
	}
	if (f->is_inlined)
		return;
	put(out, "probe process(@1).function(\"f%d\").return {\n\tprint(\"return f%d\")\n", f->number, f->number);
	if (f->result)
		for_each_leaf(m, out, "", "$return", "return", f->result, 0, probe_leaf);
	put(out, "\tprint(\"\\n\")\n}\n");
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void make_function(struct maker *m, int number)
{
	struct function *f = &m->functions[number];
	g_autofree char *prefix = g_strdup_printf("a%d_", number);
	g_autofree char *depth = g_strdup_printf("%d", RECURSION);
	g_autofree char *result = g_strdup_printf("r%d", number);

	make_signature(m, f, number);
	if (f->result) {
		put(m->program, "static %s %s;\n", f->result->name, result);
		for_each_leaf(m, m->run, result, "", "", f->result, 0, set_leaf);
	}
	for (int i = 0; i < f->count; i++)
		declare_argument(m, f, &f->parameters[i]);
	put_function(m, f);
	print_call(m, m->run, f, prefix, depth);
	put_call(m->run, f, prefix, depth);
	if (!f->is_inlined)
		print_return(m, m->run, f);
	put_probes(m, f);
}

static void make_program(struct maker *m)
{
	put(m->program, "#include \"program.h\"\n"
			"enum choice { FIRST = -1, SECOND, LAST };\n"
			"typedef int vector __attribute__((vector_size(16)));\n"
			"#ifdef __i386__\ntypedef double wide;\n#else\ntypedef __int128 wide;\n#endif\n");
	for (int i = 0; i < TYPES; i++)
		make_type(m, i);
	for (int i = 0; i < FUNCTIONS; i++)
		make_function(m, i);
	put(m->program, "static void run(void)\n{\n%s}\n", m->run->str);
}

int main(int argc, char **argv)
{
	struct maker m = {.program = g_string_new(NULL), .script = g_string_new(NULL), .run = g_string_new(NULL)};

	if (argc != 5 || (strcmp(argv[1], "C") && strcmp(argv[1], "C++"))) {
		g_printerr("usage: make-program C|C++ SEED PROGRAM SCRIPT\n");
		return 2;
	}
	m.cxx = !strcmp(argv[1], "C++");
	m.random = g_rand_new_with_seed((guint32)strtoul(argv[2], NULL, 0));
	make_program(&m);
	if (!g_file_set_contents(argv[3], m.program->str, -1, NULL) ||
	    !g_file_set_contents(argv[4], m.script->str, -1, NULL))
		return 1;
	return 0;
}
