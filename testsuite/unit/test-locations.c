// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where parameters and results are: at the entry of functions that several compilers made, with all calling
 * conventions.
 *
 * A location is right, or there is a reason why it is not known. The expected ones follow from the conventions; the
 * debuginfo of these functions has only the places to which their prologues move parameters.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "testsuite/unit/commands.h"
#include "testsuite/unit/errors.h"
#include "translator/debuginfo/debuginfo.h"

static const char c_source[] =
	"struct three { char c[3]; }; struct floats { float a, b; }; struct mixed { long a; double d; };\n"
	"struct twelve { int a, b, c; }; struct wide { long double w; int v; };\n"
	"volatile long sink;\n"
	"void *volatile address;\n"
	"#define FUNCTION __attribute__((noinline, noclone)) long\n"
	"FUNCTION small(char c, short s, int i, long l, _Bool b, unsigned char u)\n"
	"{ return sink += c + s + i + l + b + u; }\n"
	"FUNCTION stacked(long a, long b, long c, long d, long e, long f, long s1, long double ld, long s2)\n"
	"{ return sink += a + s1 + ld + s2; }\n"
	"FUNCTION split(long a, long b, long c, long d, long e, long s0, long s1, __int128 w, long s2)\n"
	"{ return sink += w + s1 + s2; }\n"
	"FUNCTION by_value(long a, long b, long c, long d, long e, long f, int s1, struct wide t, int s2)\n"
	"{ return sink += t.v + s1 + s2; }\n"
	"FUNCTION structures(struct three t, struct floats f, struct mixed m, struct twelve w, char c, short s)\n"
	"{ return sink += t.c[1] + f.a + m.a + m.d + w.c + c + s; }\n"
	"FUNCTION __attribute__((ms_abi)) windows(int a, int b, int c, int d, int e)\n"
	"{ return sink += a + b + c + d + e; }\n"
	"FUNCTION variadic(int n, ...)\n"
	"{ __builtin_va_list l; __builtin_va_start(l, n); sink += __builtin_va_arg(l, int); return n; }\n"
	"FUNCTION large(int n, char *t) { char buffer[20000]; address = buffer; return sink += buffer[n] + t[0]; }\n"
	"FUNCTION replaced(int x, int y) { x = y; address = &x; return sink; }\n"
	"FUNCTION assigned(int x, int y) { x = 7; return sink += x + y; }\n"
	"FUNCTION __attribute__((ms_abi)) odd(struct twelve w, char c) { address = &c; return sink += w.b + c; }\n"
	"FUNCTION in_memory(int x, int y) { address = &x; return sink += y; }\n"
	"FUNCTION homes(register int a, register long b) { sink += a + b; return sink += a; }\n"
	"static __attribute__((noinline)) long cut(long a, long unused, long b, long c, long d, long e, long f, long "
	"s)\n"
	"{ return sink += a + b * c - d + e + f * s; }\n"
	"typedef int vector __attribute__((vector_size(16)));\n"
	"typedef int large_vector __attribute__((vector_size(32)));\n"
	"struct bits { int a; long long b : 38; } __attribute__((packed));\n"
	"struct odd_bytes { char a; int b; } __attribute__((packed));\n"
	"struct overlaid { union { unsigned long a : 30; long double b; vector c; } u; };\n"
	"struct two_vectors { vector a, b; }; struct one_vector { large_vector v; };\n"
	"#define RESULT __attribute__((noinline, noclone))\n"
	"RESULT struct bits r_bits(int x) { return (struct bits){x, x}; }\n"
	"RESULT struct odd_bytes r_odd_bytes(int x) { return (struct odd_bytes){x, x}; }\n"
	"RESULT struct overlaid r_overlaid(int x) { return (struct overlaid){{x}}; }\n"
	"RESULT vector r_vector(int x) { return (vector){x}; }\n"
	"RESULT struct two_vectors r_two_vectors(int x) { return (struct two_vectors){{x}}; }\n"
	"RESULT __attribute__((target(\"avx\"))) large_vector r_large_vector(int x) { return (large_vector){x}; }\n"
	"RESULT __attribute__((target(\"avx\"))) struct one_vector r_one_vector(int x)\n"
	"{ return (struct one_vector){{x}}; }\n"
	"RESULT __attribute__((ms_abi)) struct mixed r_windows(int x) { address = &x; return (struct mixed){x}; }\n"
	"RESULT __attribute__((ms_abi)) struct mixed r_windows_calls(void) { small(1, 2, 3, 4, 5, 6);\n"
	"	return (struct mixed){sink}; }\n"
	/* Without parameters, only the code shows the convention. */
	"struct mixed a_mixed; struct three a_three; struct floats a_pair; struct { double d; } a_word;\n"
	"#define WINDOWS(name, value, first)"
	" RESULT __attribute__((ms_abi)) __typeof__(value) r_windows_##name(void) { first; return value; }\n"
	"#define BOTH(name, value)"
	" WINDOWS(name, value, ) WINDOWS(later_##name, value, small(1, 2, 3, 4, 5, 6))"
	" RESULT __typeof__(value) r_usual_##name(void) { return value; }\n"
	"BOTH(mixed, a_mixed) BOTH(three, a_three) BOTH(pair, a_pair) BOTH(word, a_word)\n"
	"static RESULT struct wide r_local(int x) { return (struct wide){x}; }\n"
	"RESULT struct wide r_memory(int x) { return (struct wide){x}; }\n"
	"static __attribute__((target(\"avx\"))) void results(int n)\n"
	"{\n"
	"	sink += r_bits(n).a + r_odd_bytes(n).a + r_overlaid(n).u.a + r_vector(n)[0] + r_two_vectors(n).a[0];\n"
	"	sink += r_large_vector(n)[0] + r_one_vector(n).v[0] + r_windows(n).a + r_windows_calls().a;\n"
	"	sink += r_windows_mixed().a + r_windows_three().c[0] + r_windows_pair().a + r_windows_word().d;\n"
	"	sink += r_windows_later_mixed().a + r_windows_later_three().c[0] + r_windows_later_pair().a;\n"
	"	sink += r_windows_later_word().d;\n"
	"	sink += r_usual_mixed().a + r_usual_three().c[0] + r_usual_pair().a + r_usual_word().d;\n"
	"	sink += r_local(n).w + r_memory(n).w;\n"
	"}\n"
	"int main(int n, char **v)\n"
	"{\n"
	"	results(n);\n"
	"	small(1, 2, 3, 4, 1, 6); stacked(1, 2, 3, 4, 5, 6, 7, 8, 9); split(1, 2, 3, 4, 5, 6, 7, 8, 9);\n"
	"	by_value(1, 2, 3, 4, 5, 6, 7, (struct wide){8, 9}, 10); windows(1, 2, 3, 4, 5); variadic(1, 2);\n"
	"	structures((struct three){{1}}, (struct floats){1, 2}, (struct mixed){3, 4}, (struct twelve){5}, 8, "
	"9);\n"
	"	large(9, \"x\"); replaced(1, 2); in_memory(1, 2); homes(1, 2);\n"
	"	assigned(n, 2); assigned(2, n); odd((struct twelve){n}, 3);\n"
	"	cut(n, 1, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6);\n"
	"	return cut(n, 2, n, n, n, n, n, 7 * n);\n"
	"}\n";

