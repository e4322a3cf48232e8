/* options: -q */
/* print() shows types, names and values of members. */
struct inner { int x; char s[8]; };
struct outer {
	struct inner i[2];
	union { int a; long b; } u;
	struct { int low : 3; unsigned int high : 5; };
	struct inner *p;
	int v[12];
};
typedef struct { short s; } unnamed_t;
struct outer o;
unnamed_t t;

BEGIN
{
	o.i[1].x = -4; o.i[0].s[0] = 'h'; o.u.b = 5; o.v[3] = 7; t.s = -1; o.low = -2; o.high = 31;
	print(o); print(o.i[1]); print(o.u.b); print(t);
	print(1); print("a\n"); print((char)-1); print(curthread == NULL); print((long)-1);
	print(`init_task.comm);
	print(*(struct list_head *)alloca(16));
}

/* Nothing is printed if a part of it cannot be read. */
BEGIN
{
	printf("lost");
	print(*(struct list_head *)8);
}

END
{
	printf("done\n");
}

BEGIN
{
	exit(0);
}
