/* pshpack2.h: members of what follows are aligned to 2 at most, until poppack.h. */
#pragma pack(push, 2)
