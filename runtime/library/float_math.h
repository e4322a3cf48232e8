/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic on doubles (IEEE 754, binary64) with integer instructions only. Kernel handlers must not use the FPU,
 * because they may have interrupted a program that uses it. Nothing of the kernel is needed, so that unit tests can
 * compare the results with those of the FPU; float.c uses this in the kernel.
 *
 * Results are rounded to nearest, ties to even. Every NaN result is the same NaN. Nothing takes more than some thousand
 * steps.
 */
#ifndef SPILE_RUNTIME_FLOAT_MATH_H
#define SPILE_RUNTIME_FLOAT_MATH_H

typedef unsigned long long fp_bits;
typedef unsigned __int128 fp_wide;

#define FLOAT_INFINITY 0x7ff0000000000000ULL
#define FLOAT_NAN 0x7ff8000000000000ULL
#define FLOAT_SIGN 0x8000000000000000ULL

enum fp_kind { FLOAT_ZERO, FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NO_NUMBER };

/*
 * An unpacked number: fraction * 2^exponent. The highest bit of the fraction is set. Its lowest bit is sticky: it is
 * also set for any lower bits that were lost.
 */
struct fp_parts {
	enum fp_kind kind;
	int sign, exponent;
	fp_bits fraction;
};

enum { FP_FRACTION_BITS = 52, FP_LEAST_EXPONENT = -1074, FP_MOST_EXPONENT = 971, FP_SPARE_BITS = 11 };

static inline struct fp_parts fp_parts_of(fp_bits bits)
{
	struct fp_parts parts = {FLOAT_FINITE, bits >> 63, (int)(bits >> FP_FRACTION_BITS & 0x7ff), 0};
	fp_bits fraction = bits & ((1ULL << FP_FRACTION_BITS) - 1);
	int exponent = parts.exponent, shift;

	if (exponent == 0x7ff) {
		parts.kind = fraction ? FLOAT_NO_NUMBER : FLOAT_INFINITE;
		return parts;
	}
	if (!exponent && !fraction) {
		parts.kind = FLOAT_ZERO;
		return parts;
	}
	if (exponent)
		fraction |= 1ULL << FP_FRACTION_BITS;
	else
		exponent = 1;
	shift = __builtin_clzll(fraction);
	parts.fraction = fraction << shift;
	parts.exponent = exponent - 1 + FP_LEAST_EXPONENT - shift;
	return parts;
}

/* Shift right; keep the lost bits in the lowest bit (sticky). */
static inline fp_bits fp_shift_down(fp_bits fraction, int count)
{
	if (count <= 0)
		return fraction;
	if (count >= 64)
		return fraction != 0;
	return fraction >> count | ((fraction << (64 - count)) != 0);
}

/* Round off the lowest @p count bits, to nearest. */
static inline fp_bits fp_round_off(fp_bits fraction, int count)
{
	fp_bits rest = fraction & ((1ULL << count) - 1), half = 1ULL << (count - 1), kept = fraction >> count;

	return kept + (rest > half || (rest == half && (kept & 1)));
}

static inline fp_bits fp_zero(int sign)
{
	return sign ? FLOAT_SIGN : 0;
}

static inline fp_bits fp_infinity(int sign)
{
	return fp_zero(sign) | FLOAT_INFINITY;
}

/* Pack sign, fraction and exponent into the nearest double. */
static inline fp_bits fp_pack(int sign, int exponent, fp_bits fraction)
{
	int shift;

	if (!fraction)
		return fp_zero(sign);
	shift = __builtin_clzll(fraction);
	fraction <<= shift;
	exponent += FP_SPARE_BITS - shift;
	/* Subnormal: use the least exponent, and as many bits as are left. */
	if (exponent < FP_LEAST_EXPONENT) {
		fraction = fp_shift_down(fraction, FP_LEAST_EXPONENT - exponent);
		exponent = FP_LEAST_EXPONENT;
	}
	fraction = fp_round_off(fraction, FP_SPARE_BITS);
	if (fraction >> (FP_FRACTION_BITS + 1)) {
		fraction >>= 1;
		exponent++;
	}
	if (exponent > FP_MOST_EXPONENT)
		return fp_infinity(sign);
	/* The implied bit increments the exponent field. Subnormal numbers do not have that bit. */
	return fp_zero(sign) | (((fp_bits)(exponent - FP_LEAST_EXPONENT) << FP_FRACTION_BITS) + fraction);
}

