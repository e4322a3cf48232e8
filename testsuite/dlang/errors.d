/* An error ends the clause; its output is dropped; ERROR clauses run. */
BEGIN { printf("one"); }
BEGIN { printf("lost"); trace(*(int *)0); }
BEGIN { x = 0; trace(1 / x); }
ERROR { printf("error %d at %x", arg4, arg5); }
BEGIN { exit(0); }
