/* options: -q -w */
/* status: 1 */
BEGIN { printf("one\n"); freopen("/no/such/directory/file"); printf("two\n"); }
