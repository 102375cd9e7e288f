/* grundy.h: tables of Grundy values, for C99 and C++11 programs.
 *
 * One header and no library: everything is `static inline`. docs/format.md describes the file.
 *
 *     grundy_table table;
 *     char error[256];
 *     if (grundy_open("chess-20.safetensors", &table, error, sizeof error) != 0) {
 *         fprintf(stderr, "%s\n", error);
 *         return 2;
 *     }
 *     const unsigned cells[] = {19, 20};
 *     uint64_t index;
 *     if (grundy_index_of_cells(&table, cells, 2, &index) == 0) printf("%d\n", grundy_value(&table, index));
 *     grundy_close(&table);
 *
 * Opening checks the whole structure (file type, length, canonical header) and reads one page. After it
 * every place below `entries` can be read. That the values are right is for `grundy verify`.
 *
 * The file is mapped, so it must not be changed or cut short while it is open: on most systems a program
 * that reads a mapping behind the end of its file is killed (SIGBUS). Where there is no mmap, or with
 * GRUNDY_NO_MMAP defined, the file is read into memory instead, with standard C alone, which cannot
 * tell a pipe from a file before it is opened.
 *
 * An open table is read only: any number of threads may use it.
 *
 * Licence: MIT or Apache-2.0, as you like.
 */
#ifndef GRUNDY_H
#define GRUNDY_H

#if !defined(GRUNDY_NO_MMAP) && (defined(__unix__) || defined(__APPLE__) || defined(__HAIKU__))
#define GRUNDY_POSIX_ 1
/* Has an effect only where no system header comes before this one: files of 2 GiB on 32-bit systems. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#else
#define GRUNDY_POSIX_ 0
#endif

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if GRUNDY_POSIX_
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#endif

#define GRUNDY_HEADER_BYTES 4096
#define GRUNDY_CHUNK_BYTES 16777216 /* values that share one digest */
#define GRUNDY_MAX_WIDTH 40
#define GRUNDY_MAX_STONES 180

typedef enum grundy_game {
    GRUNDY_CHESS,  /* a piece goes to the nearest empty cell on its right, over pieces */
    GRUNDY_SLIDE,  /* a piece goes right over empty cells */
    GRUNDY_WELTER, /* a piece goes to any empty cell on its right */
    GRUNDY_STONES  /* a move takes an amount that was not taken from the pile before */
} grundy_game;

/* An open table. The fields may be read, not changed. */
typedef struct grundy_table {
    const uint8_t *values; /* one byte an entry */
    uint64_t entries;      /* how many */
    grundy_game game;
    unsigned width;        /* the cells of a strip, 1 to 40; 0 for stones */
    unsigned reach;        /* how far a piece may go; 0 where there is no limit */
    unsigned max;          /* the most stones in play, 1 to 180; 0 for strips */
    unsigned max_value;    /* the largest value, as the header says */
    uint64_t zero_entries; /* how many values are 0, as the header says */
    char id[32];           /* "chess-20", "slide-24-reach-3", "stones-60" */
    char blake3[65];       /* the root digest: 64 hex digits */
    void *base_;           /* the file in memory */
    size_t bytes_;         /* and its length */
} grundy_table;

/* ---- Rows and values ---------------------------------------------------------------------------- */

/* The value of the entry at `index`, 0 to 255; -1 where the table has no such entry.
 * `table->values[index]` is the same without the check. */
static inline int grundy_value(const grundy_table *table, uint64_t index) {
    return index < table->entries ? (int)table->values[index] : -1;
}

/* The index of the row with pieces on `cells`, in any order: 1 is the leftmost cell, `width` the rightmost.
 * -1, and no index, where a cell is not on the strip or is named twice, or the table has no cells. */
static inline int grundy_index_of_cells(const grundy_table *table, const unsigned *cells, size_t count,
                                        uint64_t *index) {
    uint64_t row = 0;
    for (size_t i = 0; i < count; i++) {
        if (cells[i] < 1 || cells[i] > table->width) return -1;
        const uint64_t bit = UINT64_C(1) << (table->width - cells[i]);
        if ((row & bit) != 0) return -1;
        row |= bit;
    }
    if (table->width == 0) return -1;
    *index = row;
    return 0;
}

/* The index of a row drawn from left to right: `#` or `x` a piece, `.` an empty cell, exactly `width` of
 * them. -1, and no index, where it is anything else. */
