// courier.h: a miniport without hardware, of WDDM 1.3: its GPU is a thread, its video memory a
// piece of system memory.
//
//     driver.cpp   DriverEntry, memory of C++, the table of functions
//     adapter.cpp  class Adapter: start, stop, registry, video memory, caps
//     objects.cpp  class Allocation; devices, contexts
//     work.cpp     what is asked: paging operations, command buffers, patches
//     gpu.cpp      class Gpu: the queue, the thread, fences
#pragma once

#define DXGKDDI_INTERFACE_VERSION 0x4002

extern "C" {
#include <ntddk.h>
#include <ntstrsafe.h>
#include <ntintsafe.h>
#include <dispmprt.h>
#include <d3dkmddi.h>
}

#include "courier_umd.h"
#include "trace.h"

constexpr ULONG Tag = 'ruoC';
constexpr UINT MemorySegment = 1; // there is no other; system memory goes without a description
constexpr UINT BufferSize = 4096; // of a paging buffer, and of a DMA buffer
constexpr UINT ListSize = 512;    // elements of an allocation list and of a patch-location list

// `new` gives nonpaged pool, under the driver's tag; NULL if there is none left.
class Pooled
{
  public:
    void *operator new(size_t Size) noexcept;
    void operator delete(void *Block) noexcept;
    void operator delete(void *Block, size_t) noexcept;
};

// The parts of a DMA buffer. Addresses are those of the memory segment.
struct Command {
    enum { Nothing, Read, Fill, Copy, CopyIn, CopyOut } Kind;
    ULONG Pattern;
    ULONG64 To, From;
    ULONG64 Size; // bytes
    PMDL Mdl;     // of CopyIn and CopyOut: the system's side ...
    ULONG64 Skip; // ... and where in it, in bytes
};

// Private data of a DMA buffer. A submission names the buffer by physical address, which is of no
// use to a thread: so whoever writes the first command leaves the virtual address here.
struct BufferInfo {
    UCHAR *Start;
};

// A submission.
struct Work {
    const UCHAR *Commands;
    UINT Size; // bytes
    UINT Fence;
};

// Holds a spin lock for as long as it lives.
class Hold
{
  public:
    explicit Hold(KSPIN_LOCK &Lock) : m_Lock(Lock)
    {
        KeAcquireSpinLock(&m_Lock, &m_Irql);
    }
    ~Hold()
    {
        KeReleaseSpinLock(&m_Lock, m_Irql);
    }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

  private:
    KSPIN_LOCK &m_Lock;
    KIRQL m_Irql;
};

// The GPU: a queue, and a thread that works it off.
class Gpu
{
  public:
    static constexpr ULONG QueueSize = 64; // submissions

    NTSTATUS Start(const DXGKRNL_INTERFACE &Dxgk, UCHAR *Memory, ULONG64 Base, SIZE_T Size);
    VOID Stop();

    VOID Submit(const Work &New); // up to DISPATCH_LEVEL
    VOID Preempt(UINT Request);   // up to DISPATCH_LEVEL
    UINT Reset();                 // PASSIVE_LEVEL; answers the last fence that will not come
    UINT Completed();

  private:
    enum Task { Leave, Wait, Answer, Perform };

    static KSTART_ROUTINE ThreadRoutine;
    static KSYNCHRONIZE_ROUTINE NotifyRoutine;
    VOID Run();
    Task Take(Work *Next, DXGKARGCB_NOTIFY_INTERRUPT_DATA *Preempted);
    VOID Complete(UINT Fence);
    VOID Execute(const Work &Job);
    VOID Execute(const Command &One);
    VOID CopyMdl(const Command &One);
    BOOLEAN Report(const DXGKARGCB_NOTIFY_INTERRUPT_DATA &Data, BOOLEAN IfIdle);
    UCHAR *At(ULONG64 Address, ULONG64 Size) const;

    DXGKRNL_INTERFACE m_Dxgk;
    UCHAR *m_Memory;
    ULONG64 m_Base; // the segment address of m_Memory
    SIZE_T m_Size;

    PVOID m_Thread;
    KEVENT m_Wake, m_Idle;
    KSPIN_LOCK m_Lock; // over all below
    Work m_Queue[QueueSize];
    ULONG m_First, m_Count;
    BOOLEAN m_Stop, m_Preempting;
    UINT m_Request;                // the preemption to answer
    UINT m_Submitted, m_Completed; // the last of each
    UINT m_Reported; // the last that the scheduler knows of; by DxgkCbSynchronizeExecution alone
};

class Adapter : public Pooled
{
  public:
    NTSTATUS Start(const DXGK_START_INFO &Info, const DXGKRNL_INTERFACE &Dxgk);
    VOID Stop();
    NTSTATUS Query(const DXGKARG_QUERYADAPTERINFO &Arg);

    DXGKRNL_INTERFACE m_Dxgk;
    Gpu m_Gpu;

  private:
    SIZE_T ReadMemorySize(PUNICODE_STRING Path);
    NTSTATUS TakeMemory(SIZE_T Wanted);
    VOID DescribeGpu(DXGK_DRIVERCAPS *Caps) const;
    VOID DescribeMemory(DXGK_QUERYSEGMENTOUT3 *Out) const;

    UCHAR *m_Memory = nullptr;
    SIZE_T m_Size = 0;
    PHYSICAL_ADDRESS m_Address = {};
};

class Allocation : public Pooled
{
  public:
    explicit Allocation(const CourierSurface &Surface);
    VOID Describe(DXGK_ALLOCATIONINFO *Info) const;
    static BOOLEAN IsLegal(const CourierSurface &Surface);
    SIZE_T Size() const
    {
        return m_Pitch * m_Surface.Height;
    }

  private:
    CourierSurface m_Surface;
    SIZE_T m_Pitch; // bytes
};

struct Device : Pooled {
    explicit Device(Adapter *Owner) : m_Adapter(Owner)
    {
    }
    Adapter *const m_Adapter;
};

// objects.cpp
DXGKDDI_CREATEDEVICE CourierCreateDevice;
DXGKDDI_DESTROYDEVICE CourierDestroyDevice;
DXGKDDI_CREATECONTEXT CourierCreateContext;
DXGKDDI_DESTROYCONTEXT CourierDestroyContext;
DXGKDDI_CREATEALLOCATION CourierCreateAllocation;
DXGKDDI_DESTROYALLOCATION CourierDestroyAllocation;
DXGKDDI_OPENALLOCATIONINFO CourierOpenAllocation;
DXGKDDI_CLOSEALLOCATION CourierCloseAllocation;

// work.cpp
DXGKDDI_BUILDPAGINGBUFFER CourierBuildPagingBuffer;
DXGKDDI_RENDER CourierRender;
DXGKDDI_PATCH CourierPatch;
DXGKDDI_SUBMITCOMMAND CourierSubmitCommand;
