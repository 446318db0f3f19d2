/* SPDX-License-Identifier: MIT
 *
 * Private to model/: who is who. identity.c walks a host's moments, tie.c decides whether a row is
 * of a life that is known, the others prepare and finish.
 */
#ifndef JA_MODEL_IDENTITY_H
#define JA_MODEL_IDENTITY_H

#include "model/build.h"
#include "model/parts.h"

/* What is known of a process while moments are walked, beside its entry in the case. */
struct ja_known {
    uint32_t next; /* older life under the same key; JA_NONE */
    const char *uuid;
    bool name_cut;
    bool has_age, has_ticks, has_wall;
    int64_t age_start;      /* ticks on the boot's age base */
    int64_t start_ticks;    /* since boot */
    struct ja_instant wall; /* start as stated */
    int64_t cpu_ns, peak_bytes;
    enum ja_kind cpu_kind, peak_kind; /* tools round differently: each is compared with itself */
    int64_t switches;                 /* voluntary context switches: only grow */
    int64_t killed_ns;
    uint32_t life;
    uint32_t source, record;       /* last seen in */
    uint32_t moments;              /* records it appears in */
    const struct ja_instant *seen; /* last, at a known moment where there was one; never NULL */
    enum ja_link weakest;
    bool stated; /* the link was established by the audit that wrote the line */
};

/* Where the lives under one key are found. */
struct ja_slot {
    uint64_t key;
    uint32_t newest; /* 1 + process; 0: the slot is empty */
};

struct ja_lives {
    struct ja_build *build;
    struct ja_known *known; /* one per process */
    size_t known_count, known_capacity;
    struct ja_slot *slots;
    size_t slot_count, slots_used;
};

/* What one subject says, with its moment. */
struct ja_sighting {
    const struct ja_moment *moment;
    const struct ja_subject *subject;
    struct ja_instant wall; /* stated start */
    int64_t switches;       /* JA_UNKNOWN */
};

/* tie.c: does the subject belong to this life, and by which link? */
bool ja_ties(const struct ja_lives *lives, uint32_t process, const struct ja_sighting *sighting,
             enum ja_link *ret);
/* tie.c: without the folders of a path. Nothing is copied. */
const char *ja_base_name(const char *name);

/* snapshot_rows.c: the files of one snapshot tell each other whose their rows are. */
void ja_share_snapshot_rows(struct ja_build *build);
/* One behind the last moment of the snapshot folder that the moment first is of; first + 1 when it
 * is of none. */
size_t ja_snapshot_end(const struct ja_build *build, size_t first);

/* process_order.c: where each process of a host stands in their order (in the case's arena). Puts
 * them there, into the processes of all hosts from first on, and calls them by their new numbers.
 * Gives equal names of all hosts equal numbers. */
uint32_t *ja_order_processes(struct ja_build *build);
void ja_place_processes(const struct ja_part *part, uint32_t *place, struct ja_process *processes,
                        uint32_t first);
void ja_number_names(struct ja_build *build);

#endif
