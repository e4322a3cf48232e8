/* options: -q */
/* Timers of several units. */
tick-1ms { a++; }
tick-1000us { b++; }
tick-500hz { c++; }
profile-100 { d++; }
tick-1
{
	printf("%d %d %d %d\n", a > 500, b > 500, c > 250, d > 50);
	printf("[%s] [%s] [%s] [%s]\n", probeprov, probemod, probefunc, probename);
	exit(0);
}
