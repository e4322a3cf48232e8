inline int f[int a, string b] = a;
BEGIN { trace(f[1]); }
