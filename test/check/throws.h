/* throws.h: driver.c as C++: an exception where no exception may be, in a routine of each kind.
 * "throws": in a DDI; "throws_dpc"; "throws_interrupt", with a plug-in; "throws_synchronized": in a
 * routine at the level of interrupts; "throws_thread": in a thread of the driver's own.
 */

/* Nobody catches it. */
static void Throw(void)
{
#ifdef __cpp_exceptions
    throw 5;
#endif
}

/* Have the device of a plug-in interrupt, one of examples/register_device.h: it adds 0 to a word.
 */
static void AskForInterrupt(struct device *Device)
{
    WRITE_REGISTER_ULONG64((ULONG64 *)(Device->Registers + 0x10), Device->VideoAddress);
    WRITE_REGISTER_ULONG((ULONG *)(Device->Registers + 0x18), 1);
    WRITE_REGISTER_ULONG((ULONG *)(Device->Registers + 0x1C), 1);
}
