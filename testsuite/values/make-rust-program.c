// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random Rust programs for differential tests of values, like those of make-program.c. Rust passes and returns values
 * in its own way, which is not C's.
 *
 *     make-rust-program SEED PROGRAM.rs SCRIPT.stp
 */
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FUNCTIONS = 12, MOST_PARAMETERS = 7, MOST_MEMBERS = 4, TYPES = 7 };

struct type {
	const char *name;
	int bits; /* of an integer; 1: bool; 0: an opaque scalar, or no scalar */
	bool is_signed;
	int count; /* of an array, of integers with these bits */
	const char *element; /* of an array: the name of its type */
	GPtrArray *members; /* of const struct type, of a structure or tuple */
	bool is_tuple;
};

static const struct type scalars[] = {
	{"i8", 8, true}, {"u8", 8},	    {"i16", 16, true}, {"u16", 16},   {"i32", 32, true},
	{"u32", 32},	 {"i64", 64, true}, {"u64", 64},       {"usize", 64}, {"bool", 1},
	{"f32"},	 {"f64"},	    {"u128"},
};
enum { INTEGERS = 9 };

struct parameter {
	const struct type *type;
	bool is_reference;
};

struct function {
	int number, count;
	struct parameter parameters[MOST_PARAMETERS];
	const struct type *result; /* NULL: none */
};

struct maker {
	GRand *random;
	GString *program, *script, *run;
	struct type types[TYPES];
};

static int pick(struct maker *m, int count)
{
	return g_rand_int_range(m->random, 0, count);
}

static void __attribute__((format(printf, 2, 3))) put(GString *out, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	g_string_append_vprintf(out, format, values);
	va_end(values);
}

static const struct type *pick_type(struct maker *m, int types)
{
	return types && pick(m, 2) ? &m->types[pick(m, types)] : &scalars[pick(m, G_N_ELEMENTS(scalars))];
}

static char *member_name(const struct type *type, guint number)
{
	return g_strdup_printf(type->is_tuple ? "%u" : "m%u", number);
}

static void make_array(struct maker *m, struct type *type)
{
	*type = scalars[pick(m, INTEGERS)];
	type->count = 1 + pick(m, 4);
	type->element = type->name;
	type->name = g_strdup_printf("[%s; %d]", type->name, type->count);
}

