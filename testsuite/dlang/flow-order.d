/* status: 7 */
/* options: -q */
/* The order of clauses and probes; predicates see what earlier clauses did. */
self int done;
BEGIN { n = 1; printf("first\n"); }
BEGIN /n == 1/ { printf("second\n"); n = 2; }
BEGIN /n == 1/ { printf("never\n"); }
BEGIN /n == 2 && !self->done/ { self->done = 1; printf("third\n"); }
BEGIN, END { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }
tick-10ms /n++ < 4/ { printf("tick %d\n", n); }
tick-10ms /n >= 4 && !ended++/ { printf("exit\n"); exit(7); }
END { printf("end %d\n", n > 4); }
