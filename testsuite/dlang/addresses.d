/* options: -q */
/* Addresses of variables: such variables are in memory. */
int x;
int *p;
int **pp;
short s;

BEGIN
{
	x = 1;
	p = &x;
	*p = 3;
	x++;
	x += 2;
	printf("%d %d %d\n", x, *p, *&x);
	s = 70000;
	printf("%d %d\n", s, *(short *)&s);
	pp = &p;
	**pp = -5;
	printf("%d %d\n", x, p == *pp);
	y = 5;
	q = &y;
	*q = 6;
	self->z = 1;
	r = &self->z;
	*r += 1;
	this->w = 2;
	*&this->w = 7;
	printf("%d %d %d\n", y, self->z, this->w);
	a["k"] = 5;
	e = &a["k"];
	*e = 4;
	printf("%d %d\n", a["k"], a["other"]);
	exit(0);
}
