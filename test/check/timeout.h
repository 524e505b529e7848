/* timeout.h: what is asked of a GPU that is late, and of one that must stop. */

/* Everything that was submitted is complete, or will be: this GPU does not hang. */
static NTSTATUS APIENTRY QueryCurrentFence(CONST HANDLE Adapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Arg->CurrentFence = Device->Done - (Is(Device, "current_fence") ? 1 : 0);
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ResetFromTimeout(CONST HANDLE Adapter)
{
    struct device *Device = (struct device *)Adapter;

    Device->Reset = TRUE;
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
    Arg->EngineStatus.Responsive = 1;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ResetEngine(CONST HANDLE Adapter, DXGKARG_RESETENGINE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Arg->LastAbortedFenceId = Device->Done + (Is(Device, "engine_fence") ? 1 : 0);
    Device->Reset = Is(Device, "engine_stuck");
    return Is(Device, "engine_fails") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}
#endif

static NTSTATUS APIENTRY PreemptCommand(CONST HANDLE Adapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    (void)Adapter, (void)Arg;
    return STATUS_SUCCESS;
}
