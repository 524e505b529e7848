/* boot.S: from the loader's 32 bits to C in 64.
 *
 * The note asks for a start by PVH: protected mode, no paging, %ebx = physical address of the start
 * information. Memory below 4 GiB is mapped at its own address by pages of 2 MiB.
 */
    .section .note.PVH, "a", @note
    .align 4
    .long 4, 4, 18                  /* lengths; XEN_ELFNOTE_PHYS32_ENTRY */
    .asciz "Xen"
    .long entry32

    .section .text.boot, "ax"
    .code32
    .globl entry32
entry32:
    cli
    cld
    mov $stack_end, %esp
    mov %ebx, %edi                  /* the argument of kernel_main */
    /* root -> middle; middle[0..3] -> leaves; leaves: 2048 pages of 2 MiB */
    movl $middle + 3, root
    mov $4, %ecx
    mov $middle, %edx
    mov $leaves + 3, %eax
1:  mov %eax, (%edx)
    add $8, %edx
    add $4096, %eax
    loop 1b
    mov $2048, %ecx
    mov $leaves, %edx
    mov $0x83, %eax                 /* present, writable, 2 MiB */
2:  mov %eax, (%edx)
    add $8, %edx
    add $0x200000, %eax
    loop 2b
    mov $root, %eax
    mov %eax, %cr3
    mov %cr4, %eax
    or $0x620, %eax                 /* PAE; SSE: OSFXSR, OSXMMEXCPT */
    mov %eax, %cr4
    mov $0xC0000080, %ecx           /* EFER: long mode */
    rdmsr
    or $0x100, %eax
    wrmsr
    mov %cr0, %eax
    and $~0x4, %eax                 /* SSE needs EM clear and MP set */
    or $0x80010002, %eax            /* paging, write protection, MP */
    mov %eax, %cr0
    lgdt table_of_segments
    ljmp $8, $entry64

    .code64
entry64:
    mov $16, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    xor %eax, %eax
    mov %eax, %fs
    mov %eax, %gs
    mov $stack_end, %rsp
    mov %edi, %edi                  /* the upper half is undefined */
    xor %ebp, %ebp
    call kernel_main
3:  hlt
    jmp 3b

/* Exceptions 0 to 31: vector and error code on the stack, then kernel_exception(frame). */
    .macro exception number, has_error
    .align 16
    .if \has_error == 0
    push $0
    .endif
    push $\number
    jmp exception_common
    .endm

    .align 16
    .globl exception_entries
exception_entries:
    .set i, 0
    .rept 32
    .if (i == 8) || (i == 10) || (i == 11) || (i == 12) || (i == 13) || (i == 14) || (i == 17)
    exception i, 1
    .else
    exception i, 0
    .endif
    .set i, i + 1
    .endr

exception_common:
    mov %rsp, %rdi
    and $-16, %rsp
    call kernel_exception

    .section .rodata
    .align 8
segments:
    .quad 0
    .quad 0x00AF9A000000FFFF        /* code, 64 bits */
    .quad 0x00CF92000000FFFF        /* data */
segments_end:
table_of_segments:
    .word segments_end - segments - 1
    .quad segments

    .section .bss
    .align 4096
    .globl root
root:
    .skip 4096
middle:
    .skip 4096
leaves:
    .skip 4 * 4096
    .skip 256 * 1024
stack_end:

    .section .note.GNU-stack, "", @progbits
