/* options: -q */
/* arguments: 1 x */
/* A conditional clause, scoped arrays, casts, NULL and strings of the kernel. */
int total;
self int depth[int];
BEGIN /total == 0/ { total = $1; self->depth[1] = 5; self->depth[2] += 2; }
BEGIN /total == 1/ { printf("%d %d %s\n", self->depth[1], self->depth[2], $$2); }
BEGIN { this->x = (int *)alloca(8); this->x[1] = 6; printf("%d %d\n", *(this->x + 1), &this->x[1] - this->x); }
BEGIN { s = "a"; printf("%d %d\n", s == NULL, strtok("", ",") == NULL); }
BEGIN { printf("%s %c\n", `init_task.comm, `init_task.comm[0]); printf("%a\n", (uintptr_t)&`vfs_read); }
BEGIN { *(char *)NULL; }
ERROR { printf("error %d\n", arg4); exit(0); }