static const char small_source[] =
	"volatile long sink;\n"
	"#define FUNCTION __attribute__((noinline, noclone)) long\n"
	"FUNCTION __attribute__((regparm(3))) three(int a, char b, long c, int d) { return sink += a + b + c + d; }\n"
	"FUNCTION __attribute__((fastcall)) fast(int a, short b, int c) { return sink += a + b + c; }\n"
	"FUNCTION plain(int a, long long b, int c) { return sink += a + b + c; }\n"
	"void _start(void) { three(1, 2, 3, 4); fast(1, 2, 3); plain(1, 2, 3); }\n";

static const char rust_source[] =
	"#[derive(Clone, Copy)] pub struct Big(pub u64, pub u64, pub u64);\n"
	"#[inline(never)] fn many(a: (u32, u32), s: &str, b: Big, f: f64, o: Option<u64>, c: bool) -> u64 {\n"
	"    a.0 as u64 + s.len() as u64 + b.0 + f as u64 + o.unwrap() + c as u64\n"
	"}\n"
	"pub struct Three(pub u16, pub u16, pub u16);\n"
	"pub enum Shape { Empty, Line(u32) }\n"
	"#[inline(never)] fn pair(x: u32) -> (u32, u32) { (x, x + 1) }\n"
	"#[inline(never)] fn tail(s: &str) -> &str { &s[1..] }\n"
	"#[inline(never)] fn blend(x: u64) -> (f64, u64) { (x as f64, x) }\n"
	"#[inline(never)] fn three(x: u16) -> Three { Three(x, x, x) }\n"
	"#[inline(never)] fn four(x: u32) -> [u32; 4] { [x, x, x, x] }\n"
	"#[repr(C)] pub struct Wrapped(pub u8);\n"
	"#[inline(never)] fn wrapped(x: u64) -> (u64, Wrapped) { (x, Wrapped(x as u8)) }\n"
	"#[inline(never)] fn words(x: u64) -> [u64; 2] { [x, x] }\n"
	"#[inline(never)] fn keep<T>(_value: &T) {}\n"
	"#[inline(never)] fn last(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: Big) -> u64 {\n"
	"    keep(&a); keep(&g); b + c + d + e + f\n"
	"}\n"
	"#[inline(never)] fn half(x: u64) -> Option<u64> { if x % 2 == 0 { Some(x / 2) } else { None } }\n"
	"#[inline(never)] fn shape(x: u32) -> Shape { if x == 0 { Shape::Empty } else { Shape::Line(x) } }\n"
	"#[inline(never)] fn big(x: u64) -> Big { Big(x, x, x) }\n"
	"fn results() {\n"
	"    let length = match shape(3) { Shape::Empty => 0, Shape::Line(x) => x };\n"
	"    println!(\"{:?} {} {:?} {} {:?}\", pair(1), tail(\"ab\"), blend(1), three(1).1, four(1));\n"
	"    println!(\"{:?} {} {}\", half(1), length, big(1).2);\n"
	"}\n"
	"fn main() { results(); println!(\"{}\", words(1)[1] + wrapped(1).0 + last(1, 2, 3, 4, 5, 6, Big(7, 8, 9)));\n"
	"    println!(\"{}\", many((1, 2), \"abc\", Big(4, 5, 6), 2.5, Some(9), true)); }\n";

