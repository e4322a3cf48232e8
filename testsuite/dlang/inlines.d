/* options: -q */
/* Inlines with parameters, and conversions of a percent sign with a width. */
inline int twice[int a] = a * 2;
inline int both[int a, int b] = twice[a] + twice[b];
inline string chosen[string s, int yes] = yes ? s : "no";
inline char low[int a] = a;
/* It hides the one of the library, but not from the library. */
inline int PR_MODEL_LP64 = 1000;
inline pid_t pid_of[struct task_struct *t] = t->tgid;

BEGIN
{
	printf("%d %d %d\n", twice[4], both[twice[1], 3], low[257]);
	printf("%s %s\n", chosen["yes", 1], chosen["yes", 0]);
	printf("%d\n", pid_of[curthread] == curpsinfo->pr_pid);
	printf("%d %d\n", PR_MODEL_LP64, curpsinfo->pr_dmodel);
	printf("%5%|%-5%|%d%%\n", 4);
	exit(0);
}
