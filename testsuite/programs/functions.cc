// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions with names that only C++ has, for the unit tests of programs. Made into functions-gcc.s and
 * functions-clang.s, which the tests assemble, so that they need neither compiler (names.sh).
 */
#define KEPT __attribute__((noinline, used))

namespace geometry
{
class Shape
{
	int side;

      public:
	KEPT Shape(int side) : side(side)
	{
	}
	KEPT int area(int scale) const;
	static KEPT int count(int n)
	{
		return n + 1;
	}
	KEPT int operator<(const Shape &other) const
	{
		return side < other.side;
	}
};

int Shape::area(int scale) const
{
	return side * side * scale;
}

namespace
{
KEPT int hidden(int n)
{
	return n * 3;
}
} // namespace

KEPT int put(int n)
{
	return n;
}
KEPT int put(long n)
{
	return (int)n + 2;
}
} // namespace geometry

template <typename T> struct Box {
	T item;
	KEPT T get() const
	{
		return item;
	}
};

template <typename T> KEPT T largest(T a, T b)
{
	return a > b ? a : b;
}

KEPT int area(int n)
{
	return n - 1;
}

extern "C" int run(int n)
{
	geometry::Shape shape(n);
	Box<int> box = {n};

	return shape.area(2) + geometry::Shape::count(n) + (shape < geometry::Shape(3)) + geometry::hidden(n) +
	       geometry::put(n) + geometry::put(5L) + box.get() + largest(n, 2) + (int)largest(3L, 4L) + area(n);
}
