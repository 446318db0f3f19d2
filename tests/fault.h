/* SPDX-License-Identifier: MIT
 *
 * What tests/fault_shim.c does to a program that it is preloaded into: the calls of some kinds are
 * counted, and one of them (or all from it on) fails, is cut short, or meets a signal. The plan lies
 * in a shared mapping, so that the counts outlive the program however it ends.
 */
#ifndef JA_TESTS_FAULT_H
#define JA_TESTS_FAULT_H

#include <stdatomic.h>

/* Bits: kinds of calls, of the program and of every library in it, the C library's own included. */
enum ja_fault_call {
    JA_CALL_MEMORY = 1 << 0, /* malloc, calloc, realloc, aligned_alloc, posix_memalign */
    JA_CALL_READ = 1 << 1,
    JA_CALL_WRITE = 1 << 2, /* not to standard error: where else should the message go */
    JA_CALL_OPEN = 1 << 3,
    JA_CALL_CLOSE = 1 << 4, /* the descriptor is closed all the same, as Linux does it */
    JA_CALL_SYNC = 1 << 5,
    JA_CALL_RENAME = 1 << 6,
    JA_CALL_LINK = 1 << 7,
    JA_CALL_REMOVE = 1 << 8,
    JA_CALL_MKDIR = 1 << 9,
    JA_CALL_STAT = 1 << 10,
    JA_CALL_SEEK = 1 << 11,
    JA_CALL_CHMOD = 1 << 12,
    JA_CALL_LIST = 1 << 13,
    JA_CALL_CHDIR = 1 << 14,
    JA_CALL_THREAD = 1 << 15, /* pthread_create */
    JA_CALL_PROCESS = 1 << 16, /* fork */
    JA_CALL_FILES = JA_CALL_THREAD - 2 /* all between memory and threads */
};

enum ja_fault_action {
    JA_FAULT_NONE,  /* only counted */
    JA_FAULT_ERROR, /* number: errno */
    JA_FAULT_SHORT, /* reads and writes: half of the bytes */
    JA_FAULT_SIGNAL /* number: the signal, raised before the call is made */
};

struct ja_fault {
    unsigned calls;
    enum ja_fault_action action;
    int number;
    int lasting;    /* not only this call but all from it on */
    long at;        /* 1 is the first call */
    atomic_long seen;
    atomic_long injected;
};

/* The descriptor that the program inherits the plan by. */
#define JA_FAULT_DESCRIPTOR 77

#endif
