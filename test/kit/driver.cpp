// driver.cpp: a driver in C++, as far as the kit's own tests need one: classes in pools, __try in
// loops, a thread, a DPC, formats. DriverEntry answers STATUS_SUCCESS if all of it went well.
extern "C" {
#include <stddef.h>
#include <string.h>
#include <ntddk.h>
#include <ntstrsafe.h>
#include <ntintsafe.h>
#include <dispmprt.h>
#include <WppRecorder.h>
}

#define TAG 'rvrD'
#define CHECK(Truth)                                                                               \
    do {                                                                                           \
        if (!(Truth)) {                                                                            \
            DbgPrint("driver.cpp:%d: %s\n", __LINE__, #Truth);                                     \
            return STATUS_UNSUCCESSFUL;                                                            \
        }                                                                                          \
    } while (0)

void *operator new(size_t Size, POOL_TYPE Type, ULONG Tag) throw()
{
    return ExAllocatePoolWithTag(Type, Size, Tag);
}

void operator delete(void *Block) throw()
{
    if (Block)
        ExFreePool(Block);
}

void operator delete(void *Block, size_t) throw()
{
    if (Block)
        ExFreePool(Block);
}

static int s_Made;

class Worker
{
  public:
    __declspec(align(16)) KEVENT m_Stop;
    KEVENT m_Ran;
    KDPC m_Dpc;
    PVOID m_Thread;
    LONG m_Count;

    Worker() : m_Thread(NULL), m_Count(0)
    {
        s_Made++;
    }
    ~Worker()
    {
        s_Made--;
    }

    static VOID Dpc(PKDPC, PVOID Context, PVOID, PVOID)
    {
        Worker *This = static_cast<Worker *>(Context);
        InterlockedIncrement(&This->m_Count);
        KeSetEvent(&This->m_Ran, 0, FALSE);
    }

    static VOID Run(PVOID Context)
    {
        Worker *This = static_cast<Worker *>(Context);
        KeInsertQueueDpc(&This->m_Dpc, nullptr, nullptr);
        KeWaitForSingleObject(&This->m_Stop, Executive, KernelMode, FALSE, NULL);
    }

    NTSTATUS Start()
    {
        HANDLE Handle;
        KeInitializeEvent(&m_Stop, NotificationEvent, FALSE);
        KeInitializeEvent(&m_Ran, NotificationEvent, FALSE);
        KeInitializeDpc(&m_Dpc, Dpc, this);
        NTSTATUS Status =
            PsCreateSystemThread(&Handle, THREAD_ALL_ACCESS, NULL, NULL, NULL, Run, this);
        if (!NT_SUCCESS(Status))
            return Status;
        Status = ObReferenceObjectByHandle(Handle, THREAD_ALL_ACCESS, *PsThreadType, KernelMode,
                                           &m_Thread, NULL);
        ZwClose(Handle);
        return Status;
    }

    void Stop()
    {
        KeWaitForSingleObject(&m_Ran, Executive, KernelMode, FALSE, NULL);
        KeSetEvent(&m_Stop, 0, FALSE);
        KeWaitForSingleObject(m_Thread, Executive, KernelMode, FALSE, NULL);
        ObDereferenceObject(m_Thread);
    }
};

static NTSTATUS TestWorker()
{
    Worker *One = new (NonPagedPoolNx, TAG) Worker;
    CHECK(One != NULL && s_Made == 1);
    CHECK(NT_SUCCESS(One->Start()));
    One->Stop();
    CHECK(One->m_Count == 1);
    delete One;
    CHECK(s_Made == 0);
    return STATUS_SUCCESS;
}

// break and continue mean the outer loop; locals changed in the body are kept.
static NTSTATUS TestTry()
{
    int Handled = 0, Seen = 0, i;

    for (i = 0; i < 10; i++) {
        __try {
            Seen++;
            if (i == 1)
                continue;
            if (i == 4)
                break;
            if (i == 2)
                ExRaiseStatus(STATUS_NO_MEMORY);
            if (i == 3)
                *(volatile int *)0x10 = 1;
        } __except (EXCEPTION_EXECUTE_HANDLER) {
            Handled = Handled * 10 + (GetExceptionCode() == STATUS_ACCESS_VIOLATION ? 2 : 1);
        }
    }
    CHECK(i == 4 && Seen == 5 && Handled == 12);
    return STATUS_SUCCESS;
}

static NTSTATUS TestReturnFromTry(bool Early)
{
    __try {
        if (Early)
            return STATUS_PENDING;
    } __finally {
        s_Made += 5;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS TestText()
{
    DECLARE_CONST_UNICODE_STRING(Name, L"gpu0");
    WCHAR Text[32];
    size_t Length = 0;
    ULONG Sum;

    CHECK(RtlStringCbPrintfW(Text, sizeof(Text), L"%wZ-%04x", &Name, 0x1Fu) == STATUS_SUCCESS);
    CHECK(wcscmp(Text, L"gpu0-001f") == 0);
    CHECK(RtlStringCchLengthW(Text, ARRAYSIZE(Text), &Length) == STATUS_SUCCESS && Length == 9);
    CHECK(RtlULongAdd(MAXULONG, 1, &Sum) == STATUS_INTEGER_OVERFLOW && Sum == MAXULONG);
    CHECK(RtlULongAdd(1, 1, &Sum) == STATUS_SUCCESS && Sum == 2);
    return STATUS_SUCCESS;
}

extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath)
{
    UNREFERENCED_PARAMETER(DriverObject);
    WPP_INIT_TRACING(DriverObject, RegistryPath);
    CHECK(RegistryPath->Length > 0);
    CHECK(TestWorker() == STATUS_SUCCESS);
    CHECK(TestTry() == STATUS_SUCCESS);
    CHECK(TestReturnFromTry(false) == STATUS_SUCCESS && s_Made == 5);
    CHECK(TestReturnFromTry(true) == STATUS_PENDING && TestTry() == STATUS_SUCCESS);
    CHECK(TestText() == STATUS_SUCCESS);
    return STATUS_SUCCESS;
}