static inline int grundy_index_of_picture(const grundy_table *table, const char *picture, uint64_t *index) {
    uint64_t row = 0;
    unsigned cells = 0;
    for (; picture[cells] != '\0'; cells++) {
        const char cell = picture[cells];
        if (cells == table->width || (cell != '#' && cell != 'x' && cell != '.')) return -1;
        row = row << 1 | (cell != '.' ? 1u : 0u);
    }
    if (cells != table->width || cells == 0) return -1;
    *index = row;
    return 0;
}

/* Turns the bits of a row between the two orders: in the table cell c is bit `width - c`; many programs
 * have it at bit `c - 1`. The same function goes either way. Bits above `width` are dropped. */
static inline uint64_t grundy_mirror(unsigned width, uint64_t bits) {
    uint64_t mirrored = 0;
    for (unsigned bit = 0; bit < width; bit++) mirrored = mirrored << 1 | (bits >> bit & 1);
    return mirrored;
}

/* Adds the amount `j` to the subsets counted: `subsets[b]` becomes the number of subsets of {1..j} with a
 * sum of at most b, for each b up to `max`, where it was that of {1..j-1} (all 1 before the first). */
static inline void grundy_count_subsets_(uint64_t *subsets, unsigned max, unsigned j) {
    for (unsigned b = max; b >= j; b--) subsets[b] += subsets[b - j];
}

/* The index of a pile of `left` stones from which the `count` different amounts `used` were taken, in any
 * order; amounts above `left` do not matter. -1, and no index, where it is no state of the table.
 *
 * It counts anew at each call, about max * max / 2 additions. A program that looks up millions of piles keeps
 * the counts: docs/format.md, section 4. */
static inline int grundy_index_of_pile(const grundy_table *table, unsigned left, const unsigned *used,
                                       size_t count, uint64_t *index) {
    uint64_t subsets[GRUNDY_MAX_STONES + 1];
    unsigned char is_used[GRUNDY_MAX_STONES + 1] = {0};
    if (table->game != GRUNDY_STONES || left > table->max) return -1;
    unsigned above = 0; /* the sum of the used amounts that are not yet counted */
    for (size_t i = 0; i < count; i++) {
        if (used[i] < 1) return -1;
        if (used[i] > left) continue;
        if (is_used[used[i]] || used[i] > table->max - left - above) return -1;
        is_used[used[i]] = 1;
        above += used[i];
    }
    for (unsigned b = 0; b <= table->max; b++) subsets[b] = 1;
    uint64_t place = 0;
    for (unsigned j = 0; j < left; j++) {
        if (j > 0) grundy_count_subsets_(subsets, table->max, j);
        place += subsets[table->max - j];
        if (is_used[j + 1]) {
            /* The masks with the same amounts above this one, and not this one, come before. */
            above -= j + 1;
            place += subsets[table->max - left - above];
        }
    }
    *index = place;
    return 0;
}

/* ---- The header --------------------------------------------------------------------------------- */

/* The header as it should be, and as it is found. Errors go to `error`. */
typedef struct grundy_reader_ {
    const char *path;
    char *error;
    size_t error_size;
} grundy_reader_;

#if defined(__GNUC__)
#define GRUNDY_PRINTF_ __attribute__((format(printf, 2, 3)))
#else
#define GRUNDY_PRINTF_
#endif

GRUNDY_PRINTF_ static inline int grundy_error_(const grundy_reader_ *reader, const char *format, ...) {
    va_list parts;
    va_start(parts, format);
    vsnprintf(reader->error, reader->error_size, format, parts);
    va_end(parts);
    return -1;
}

static inline int grundy_field_error_(const grundy_reader_ *reader, const char *field, const char *found,
                                      const char *expected) {
    return grundy_error_(reader, "%s: header field %s: found \"%s\", expected %s; generate the table again",
                         reader->path, field, found, expected);
}

static inline int grundy_system_error_(const grundy_reader_ *reader, const char *doing) {
    return grundy_error_(reader, "cannot %s %s: %s", doing, reader->path, strerror(errno));
}

/* Copies what stands between the quotes behind `"name":"`; at most `size - 1` characters of it, and nothing
 * where there is no such field. Where it stands does not matter: the canonical form is compared later. */
static inline void grundy_field_(const char *json, const char *name, char *text, size_t size) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *from = strstr(json, key);
    size_t length = 0;
    if (from != NULL) {
        from += strlen(key);
        while (length < size - 1 && from[length] != '"' && from[length] >= ' ' && from[length] <= '~') {
            text[length] = from[length];
            length++;
        }
    }
    text[length] = '\0';
}

