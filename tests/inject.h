/* SPDX-License-Identifier: MIT
 *
 * Runs the real program with tests/fault_shim.c preloaded, its streams into files of the scratch
 * folder.
 */
#ifndef JA_TESTS_INJECT_H
#define JA_TESTS_INJECT_H

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tests/fault.h"
#include "tests/scratch.h"

#define LONGEST_RUN_S 120

static struct ja_fault *fault; /* the plan of the last run, and its counts */
static long runs;
static void (*before_start)(void); /* in the new process, last; NULL */

struct outcome {
    int status; /* exit status; 128 + n: ended by signal n */
    char errors[4096];
    char words[65536]; /* standard output */
};

static inline void read_back(const char *name, char *text, size_t size)
{
    FILE *file = fopen(scratch_path(name), "rb");
    text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
}

/* In the child: the program with the shim before it, its streams into files. */
static inline void become(char *const *words)
{
    int out = open(scratch_path("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int errors = open(scratch_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(out);
    close(errors);
    setenv("LD_PRELOAD", JA_FAULT_SHIM, 1);
    /* Under a sanitizer: it leaves signals alone, and its leak checker, whose own helper the filter
     * of calls would stop, runs only without such a filter. */
    char options[128];
    snprintf(options, sizeof options,
             "verify_asan_link_order=0:allocator_may_return_null=1:handle_segv=0:detect_leaks=%d",
             !(fault->calls & JA_CALL_FILES));
    setenv("ASAN_OPTIONS", options, 1);
    setenv("TSAN_OPTIONS", "allocator_may_return_null=1:handle_segv=0", 1);
    setpgid(0, 0);
    alarm(LONGEST_RUN_S);
    if (before_start)
        before_start();
    execv(JA_PROGRAM, words);
    _exit(126);
}

/* One run under the plan; while_stopped is called each time that it stops itself. */
static inline struct outcome run_words(struct ja_fault plan, char *const *words,
                                       void (*while_stopped)(void))
{
    static struct outcome outcome;
    int status = 0;
    runs++;
    memcpy(fault, &plan, sizeof plan);
    pid_t child = fork();
    if (child == 0)
        become(words);
    while (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status)) {
        while_stopped();
        kill(child, SIGCONT);
    }
    kill(-child, SIGKILL); /* the process that writes the reports, if it is stuck */
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    read_back("stderr", outcome.errors, sizeof outcome.errors);
    read_back("stdout", outcome.words, sizeof outcome.words);
    return outcome;
}

/* Maps the plan where every run finds it. */
static inline int fault_map(void)
{
    char name[] = "/tmp/ja-fault.XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0 || unlink(name) != 0 || ftruncate(descriptor, sizeof *fault) != 0 ||
        dup2(descriptor, JA_FAULT_DESCRIPTOR) < 0)
        return 0;
    fault = mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return fault != MAP_FAILED;
}

#endif
