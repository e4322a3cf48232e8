BEGIN { trace(countr + execnam); }
