/* SPDX-License-Identifier: MIT
 *
 * The report folder is written by a process of its own: whatever ends it, be it want of memory (at
 * which libxlsxwriter dereferences NULL) or a signal, the other one removes what is half made.
 */
#include "cli/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

static void catch_signals(struct sigaction old[SIGNAL_COUNT])
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i], &action, &old[i]);
}

static void release_signals(const struct sigaction old[SIGNAL_COUNT])
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i], &old[i], NULL);
}

static const struct ja_report *const *default_reports(struct ja_run *run)
{
    static const char *const words[] = {"md", "svg", "xlsx"};
    const struct ja_report **chosen = ja_arena_alloc(run->arena, 4, sizeof *chosen);
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (ja_report_named(words[i]))
            chosen[count++] = ja_report_named(words[i]);
    return chosen;
}

static void refuse_word(const char *word)
{
    const char *names[32] = {"all"};
    for (size_t i = 0; ja_reports[i] && i < 30; i++)
        names[i + 1] = ja_reports[i]->name;
    const char *near = ja_nearest_word(word, names);
    ja_complain("--format: '%s' is no report%s%s%s (see --list reports)", word,
                near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool ja_choose_reports(struct ja_run *run, const struct ja_report *const **ret)
{
    const struct ja_options *options = run->options;
    size_t all = 0, count = 0;
    while (ja_reports[all])
        all++;
    if (!options->format_count) {
        *ret = default_reports(run);
        return true;
    }
    bool *wanted = ja_arena_alloc(run->arena, all + 1, sizeof *wanted);
    for (size_t i = 0; i < options->format_count; i++) {
        const char *word = options->formats[i];
        bool known = strcmp(word, "all") == 0;
        for (size_t k = 0; k < all; k++) {
            bool same = strcmp(word, ja_reports[k]->name) == 0;
            wanted[k] |= same || strcmp(word, "all") == 0;
            known |= same;
        }
        if (!known) {
            refuse_word(word);
            return false;
        }
    }
    const struct ja_report **chosen = ja_arena_alloc(run->arena, all + 1, sizeof *chosen);
    for (size_t k = 0; k < all; k++)
        if (wanted[k])
            chosen[count++] = ja_reports[k];
    *ret = chosen;
    return true;
}

static bool make_files(struct ja_run *run, const struct ja_case *item,
                       const struct ja_report_options *options)
{
    struct ja_output *output = &run->output;
    const struct ja_report *const *reports;
    if (!ja_choose_reports(run, &reports))
        return ja_output_fail(output, "--format: no report has this name");
    /* Names alone, so that nobody who moves folders about can lead a file elsewhere. */
    if (fchdir(output->private_folder) != 0)
        return ja_output_fail(output, "%s/%s: %s", output->path, output->private_name,
                              strerror(errno));
    for (; *reports; reports++) {
        const char *error = "unknown error";
        const char *name = (*reports)->file_name;
        if (!(*reports)->write(item, options, name, &error))
            return ja_output_fail(output, "%s/%s: %s", output->path, name, error);
        if (!ja_output_add(output, name))
            return false;
    }
    return true;
}

static void name_kept_edits(const struct ja_run *run)
{
    for (size_t i = 0; i < run->output.file_count && !run->options->quiet; i++) {
        const struct ja_output_file *file = &run->output.files[i];
        if (file->kept_edit)
            ja_complain("%s/%s was edited and is kept: the new one is %s (--force overwrites)",
                        run->output.path, file->name, file->published);
    }
}

/* Exit status. Once files get their names, all of them do: a signal waits. */
static int write_all(struct ja_run *run, const struct ja_case *item,
                     const struct ja_report_options *options)
{
    sigset_t later, before;
    bool good = make_files(run, item, options);
    sigemptyset(&later);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&later, signals[i]);
    sigprocmask(SIG_BLOCK, &later, &before);
    good = good && ja_output_publish(&run->output);
    if (good)
        name_kept_edits(run);
    else
        ja_complain("%s", run->output.error);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good ? JA_EXIT_DONE : JA_EXIT_OUTPUT;
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (caught)
            kill(child, caught);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (!caught)
        ja_complain("the process that writes the reports was ended by signal %d, perhaps for want "
                    "of memory: the reports are not complete",
                    WTERMSIG(status));
    return JA_EXIT_INTERNAL;
}

int ja_write_reports(struct ja_run *run, const struct ja_case *item,
                     const struct ja_report_options *options)
{
    struct sigaction old[SIGNAL_COUNT];
    int status = JA_EXIT_OUTPUT;
    catch_signals(old);
    if (!ja_output_begin(&run->output)) {
        ja_complain("%s", run->output.error);
    } else {
        fflush(NULL); /* else both processes would print what waits in the buffers */
        pid_t child = fork();
        if (child == 0) {
            release_signals(old);
            exit(write_all(run, item, options));
        }
        status = child > 0 ? wait_for(child) : write_all(run, item, options);
    }
    ja_output_clean(&run->output);
    release_signals(old);
    if (caught)
        raise(caught);
    return status;
}
