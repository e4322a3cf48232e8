/* options: -q -w */
/* status: 4 */
/* Errors of clauses: what they print, and what ERROR sees. */
int zero;

BEGIN { printf("a"); trace(1 / zero); printf("never"); }
BEGIN { trace(5 % zero); }
BEGIN { trace(*(int *)8); }
BEGIN { trace(*(char *)NULL); }
BEGIN { trace(copyinstr(0)); }
BEGIN { trace(curthread->parent->comm == NULL ? 1 : 2); n = (int *)16; trace(*n); }
BEGIN { trace(inet_ntop(77, alloca(4))); }
BEGIN { x = lltostr(5, 1); }
BEGIN { y = strtoll("5", 99); }
BEGIN { chill(600000000); }
BEGIN { bcopy((void *)0, alloca(4), 4); }
BEGIN { bcopy("abc", (void *)8, 3); }
BEGIN { this->n = 1000; trace(alloca(this->n) == NULL); }
ERROR { printf("[%d %d %d %x]\n", arg2, arg4, arg1 > 0, arg5); }
BEGIN { exit(4); }