static inline fp_bits fp_add_parts(struct fp_parts a, struct fp_parts b)
{
	int distance;

	if (a.exponent < b.exponent || (a.exponent == b.exponent && a.fraction < b.fraction)) {
		struct fp_parts other = a;

		a = b;
		b = other;
	}
	distance = a.exponent - b.exponent;
	/* Keep one bit above for the carry, and the bits below for what is shifted out. */
	a.fraction = a.fraction >> 1; /* its lowest bits are 0 */
	b.fraction = fp_shift_down(b.fraction >> 1, distance);
	if (a.sign == b.sign)
		return fp_pack(a.sign, a.exponent + 1, a.fraction + b.fraction);
	if (a.fraction == b.fraction)
		return 0;
	return fp_pack(a.sign, a.exponent + 1, a.fraction - b.fraction);
}

static inline fp_bits fp_add(fp_bits left, fp_bits right)
{
	struct fp_parts a = fp_parts_of(left), b = fp_parts_of(right);

	if (a.kind == FLOAT_NO_NUMBER || b.kind == FLOAT_NO_NUMBER ||
	    (a.kind == FLOAT_INFINITE && b.kind == FLOAT_INFINITE && a.sign != b.sign))
		return FLOAT_NAN;
	if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_INFINITE)
		return fp_infinity(a.kind == FLOAT_INFINITE ? a.sign : b.sign);
	if (a.kind == FLOAT_ZERO && b.kind == FLOAT_ZERO)
		return fp_zero(a.sign && b.sign);
	if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO)
		return a.kind == FLOAT_ZERO ? right : left;
	return fp_add_parts(a, b);
}

static inline fp_bits fp_sub(fp_bits left, fp_bits right)
{
	return fp_add(left, right ^ FLOAT_SIGN);
}

static inline fp_bits fp_mul(fp_bits left, fp_bits right)
{
	struct fp_parts a = fp_parts_of(left), b = fp_parts_of(right);
	int sign = a.sign ^ b.sign;
	fp_wide product;

	if (a.kind == FLOAT_NO_NUMBER || b.kind == FLOAT_NO_NUMBER ||
	    (a.kind == FLOAT_INFINITE && b.kind == FLOAT_ZERO) || (a.kind == FLOAT_ZERO && b.kind == FLOAT_INFINITE))
		return FLOAT_NAN;
	if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_INFINITE)
		return fp_infinity(sign);
	if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO)
		return fp_zero(sign);
	product = (fp_wide)a.fraction * b.fraction;
	return fp_pack(sign, a.exponent + b.exponent + 64, (fp_bits)(product >> 64) | ((fp_bits)product != 0));
}

static inline fp_bits fp_div(fp_bits left, fp_bits right)
{
	struct fp_parts a = fp_parts_of(left), b = fp_parts_of(right);
	int sign = a.sign ^ b.sign, i;
	fp_bits quotient = 0;
	fp_wide rest;

	if (a.kind == FLOAT_NO_NUMBER || b.kind == FLOAT_NO_NUMBER || (a.kind == b.kind && a.kind != FLOAT_FINITE))
		return FLOAT_NAN;
	if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_ZERO)
		return fp_infinity(sign);
	if (a.kind == FLOAT_ZERO || b.kind == FLOAT_INFINITE)
		return fp_zero(sign);
	rest = a.fraction;
	for (i = 0; i < 63; i++) {
		quotient = quotient << 1 | (rest >= b.fraction);
		if (rest >= b.fraction)
			rest -= b.fraction;
		rest <<= 1;
	}
	return fp_pack(sign, a.exponent - b.exponent - 63, quotient << 1 | (rest != 0));
}