/* A decimal number up to `most`, without sign and leading zeros. -1 where it is none. */
static inline int grundy_number_(const char *text, uint64_t most, uint64_t *number) {
    uint64_t found = 0;
    if (text[0] == '\0' || (text[0] == '0' && text[1] != '\0')) return -1;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return -1;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (digit > most || found > (most - digit) / 10) return -1;
        found = found * 10 + digit;
    }
    *number = found;
    return 0;
}

static inline const char *grundy_game_name_(grundy_game game) {
    static const char *const names[] = {"chess", "slide", "welter", "stones"};
    return names[game];
}

/* Reads `table->id` into the fields of the game, and counts the entries. -1 where it is no canonical id. */
static inline int grundy_read_id_(grundy_table *table) {
    char part[32];
    uint64_t size = 0, reach = 0;
    const char *dash = strchr(table->id, '-');
    if (dash == NULL) return -1;
    const size_t name_length = (size_t)(dash - table->id);
    int game = GRUNDY_CHESS;
    while (strncmp(table->id, grundy_game_name_((grundy_game)game), name_length) != 0 ||
           strlen(grundy_game_name_((grundy_game)game)) != name_length) {
        if (game++ == GRUNDY_STONES) return -1;
    }
    table->game = (grundy_game)game;
    const int stones = table->game == GRUNDY_STONES;
    strcpy(part, dash + 1);
    char *limit = strstr(part, "-reach-");
    if (limit != NULL) {
        *limit = '\0';
        if (stones || grundy_number_(limit + 7, GRUNDY_MAX_WIDTH, &reach) != 0 || reach == 0) return -1;
    }
    if (grundy_number_(part, stones ? GRUNDY_MAX_STONES : GRUNDY_MAX_WIDTH, &size) != 0 || size == 0) return -1;
    if (limit != NULL && reach + 1 >= size) return -1; /* no limit: a second name for the same table */
    table->width = stones ? 0 : (unsigned)size;
    table->max = stones ? (unsigned)size : 0;
    table->reach = (unsigned)reach;
    table->entries = UINT64_C(1) << table->width;
    if (stones) {
        uint64_t subsets[GRUNDY_MAX_STONES + 1];
        for (unsigned b = 0; b <= table->max; b++) subsets[b] = 1;
        for (unsigned left = 1; left <= table->max; left++) {
            grundy_count_subsets_(subsets, table->max, left);
            table->entries += subsets[table->max - left];
        }
    }
    return 0;
}

static inline uint64_t grundy_chunks_(const grundy_table *table) {
    return (table->entries + GRUNDY_CHUNK_BYTES - 1) / GRUNDY_CHUNK_BYTES;
}

static inline uint64_t grundy_file_bytes_(const grundy_table *table) {
    return GRUNDY_HEADER_BYTES + table->entries + 32 * grundy_chunks_(table);
}

/* The one form of the header of a table, without its first eight bytes. */
static inline void grundy_encode_(const grundy_table *table, char *json) {
    typedef unsigned long long number;
    char size[64];
    const int stones = table->game == GRUNDY_STONES;
    int length = snprintf(size, sizeof size, "\"%s\":\"%u\"", stones ? "max" : "width",
                          stones ? table->max : table->width);
    if (table->reach != 0) {
        snprintf(size + length, sizeof size - (size_t)length, ",\"reach\":\"%u\"", table->reach);
    }
    const number entries = table->entries, chunks = grundy_chunks_(table);
    memset(json, ' ', GRUNDY_HEADER_BYTES - 8);
    length = snprintf(json, GRUNDY_HEADER_BYTES - 8,
                      "{\"__metadata__\":{\"format\":\"grundy-table/1\",\"id\":\"%s\",\"game\":\"%s\",%s,"
                      "\"entries\":\"%llu\",\"max_value\":\"%u\",\"zero_entries\":\"%llu\",\"blake3\":\"%s\"},"
                      "\"values\":{\"dtype\":\"U8\",\"shape\":[%llu],\"data_offsets\":[0,%llu]},"
                      "\"chunk_blake3\":{\"dtype\":\"U8\",\"shape\":[%llu,32],\"data_offsets\":[%llu,%llu]}}",
                      table->id, grundy_game_name_(table->game), size, entries, table->max_value,
                      (number)table->zero_entries, table->blake3, entries, entries, chunks, entries,
                      entries + 32 * chunks);
    json[length] = ' ';
}

