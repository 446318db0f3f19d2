/* SPDX-License-Identifier: MIT
 *
 * The report folder. A signal while files are made ends the program after they are removed.
 */
#include "cli/run.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signals(struct sigaction old[3])
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < 3; i++)
        sigaction(signals[i], &action, &old[i]);
}

static void release_signals(const struct sigaction old[3])
{
    for (size_t i = 0; i < 3; i++)
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
                       const struct ja_report_options *options,
                       const struct ja_report *const *reports)
{
    struct ja_output *output = &run->output;
    if (!ja_output_begin(output))
        return false;
    for (; *reports && !caught; reports++) {
        const char *error = "unknown error";
        const char *name = (*reports)->file_name;
        if (!(*reports)->write(item, options, ja_output_path(output, name), &error))
            return ja_output_fail(output, "%s/%s: %s", output->path, name, error);
        if (!ja_output_add(output, name))
            return false;
    }
    return true;
}

bool ja_write_reports(struct ja_run *run, const struct ja_case *item,
                      const struct ja_report_options *options)
{
    const struct ja_report *const *reports;
    struct sigaction old[3];
    if (!ja_choose_reports(run, &reports))
        return false;
    catch_signals(old);
    bool good = make_files(run, item, options, reports);
    if (good && !caught)
        good = ja_output_publish(&run->output);
    release_signals(old);
    if (caught) {
        ja_output_done(&run->output);
        raise(caught);
    }
    if (!good)
        ja_complain("%s", run->output.error);
    for (size_t i = 0; good && i < run->output.file_count; i++) {
        const struct ja_output_file *file = &run->output.files[i];
        if (file->kept_edit && !run->options->quiet)
            ja_complain("%s/%s was edited and is kept: the new one is %s (--force overwrites)",
                        run->output.path, file->name, file->published);
    }
    return good;
}