/* Return the IEEE 754 remainder, of the quotient rounded to nearest. Its sign may differ from that of @p left. */
static inline fp_bits fp_rem(fp_bits left, fp_bits right)
{
	struct fp_parts a = fp_parts_of(left), b = fp_parts_of(right);
	int is_odd = 0, distance;
	fp_wide rest;

	if (a.kind == FLOAT_NO_NUMBER || b.kind == FLOAT_NO_NUMBER || a.kind == FLOAT_INFINITE || b.kind == FLOAT_ZERO)
		return FLOAT_NAN;
	if (a.kind == FLOAT_ZERO || b.kind == FLOAT_INFINITE)
		return left;
	distance = a.exponent - b.exponent;
	if (distance < -1)
		return left;
	/* Work in halves of b's last place, so that half of b is an integer. */
	rest = distance < 0 ? a.fraction : (fp_wide)a.fraction << 1;
	for (; distance >= 0; distance--) {
		is_odd = rest >= (fp_wide)b.fraction << 1;
		if (is_odd)
			rest -= (fp_wide)b.fraction << 1;
		if (distance)
			rest <<= 1;
	}
	/* The next multiple is nearer, or a tie with an even quotient. */
	if (rest > b.fraction || (rest == b.fraction && is_odd)) {
		rest = ((fp_wide)b.fraction << 1) - rest;
		a.sign = !a.sign;
	}
	if (!rest)
		return fp_zero(a.sign);
	return rest >> 64 ? fp_pack(a.sign, b.exponent, (fp_bits)(rest >> 1))
			  : fp_pack(a.sign, b.exponent - 1, (fp_bits)rest);
}

static inline fp_bits fp_sqrt(fp_bits input)
{
	struct fp_parts a = fp_parts_of(input);
	fp_wide rest = 0, square;
	fp_bits root = 0;
	int i;

	if (a.kind == FLOAT_ZERO || (a.kind == FLOAT_INFINITE && !a.sign))
		return input;
	if (a.kind == FLOAT_NO_NUMBER || a.sign)
		return FLOAT_NAN;
	/* Make the exponent even; then compute one bit of the root from two bits of the square (digit by digit). */
	square = (fp_wide)a.fraction << (a.exponent & 1 ? 63 : 62);
	for (i = 0; i < 64; i++) {
		rest = rest << 2 | (fp_bits)(square >> 126);
		square <<= 2;
		root <<= 1;
		if (rest >= ((fp_wide)root << 1 | 1)) {
			rest -= (fp_wide)root << 1 | 1;
			root |= 1;
		}
	}
	return fp_pack(0, (a.exponent - (a.exponent & 1 ? 63 : 62)) / 2, root | (rest != 0));
}

static inline int fp_is_nan(fp_bits bits)
{
	return (bits & ~FLOAT_SIGN) > FLOAT_INFINITY;
}

/* Map a double to an integer of the same order. */
static inline long long fp_rank(fp_bits bits)
{
	return bits & FLOAT_SIGN ? -(long long)(bits & ~FLOAT_SIGN) : (long long)bits;
}

static inline int fp_lt(fp_bits left, fp_bits right)
{
	return !fp_is_nan(left) && !fp_is_nan(right) && fp_rank(left) < fp_rank(right);
}

static inline int fp_le(fp_bits left, fp_bits right)
{
	return !fp_is_nan(left) && !fp_is_nan(right) && fp_rank(left) <= fp_rank(right);
}

static inline int fp_eq(fp_bits left, fp_bits right)
{
	return !fp_is_nan(left) && !fp_is_nan(right) && fp_rank(left) == fp_rank(right);
}

static inline fp_bits fp_from_long(long long number)
{
	int sign = number < 0;

	return fp_pack(sign, 0, sign ? -(fp_bits)number : (fp_bits)number);
}

/* The values that scripts pass to fp_to_long(). */
enum fp_rounding { FP_TO_NEAREST, FP_TO_ZERO, FP_DOWN, FP_UP, FP_HALVES_AWAY, FP_TO_ODD = 6 };

/* Return whether to increment the number, if @p rest of 2^64 was cut off. */
static inline int fp_rounds_up(enum fp_rounding rounding, int sign, fp_bits number, fp_bits rest)
{
	const fp_bits half = 1ULL << 63;

	switch (rounding) {
	case FP_TO_ZERO:
		return 0;
	case FP_DOWN:
		return sign && rest;
	case FP_UP:
		return !sign && rest;
	case FP_HALVES_AWAY:
		return rest >= half;
	case FP_TO_ODD:
		return rest && !(number & 1);
	default:
		return rest > half || (rest == half && (number & 1));
	}
}