/* Reads the fields of the header behind its first eight bytes, as text with a NUL at its end. */
static inline int grundy_read_fields_(const grundy_reader_ *reader, const char *json, grundy_table *table) {
    char text[80], expected[80];
    uint64_t number = 0;
    grundy_field_(json, "format", text, sizeof text);
    if (strcmp(text, "grundy-table/1") != 0) {
        return grundy_field_error_(reader, "format", text, "\"grundy-table/1\"");
    }
    grundy_field_(json, "id", text, sizeof text);
    const size_t length = strlen(text);
    if (length < sizeof table->id) memcpy(table->id, text, length + 1);
    if (length >= sizeof table->id || grundy_read_id_(table) != 0) {
        return grundy_field_error_(reader, "id", text, "an id such as \"chess-20\" or \"stones-60\"");
    }
    grundy_field_(json, "entries", text, sizeof text);
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)table->entries);
    if (strcmp(text, expected) != 0) return grundy_field_error_(reader, "entries", text, expected);
    grundy_field_(json, "max_value", text, sizeof text);
    if (grundy_number_(text, UINT8_MAX, &number) != 0) {
        return grundy_field_error_(reader, "max_value", text, "a number up to 255");
    }
    table->max_value = (unsigned)number;
    grundy_field_(json, "zero_entries", text, sizeof text);
    if (grundy_number_(text, table->entries, &table->zero_entries) != 0) {
        return grundy_field_error_(reader, "zero_entries", text, "a number up to that of the entries");
    }
    grundy_field_(json, "blake3", text, sizeof text);
    if (strlen(text) != 64 || strspn(text, "0123456789abcdef") != 64) {
        return grundy_field_error_(reader, "blake3", text, "64 digits of 0-9 and a-f");
    }
    memcpy(table->blake3, text, sizeof table->blake3);
    return 0;
}

/* Reads the first `found` bytes of a file, at most 4096, into the fields of `table`. */
static inline int grundy_read_header_(const grundy_reader_ *reader, const unsigned char *bytes, size_t found,
                                      grundy_table *table) {
    char json[GRUNDY_HEADER_BYTES - 8 + 1], canonical[GRUNDY_HEADER_BYTES - 8];
    if (found < GRUNDY_HEADER_BYTES) {
        return grundy_error_(reader, "%s has %lu bytes, fewer than the %d of a header: it is cut short or no table",
                             reader->path, (unsigned long)found, GRUNDY_HEADER_BYTES);
    }
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | bytes[i];
    if (length != sizeof canonical) {
        return grundy_error_(reader, "%s is no grundy table: its bytes 0..8 give a header of %llu bytes, expected %lu",
                             reader->path, (unsigned long long)length, (unsigned long)sizeof canonical);
    }
    memcpy(json, bytes + 8, sizeof canonical);
    json[sizeof canonical] = '\0';
    if (grundy_read_fields_(reader, json, table) != 0) return -1;
    grundy_encode_(table, canonical);
    for (size_t i = 0; i < sizeof canonical; i++) {
        if (json[i] == canonical[i]) continue;
        return grundy_error_(
            reader, "%s differs at byte %lu from the canonical form of its own header: generate the table again",
            reader->path, (unsigned long)i + 8);
    }
    return 0;
}

