// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call the library of described-library.c, in two threads each of which has its own variables: the one that is there
 * from the start (LD_PRELOAD), or the one that the argument names.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static char *(*use)(int number);

static void *thread(void *number)
{
	use(*(int *)number);
	use(*(int *)number);
	return NULL;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : RTLD_DEFAULT;
	int numbers[2] = {1, 10};
	pthread_t other;

	use = (char *(*)(int))dlsym(library, "use");
	if (!use) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	thread(&numbers[0]);
	pthread_create(&other, NULL, thread, &numbers[1]);
	pthread_join(other, NULL);
	return 0;
}
