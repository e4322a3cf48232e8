// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random scripts from the grammar. Names have fixed types (n0… numbers, s0… strings, an array and an aggregate of each
 * kind), so most scripts are well typed and pass all passes. Sometimes a type is deliberately wrong, or a name unknown.
 */
#include "testsuite/fuzz/fuzz.h"

#include <string.h>

struct maker {
	GRand *random;
	GString *out;
	bool kernel; /* allow probes with $variables */
	bool in_kernel_probe, in_return_probe, in_function;
	int loops;
	int depth;
};

enum { DEEPEST = 7 };

static int pick(struct maker *m, int count)
{
	return g_rand_int_range(m->random, 0, count);
}

static bool chance(struct maker *m, int one_in)
{
	return pick(m, one_in) == 0;
}

static void put(struct maker *m, const char *text)
{
	g_string_append(m->out, text);
}

#define choose(m, ...)                                                                                                 \
	({                                                                                                             \
		static const char *const choices_[] = {__VA_ARGS__};                                                   \
		choices_[pick(m, G_N_ELEMENTS(choices_))];                                                             \
	})

static void number(struct maker *m);
static void string(struct maker *m);
static void statement(struct maker *m);

/* Return the type, or sometimes the other one. */
static void wanted_number(struct maker *m)
{
	if (chance(m, 400))
		string(m);
	else
		number(m);
}

static void wanted_string(struct maker *m)
{
	if (chance(m, 400))
		number(m);
	else
		string(m);
}

static void number_literal(struct maker *m)
{
	put(m, choose(m, "0", "1", "2", "3", "-1", "7", "64", "0x7fffffffffffffff", "-0x8000000000000000", "010",
		      "0xff", "1000000000000", "$1", "$3", "$#"));
}

static void number_variable(struct maker *m)
{
	switch (pick(m, 6)) {
	case 0:
		put(m, "an[");
		wanted_number(m);
		put(m, "]");
		break;
	case 1:
		put(m, "am[");
		wanted_string(m);
		put(m, ", ");
		wanted_number(m);
		put(m, "]");
		break;
	default:
		put(m, choose(m, "n0", "n1", "n2", "local", "i", "j"));
		break;
	}
}

static void aggregate(struct maker *m)
{
	if (chance(m, 2)) {
		put(m, "agg");
		return;
	}
	put(m, "aa[");
	wanted_string(m);
	put(m, "]");
}

static void binary(struct maker *m)
{
	put(m, "(");
	wanted_number(m);
	put(m, choose(m, " + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ ", " << ", " >> ", " >>> ", " && ",
		      " || ", " == ", " != ", " < ", " > ", " <= ", " >= "));
	wanted_number(m);
	put(m, ")");
}

static void string_comparison(struct maker *m)
{
	put(m, "(");
	wanted_string(m);
	if (chance(m, 3)) {
		put(m, choose(m, " =~ ", " !~ "));
		put(m, choose(m, "\"^a.*b$\"", "\"(x|yy)+[^z]?\"", "\"[[:alpha:]_]{2,5}\"", "\"\"", "\"a{0}b*\"",
			      "\"((((a))))\"", "\"[\"", "\"a**\"", "\"\\\\.\"", "\"(ab|cd){1,9}$\""));
	} else {
		put(m, choose(m, " == ", " != ", " < ", " > ", " <= ", " >= "));
		wanted_string(m);
	}
	put(m, ")");
}

static void number_call(struct maker *m)
{
	switch (pick(m, 7)) {
	case 0:
		put(m, "f0(");
		wanted_number(m);
		put(m, ")");
		break;
	case 1:
		put(m, "f2(");
		wanted_number(m);
		put(m, ", ");
		wanted_string(m);
		put(m, ")");
		break;
	case 2:
		put(m, "strlen(");
		wanted_string(m);
		put(m, ")");
		break;
	case 3:
		put(m, "over(");
		if (chance(m, 2))
			wanted_number(m);
		put(m, ")");
		break;
	case 4:
		put(m, "c0(");
		wanted_number(m);
		put(m, ")");
		break;
	default:
		put(m, choose(m, "pid()", "gettimeofday_ns()", "cpu()", "target()", "speculation()", "task_current()"));
		break;
	}
}

