BEGIN { trace(strlenn("x")); }
