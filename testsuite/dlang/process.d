/* options: -q */
/* BEGIN is a probe of dtrace itself; members of translators whose value is known; macro variables of Solaris. */
BEGIN
{
	printf("%d %d %d\n", pid == $pid, $projid, $taskid);
	printf("%s %d %d %d\n", curlwpsinfo->pr_clname, curlwpsinfo->pr_name == curpsinfo->pr_fname,
	       curlwpsinfo->pr_bindpset, curlwpsinfo->pr_lgrp);
	printf("%d %d %d\n", curlwpsinfo->pr_bindpro == -1 || curlwpsinfo->pr_bindpro == cpu,
	       curlwpsinfo->pr_start > 0, curlwpsinfo->pr_time >= 0);
	printf("%d %d %d %d %d\n", curpsinfo->pr_taskid, curpsinfo->pr_projid, curpsinfo->pr_poolid,
	       curpsinfo->pr_zoneid, curpsinfo->pr_contract);
	printf("%d %d %d\n", curpsinfo->pr_size > 0, curcpu->cpu_pset, curcpu->cpu_lgrp);
	exit(0);
}

END
{
	printf("%d\n", pid == $pid);
}
