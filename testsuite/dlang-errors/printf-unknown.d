/* A control character is shown in one line. */
BEGIN { printf("%q\n", 1); }
