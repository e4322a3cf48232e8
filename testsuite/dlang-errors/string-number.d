BEGIN { x = "a"; x = 3; }
