/* fallen.c: stands for a driver's file: functions that fall, or call what falls. */
#include <string.h>

void driver_falls(int *at);
void driver_copies(void *to);
void driver_jumps(void (*nowhere)(void));
void driver_calls(void (*back)(void));

void driver_falls(int *at)
{
    *at = 1;
}

void driver_copies(void *to)
{
    memset(to, 1, 4096);
}

void driver_jumps(void (*nowhere)(void))
{
    nowhere();
    __asm__ volatile(""); /* it is no jump */
}

void driver_calls(void (*back)(void))
{
    back();
    __asm__ volatile("");
}