static void membership(struct maker *m)
{
	if (chance(m, 2)) {
		put(m, "(");
		wanted_number(m);
		put(m, " in an)");
		return;
	}
	put(m, "([");
	put(m, chance(m, 4) ? "*" : "\"k\"");
	put(m, ", ");
	if (chance(m, 4))
		put(m, "*");
	else
		wanted_number(m);
	put(m, "] in am)");
}

static void assignment(struct maker *m)
{
	put(m, "(");
	switch (pick(m, 4)) {
	case 0:
		number_variable(m);
		put(m, choose(m, "++", "--"));
		break;
	case 1:
		put(m, choose(m, "++", "--"));
		number_variable(m);
		break;
	default:
		number_variable(m);
		put(m,
		    choose(m, " = ", " += ", " -= ", " *= ", " /= ", " %= ", " &= ", " |= ", " ^= ", " <<= ", " >>= "));
		wanted_number(m);
		break;
	}
	put(m, ")");
}

static void kernel_value(struct maker *m)
{
	if (!m->in_kernel_probe) {
		put(m, choose(m, "@cast(n0, \"task_struct\")->pid", "@cast(n1, \"file\", \"kernel\")->f_flags",
			      "(@defined($count) ? $count : 3)", "@kderef(4, n0)", "@uderef(8, n1)",
			      "task_current()->tgid", "&@cast(n0, \"task_struct\")->comm"));
		return;
	}
	put(m,
	    choose(m, "$count", "$file->f_flags", "$file->f_path->dentry->d_inode->i_ino", "$pos[0]", "&$file->f_pos",
		   "$nothing", "@kregister(5)", "@uregister(7)", "@cast($file, \"file\")->f_pos", "keep->f_flags",
		   "(keep = $file)", "@defined($nothing) ? 1 : 0", "$file[n0]", "$count->x", "kf()", "kg(n0)",
		   "($count = n1)", "$file->f_flags++", "($pos[0] += 2)", "($file->f_path->dentry->d_flags |= 1)"));
	if (m->in_return_probe && chance(m, 3))
		put(m, choose(m, " + $return", " + @entry(gettimeofday_ns())", " + @entry(n0)"));
}

static void statistic(struct maker *m)
{
	put(m, choose(m, "@count(", "@sum(", "@min(", "@max(", "@avg(", "@variance("));
	aggregate(m);
	put(m, ")");
}

static void number(struct maker *m)
{
	if (++m->depth > DEEPEST) {
		number_literal(m);
		m->depth--;
		return;
	}
	switch (pick(m, 16)) {
	case 0 ... 2:
		number_literal(m);
		break;
	case 3 ... 5:
		number_variable(m);
		break;
	case 6 ... 8:
		binary(m);
		break;
	case 9:
		string_comparison(m);
		break;
	case 10:
		number_call(m);
		break;
	case 11:
		membership(m);
		break;
	case 12:
		assignment(m);
		break;
	case 13:
		put(m, choose(m, "-", "!", "~", "+"));
		put(m, "(");
		wanted_number(m);
		put(m, ")");
		break;
	case 14:
		if (m->kernel && chance(m, 2))
			kernel_value(m);
		else
			statistic(m);
		break;
	default:
		put(m, "(");
		wanted_number(m);
		put(m, " ? ");
		wanted_number(m);
		put(m, " : ");
		wanted_number(m);
		put(m, ")");
		break;
	}
	m->depth--;
}

static void format_call(struct maker *m, const char *name)
{
	int directives = pick(m, 4);
	g_autoptr(GString) arguments = g_string_new(NULL);

	put(m, name);
	put(m, "(\"");
	for (int i = 0; i < directives; i++) {
		GString *script = m->out;
		bool is_string = chance(m, 4);

		put(m, choose(m, "", "x=", "100%% ", "\\n", "\\\"", " "));
		put(m, is_string ? choose(m, "%s", "%-8s", "%.3s", "%#s")
				 : choose(m, "%d", "%5u", "%#x", "%08X", "%o", "%c", "%p", "%2b", "%b", "%.4m", "%#.2M",
					  "%+i"));
		m->out = arguments;
		put(m, ", ");
		if (is_string)
			wanted_string(m);
		else
			wanted_number(m);
		m->out = script;
	}
	put(m, "\"");
	g_string_append(m->out, arguments->str);
	put(m, ")");
}

static void print_arguments(struct maker *m)
{
	for (int i = pick(m, 3); i >= 0; i--) {
		if (chance(m, 2))
			wanted_string(m);
		else
			wanted_number(m);
		if (i)
			put(m, ", ");
	}
	put(m, ")");
}

