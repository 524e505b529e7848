/* pshpack8.h: members of what follows are aligned to 8 at most, until poppack.h. */
#pragma pack(push, 8)
