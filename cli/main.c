/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/about.h"
#include "cli/options.h"
#include "cli/run.h"
#include "model/arena.h"

static void out_of_memory(void)
{
    static const char message[] = "jetsam-audit: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(JA_EXIT_INTERNAL);
}

static int list(const char *what)
{
    if (ja_about_list(stdout, what))
        return JA_EXIT_DONE;
    ja_complain("--list: '%s' is none of parsers, rules, reports, caps", what);
    return JA_EXIT_USAGE;
}

static int explain(const char *rule)
{
    const char *near;
    if (ja_about_rule(stdout, rule, &near))
        return JA_EXIT_DONE;
    ja_complain("--explain: '%s' is no rule%s%s%s (see --list rules)", rule,
                near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return JA_EXIT_USAGE;
}

static int act(const struct ja_options *options)
{
    switch (options->action) {
    case JA_ACTION_HELP:
        ja_options_help(stdout);
        return JA_EXIT_DONE;
    case JA_ACTION_VERSION:
        ja_about_version(stdout);
        return JA_EXIT_DONE;
    case JA_ACTION_LIST:
        return list(options->subject);
    case JA_ACTION_EXPLAIN:
        return explain(options->subject);
    case JA_ACTION_AUDIT:
        break;
    }
    return ja_run(options);
}

/* A stream that came closed would be the next file that is opened, and messages would go into it.
 * Read-only, so that standard output says that it cannot be written. */
static void occupy_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

int main(int argc, char **argv)
{
    struct ja_options options;
    occupy_streams();
    ja_arena_out_of_memory = out_of_memory;
    signal(SIGXFSZ, SIG_IGN); /* a file too large and a pipe that nobody reads are */
    signal(SIGPIPE, SIG_IGN); /* write errors like any other */
    int status = JA_EXIT_USAGE;
    if (ja_options_parse(&options, argc, argv))
        status = act(&options);
    else
        ja_complain("%s", options.error);
    ja_options_free(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        ja_complain("standard output cannot be written");
        if (status != JA_EXIT_INTERNAL)
            status = JA_EXIT_OUTPUT;
    }
    return status;
}