static void string(struct maker *m)
{
	if (++m->depth > DEEPEST) {
		put(m, "\"deep\"");
		m->depth--;
		return;
	}
	switch (pick(m, 12)) {
	case 0 ... 2:
		put(m, choose(m, "\"\"", "\"text\"", "\"a\" \"b\"", "\"\\x41\\n\"", "@1", "@2", "\"\\0\"", "\"100%\""));
		break;
	case 3 ... 4:
		put(m, choose(m, "s0", "s1", "text"));
		break;
	case 5:
		put(m, "as[");
		wanted_number(m);
		put(m, "]");
		break;
	case 6:
		put(m, "(");
		wanted_string(m);
		put(m, " . ");
		wanted_string(m);
		put(m, ")");
		break;
	case 7:
		put(m, "f1(");
		wanted_string(m);
		put(m, ")");
		break;
	case 8:
		format_call(m, "sprintf");
		break;
	case 9:
		put(m, choose(m, "sprint(", "sprintln(", "sprintd(\"-\", "));
		print_arguments(m);
		break;
	case 10:
		put(m, choose(m, "execname()", "pp()", "substr(s0, 1, 2)", "tokenize(s1, \" \")", "c1(s0)",
			      "matched(0)", "%{ /* string */ \"c\" %}", "$$vars"));
		break;
	default:
		put(m, "(");
		wanted_number(m);
		put(m, " ? ");
		wanted_string(m);
		put(m, " : ");
		wanted_string(m);
		put(m, ")");
		break;
	}
	m->depth--;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void block(struct maker *m)
{
	put(m, "{ ");
	for (int i = pick(m, 4); i--;)
		statement(m);
	put(m, "} ");
}

static void loop_body(struct maker *m)
{
	m->loops++;
	block(m);
	m->loops--;
}

static void foreach(struct maker *m)
{
	put(m, choose(m, "foreach (i in an", "foreach (i in an-", "foreach (j+ in an", "foreach (local = i in an",
		      "foreach ([text, i] in am", "foreach ([text, i-] in am", "foreach (j = [text, i] in am[*, 3]",
		      "foreach (text = i in as", "foreach (text in aa @sum-", "foreach (v = text in aa",
		      "foreach (text+ in aa", "foreach (i in @hist_log(agg)", "foreach (j- = i in @hist_log(agg)"));
	if (chance(m, 3)) {
		put(m, " limit ");
		wanted_number(m);
	}
	put(m, ") ");
	loop_body(m);
}

static void for_loop(struct maker *m)
{
	put(m, "for (");
	if (chance(m, 2))
		put(m, "i = 0");
	put(m, "; ");
	if (chance(m, 2))
		wanted_number(m);
	put(m, "; ");
	if (chance(m, 2))
		put(m, "i++");
	put(m, ") ");
	loop_body(m);
}

static void delete (struct maker *m)
{
	put(m, choose(m, "delete an", "delete an[n0]", "delete am[*, n1]", "delete am", "delete agg", "delete s0",
		      "delete n1", "delete aa[s0]", "delete as"));
}

static void string_assignment(struct maker *m)
{
	put(m, choose(m, "s0", "s1", "text", "as[n0]"));
	put(m, choose(m, " = ", " .= "));
	wanted_string(m);
}

static void leave(struct maker *m)
{
	if (m->loops && chance(m, 2))
		put(m, choose(m, "break", "continue"));
	else if (m->in_function)
		put(m, choose(m, "return n0", "return local + 1", "next"));
	else
		put(m, choose(m, "next", "exit()", "error(s0)"));
}

static void simple_statement(struct maker *m)
{
	switch (pick(m, 9)) {
	case 0:
		string_assignment(m);
		break;
	case 1:
		aggregate(m);
		put(m, " <<< ");
		wanted_number(m);
		break;
	case 2:
		put(m, choose(m, "print(", "println(", "printd(\",\", ", "printdln(\";\", \"x\", "));
		print_arguments(m);
		break;
	case 3:
		format_call(m, "printf");
		break;
	case 4:
		delete (m);
		break;
	case 5:
		put(m, choose(m, "print(@hist_log(agg))", "println(@hist_log(agg)[n0])", "log(s0)", "warn(s1)",
			      "%{ int x_; (void)x_; %}", "speculate(n0, s0)", "commit(n0)", "p0()", "assert(n0, s0)"));
		break;
	case 6:
		leave(m);
		break;
	case 7:
		assignment(m);
		break;
	default:
		wanted_number(m);
		break;
	}
	put(m, chance(m, 2) ? "\n" : "; ");
}

static void statement(struct maker *m)
{
	if (++m->depth > DEEPEST || !chance(m, 3)) {
		simple_statement(m);
		m->depth--;
		return;
	}
	switch (pick(m, 6)) {
	case 0:
		put(m, "if (");
		wanted_number(m);
		put(m, ") ");
		block(m);
		if (chance(m, 2)) {
			put(m, "else ");
			block(m);
		}
		break;
	case 1:
		put(m, "while (");
		wanted_number(m);
		put(m, ") ");
		loop_body(m);
		break;
	case 2:
		for_loop(m);
		break;
	case 3:
		foreach(m);
		break;
	case 4:
		put(m, "try ");
		block(m);
		put(m, choose(m, "catch ", "catch (text) "));
		block(m);
		break;
	default:
		block(m);
		break;
	}
	m->depth--;
}

/* ---- whole scripts ----------------------------------------------------------------------------------------------- */

static void function(struct maker *m, const char *head, const char *last)
{
	m->in_function = true;
	put(m, head);
	put(m, " { ");
	for (int i = pick(m, 3); i--;)
		statement(m);
	put(m, last);
	put(m, " }\n");
	m->in_function = false;
}

static void functions(struct maker *m)
{
	function(m, "function f0(i)", "return i + n0");
	function(m, "function f1:string(text)", "return text . s0");
	function(m, "function f2(i, text)", "return strlen(text) + i");
	function(m, "function over()", "return 1");
	function(m, "function over(i):2", "return 2");
	function(m, "function over(i):1", "if (i) next return 3");
	function(m, "private function p0()", "");
	if (m->kernel)
		put(m, "function kf() { return $count + kg(0) + @defined($return) }\n"
		       "function kg(i) { return i ? kf() : @kregister(5) + ($file->f_flags = 3) }\n");
	put(m, "function c0:long(x:long) %{ /* pure */ STAP_RETURN(STAP_ARG_x); %}\n");
	put(m, "function c1:string(x:string) %{ /* pragma:read:n0 */ /* pragma:write:an */ "
	       "STAP_GLOBAL_SET_an(1, STAP_GLOBAL_GET_n0()); STAP_RETURN(STAP_ARG_x); %}\n");
}

static void probe(struct maker *m)
{
	bool of_kernel = m->kernel && chance(m, 2);

	m->in_return_probe = of_kernel && chance(m, 3);
	m->in_kernel_probe = of_kernel;
	put(m, "probe ");
	if (of_kernel)
		put(m, m->in_return_probe ? "kernel.function(\"vfs_read\").return" : "kernel.function(\"vfs_read\")");
	else
		put(m, choose(m, "begin", "end", "timer.s(1)", "timer.ms(10).randomize(2)", "error(3)", "my.alias",
			      "my.*", "begin, end", "never", "no.such? , begin", "{begin, end}(2)", "oneshot"));
	if (chance(m, 6)) {
		put(m, " if (");
		wanted_number(m);
		put(m, ")");
	}
	put(m, " ");
	block(m);
	put(m, "\n");
	m->in_kernel_probe = m->in_return_probe = false;
}

void fuzz_grammar(GRand *random, GString *out, bool kernel)
{
	struct maker m = {.random = random, .out = out, .kernel = kernel};

	put(&m, "global n0 = 5, n1, n2, s0 = \"x\", s1, an, am[50], as%, agg, aa, keep\n");
	put(&m, chance(&m, 4) ? "@define m(a) %( (@a + 1) %)\n%( kernel_v > \"3\" %? global cond %)\n" : "");
	put(&m, "probe my.alias = begin { local = 1 text = \"p\" }, { println(local, @probewrite(local)) }\n");
	functions(&m);
	/* Fix the types of all names, whatever else the script contains. */
	put(&m, "probe begin { an[1] = 1 am[\"k\", 1] = 2 as[1] = \"v\" agg <<< 1 aa[\"k\"] <<< 2 s1 = \"\" n1 = n2 = "
		"3 keep = 0 }\n");
	for (int i = 1 + pick(&m, 4); i--;)
		probe(&m);
}