/* That a file of `found` bytes has the length that its header describes, and that memory can hold it. */
static inline int grundy_check_length_(const grundy_reader_ *reader, const grundy_table *table, uint64_t found) {
    const uint64_t expected = grundy_file_bytes_(table);
    if (found != expected) {
        return grundy_error_(reader,
                             "%s has %llu bytes, but its header describes %llu: it is cut short or has something "
                             "behind it; generate the table again",
                             reader->path, (unsigned long long)found, (unsigned long long)expected);
    }
    if (expected > SIZE_MAX / 2) {
        return grundy_error_(reader, "%s is larger than the address space: use a 64-bit program", reader->path);
    }
    return 0;
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

#if GRUNDY_POSIX_

static inline int grundy_check_kind_(const grundy_reader_ *reader, const struct stat *found) {
    if (S_ISREG(found->st_mode)) return 0;
    const char *kind = "a device or socket";
    if (S_ISDIR(found->st_mode)) kind = "a folder";
    if (S_ISFIFO(found->st_mode)) kind = "a pipe";
    return grundy_error_(reader, "%s is %s, expected a regular file", reader->path, kind);
}

/* Checks what `file` is, and maps it. */
static inline int grundy_map_(const grundy_reader_ *reader, int file, grundy_table *table) {
    unsigned char header[GRUNDY_HEADER_BYTES];
    size_t length = 0;
    struct stat found;
    if (fstat(file, &found) != 0) return grundy_system_error_(reader, "look at");
    if (grundy_check_kind_(reader, &found) != 0) return -1;
    while (length < sizeof header) {
        const ssize_t more = read(file, header + length, sizeof header - length);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return grundy_system_error_(reader, "read");
        if (more == 0) break;
        length += (size_t)more;
    }
    if (grundy_read_header_(reader, header, length, table) != 0) return -1;
    if (grundy_check_length_(reader, table, (uint64_t)found.st_size) != 0) return -1;
    table->bytes_ = (size_t)found.st_size;
    table->base_ = mmap(NULL, table->bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    return table->base_ == MAP_FAILED ? grundy_system_error_(reader, "map") : 0;
}

static inline int grundy_take_(const grundy_reader_ *reader, grundy_table *table) {
    struct stat found;
    /* Asked before the file is opened, since opening some devices does something; and again of what was opened,
     * since it may be another file by then. O_NONBLOCK: never wait for the other end of a pipe. */
    if (stat(reader->path, &found) != 0) return grundy_system_error_(reader, "open");
    if (grundy_check_kind_(reader, &found) != 0) return -1;
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
#ifdef O_CLOEXEC
    flags |= O_CLOEXEC;
#endif
    const int file = open(reader->path, flags);
    if (file < 0) return grundy_system_error_(reader, "open");
    const int status = grundy_map_(reader, file, table);
    close(file); /* the mapping stays */
    return status;
}

static inline void grundy_release_(grundy_table *table) { munmap(table->base_, table->bytes_); }

#else

/* Checks and reads `file` into memory of its own. */
static inline int grundy_copy_(const grundy_reader_ *reader, FILE *file, grundy_table *table) {
    unsigned char header[GRUNDY_HEADER_BYTES];
    const size_t length = fread(header, 1, sizeof header, file);
    if (ferror(file)) return grundy_system_error_(reader, "read");
    if (grundy_read_header_(reader, header, length, table) != 0) return -1;
    const uint64_t expected = grundy_file_bytes_(table);
    if (grundy_check_length_(reader, table, expected) != 0) return -1;
    /* One byte more than there should be, so that a file with something behind it is found out. */
    unsigned char *bytes = (unsigned char *)malloc((size_t)expected + 1);
    if (bytes == NULL) return grundy_error_(reader, "%s does not fit into memory: use a smaller table", reader->path);
    memcpy(bytes, header, sizeof header);
    const size_t rest = fread(bytes + sizeof header, 1, (size_t)expected + 1 - sizeof header, file);
    const int failed = ferror(file) ? grundy_system_error_(reader, "read")
                                    : grundy_check_length_(reader, table, sizeof header + (uint64_t)rest);
    if (failed != 0) {
        free(bytes);
        return -1;
    }
    table->base_ = bytes;
    table->bytes_ = (size_t)expected;
    return 0;
}

static inline int grundy_take_(const grundy_reader_ *reader, grundy_table *table) {
    FILE *file = fopen(reader->path, "rb");
    if (file == NULL) return grundy_system_error_(reader, "open");
    const int status = grundy_copy_(reader, file, table);
    fclose(file);
    return status;
}

static inline void grundy_release_(grundy_table *table) { free(table->base_); }

#endif

/* Opens a table. 0, and the table in `*table`, to be closed; or -1, an empty table there, and in `error` one line
 * (cut to `error_size` bytes) that says what was found, what was expected and what to do. */
static inline int grundy_open(const char *path, grundy_table *table, char *error, size_t error_size) {
    const grundy_table none = {NULL, 0, GRUNDY_CHESS, 0, 0, 0, 0, 0, "", "", NULL, 0};
    const grundy_reader_ reader = {path, error, error_size};
    grundy_table found = none;
    const int status = grundy_take_(&reader, &found);
    if (status == 0) found.values = (const uint8_t *)found.base_ + GRUNDY_HEADER_BYTES;
    *table = status == 0 ? found : none;
    return status;
}

/* Gives the memory back. A table that is closed, or was never opened well, may be closed again. */
static inline void grundy_close(grundy_table *table) {
    if (table->base_ != NULL) grundy_release_(table);
    table->base_ = NULL;
    table->values = NULL;
    table->entries = 0;
}

#endif
