int x;
int x;
BEGIN { trace(x); }
