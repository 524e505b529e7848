/* pshpack16.h: members of what follows are aligned to 16 at most, until poppack.h. */
#pragma pack(push, 16)
