// SPDX-License-Identifier: GPL-2.0-or-later
/* Floating-point arithmetic with integers (runtime/library/float_math.h), compared with the CPU and with libc. */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/library/float_math.h"

enum { ROUNDS = 300000 };

static double number_of(fp_bits bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static fp_bits bits_of(double number)
{
	fp_bits bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

/* Random numbers of all magnitudes, numbers near each other, and limits of the format. */
static fp_bits some_bits(void)
{
	static const fp_bits borders[] = {0,
					  FLOAT_SIGN,
					  1,
					  2,
					  0x000fffffffffffffULL,
					  0x0010000000000000ULL,
					  0x7fefffffffffffffULL,
					  FLOAT_INFINITY,
					  FLOAT_INFINITY | FLOAT_SIGN,
					  FLOAT_NAN,
					  0x3ff0000000000000ULL,
					  0x43e0000000000000ULL,
					  0xc3e0000000000000ULL,
					  0x3fe0000000000000ULL};
	fp_bits bits = (fp_bits)g_test_rand_int() << 32 | (unsigned int)g_test_rand_int();

	switch (g_test_rand_int_range(0, 8)) {
	case 0:
		return borders[g_test_rand_int_range(0, G_N_ELEMENTS(borders))];
	case 1:
	case 2:
		return (bits & 0x800fffffffffffffULL) | (fp_bits)g_test_rand_int_range(1000, 1060) << 52;
	case 3:
		return bits_of((double)g_test_rand_int_range(-1000, 1000) / 8);
	default:
		return bits;
	}
}

static void same(const char *what, fp_bits a, fp_bits b, fp_bits ours, double theirs)
{
	if (isnan(theirs) ? fp_is_nan(ours) : ours == bits_of(theirs))
		return;
	g_error("%s of %016llx and %016llx is %016llx, not %016llx", what, a, b, ours, bits_of(theirs));
}

/*
 * A remainder of 0 has the sign of the dividend, but not always in libc. Between two multiples, remainder() of glibc
 * 2.36 may choose the odd one: for 609948571443386.9 and 12.25 it returns 6.125. remainderl() chooses the even one.
 */
static double true_remainder(double x, double y)
{
	double rest = (double)remainderl((long double)x, (long double)y);

	return rest == 0 ? copysign(0, x) : rest;
}

static void test_arithmetic(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		fp_bits a = some_bits(), b = some_bits();
		double x = number_of(a), y = number_of(b);

		same("sum", a, b, fp_add(a, b), x + y);
		same("difference", a, b, fp_sub(a, b), x - y);
		same("product", a, b, fp_mul(a, b), x * y);
		same("quotient", a, b, fp_div(a, b), x / y);
		same("remainder", a, b, fp_rem(a, b), true_remainder(x, y));
		same("root", a, a, fp_sqrt(a), sqrt(x));
		g_assert_cmpint(fp_lt(a, b), ==, x < y);
		g_assert_cmpint(fp_le(a, b), ==, x <= y);
		g_assert_cmpint(fp_eq(a, b), ==, x == y);
	}
}

static void test_integers(void)
{
	double (*const functions[])(double) = {[FP_TO_NEAREST] = rint,
					       [FP_TO_ZERO] = trunc,
					       [FP_DOWN] = floor,
					       [FP_UP] = ceil,
					       [FP_HALVES_AWAY] = round};

	for (int i = 0; i < ROUNDS; i++) {
		long long number = (long long)some_bits();
		fp_bits bits = some_bits();

		same("number", (fp_bits)number, 0, fp_from_long(number), (double)number);
		for (unsigned int mode = 0; mode < G_N_ELEMENTS(functions); mode++) {
			double rounded = functions[mode](number_of(bits));
			long long wanted = isnan(rounded)      ? 0
					   : rounded >= 0x1p63 ? G_MAXINT64
					   : rounded < -0x1p63 ? G_MININT64
							       : (long long)rounded;

			g_assert_cmpint(fp_to_long(bits, mode), ==, wanted);
		}
	}
	g_assert_cmpint(fp_to_long(bits_of(2.5), FP_TO_ODD), ==, 3);
	g_assert_cmpint(fp_to_long(bits_of(-3.5), FP_TO_ODD), ==, -3);
	g_assert_cmpint(fp_to_long(bits_of(2), FP_TO_ODD), ==, 2);
}

static void reads(const char *text)
{
	fp_bits bits = 1;

	if (!fp_from_text(text, &bits) || bits != bits_of(strtod(text, NULL)))
		g_error("'%s' is %016llx, not %016llx", text, bits, bits_of(strtod(text, NULL)));
}

static void test_reading(void)
{
	static const char *const texts[] = {"0",
					    "-0.0",
					    "1e5",
					    "1.5",
					    "-2.25",
					    "123456.789",
					    "0.001",
					    "25e-2",
					    ".5",
					    "5.",
					    "1e-400",
					    "1e400",
					    "179769313486231580793e289",
					    "1.7976931348623159e308",
					    "4.9406564584124654e-324",
					    "2.4703282292062327e-324",
					    "2.4703282292062328e-324",
					    "9007199254740993",
					    "9007199254740992.5",
					    "0.1",
					    "1E+2",
					    "10000000000000000000000000000000000000000000000000000000000000000000000000"
					    "0000000000000000000000000001e-90",
					    "8.98846567431158e307",
					    "2.2250738585072011e-308",
					    "2.2250738585072014e-308",
					    "0.000000000000000000000001"};
	static const char *const wrong[] = {"abc", "-0.5x", ".", "1e", "1e+", "--1", "1.2.3", " 1", "-", "0x10"};
	char text[64];
	fp_bits bits;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		reads(texts[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
		if (fp_from_text(wrong[i], &bits))
			g_error("'%s' is read", wrong[i]);
	g_assert_true(fp_from_text("", &bits) && !bits);
	for (int i = 0; i < ROUNDS / 30; i++) {
		double number = number_of(some_bits());

		if (!isfinite(number))
			continue;
		snprintf(text, sizeof(text), "%.*e", g_test_rand_int_range(0, 25), number);
		reads(text);
	}
}

static void is_written(fp_bits bits, int precision)
{
	char ours[600], theirs[600];

	fp_to_text(bits, precision, ours, sizeof(ours));
	snprintf(theirs, sizeof(theirs), "%.*f", precision, number_of(bits));
	if (strcmp(ours, theirs) != 0)
		g_error("%016llx with %d places is '%s', not '%s'", bits, precision, ours, theirs);
}

static void assert_text(double number, int precision, const char *wanted)
{
	char text[64];

	fp_to_text(bits_of(number), precision, text, sizeof(text));
	g_assert_cmpstr(text, ==, wanted);
}

static void test_writing(void)
{
	for (int i = 0; i < ROUNDS / 30; i++) {
		fp_bits bits = some_bits();

		if (fabs(number_of(bits)) < 1e18)
			is_written(bits, g_test_rand_int_range(1, 30));
	}
	is_written(bits_of(9.999), 2);
	is_written(bits_of(0.5), 1);
	is_written(bits_of(999999.995), 2);
	is_written(1, 500);
	assert_text(123456.789, 0, "123456");
	assert_text(-2.25, -1, "-2");
	assert_text(0.125, 2, "0.12");
	assert_text(1.501, 6, "1.501000");
	assert_text(INFINITY, 3, "Infinity");
	assert_text(-INFINITY, 3, "-Infinity");
	assert_text(NAN, 3, "NaN");
	assert_text(1.7976931348623157e308, 3, "179769313486231570.815e291");
	assert_text(1e18, 1, "100000000000000000.0e1");
	/* The text is truncated to the buffer. */
	char few[20];

	fp_to_text(bits_of(1.0 / 3), 100, few, sizeof(few));
	g_assert_cmpstr(few, ==, "0.33333333333333331");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/float/arithmetic", test_arithmetic);
	g_test_add_func("/float/integers", test_integers);
	g_test_add_func("/float/reading", test_reading);
	g_test_add_func("/float/writing", test_writing);
	return g_test_run();
}