/* Classes that are passed by their address. */
static const char classes_source[] =
	"struct copied { long v; copied(long x) : v(x) {} copied(const copied &o) : v(o.v) {} };\n"
	"struct destroyed { long v; ~destroyed() {} }; struct derived : copied { derived(long x) : copied(x) {} };\n"
	"struct holder { destroyed d; }; struct plain { long v; plain(long x) : v(x) {} };\n"
	"struct large { long v[6]; large(const large &o) { v[3] = o.v[3]; } large() { v[3] = 7; } };\n"
	"struct color { long v; color(long x) : v(x) {} static const color red, green, blue, white; static destroyed "
	"d; };\n"
	"const color color::red{1}, color::green{2}, color::blue{3}, color::white{4}; destroyed color::d;\n"
	"volatile long sink;\n"
	"#define FUNCTION __attribute__((noinline))\n"
	"FUNCTION color f_color() { return color(sink); }\n"
	"FUNCTION copied f_copied() { return copied(sink); }\n"
	"FUNCTION destroyed f_destroyed() { return destroyed{sink}; }\n"
	"FUNCTION derived f_derived() { return derived(sink); }\n"
	"FUNCTION holder f_holder() { return holder{{sink}}; }\n"
	"FUNCTION plain f_plain() { return plain(sink); }\n"
	"FUNCTION long takes(copied c, plain p) { return sink += c.v + p.v; }\n"
	"FUNCTION long mixes(copied c, destroyed d, long *p) { return sink += c.v + d.v + *p; }\n"
	"FUNCTION long stacked(long a, long b, long c, long d, long e, long f, large l)\n"
	"{ asm volatile(\"\" : : \"r\"(&l) : \"memory\"); return sink += f + l.v[3]; }\n"
	"int main()\n"
	"{\n"
	"	sink += f_copied().v + f_destroyed().v + f_derived().v + f_holder().d.v + f_plain().v + f_color().v;\n"
	"	long x = 5;\n"
	"	sink += mixes(copied(1), destroyed{2}, &x);\n"
	"	return takes(copied(1), plain(2)) + stacked(1, 2, 3, 4, 5, 6, large());\n"
	"}\n";

