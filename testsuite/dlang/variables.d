/* options: -q */
/* Scalars, associative arrays, thread-local and clause-local variables; increments; strings. */
int declared;
string text;
uint8_t small;
self int number;
this int local;
int table[string, int];
int array[4];

BEGIN
{
	declared = 3;
	declared += 4;
	text = "abc";
	small = 255;
	small++;
	self->number = 5;
	self->text = "thread";
	this->local = 6;
	table["a", 1] = 10;
	table["a", 2]++;
	free["x"] = 1;
	array[3] = 7;
	i = 0;
	printf("%d %s %d %d %s %d\n", declared, text, small, self->number, self->text, this->local);
	printf("%d %d %d %d %d\n", table["a", 1], table["a", 2], table["b", 1], free["x"], array[3]);
	printf("%d %d %d %d\n", i++, ++i, i--, --i);
}
BEGIN
/this->local == 6/
{
	this->local *= 2;
	printf("%d\n", this->local);
	text = strjoin(text, "def");
	printf("%s %d\n", text, text == "abcdef");
	printf("%d %d\n", text < "abd", text != "");
	exit(0);
}
