BEGIN { trace(curthread->pidd); }
