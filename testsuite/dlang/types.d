/* options: -q */
/* Structures, unions, enumerations, bit-fields, typedefs, inlines. */
typedef int number_t;
struct point { char c; int x; long y; };
union both { int i; char c[8]; };
enum color { RED, GREEN = 5, BLUE };
struct bits { int a : 3; int b : 5; unsigned long c : 40; };
inline int answer = 42;
inline string name = "inline";

BEGIN
{
	printf("%d %d %d\n", sizeof(struct point), sizeof(union both), sizeof(struct bits));
	printf("%d %d %d\n", offsetof(struct point, x), offsetof(struct point, y), sizeof(number_t));
	printf("%d %d %d\n", RED, GREEN, BLUE);
	printf("%d %s\n", answer, name);
	this->task = (struct task_struct *)curthread;
	printf("%d %d\n", this->task->pid == tid, curthread->tgid == pid);
	printf("%d\n", stringof(curthread->comm) == curpsinfo->pr_fname);
	printf("%d\n", curthread->comm == curpsinfo->pr_fname);
	printf("%d\n", `jiffies > 0);
	printf("%d\n", (&((struct point *)0)->y) == (long *)8);
	exit(0);
}
