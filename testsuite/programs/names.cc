// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names that only C++ has, with known values, for guest/program-names.stp. Made into names-gcc.s and names-clang.s, which the
 * tests assemble, so that they need neither compiler (names.sh).
 */
using size_type = decltype(sizeof(0));
inline void *operator new(size_type, void *place)
{
	return place;
}

namespace outer
{
namespace inner
{
struct thing {
	enum kind { ONE = 1, TWO = 22 };

	int a;
	long b;
	kind k;
	static int shared;

	virtual int method(int n)
	{
		return a + n;
	}
};
int thing::shared = 5;

class derived : public thing
{
      public:
	struct nested {
		int deep;
	};

	int extra;
	nested inside;
	derived() : extra(9)
	{
		a = 3;
		b = -4;
		k = TWO;
		inside.deep = 17;
	}
};

template <typename T, int N> struct box {
	T items[N];
	T last;
};

enum class scoped : unsigned char { ALPHA = 3, BETA = 4 };

int variable = 77;
int other = 1;
derived object;
} // namespace inner

int other = 2;
} // namespace outer

namespace
{
struct unnamed {
	int z;
};
unnamed hidden = {13};
} // namespace

outer::inner::box<int, 4> numbers = {{1, 2, 3, 4}, 5};
outer::inner::box<const outer::inner::thing *, 2> things;
outer::inner::scoped choice = outer::inner::scoped::BETA;
int &reference = outer::inner::variable;
long outer::inner::thing::*member = &outer::inner::thing::b;

static long call(long number, long argument)
{
	long result;

	asm volatile("syscall" : "=a"(result) : "a"(number), "D"(argument) : "rcx", "r11", "memory");
	return result;
}

extern "C" void _start()
{
	new (&outer::inner::object) outer::inner::derived;
	things.last = things.items[1] = &outer::inner::object;
	hidden.z++;
	outer::inner::other++;
	outer::other++;
	call(121 /* getpgid */, 0);
	call(231 /* exit_group */, outer::inner::object.method(hidden.z) & 0);
}