/* Convert to an integer. Values out of range saturate; NaN is 0. */
static inline long long fp_to_long(fp_bits bits, enum fp_rounding rounding)
{
	const long long most = 0x7fffffffffffffffLL;
	struct fp_parts a = fp_parts_of(bits);
	fp_bits number = 0, rest = 0;

	if (a.kind == FLOAT_ZERO || a.kind == FLOAT_NO_NUMBER)
		return 0;
	if (a.kind == FLOAT_INFINITE || a.exponent > -1)
		return a.sign ? -most - 1 : most;
	if (a.exponent > -64) {
		number = a.fraction >> -a.exponent;
		rest = a.fraction << (64 + a.exponent);
	} else {
		rest = fp_shift_down(a.fraction, -a.exponent - 64);
	}
	number += (fp_bits)fp_rounds_up(rounding, a.sign, number, rest);
	return a.sign ? -(long long)number : (long long)number;
}

/* ---- decimal numbers --------------------------------------------------------------------------------------------- */

/*
 * Large numbers, lowest word first. The largest double has 1024 bits; the smallest power of ten in a text is below all
 * doubles.
 */
enum { FP_LARGE_WORDS = 40 };

struct fp_large {
	unsigned int words[FP_LARGE_WORDS];
	int count;
};

/* Compute number * factor + add. */
static inline void fp_large_step(struct fp_large *number, unsigned int factor, unsigned int add)
{
	unsigned long long carry = add;
	int i;

	for (i = 0; i < number->count; i++) {
		carry += (unsigned long long)number->words[i] * factor;
		number->words[i] = (unsigned int)carry;
		carry >>= 32;
	}
	if (carry && number->count < FP_LARGE_WORDS)
		number->words[number->count++] = (unsigned int)carry;
}

/* Divide by a single word. Return the remainder. */
static inline unsigned int fp_large_divide(struct fp_large *number, unsigned int divisor)
{
	unsigned long long rest = 0;
	int i;

	for (i = number->count - 1; i >= 0; i--) {
		rest = rest << 32 | number->words[i];
		number->words[i] = (unsigned int)(rest / divisor);
		rest %= divisor;
	}
	while (number->count && !number->words[number->count - 1])
		number->count--;
	return (unsigned int)rest;
}

static inline void fp_large_shift_up(struct fp_large *number, int bits)
{
	for (; bits >= 16; bits -= 16)
		fp_large_step(number, 1u << 16, 0);
	fp_large_step(number, 1u << bits, 0);
}

static inline int fp_large_bits(const struct fp_large *number)
{
	return number->count ? 32 * number->count - __builtin_clz(number->words[number->count - 1]) : 0;
}

/* Return the highest 64 bits; the lowest of them is sticky. Set *exponent to the number of bits below. */
static inline fp_bits fp_large_top(const struct fp_large *number, int *exponent)
{
	fp_bits top = 0;
	int bits = fp_large_bits(number), i, from = bits - 64;

	*exponent = from;
	for (i = number->count - 1; i >= 0; i--) {
		int place = 32 * i - from;

		if (place >= 0)
			top |= (fp_bits)number->words[i] << place;
		else if (place > -32)
			top |= number->words[i] >> -place | ((number->words[i] << (32 + place)) != 0);
		else
			top |= number->words[i] != 0;
	}
	return top;
}

/*
 * Convert digits * 10^exponent. If the exponent is negative, scale the number up before dividing, so that the quotient
 * has enough bits; the remainder sets the sticky bit.
 */
static inline fp_bits fp_from_decimal(int sign, struct fp_large *digits, int exponent)
{
	int twos = 0, is_inexact = 0;
	fp_bits top;

	for (; exponent > 0; exponent--)
		fp_large_step(digits, 10, 0);
	while (exponent < 0) {
		int room = 32 * FP_LARGE_WORDS - 32 - fp_large_bits(digits);
		unsigned int power = 1;

		room -= room % 16;
		if (fp_large_bits(digits) < 600) {
			fp_large_shift_up(digits, room / 2);
			twos -= room / 2;
		}
		for (; exponent < 0 && power < 100000000; exponent++)
			power *= 10;
		is_inexact |= fp_large_divide(digits, power) != 0;
	}
	top = fp_large_top(digits, &exponent);
	return fp_pack(sign, exponent + twos, top | (fp_bits)is_inexact);
}