static void make_structure(struct maker *m, struct type *type, int number)
{
	g_autoptr(GString) tuple = g_string_new("(");

	type->is_tuple = pick(m, 3) == 0;
	type->members = g_ptr_array_new();
	for (int i = 0, count = 1 + pick(m, MOST_MEMBERS); i < count; i++) {
		g_ptr_array_add(type->members, (void *)pick_type(m, number));
		put(tuple, "%s, ", ((const struct type *)type->members->pdata[i])->name);
	}
	type->name = type->is_tuple ? g_strdup_printf("%s)", tuple->str) : g_strdup_printf("T%d", number);
	if (type->is_tuple)
		return;
	put(m->program, "#[derive(Clone, Copy)]%s\nstruct T%d {\n", pick(m, 3) ? "" : " #[repr(C)]", number);
	for (guint i = 0; i < type->members->len; i++)
		put(m->program, "    m%u: %s,\n", i, ((const struct type *)type->members->pdata[i])->name);
	put(m->program, "}\n");
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void put_number(struct maker *m, GString *out, const struct type *type)
{
	guint64 number = (guint64)g_rand_int(m->random) << 32 | g_rand_int(m->random);

	if (!type->bits)
		put(out, "%d as %s", pick(m, 1000), type->name);
	else if (type->bits == 1)
		put(out, number & 1 ? "true" : "false");
	else
		put(out, "0x%" G_GINT64_MODIFIER "xu64 as %s", number >> (pick(m, 3) ? 0 : 64 - type->bits / 2),
		    type->element ?: type->name);
}

static void put_value(struct maker *m, GString *out, const struct type *type)
{
	if (type->count) {
		put(out, "[");
		for (int i = 0; i < type->count; i++) {
			put_number(m, out, type);
			put(out, ", ");
		}
		put(out, "]");
	} else if (type->members) {
		put(out, type->is_tuple ? "(" : "%s {", type->name);
		for (guint i = 0; i < type->members->len; i++) {
			if (!type->is_tuple)
				put(out, " m%u: ", i);
			put_value(m, out, type->members->pdata[i]);
			put(out, ", ");
		}
		put(out, type->is_tuple ? ")" : "}");
	} else {
		put_number(m, out, type);
	}
}

/* Print the scalars in a value, in the program and in the script. */
static void print_value(const struct type *type, const char *rust, const char *script, const char *path,
			GString *program, GString *probe)
{
	if (type->count || type->members) {
		guint count = type->count ? (guint)type->count : type->members->len;

		for (guint i = 0; i < count; i++) {
			const struct type *inner = type->count ? NULL : type->members->pdata[i];
			struct type element = {.bits = type->bits};
			g_autofree char *name = type->count ? g_strdup_printf("[%u]", i) : member_name(type, i);
			g_autofree char *in_rust = g_strconcat(rust, type->count ? "" : ".", name, NULL);
			g_autofree char *in_script = g_strconcat(script,
								 type->count	  ? ""
								 : type->is_tuple ? "->__"
										  : "->",
								 name, NULL);
			g_autofree char *in_path = g_strconcat(path, type->count ? "" : ".", name, NULL);

			print_value(inner ?: &element, in_rust, in_script, in_path, program, probe);
		}
	} else if (type->bits) {
		if (program)
			put(program, "    print!(\" %s={:x}\", (%s) as i64);\n", path, rust);
		if (probe) {
			put(probe,
			    "\tif (@defined(%s)) {\n\t\ttry { printf(\" %s=%%x\", %s) } catch { print(\" %s=fault\") "
			    "}\n",
			    script, path, script, path);
			put(probe, "\t} else {\n\t\tprint(\" %s=?\")\n\t}\n", path);
		}
	}
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void put_function(struct maker *m, const struct function *f)
{
	GString *out = m->program;

	put(out, "#[inline(never)]\nfn f%d(", f->number);
	for (int i = 0; i < f->count; i++)
		put(out, "p%d: %s%s, ", i, f->parameters[i].is_reference ? "&" : "", f->parameters[i].type->name);
	put(out, ")");
	if (f->result)
		put(out, " -> %s", f->result->name);
	/* Without it, equal functions would be merged. */
	put(out, " {\n    unsafe { std::arch::asm!(\"/* f%d */\"); }\n", f->number);
	for (int i = 0; i < f->count; i++)
		if (pick(m, 2))
			put(out, "    keep(&p%d);\n", i);
	put(out, f->result ? "    hide(&R%d)\n}\n" : "}\n", f->number);
}

static void put_call(const struct maker *m, const struct function *f)
{
	put(m->run, "    let _r = f%d(", f->number);
	for (int i = 0; i < f->count; i++)
		put(m->run, f->parameters[i].is_reference ? "&hide(&A%d_%d), " : "hide(&A%d_%d), ", f->number, i);
	put(m->run, ");\n");
}

static void make_function(struct maker *m, int number)
{
	struct function f = {.number = number, .count = pick(m, MOST_PARAMETERS + 1)};

	f.result = pick(m, 6) ? pick_type(m, TYPES) : NULL;
	if (f.result) {
		put(m->program, "static R%d: %s = ", number, f.result->name);
		put_value(m, m->program, f.result);
		put(m->program, ";\n");
	}
	put(m->run, "    print!(\"call f%d\");\n", number);
	put(m->script, "probe process(@1).function(\"f%d@program.rs\").call {\n\tprint(\"call f%d\")\n", number,
	    number);
	for (int i = 0; i < f.count; i++) {
		g_autofree char *argument = g_strdup_printf("A%d_%d", number, i);
		g_autofree char *script = g_strdup_printf("$p%d", i);

		f.parameters[i].type = pick_type(m, TYPES);
		f.parameters[i].is_reference = f.parameters[i].type->members && pick(m, 4) == 0;
		put(m->program, "static %s: %s = ", argument, f.parameters[i].type->name);
		put_value(m, m->program, f.parameters[i].type);
		put(m->program, ";\n");
		print_value(f.parameters[i].type, argument, script, script + 1, m->run, m->script);
	}
	put(m->run, "    println!();\n");
	put(m->script, "\tprint(\"\\n\")\n}\n");
	put_function(m, &f);
	put_call(m, &f);
	put(m->run, "    print!(\"return f%d\");\n", number);
	put(m->script, "probe process(@1).function(\"f%d@program.rs\").return {\n\tprint(\"return f%d\")\n", number,
	    number);
	if (f.result)
		print_value(f.result, "_r", "$return", "return", m->run, m->script);
	put(m->run, "    println!();\n");
	put(m->script, "\tprint(\"\\n\")\n}\n");
}

static void make_program(struct maker *m)
{
	put(m->program,
	    "#![allow(dead_code, overflowing_literals)]\n"
	    "fn hide<T: Copy>(value: &T) -> T { unsafe { std::ptr::read_volatile(value) } }\n"
	    "fn keep<T>(value: &T) { unsafe { std::arch::asm!(\"/* {} */\", in(reg) value as *const T); } }\n");
	for (int i = 0; i < TYPES; i++) {
		if (pick(m, 5) == 0)
			make_array(m, &m->types[i]);
		else
			make_structure(m, &m->types[i], i);
	}
	for (int i = 0; i < FUNCTIONS; i++)
		make_function(m, i);
	put(m->program, "fn main() {\n%s}\n", m->run->str);
}

int main(int argc, char **argv)
{
	struct maker m = {.program = g_string_new(NULL), .script = g_string_new(NULL), .run = g_string_new(NULL)};

	if (argc != 4) {
		g_printerr("usage: make-rust-program SEED PROGRAM.rs SCRIPT\n");
		return 2;
	}
	m.random = g_rand_new_with_seed((guint32)strtoul(argv[1], NULL, 0));
	make_program(&m);
	if (!g_file_set_contents(argv[2], m.program->str, -1, NULL) ||
	    !g_file_set_contents(argv[3], m.script->str, -1, NULL))
		return 1;
	return 0;
}
