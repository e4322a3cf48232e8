BEGIN { trace(1); }
#line 50
BEGIN
# 7 "other.h"
{
	nothing(1);
}
