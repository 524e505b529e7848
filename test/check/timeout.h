/* timeout.h: the tests of a GPU that is late, and of one that must stop. */

/* Everything that was submitted is complete, or will be: this GPU does not hang. */
static NTSTATUS APIENTRY QueryCurrentFence(CONST HANDLE Adapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Arg->CurrentFence = Device->Done - (Is(Device, "current_fence") ? 1 : 0);
    if (Is(Device, "hang_done"))
        Arg->CurrentFence = Device->Submitted;
    return STATUS_SUCCESS;
}

/* Everything that was submitted counts as done, and the GPU runs. */
static void ResetGpu(struct device *Device)
{
    KIRQL Irql;

    if (Is(Device, "reset_late")) { /* nothing is dropped: the GPU goes on a moment later */
        WRITE_REGISTER_ULONG(Stand(Device), 0);
        return;
    }
    KeAcquireSpinLock(&Device->Lock, &Irql);
    if (Is(Device, "hang_spills"))
        Device->Video[PAGE_SIZE + 8] ^= 1;
    Device->Count = 0;
    Device->Resets++;
    Device->Done = Device->Submitted;
    KeReleaseSpinLock(&Device->Lock, Irql);
    if (Device->Registers && !Is(Device, "hang_stays"))
        WRITE_REGISTER_ULONG(Stand(Device), 0);
}

static NTSTATUS APIENTRY ResetFromTimeout(CONST HANDLE Adapter)
{
    struct device *Device = (struct device *)Adapter;

    Device->Reset = TRUE;
    ResetGpu(Device);
    return Is(Device, "reset_fails") ? STATUS_DEVICE_CONFIGURATION_ERROR : STATUS_SUCCESS;
}

static NTSTATUS APIENTRY RestartFromTimeout(CONST HANDLE Adapter)
{
    return Is((struct device *)Adapter, "restart_fails") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
static NTSTATUS APIENTRY QueryDependentEngineGroup(CONST HANDLE Adapter,
                                                   DXGKARG_QUERYDEPENDENTENGINEGROUP *Arg)
{
    (void)Adapter;
    Arg->DependentNodeOrdinalMask = 1ull << Arg->NodeOrdinal;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY QueryEngineStatus(CONST HANDLE Adapter, DXGKARG_QUERYENGINESTATUS *Arg)
{
    (void)Adapter;
    Arg->EngineStatus.Value = 0;
    Arg->EngineStatus.Responsive = !Is((struct device *)Adapter, "engine_silent");
    Arg->EngineStatus.Reserved = Is((struct device *)Adapter, "engine_bits");
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ResetEngine(CONST HANDLE Adapter, DXGKARG_RESETENGINE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    if (Is(Device, "engine_fails"))
        return STATUS_UNSUCCESSFUL;
    Arg->LastAbortedFenceId = Is(Device, "hang_fence") ? Device->Done : Device->Submitted;
    Arg->LastAbortedFenceId += Is(Device, "engine_fence") ? 1 : 0;
    Device->Reset = Is(Device, "engine_stuck");
    ResetGpu(Device);
    return STATUS_SUCCESS;
}
#endif

static NTSTATUS APIENTRY PreemptCommand(CONST HANDLE Adapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    (void)Adapter, (void)Arg;
    return STATUS_SUCCESS;
}
