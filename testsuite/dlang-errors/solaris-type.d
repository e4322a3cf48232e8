BEGIN
{
	trace(((vnode_t *)curthread)->v_path);
}