/* Convert "[-]digits[.digits][e[-]digits]". Return 0 if the text is not a number. An empty text is 0. */
static inline int fp_from_text(const char *text, fp_bits *ret)
{
	enum { MOST_DIGITS = 100, MOST_EXPONENT = 100000 };
	struct fp_large digits = {.count = 0};
	int sign = *text == '-', count = 0, exponent = 0, written = 0, written_sign, is_fraction = 0, any = !*text;

	text += sign || *text == '+';
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !is_fraction); text++) {
		if (*text == '.') {
			is_fraction = 1;
			continue;
		}
		any = 1;
		exponent -= is_fraction;
		if (count >= MOST_DIGITS) {
			/* too many digits: only set the sticky bit */
			exponent++;
			if (*text != '0')
				digits.words[0] |= 1;
			continue;
		}
		if (!digits.count && *text != '0') {
			digits.count = 1;
			digits.words[0] = 0;
		}
		count += digits.count > 0;
		fp_large_step(&digits, 10, (unsigned int)(*text - '0'));
	}
	if (any && (*text == 'e' || *text == 'E')) {
		text++;
		written_sign = *text == '-' ? -1 : 1;
		text += *text == '-' || *text == '+';
		any = 0;
		for (; *text >= '0' && *text <= '9'; text++, any = 1)
			if (written < MOST_EXPONENT)
				written = written * 10 + (*text - '0');
		exponent += written_sign * written;
	}
	if (*text || !any)
		return 0;
	if (!digits.count || count + exponent < -330)
		*ret = fp_zero(sign);
	else if (count + exponent > 310)
		*ret = fp_infinity(sign);
	else
		*ret = fp_from_decimal(sign, &digits, exponent);
	return 1;
}

/* A text buffer; what does not fit is dropped. */
struct fp_writer {
	char *to;
	unsigned int length, size; /* size includes the NUL */
};

static inline void fp_write(struct fp_writer *writer, char letter)
{
	if (writer->length + 1 < writer->size)
		writer->to[writer->length++] = letter;
}

enum { FP_MOST_INTEGER_DIGITS = 310, FP_SHOWN_INTEGER_DIGITS = 18 };

/* Write the digits of a large number, highest first, which makes it 0. Return their count. */
static inline int fp_large_digits(struct fp_large *number, char *digits)
{
	int count = 0, i;

	while (number->count && count < FP_MOST_INTEGER_DIGITS)
		digits[count++] = (char)('0' + fp_large_divide(number, 10));
	for (i = 0; i < count / 2; i++) {
		char other = digits[i];

		digits[i] = digits[count - 1 - i];
		digits[count - 1 - i] = other;
	}
	return count;
}

/* Split a number at the point: *whole, and *rest in units of 2^-*places. */
static inline void fp_split(const struct fp_parts *parts, struct fp_large *whole, struct fp_large *rest, int *places)
{
	fp_bits fraction = parts->fraction >> FP_SPARE_BITS, low = fraction;
	int exponent = parts->exponent + FP_SPARE_BITS;

	whole->count = rest->count = *places = 0;
	if (exponent < 0) {
		*places = -exponent;
		low = exponent > -64 ? fraction >> -exponent : 0;
		fraction = exponent > -64 ? fraction & ((1ULL << -exponent) - 1) : fraction;
		rest->words[0] = (unsigned int)fraction;
		rest->words[1] = (unsigned int)(fraction >> 32);
		rest->count = fraction >> 32 ? 2 : fraction != 0;
	}
	whole->words[0] = (unsigned int)low;
	whole->words[1] = (unsigned int)(low >> 32);
	whole->count = low >> 32 ? 2 : low != 0;
	if (exponent > 0)
		fp_large_shift_up(whole, exponent);
}