/* clang describes each of these parameters by its only register. */
static const char pieces_source[] =
	"struct two { long a, b; }; struct four { int a, b, c, d; };\n"
	"volatile long sink;\n"
	"#define FUNCTION __attribute__((noinline)) int\n"
	"FUNCTION first(struct two t) { sink += t.a; return 1; }\n"
	"FUNCTION second(struct two t) { sink += t.b; return 2; }\n"
	"FUNCTION third(struct four t) { sink += t.b; return 3; }\n"
	"int main(void)\n"
	"{ return first((struct two){1, 2}) + second((struct two){3, 4}) + third((struct four){1, 2, 3, 4}); }\n";

/* A block of 16 bytes ends at the thread pointer. */
static const char threads_source[] = "__thread int counter = 5;\n"
				     "static __thread long second = 7;\n"
				     "__attribute__((noinline)) int f(int x) { return counter += x + second++; }\n"
				     "int main(void) { return f(1); }\n";

struct expectation {
	const char *function, *variable;
	const char *location; /* the beginning of its text; "optimized out" is right, too */
	const char *or_other; /* also right: another text for the same, or the reason why it is not known */
};

#define NOT_INTEGER "not readable: it is computed in a type that is not an integer"
#define NOT_RUST "not readable: it is not known how Rust returns a value of this type"
#define NOT_ADDRESS "not readable: it may be the argument's address instead"
#define NOT_YET "not readable: it is not in its place yet"

/* The places that the psABI gives to parameters, which do not depend on the compiler. */
static const struct expectation c_places[] = {
	{"small", "c", "register %rdi"},
	{"small", "b", "register %r8", "computed (u8)(u8)(%r8"},
	{"small", "u", "register %r9"},
	{"stacked", "a", "register %rdi"},
	{"stacked", "s1", "memory %rsp+8"},
	{"stacked", "ld", "memory %rsp+24", "not readable: it is in a floating-point"},
	{"stacked", "s2", "memory %rsp+40"},
	{"split", "s1", "memory %rsp+8"},
	{"split", "s2", "memory %rsp+"}, /* gcc aligns __int128, clang before 18 does not */
	{"by_value", "s1", "memory %rsp+8"},
	{"by_value", "t", "memory %rsp+24"},
	{"by_value", "s2", "memory %rsp+56"},
	{"structures", "f", "register %xmm0", NOT_INTEGER},
	{"structures", "m", "bytes 0-7: register %rsi, 8-15: register %xmm1"},
	{"structures", "c", "register %r8"},
	{"structures", "s", "register %r9"},
	{"windows", "a", "register %rcx"},
	{"windows", "b", "register %rdx"},
	{"windows", "c", "register %r8"},
	{"windows", "d", "register %r9"},
	{"windows", "e", "memory %rsp+40"},
	{"variadic", "n", "register %rdi"},
	{"large", "n", "register %rdi"},
	{"large", "t", "register %rsi"},
	{"replaced", "x", "register %rdi", NOT_YET},
	{"replaced", "y", "register %rsi"},
	{"assigned", "x", "register %rdi", "not readable: the function may replace its argument"},
	{"assigned", "y", "register %rsi"},
	{"odd", "c", "register %rdx", NOT_YET},
	{"in_memory", "x", "register %rdi", NOT_YET},
	{"in_memory", "y", "register %rsi"},
	{"homes", "a", "register %rdi"},
	{"homes", "b", "register %rsi"},
	{"cut", "a", "register %rdi"},
};

