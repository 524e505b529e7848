/* undefined.c: behaviour that is undefined, for builds in which a sanitizer ends it. */

int shift_too_far(int by)
{
    return 1 << by;
}
