/* Options of the program, and setopt(). */
#pragma D option quiet
#pragma D option nspec=2
#pragma D option strsize=8
#pragma D option aggsortpos=1
BEGIN { s = "0123456789"; printf("%s\n", s); }
BEGIN { a = speculation(); b = speculation(); printf("%d %d %d\n", a, b, speculation()); }
BEGIN { speculate(a); printf("first\n"); }
BEGIN { speculate(b); printf("second\n"); }
BEGIN { commit(b); }
BEGIN { commit(a); }
BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["x"] = sum(9); @b["y"] = sum(3); printa("%s %@d %@d\n", @a, @b); }
BEGIN { setopt("quiet", "no"); }
BEGIN { trace(execname); exit(0); }