#define NOT_USUAL "not readable: the function does not use the usual calling convention"
#define NOT_FLOAT "not readable: it is, at least in part, in floating-point registers"

static const struct expectation result_places[] = {
	{"r_bits", "return", "bytes 0-7: register %rax, 8-15: register %rdx"},
	{"r_odd_bytes", "return", "memory %rax"},
	{"r_overlaid", "return", "memory %rax"},
	{"r_vector", "return", "bytes 0-7: register %xmm0, 8-15: optimized out"},
	{"r_two_vectors", "return", "memory %rax"},
	{"r_large_vector", "return", NOT_FLOAT},
	{"r_one_vector", "return", NOT_FLOAT},
	{"r_windows", "return", NOT_USUAL},
	{"r_windows_calls", "return", NOT_USUAL},
	{"r_windows_mixed", "return", NOT_USUAL},
	{"r_windows_three", "return", NOT_USUAL},
	{"r_windows_later_mixed", "return", NOT_USUAL},
	{"r_windows_later_three", "return", NOT_USUAL},
	/* Without optimization, gcc loads the value into the usual register, too. */
	{"r_windows_pair", "return", NOT_USUAL, "register %xmm0"},
	{"r_windows_word", "return", NOT_USUAL, "register %xmm0"},
	{"r_windows_later_pair", "return", NOT_USUAL, "register %xmm0"},
	{"r_windows_later_word", "return", NOT_USUAL, "register %xmm0"},
	{"r_usual_mixed", "return", "bytes 0-7: register %rax, 8-15: register %xmm0"},
	{"r_usual_three", "return", "register %rax"},
	{"r_usual_pair", "return", "register %xmm0"},
	{"r_usual_word", "return", "register %xmm0"},
	{"r_memory", "return", "memory %rax"},
};

/* Where the result of r_local() is by the convention of gcc, and of clang, which knows all its calls. */
static const struct expectation gcc_places[] = {{"r_local", "return", "memory %rax"}};
static const struct expectation clang_places[] = {{"r_local", "return", "memory entry:%rdi"}};

/* The places of a function whose parameter `unused` was removed, or was not. */
static const struct expectation whole_places[] = {{"cut", "f", "memory %rsp+8"}, {"cut", "s", "memory %rsp+16"}};
static const struct expectation cut_places[] = {{"cut", "f", "register %r9"}, {"cut", "s", "memory %rsp+8"}};

static const struct expectation small_places[] = {
	{"three", "a", "computed (u32)%rax"}, {"three", "b", "computed (u32)%rdx"},
	{"three", "c", "computed (u32)%rcx"}, {"three", "d", "memory (u32)%rsp+4"},
	{"fast", "a", "computed (u32)%rcx"},  {"fast", "b", "computed (u32)%rdx"},
	{"fast", "c", "memory (u32)%rsp+4"},  {"plain", "a", "memory (u32)%rsp+4"},
	{"plain", "b", "memory (u32)%rsp+8"}, {"plain", "c", "memory (u32)%rsp+16"},
};

static const struct expectation pieces_places[] = {
	{"first", "t", "bytes 0-7: register %rdi, 8-15: optimized out"},
	{"second", "t", "bytes 0-7: optimized out, 8-15: register %rsi"},
	{"third", "t", "bytes 0-3: computed (u32)(u64)%rdi, 4-7: computed (u32)(u64)(%rdi>>32), 8-15: optimized out"},
};

static const struct expectation threads_places[] = {
	{"f", "counter", "memory %fs-16"},
	{"f", "second", "memory %fs-8"},
};

