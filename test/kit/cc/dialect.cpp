// dialect.cpp: what Microsoft's compiler reads differently: long has 32 bits, a comma before an empty __VA_ARGS__ goes.
#include <ntddk.h>
#define Say(TEXT, ...) DbgPrint(TEXT, __VA_ARGS__)
struct S {
    long A;
    unsigned long int B;
    long long C;
};
static_assert(sizeof(S) == 16 && sizeof(long) == 4 && sizeof(1L) == 4 && sizeof(1UL + 0) == 4, "");
static_assert(sizeof(long double) > 4, "");
static ULONG Value;
static void Set(unsigned long *To)
{
    *To = 5UL;
}
template <typename T, typename U> struct P {
    T t;
    U u;
};
extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT, PUNICODE_STRING)
{
    P<long, int> p = {1L, 2};
    const char *Text = "a long, ) text";
    Say("no more");
    Set(&Value);
    return Value == 5 && Text[2] == 'l' && p.t == 1 && sizeof(p) == 8 ? STATUS_SUCCESS
                                                                      : STATUS_UNSUCCESSFUL;
}
