/* options: -q */
/* command: sh -c 'for i in 1 2 3 4 5; do /bin/sleep 0; done' */
/* A program keeps a pointer to a structure of a thread that has ended, and writes there. */
struct pair { long first; long second; };
self struct pair mine;
struct pair *kept;
proc:::exec-success
/execname == "sleep" && kept != NULL/
{
	kept->first = 0x4141414141414141;
	kept->second = 0x4141414141414141;
}
proc:::exec-success
/execname == "sleep"/
{
	printf("%d %d\n", self->mine.first, self->mine.second);
	self->mine.first = 1;
	kept = &self->mine;
}
