/* SPDX-License-Identifier: MIT
 *
 * Files that are no evidence as they lie there: archives, memory graphs, cores, databases,
 * property lists, pictures. Known by their first bytes, some only by their name; named, with the
 * command that unpacks them where there is one, and not read.
 *   1f 8b 08 ...            gzip
 *   "bplist00" in x.memgraph  a memory graph
 * A JetsamEvent-*.ips.gz is one of them until it is unpacked.
 */
#include <string.h>

#include "parsers/parser.h"
#include "parsers/scan.h"

struct foreign {
    const char *magic; /* first bytes; NULL: by name alone */
    size_t magic_length;
    const char *suffix; /* of the name, NULL: any */
    const char *why;
    bool packed; /* may hold evidence: that it was not read is said */
};

/* The first row that fits counts: names before general magic. */
static const struct foreign rows[] = {
    {NULL, 0, ".memgraph", "a memory graph: on a Mac run leaks, heap or vmmap on it", false},
    {NULL, 0, ".tailspin", "a tailspin recording: on a Mac run spindump -i FILE", false},
    {NULL, 0, ".tracev3", "a part of the system log: on a Mac run log show --archive on its folder",
     true},
    {NULL, 0, ".logarchive", "a log archive: on a Mac run log show --archive FILE", true},
    {NULL, 0, ".DS_Store", "the Finder's folder settings", false},
    {NULL, 0, ".hprof", "a Java heap dump: read it with jcmd, jhat or a heap analyzer", false},
    {NULL, 0, ".heapsnapshot", "a V8 heap snapshot: read it with the developer tools", false},
    {"\x1f\x8b", 2, ".tar.gz", "an archive, not unpacked: tar xzf FILE, then audit the folder",
     true},
    {"\x1f\x8b", 2, ".tgz", "an archive, not unpacked: tar xzf FILE, then audit the folder", true},
    {"\x1f\x8b", 2, NULL, "compressed, not unpacked: gunzip -k FILE", true},
    {"BZh", 3, ".bz2", "compressed, not unpacked: bunzip2 -k FILE", true},
    {"\xFD\x37zXZ", 5, NULL, "compressed, not unpacked: unxz -k FILE", true},
    {"\x28\xB5\x2F\xFD", 4, NULL, "compressed, not unpacked: unzstd FILE", true},
    {"\x04\x22\x4D\x18", 4, NULL, "compressed, not unpacked: unlz4 FILE", true},
    {"PK\x03\x04", 4, NULL, "an archive, not unpacked: unzip FILE, then audit the folder", true},
    {"7z\xBC\xAF\x27\x1C", 6, NULL, "an archive, not unpacked: 7z x FILE, then audit the folder",
     true},
    {"!<arch>\n", 8, NULL, "an ar archive", true},
    {"xar!", 4, NULL, "an archive, not unpacked: xar -xf FILE", true},
    {"pbzx", 4, NULL, "an Apple payload archive", true},
    {"bplist00", 8, NULL, "a binary property list: on a Mac run plutil -p FILE", false},
    {"\x7F"
     "ELF",
     4, NULL, "a program or a core file: read it with a debugger", false},
    {"\xCF\xFA\xED\xFE", 4, NULL, "a Mach-O program or core file: read it with lldb", false},
    {"\xCE\xFA\xED\xFE", 4, NULL, "a Mach-O program or core file: read it with lldb", false},
    {"\xCA\xFE\xBA\xBE", 4, NULL, "a Mach-O program of several processors, or a Java class", false},
    {"JAVA PROFILE", 12, NULL, "a Java heap dump: read it with jcmd or a heap analyzer", false},
    {"SQLite format 3", 15, NULL, "an SQLite database", false},
    {"\x89PNG", 4, NULL, "a picture", false},
    {"\xFF\xD8\xFF", 3, NULL, "a picture", false},
    {"GIF8", 4, NULL, "a picture", false},
    {"%PDF-", 5, NULL, "a PDF document", false},
    {"RIFF", 4, ".webp", "a picture", false},
    {"\xD0\xCF\x11\xE0", 4, NULL, "an office document", false},
    {NULL, 0, ".core", "a core file: read it with a debugger", false},
    {NULL, 0, ".tar", "an archive, not unpacked: tar xf FILE, then audit the folder", true},
    {NULL, 0, ".dmg", "a disk image: attach it, then audit the folder", true},
    {NULL, 0, ".pcap", "a network capture", false},
};

static const struct foreign *find(const struct ja_file *file)
{
    const char *name = file->name, *text = file->text;
    size_t length = file->length;
    static const struct foreign tar = {NULL, 0, NULL,
                                       "an archive, not unpacked: tar xf FILE, then audit the "
                                       "folder",
                                       true};
    if (length > 262 && memcmp(text + 257, "ustar", 5) == 0)
        return &tar;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct foreign *row = &rows[i];
        if (row->suffix && !ja_text_ends(name, strlen(name), row->suffix))
            continue;
        if (!row->magic ||
            (length >= row->magic_length && memcmp(text, row->magic, row->magic_length) == 0))
            return row;
    }
    return NULL;
}

/* An XML property list is foreign only when no one else knows its content. */
static bool is_plist(const struct ja_piece *piece)
{
    size_t near = piece->length < 512 ? piece->length : 512;
    return ja_text_find(piece->text, near, "<!DOCTYPE plist") < near ||
           ja_text_find(piece->text, near, "<plist ") < near;
}

static int bid(const struct ja_piece *piece)
{
    return find(piece->file) ? 70 : is_plist(piece) ? 52 : 0;
}

static void settle(struct ja_evidence *evidence, const struct foreign *row)
{
    const char *why = row ? row->why : "a property list without memory content";
    ja_set_kind(evidence, JA_KIND_FOREIGN);
    bool packed = row && row->packed;
    ja_set_status(evidence, packed ? JA_STATUS_UNREADABLE : JA_STATUS_NO_MEMORY_CONTENT, why);
    if (packed)
        ja_diagnose(evidence, JA_UNREAD, "packed", 0, NULL, "%s; file left out", why);
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    settle(parse->evidence, find(piece->file));
}

bool ja_foreign_read(const struct ja_file *file, struct ja_evidence *evidence)
{
    const struct foreign *row = find(file);
    if (!row || (!row->magic && !memchr(file->text, '\0', file->length)))
        return false;
    settle(evidence, row);
    return true;
}

const struct ja_parser ja_parser_foreign = {
    .name = "foreign",
    .reads = "recognises archives, memory graphs, cores, property lists, pictures",
    .whole = true,
    .bid = bid,
    .most = 70,
    .parse = parse,
};
