// dialect.cpp: the differences of Microsoft's compiler: long has 32 bits, a comma before an
// empty __VA_ARGS__ goes.
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
// SIZE_T, ULONGLONG, size_t, unsigned __int64 and unsigned long long are one type.
void *operator new(SIZE_T Size, POOL_TYPE Pool)
{
    return ExAllocatePoolWithTag(Pool, Size, 'aaaa');
}
void operator delete(void *Block, SIZE_T)
{
    ExFreePool(Block);
}
void operator delete(void *Block)
{
    ExFreePool(Block);
}
struct Base {
    virtual ~Base()
    {
    }
    virtual SIZE_T Double(SIZE_T Number)
    {
        return 2 * Number;
    }
};
struct Derived : Base {
    SIZE_T Double(size_t Number) override
    {
        return Number + Number;
    }
};
static void Eight(ULONG64 *To)
{
    *To = 8;
}
static bool OneType()
{
    size_t A;
    unsigned __int64 B;
    unsigned long long C;
    ULONG_PTR D;
    auto E = 1ULL;
    auto F = 1ui64;
    Eight(&A), Eight(&B), Eight(&C), Eight(&D), Eight(&E), Eight(&F);
    static_assert(sizeof(long long) == 8 && sizeof(__int64) == 8 && sizeof(0x10i64) == 8, "");
    static_assert(-1i64 < 0 && 0xFFFFFFFFFFFFFFFFui64 > 0 && sizeof(1i32) == 4, "");
    Base *Object = new (NonPagedPoolNx) Derived;
    bool Good = Object->Double(A) == 2 * F;
    delete Object;
    return Good;
}
extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT, PUNICODE_STRING)
{
    P<long, int> p = {1L, 2};
    const char *Text = "a long, ) text";
    Say("no more");
    Set(&Value);
    return OneType() && Value == 5 && Text[2] == 'l' && p.t == 1 && sizeof(p) == 8
               ? STATUS_SUCCESS
               : STATUS_UNSUCCESSFUL;
}
