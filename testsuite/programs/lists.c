// SPDX-License-Identifier: GPL-2.0-or-later
/* Types that have several names: lists through typedefs, and pointers to pointers. */
#define KEPT __attribute__((noinline, noclone, used))

typedef struct node {
	int value;
	struct node *next, **link;
} node_t, *node_p;

typedef struct {
	int a;
	unsigned long b;
} pair_t, *pair_p;

struct names {
	pair_p first;
	pair_t *second;
	const pair_t *third;
	volatile struct names *other;
	unsigned long *number;
	__SIZE_TYPE__ *size;
	const void *nothing;
};

KEPT int walk(node_t *head, node_p *where, const struct node *constant, struct names *names)
{
	int sum = 0;

	for (node_p node = head; node; node = node->next)
		sum += node->value;
	__asm__ volatile("" : : "r"(where), "r"(constant), "r"(names) : "memory");
	return sum;
}

int main(void)
{
	node_t third = {3, 0, 0}, second = {2, &third, 0}, first = {1, &second, 0};
	node_p place = &second;
	pair_t pair = {7, 8};
	unsigned long number = 9;
	struct names names = {&pair, &pair, &pair, &names, &number, &number, &pair};

	first.link = &place;
	return walk(&first, &place, &third, &names) != 6;
}
