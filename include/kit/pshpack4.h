/* pshpack4.h: members of what follows are aligned to 4 at most, until poppack.h. */
#pragma pack(push, 4)
