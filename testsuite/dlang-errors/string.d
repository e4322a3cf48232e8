BEGIN { trace("never closed); }
