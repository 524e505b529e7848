/* gap.h: a routine that the kit does not have (K-027), and what comes of it: "missing_...". */

/* Call it, if the driver is wrong in this way. TRUE: it has failed. */
static BOOLEAN Misses(const struct device *Device, const char *Name)
{
    UUID Uuid;

    return Is(Device, Name) && !NT_SUCCESS(ExUuidCreate(&Uuid));
}

/* "missing_leaks" fails, and leaves memory behind; "missing_leak" goes on, and leaves it too. */
static NTSTATUS MissInStart(struct device *Device, ULONG *Children, ULONG Unset)
{
    PVOID Block = NULL;

    if (strncmp(Device->Broken, "missing_leak", 12) == 0)
        Block = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);
    if (Misses(Device, "missing_start") || (Misses(Device, "missing_leaks") && Block))
        return STATUS_NOT_SUPPORTED;
    if (Misses(Device, "missing_children"))
        *Children = Unset; /* as if it had not been set */
    (void)Misses(Device, "missing_leak");
    return STATUS_SUCCESS;
}
