/* pshpack1.h: members of what follows are aligned to 1 at most, until poppack.h. */
#pragma pack(push, 1)
