/* confdefs.h */
#define PACKAGE_NAME "spile"
#define PACKAGE_TARNAME "spile"
#define PACKAGE_VERSION "0.1"
#define PACKAGE_STRING "spile 0.1"
#define PACKAGE_BUGREPORT ""
#define PACKAGE_URL ""
#define PACKAGE "spile"
#define VERSION "0.1"
/* end confdefs.h.  */

int
main (void)
{

  ;
  return 0;
}
