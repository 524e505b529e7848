/* no_filters.c: no_filters ERRNO COMMAND...: the command, on a system that denies filters of system
 * calls with ERRNO, as a container's own filter does, or a kernel that has none. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    unsigned with = count > 2 ? (unsigned)strtoul(arguments[1], NULL, 10) : 0;
    struct sock_filter statements[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | with),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(statements) / sizeof(statements[0]), statements};

    if (with == 0) {
        fprintf(stderr, "no_filters ERRNO COMMAND...\n");
        return 99;
    }
    /* A system that denies this one already is such a system. */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    execvp(arguments[2], arguments + 2);
    fprintf(stderr, "no_filters: %s: %s\n", arguments[2], strerror(errno));
    return 99;
}
