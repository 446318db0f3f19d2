/* SPDX-License-Identifier: MIT
 *
 * Preloaded into the program by tests/test_injected.c; does what a struct ja_fault says. Memory is
 * met by standing before the C library's functions. System calls are met by a seccomp filter that
 * turns them into SIGSYS, for the C library makes many of them itself (fwrite, readdir ...) and
 * nothing can stand before those. Linux, x86-64 and aarch64.
 */
#define _GNU_SOURCE /* RTLD_NEXT, registers of a signal's context */
#include "tests/fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

/* As sixth argument, which no call below has: the filter lets the call through. */
#define LET_THROUGH 0x6a61666cL

static const struct kind {
    enum ja_fault_call call;
    long number;
} kinds[] = {
    {JA_CALL_READ, SYS_read},        {JA_CALL_READ, SYS_pread64},    {JA_CALL_WRITE, SYS_write},
    {JA_CALL_WRITE, SYS_pwrite64},   {JA_CALL_OPEN, SYS_openat},     {JA_CALL_CLOSE, SYS_close},
    {JA_CALL_SYNC, SYS_fsync},       {JA_CALL_SYNC, SYS_fdatasync},  {JA_CALL_RENAME, SYS_renameat},
    {JA_CALL_RENAME, SYS_renameat2}, {JA_CALL_LINK, SYS_linkat},     {JA_CALL_REMOVE, SYS_unlinkat},
    {JA_CALL_MKDIR, SYS_mkdirat},    {JA_CALL_STAT, SYS_newfstatat}, {JA_CALL_STAT, SYS_fstat},
    {JA_CALL_SEEK, SYS_lseek},       {JA_CALL_CHMOD, SYS_fchmod},    {JA_CALL_LIST, SYS_getdents64},
    {JA_CALL_CHDIR, SYS_fchdir},
#ifdef SYS_open /* architectures that had the older calls keep them */
    {JA_CALL_OPEN, SYS_open},        {JA_CALL_RENAME, SYS_rename},   {JA_CALL_LINK, SYS_link},
    {JA_CALL_REMOVE, SYS_unlink},    {JA_CALL_REMOVE, SYS_rmdir},    {JA_CALL_MKDIR, SYS_mkdir},
    {JA_CALL_STAT, SYS_stat},        {JA_CALL_STAT, SYS_lstat},
#endif
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static struct ja_fault *plan;

/* Counts a call; true when it is one that the plan is about. */
static int is_due(enum ja_fault_call call)
{
    if (!plan || !(plan->calls & call))
        return 0;
    long index = atomic_fetch_add(&plan->seen, 1) + 1;
    if (plan->action == JA_FAULT_NONE || index < plan->at || (!plan->lasting && index > plan->at))
        return 0;
    atomic_fetch_add(&plan->injected, 1);
    return 1;
}

/* True when this allocation has to fail. */
static int memory_ends(void)
{
    if (!is_due(JA_CALL_MEMORY))
        return 0;
    if (plan->action == JA_FAULT_SIGNAL)
        raise(plan->number);
    errno = ENOMEM;
    return plan->action == JA_FAULT_ERROR;
}

/* What dlsym itself asks for before the real functions are known; never given back. */
static void *early(size_t size)
{
    static _Alignas(16) char memory[65536];
    static size_t used;
    size_t at = used;
    used += (size + 15) & ~(size_t)15;
    return used <= sizeof memory ? memory + at : NULL;
}

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_aligned)(size_t, size_t);

/* False while they are being looked for. */
static int have_real(void)
{
    static int looking;
    if (real_aligned || looking)
        return real_aligned != NULL;
    looking = 1;
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real_aligned = dlsym(RTLD_NEXT, "aligned_alloc");
    looking = 0;
    return 1;
}

void *malloc(size_t size)
{
    if (!have_real())
        return early(size);
    return memory_ends() ? NULL : real_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (!have_real())
        return early(count * size);
    return memory_ends() ? NULL : real_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (!have_real())
        return NULL;
    return memory_ends() ? NULL : real_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return !have_real() || memory_ends() ? NULL : real_aligned(alignment, size);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
    void *memory = aligned_alloc(alignment, size);
    if (memory)
        *ret = memory;
    return memory ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *data)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (is_due(JA_CALL_THREAD) && plan->action == JA_FAULT_ERROR)
        return plan->number;
    return real(thread, attributes, start, data);
}

pid_t fork(void)
{
    pid_t (*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (!is_due(JA_CALL_PROCESS) || plan->action != JA_FAULT_ERROR)
        return real();
    errno = plan->number;
    return -1;
}

static long make(long number, const long *arguments)
{
    int before = errno;
    long result = syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], LET_THROUGH);
    if (result < 0)
        result = -errno;
    errno = before;
    return result;
}

static enum ja_fault_call kind_of(long number)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (kinds[i].number == number)
            return kinds[i].call;
    return 0;
}

static long meet(long number, long *arguments)
{
    enum ja_fault_call call = kind_of(number);
    if ((call == JA_CALL_WRITE && arguments[0] == STDERR_FILENO) || !is_due(call))
        return make(number, arguments);
    switch (plan->action) {
    case JA_FAULT_ERROR:
        if (call == JA_CALL_CLOSE)
            make(number, arguments);
        return -plan->number;
    case JA_FAULT_SHORT:
        if (arguments[2] > 1 && (call == JA_CALL_READ || call == JA_CALL_WRITE))
            arguments[2] /= 2;
        break;
    case JA_FAULT_SIGNAL:
        raise(plan->number);
        break;
    case JA_FAULT_NONE:
        break;
    }
    return make(number, arguments);
}

static void on_call(int signal, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    (void)signal;
#if defined(__x86_64__)
    greg_t *registers = context->uc_mcontext.gregs;
    long arguments[5] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                         registers[REG_R10], registers[REG_R8]};
    registers[REG_RAX] = meet(info->si_syscall, arguments);
#elif defined(__aarch64__)
    unsigned long long *registers = context->uc_mcontext.regs;
    long arguments[5];
    for (int i = 0; i < 5; i++)
        arguments[i] = (long)registers[i];
    registers[0] = (unsigned long long)meet(info->si_syscall, arguments);
#else
#error "which registers hold a call's arguments?"
#endif
}

static int trap_calls(void)
{
    struct sock_filter filter[KIND_COUNT + 5];
    unsigned short used = 0;
    filter[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, args[5]));
    filter[used++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LET_THROUGH, KIND_COUNT + 1, 0);
    filter[used++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < KIND_COUNT; i++) {
        /* A kind that is not asked for is compared with a number that no call has. */
        uint32_t number = plan->calls & kinds[i].call ? (uint32_t)kinds[i].number : UINT32_MAX;
        filter[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number,
                                                      (unsigned char)(KIND_COUNT - i), 0);
    }
    filter[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = used, .filter = filter};
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && sigaction(SIGSYS, &action, NULL) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

__attribute__((constructor)) static void begin(void)
{
    void *memory =
        mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, JA_FAULT_DESCRIPTOR, 0);
    if (memory == MAP_FAILED)
        return;
    close(JA_FAULT_DESCRIPTOR);
    plan = memory;
    if (plan->calls & JA_CALL_FILES && !trap_calls())
        _exit(125);
}
