/* config_private.h: what config.c and config_virtual.c share: a line that is read, and a key. */
#ifndef SOFTGPU_CONFIG_PRIVATE_H
#define SOFTGPU_CONFIG_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softgpu_config;

#define WORDS 16u /* most words of a line */

/* One line (or key and value) being read. */
struct line {
    unsigned number; /* 0: not from a text */
    unsigned count;
    char *word[WORDS];
    char *error;
    size_t error_size;
    bool new_segments; /* the next segment line is the first of its text */
    bool lone;         /* set by key: other segments stay */
};

struct key {
    const char *name;
    bool (*read)(struct softgpu_config *config, const struct key *key, struct line *line);
    size_t offset;
    uint64_t least, most;
    const char *const *choices;
};

/* Write the sentence; always false, so that a reader may return it. */
bool softgpu_config_wrong(struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Read a word as a number. False: it is none of `least` to `most`, which the error says. */
bool softgpu_config_read_number_word(struct line *line, const char *name, const char *word,
                                     uint64_t least, uint64_t most, uint64_t *number);

/* config_virtual.c: keys of page tables, and what they have to agree with. */
bool softgpu_config_read_levels(struct softgpu_config *config, const struct key *key,
                                struct line *line);
bool softgpu_config_read_index_bits(struct softgpu_config *config, const struct key *key,
                                    struct line *line);
bool softgpu_config_check_virtual(const struct softgpu_config *config, struct line *line);

#endif