static const struct expectation classes_places[] = {
	{"f_color", "return", "register %rax"},
	{"f_copied", "return", "memory %rax"},
	{"f_destroyed", "return", "memory %rax"},
	{"f_derived", "return", "memory %rax"},
	{"f_holder", "return", "memory %rax"},
	{"f_plain", "return", "register %rax"},
	{"takes", "c", "memory %rdi", "memory (u64)%rdi"},
	{"takes", "p", "register %rsi"},
	{"mixes", "p", "register %rdx"},
	{"stacked", "l", "memory *(u64 *)(%rsp+8)", NOT_ADDRESS},
};

static const struct expectation rust_places[] = {
	{"many", "a", "bytes 0-3: register %rdi, 4-7: register %rsi"},
	{"many", "s", "bytes 0-7: register %rdx, 8-15: register %rcx"},
	{"many", "b", "memory (u64)%r8"},
	{"many", "f", "register %xmm0"},
	{"many", "o", "bytes 0-7: register %r9, 8-15: memory %rsp+8"},
	{"many", "c", "memory %rsp+16"},
	{"pair", "return", "bytes 0-3: register %rax, 4-7: register %rdx"},
	{"tail", "return", "bytes 0-7: register %rax, 8-15: register %rdx"},
	{"blend", "return", "bytes 0-7: register %xmm0, 8-15: register %rax"},
	{"three", "return", "register %rax"},
	{"four", "return", NOT_RUST},
	{"words", "return", NOT_RUST},
	{"wrapped", "return", NOT_RUST},
	{"last", "g", "memory *(u64 *)(%rsp+8)"},
	{"half", "return", "bytes 0-7: register %rax, 8-15: register %rdx"},
	{"shape", "return", "bytes 0-3: register %rax, 4-7: register %rdx"},
	{"big", "return", "memory entry:%rdi"},
};

struct places {
	const struct expectation *list;
	size_t count;
};

struct build {
	const char *compiler, *options;
	const char *source, *file;
	struct places places[4];
};

/* clang-format off */
#define LIST(list) {(list), G_N_ELEMENTS(list)}
#define OF_C(compiler, options, own, list)                                                                             \
	{compiler, options " -w", c_source, "test.c", {LIST(c_places), LIST(result_places), LIST(own), LIST(list)}}
#define OF_SMALL(compiler, options)                                                                                    \
	{compiler, "-m32 -g -nostdlib -w " options, small_source, "test.c", {LIST(small_places)}}
/* clang-format on */

static const struct build builds[] = {
	OF_C("gcc", "-g -O0", gcc_places, whole_places),
	OF_C("gcc", "-g -O1", gcc_places, whole_places),
	OF_C("gcc", "-g -O2", gcc_places, cut_places),
	OF_C("gcc", "-g -O2 -fno-var-tracking", gcc_places, cut_places),
	OF_C("gcc", "-g -O0 -fstack-protector-all -fstack-clash-protection -fcf-protection", gcc_places, whole_places),
	OF_C("gcc", "-g -O0 -pg -mfentry", gcc_places, whole_places),
	OF_C("clang", "-g -O0", clang_places, whole_places),
	OF_C("clang", "-g -O0 -fomit-frame-pointer", clang_places, whole_places),
	OF_C("clang", "-g -O2", clang_places, cut_places),
	OF_C("clang", "-g -O2 -fno-omit-frame-pointer", clang_places, cut_places),
	OF_SMALL("gcc", "-O0"),
	OF_SMALL("gcc", "-O2"),
	OF_SMALL("clang", "-O0"),
	{"g++", "-g -O0", classes_source, "test.cc", {LIST(classes_places)}},
	{"g++", "-g -O2", classes_source, "test.cc", {LIST(classes_places)}},
	{"g++", "-gdwarf-4 -O2", classes_source, "test.cc", {LIST(classes_places)}},
	{"clang++", "-g -O0", classes_source, "test.cc", {LIST(classes_places)}},
	{"clang++", "-g -O2", classes_source, "test.cc", {LIST(classes_places)}},
	{"clang++", "-gdwarf-4 -O2", classes_source, "test.cc", {LIST(classes_places)}},
	{"clang", "-g -O1", pieces_source, "test.c", {LIST(pieces_places)}},
	{"gcc", "-g", threads_source, "test.c", {LIST(threads_places)}},
	{"gcc", "-g -gsplit-dwarf", threads_source, "test.c", {LIST(threads_places)}},
	{"gcc", "-gdwarf-4 -gsplit-dwarf", threads_source, "test.c", {LIST(threads_places)}},
	{"clang", "-g -gsplit-dwarf", threads_source, "test.c", {LIST(threads_places)}},
	{"clang", "-gdwarf-4 -gsplit-dwarf", threads_source, "test.c", {LIST(threads_places)}},
	{"rustc", "-g", rust_source, "test.rs", {LIST(rust_places)}},
	{"rustc", "-g -C force-frame-pointers=yes", rust_source, "test.rs", {LIST(rust_places)}},
};

