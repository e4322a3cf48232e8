/* options: -q */
/* json() selects a value by a path; what is not there is NULL. */
BEGIN
{
	text = " { \"name\" : \"a \\\"b\\\" {,\", \"n\":-1.5e3 ,\"list\":[1, [2,3] ,{\"x\": \"y\"}], \"o\":{\"name\":true,\"e\":[]},\"z\":null}\n";
	printf("[%s] [%s] [%s] [%s]\n", json(text, "name"), json(text, "n"), json(text, "z"), json(text, "o"));
	printf("[%s] [%s] [%s] [%s]\n", json(text, "list"), json(text, "list[0]"), json(text, "list[1]"),
	    json(text, "list[1][1]"));
	printf("[%s] [%s] [%s] [%s]\n", json(text, "list[2].x"), json(text, "o.name"), json(text, "o.e"),
	    json(text, "o.e[0]"));
	printf("[%s] [%s] [%s]\n", json("[1,2]", "[1]"), json("5", ""), json("[[\"a\"]]", "[0][0]"));
	printf("%d %d %d %d %d %d\n", json(text, "x") == NULL, json(text, "list[3]") == NULL,
	    json(text, "list.x") == NULL, json(text, "name.x") == NULL, json(text, "o[0]") == NULL,
	    json(text, "n[0]") == NULL);
	/* Not JSON, or truncated. */
	printf("[%s] [%s] [%s] [%s] [%s]\n", json("", "a"), json("{", "a"), json("{\"a", "a"), json("{\"a\"", "a"),
	    json("{\"a\":", "a"));
	printf("[%s] [%s] [%s] [%s]\n", json("{\"a\":\"b", "a"), json("[", "[0]"), json("{a:1}", "a"), json("\\", ""));
	printf("[%s] [%s]\n", json("{\"a\":1,\"b\":\"\\", "b"), json("{\"\\", "b"));
	exit(0);
}
