// SPDX-License-Identifier: GPL-2.0-or-later
/* Floating-point numbers of scripts (tapset/float.stp): float_math.h in the kernel. Any context. */
#include "runtime/core/internal.h"
#include "runtime/library/float_math.h"

stp_long stp_float_sum(stp_long left, stp_long right)
{
	return fp_add(left, right);
}

stp_long stp_float_difference(stp_long left, stp_long right)
{
	return fp_sub(left, right);
}

stp_long stp_float_product(stp_long left, stp_long right)
{
	return fp_mul(left, right);
}

stp_long stp_float_quotient(stp_long left, stp_long right)
{
	return fp_div(left, right);
}

stp_long stp_float_remainder(stp_long left, stp_long right)
{
	return fp_rem(left, right);
}

stp_long stp_float_root(stp_long number)
{
	return fp_sqrt(number);
}

int stp_float_less(stp_long left, stp_long right)
{
	return fp_lt(left, right);
}

int stp_float_less_or_equal(stp_long left, stp_long right)
{
	return fp_le(left, right);
}

int stp_float_equal(stp_long left, stp_long right)
{
	return fp_eq(left, right);
}

stp_long stp_float_to_long(stp_long number, stp_long rounding)
{
	return fp_to_long(number, rounding);
}

stp_long stp_float_from_long(stp_long number)
{
	return fp_from_long(number);
}

int stp_float_from_text(const char *text, stp_long *ret)
{
	fp_bits bits = 0;
	int is_number = fp_from_text(text, &bits);

	*ret = bits;
	return is_number;
}

void stp_float_to_text(stp_long number, stp_long precision, char *to)
{
	fp_to_text(number, clamp_t(stp_long, precision, 0, stp_script.string_size), to, stp_script.string_size);
}