/* Increment the last place of the decimal number in the text. If all digits are 9, add a digit in front. */
static inline void fp_round_text_up(struct fp_writer *writer, unsigned int begin)
{
	unsigned int i = writer->length;

	while (i-- > begin) {
		char letter = writer->to[i];

		if (letter == '.')
			continue;
		writer->to[i] = letter == '9' ? '0' : (char)(letter + 1);
		if (letter != '9')
			return;
	}
	fp_write(writer, '0');
	for (i = writer->length - 1; i > begin; i--)
		writer->to[i] = writer->to[i - 1];
	writer->to[begin] = '1';
}

/*
 * Write digits of rest / 2^places and remove them from *rest. Return whether to round up: more than half is left, or
 * exactly half after an odd digit.
 */
static inline int fp_write_fraction(struct fp_writer *writer, struct fp_large *rest, int places, int precision)
{
	int last = 0, bits, i;

	for (i = 0; i < precision; i++) {
		last = 0;
		fp_large_step(rest, 10, 0);
		while (rest->count * 32 > places && rest->count) {
			int top = rest->count - 1, from = places - 32 * top;

			/* Take what is above the point, in one or two words. */
			if (from >= 32)
				break;
			if (from < 0) {
				last |= (int)(rest->words[top] << -from);
				rest->words[top] = 0;
			} else {
				last |= (int)(rest->words[top] >> from);
				rest->words[top] &= from ? (1u << from) - 1 : 0;
			}
			while (rest->count && !rest->words[rest->count - 1])
				rest->count--;
			if (from >= 0)
				break;
		}
		fp_write(writer, (char)('0' + last));
	}
	bits = fp_large_bits(rest);
	if (bits < places || !bits)
		return 0;
	/* The highest bit is one half: check whether there is more. */
	for (i = 0; i < rest->count - 1; i++)
		if (rest->words[i])
			return 1;
	return (rest->words[rest->count - 1] & (rest->words[rest->count - 1] - 1)) != 0 || (last & 1);
}

/**
 * Convert a number to text, with @p precision digits after the point. With precision 0, the fraction is cut off. At
 * most eighteen digits are written before the point, then "e" and the number of omitted digits.
 *
 * @param[in] size Of @p to, at least 20.
 */
static inline void fp_to_text(fp_bits bits, int precision, char *to, unsigned int size)
{
	struct fp_writer writer = {to, 0, size};
	struct fp_parts parts = fp_parts_of(bits);
	struct fp_large whole = {.count = 0}, rest = {.count = 0};
	char digits[FP_MOST_INTEGER_DIGITS];
	const char *word = parts.kind == FLOAT_NO_NUMBER ? "NaN" : parts.kind == FLOAT_INFINITE ? "Infinity" : "";
	int count, places = 0, more, i, rounds_up = 0;
	unsigned int begin;

	if (parts.sign && parts.kind != FLOAT_NO_NUMBER)
		fp_write(&writer, '-');
	for (; *word; word++)
		fp_write(&writer, *word);
	begin = writer.length;
	if (parts.kind == FLOAT_FINITE)
		fp_split(&parts, &whole, &rest, &places);
	if (parts.kind == FLOAT_FINITE || parts.kind == FLOAT_ZERO) {
		count = fp_large_digits(&whole, digits);
		more = count > FP_SHOWN_INTEGER_DIGITS ? count - FP_SHOWN_INTEGER_DIGITS : 0;
		for (i = 0; i < count - more; i++)
			fp_write(&writer, digits[i]);
		if (!count)
			fp_write(&writer, '0');
		if (precision > 0)
			fp_write(&writer, '.');
		for (i = 0; more && i < precision; i++)
			fp_write(&writer, i < more ? digits[count - more + i] : '0');
		if (more)
			rounds_up = precision > 0 && precision < more && digits[count - more + precision] >= '5';
		else if (precision > 0)
			rounds_up = fp_write_fraction(&writer, &rest, places, precision);
		if (rounds_up)
			fp_round_text_up(&writer, begin);
		if (more) {
			fp_write(&writer, 'e');
			if (more >= 100)
				fp_write(&writer, (char)('0' + more / 100));
			if (more >= 10)
				fp_write(&writer, (char)('0' + more / 10 % 10));
			fp_write(&writer, (char)('0' + more % 10));
		}
	}
	to[writer.length] = '\0';
}

#endif
