/* poppack.h: undo the last pshpack. */
#pragma pack(pop)
