/* SPDX-License-Identifier: MIT
 *
 * Linux: Landlock (from ABI 2 on: files move between folders) and a seccomp deny-list; an
 * allow-list would break with each C library. macOS: sandbox_init, which is deprecated, without
 * replacement and therefore used on request only.
 */
#ifdef __linux__
#define _GNU_SOURCE /* syscall */
#endif
#include "cli/sandbox.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(JA_COVERAGE)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
/* A sanitizer reads /proc and starts a symbolizer, coverage is written to the build folder when the
 * program ends: no cage by itself then. */
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

/* <linux/landlock.h> of current distributions lags behind the kernels they run: own names. */
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_ALL_ABI_1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,    /* ABI 2 */
    FS_TRUNCATE = 1 << 14, /* ABI 3 */
    FS_IOCTL_DEV = 1 << 15 /* ABI 5 */
};

enum { READ_RIGHTS = FS_READ_FILE | FS_READ_DIR };
enum {
    WRITE_RIGHTS = READ_RIGHTS | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR |
                   FS_MAKE_REG | FS_REFER | FS_TRUNCATE
};

#define NET_BIND_CONNECT 3 /* ABI 4: bind and connect of TCP */

struct ruleset_attribute {
    uint64_t handled_fs;
    uint64_t handled_net;
};

struct path_attribute {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

static long landlock_abi(void)
{
    return syscall(__NR_landlock_create_ruleset, NULL, 0, 1);
}

static bool allow(int ruleset, int descriptor, uint64_t rights)
{
    struct path_attribute rule = {rights, descriptor};
    return syscall(__NR_landlock_add_rule, ruleset, 1, &rule, 0) == 0;
}

static bool allow_roots(int ruleset, const struct ja_discovery *discovery)
{
    for (size_t i = 0; i < discovery->root_count; i++) {
        const struct ja_root *root = &discovery->roots[i];
        if (root->kind == JA_ROOT_FOLDER && !allow(ruleset, root->folder, READ_RIGHTS))
            return false;
        if (root->kind != JA_ROOT_FILE)
            continue;
        int descriptor = open(root->path, O_PATH | O_CLOEXEC);
        bool good = descriptor >= 0 && allow(ruleset, descriptor, FS_READ_FILE);
        if (descriptor >= 0)
            close(descriptor);
        if (!good && errno != ENOENT)
            return false;
    }
    return true;
}

static bool enter_landlock(const struct ja_discovery *discovery, int output_folder)
{
    long abi = landlock_abi();
    if (abi < 2)
        return false;
    uint64_t handled = FS_ALL_ABI_1 | FS_REFER;
    if (abi >= 3)
        handled |= FS_TRUNCATE;
    if (abi >= 5)
        handled |= FS_IOCTL_DEV;
    struct ruleset_attribute attribute = {handled, abi >= 4 ? NET_BIND_CONNECT : 0};
    size_t size = abi >= 4 ? sizeof attribute : sizeof attribute.handled_fs;
    int ruleset = (int)syscall(__NR_landlock_create_ruleset, &attribute, size, 0);
    if (ruleset < 0)
        return false;
    bool good = allow_roots(ruleset, discovery);
    if (good && output_folder >= 0)
        good = allow(ruleset, output_folder, WRITE_RIGHTS & handled);
    good = good && syscall(__NR_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return good;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#endif
#define DENY(number)                                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),                                           \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static bool enter_seccomp(void)
{
    /* Calls of another architecture's numbering (x32 too, by its high bit) are refused whole. */
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        DENY(__NR_socket),
        DENY(__NR_socketpair),
        DENY(__NR_connect),
        DENY(__NR_execve),
        DENY(__NR_execveat),
        DENY(__NR_ptrace),
        DENY(__NR_process_vm_readv),
        DENY(__NR_process_vm_writev),
        DENY(__NR_io_uring_setup),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool enter_seccomp(void)
{
    return false;
}
#endif

static bool enter(const struct ja_discovery *discovery, int output_folder, const char *output_path,
                  bool asked, const char **ret_text)
{
    (void)output_path;
    (void)asked;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        *ret_text = "not available here";
        return false;
    }
    bool files = enter_landlock(discovery, output_folder);
    bool calls = enter_seccomp();
    *ret_text = files && calls ? "landlock + seccomp"
                : files        ? "landlock"
                : calls        ? "seccomp"
                               : "not available here";
    return files && calls;
}

#elif defined(__APPLE__)

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int sandbox_init(const char *profile, uint64_t flags, char **error)
    __attribute__((weak_import));

static bool enter(const struct ja_discovery *discovery, int output_folder, const char *output_path,
                  bool asked, const char **ret_text)
{
    (void)discovery;
    *ret_text = asked ? "not available here" : "off";
    if (!asked || !sandbox_init)
        return false;
    char profile[4096] = "(version 1)(allow default)(deny network*)(deny process-exec*)"
                         "(deny file-write*)";
    char *real = output_folder >= 0 ? realpath(output_path, NULL) : NULL;
    if (output_folder >= 0 && (!real || strpbrk(real, "\"\\") || strlen(real) > 3000)) {
        free(real);
        return false;
    }
    size_t used = strlen(profile);
    if (real)
        snprintf(profile + used, sizeof profile - used, "(allow file-write* (subpath \"%s\"))",
                 real);
    free(real);
    char *error = NULL;
    if (sandbox_init(profile, 0, &error) != 0)
        return false;
    *ret_text = "sandbox_init";
    return true;
}

#else

static bool enter(const struct ja_discovery *discovery, int output_folder, const char *output_path,
                  bool asked, const char **ret_text)
{
    (void)discovery;
    (void)output_folder;
    (void)output_path;
    (void)asked;
    *ret_text = "not available here";
    return false;
}

#endif

bool ja_sandbox_enter(const struct ja_discovery *discovery, int output_folder,
                      const char *output_path, enum ja_choice choice, const char **ret_text)
{
    *ret_text = "off";
    if (choice == JA_CHOICE_OFF || (choice == JA_CHOICE_AUTO && INSTRUMENTED))
        return true;
    bool on = enter(discovery, output_folder, output_path, choice == JA_CHOICE_ON, ret_text);
    return on || choice == JA_CHOICE_AUTO;
}
