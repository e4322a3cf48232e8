/* options: -q */
/* Structs and arrays in memory, alloca(), bcopy(), and stores that are checked. */
struct foo { int x; char c; long y; int b:3; int e:5; };
struct foo f;
struct foo list[3];
self struct foo mine;
this struct foo own;
struct foo by_key[int];
int numbers[5];
int matrix[2][3];
BEGIN
{
	f.x = 5; f.c = 'a'; f.y = 77; f.b = 2; f.e = -3;
	printf("%d %c %d %d %d\n", f.x, f.c, f.y, f.b, f.e);
	f.x++; f.x += 10; ++f.y;
	printf("%d %d %d\n", f.x, f.y--, f.y);
	copy = f; copy.x = 1;
	printf("%d %d\n", copy.x, f.x);
	p = (struct foo *)alloca(sizeof (struct foo));
	p->x = 9; p->y = 10;
	printf("%d %d %d\n", p->x, p->y, p->c);
	*p = f;
	printf("%d\n", p->x);
	list[1].x = 3; list[2] = list[1];
	printf("%d %d\n", list[2].x, list[0].x);
	self->mine.x = 12; this->own.y = 13; by_key[7].y = 99;
	printf("%d %d %d %d\n", self->mine.x, this->own.y, by_key[7].y, by_key[8].y);
	numbers[2] = 6; numbers[3] += 2; matrix[1][2] = 7;
	printf("%d %d %d %d\n", numbers[2], numbers[3], matrix[1][2], sizeof (numbers));
	s = (char *)alloca(10);
	bcopy("hello", s, 6); s[0] = 'J';
	printf("%s %s\n", stringof(s), stringof(s + 1));
	q = (int *)&f;
	printf("%d %d\n", *q, &list[1] - &list[0]);
}
BEGIN { numbers[9] = 1; }
BEGIN { z = (int *)alloca(250); zz = alloca(100); }
BEGIN { *(int *)16 = 1; }
BEGIN { trace(*(int *)24); }
ERROR { printf("error %d in action %d at %x\n", arg4, arg2, arg5); }
BEGIN { exit(0); }
