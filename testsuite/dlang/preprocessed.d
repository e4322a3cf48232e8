/* options: -q -C */
/* Headers of the C library hide the extensions of GNU C. */
#include <stdio.h>
#include <fcntl.h>
#include <sys/stat.h>

BEGIN { printf("%d %d %d\n", SEEK_END, O_CREAT, S_IFDIR); exit(0); }