struct fixture {
	char *directory;
	struct arena *arena;
	struct debuginfo *info;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->directory = g_dir_make_tmp("spile-locations-XXXXXX", NULL);
	g_assert_nonnull(fixture->directory);
	fixture->arena = arena_new();
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	run(fixture->directory, "rm -rf \"$PWD\"");
	g_free(fixture->directory);
	arena_free(fixture->arena);
}

static void open_program(struct fixture *fixture, const char *name)
{
	struct target_kernel kernel = {.release = "1.2.3-test"};
	struct debuginfo_search search = {
		.root = fixture->directory,
		.cache_directory = arena_printf(fixture->arena, "%s/cache", fixture->directory),
	};

	must_succeed(debuginfo_open_object(
		&kernel, &search, arena_printf(fixture->arena, "%s/%s", fixture->directory, name), &fixture->info));
}

/* Find a function by its name, without scopes. */
static const struct function *find_function(struct fixture *fixture, const char *name)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct function_query query = {.name = name};

	must_succeed(debuginfo_functions(fixture->info, &query, found));
	for_each_ptr(const struct function *, function, found) {
		if (!function->is_inlined)
			return function;
	}
	g_error("there is no function '%s'", name);
}

static const char *location_text(struct fixture *fixture, const char *function_name, const char *name)
{
	const struct function *function = find_function(fixture, function_name);
	const struct variable *variable;

	if (strcmp(name, "return") == 0)
		must_succeed(debuginfo_return_value(function, &variable));
	else
		must_succeed(debuginfo_find_variable(function, function->entry.value, name, &variable));
	return debuginfo_location_text(fixture->arena, variable);
}

static void check_places(struct fixture *fixture, const struct expectation *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = location_text(fixture, expected[i].function, expected[i].variable);

		g_test_message("%s, $%s: %s", expected[i].function, expected[i].variable, text);
		if (expected[i].or_other && g_str_has_prefix(text, expected[i].or_other))
			continue;
		if (strcmp(text, "optimized out") != 0 && !g_str_has_prefix(text, expected[i].location))
			g_error("%s, $%s: %s; not %s", expected[i].function, expected[i].variable, text,
				expected[i].location);
	}
}

static void test_entry(struct fixture *fixture, gconstpointer data)
{
	const struct build *build = data;
	g_autofree char *found = g_find_program_in_path(build->compiler);

	if (!found) {
		g_test_skip("the compiler is not installed");
		return;
	}
	put_file(fixture->directory, build->file, build->source);
	run(fixture->directory,
	    arena_printf(fixture->arena, "%s %s -o test %s", build->compiler, build->options, build->file));
	open_program(fixture, "test");
	for (size_t i = 0; i < G_N_ELEMENTS(build->places); i++)
		check_places(fixture, build->places[i].list, build->places[i].count);
	debuginfo_close(fixture->info);
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(builds); i++) {
		g_autofree char *name =
			g_strconcat("/locations/entry/", builds[i].compiler, " ", builds[i].options, NULL);

		g_test_add(name, struct fixture, &builds[i], set_up, test_entry, tear_down);
	}
	return g_test_run();
}
