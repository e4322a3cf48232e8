inline int a = b + b + b + b;
inline int b = c + c + c + c;
inline int c = d + d + d + d;
inline int d = e + e + e + e;
inline int e = f + f + f + f;
inline int f = g + g + g + g;
inline int g = pid;
BEGIN { trace(a); }
