/* Hostile tables for include/grundy.h, under the address and undefined-behaviour sanitizers:
 *
 *     header SECONDS SCRATCH SEED..
 *
 * Changes the seeds (files of fuzz/corpus/table) at random, always in the same order, writes each as SCRATCH, opens it,
 * and uses what opens. A sanitizer that finds something ends the program; SCRATCH is then the file that did it. */
#define _POSIX_C_SOURCE 200809L
#include "grundy.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 15 };

typedef struct {
    unsigned char bytes[MOST];
    size_t length;
} file;

static uint64_t state = 1;

static uint64_t below(uint64_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % limit;
}

/* A seed: its first byte says whether the rest is a whole file or only the text of a header, as in targets/table.rs. */
static int read_seed(const char *path, file *seed) {
    static unsigned char bytes[MOST];
    FILE *from = fopen(path, "rb");
    if (from == NULL) return -1;
    const size_t length = fread(bytes, 1, MOST / 2, from);
    fclose(from);
    if (length == 0) return -1;
    if (bytes[0] % 2 == 0) {
        memcpy(seed->bytes, bytes + 1, length - 1);
        seed->length = length - 1;
        return 0;
    }
    const size_t room = GRUNDY_HEADER_BYTES - 8;
    const size_t text = length - 1 < room ? length - 1 : room;
    memset(seed->bytes, ' ', GRUNDY_HEADER_BYTES);
    memset(seed->bytes, 0, 8);
    seed->bytes[0] = room & 0xff;
    seed->bytes[1] = (unsigned char)(room >> 8);
    memcpy(seed->bytes + 8, bytes + 1, text);
    /* As many values as the smallest of the games has, and a digest. */
    memset(seed->bytes + GRUNDY_HEADER_BYTES, 1, 48);
    seed->length = GRUNDY_HEADER_BYTES + 48;
    return 0;
}

/* Puts `text` in the place of `old` bytes at `at`, in the header, whose end is cut or padded. */
static void replace(file *f, size_t at, size_t old, const char *text) {
    const size_t new = strlen(text);
    if (at + old > GRUNDY_HEADER_BYTES || at + new > GRUNDY_HEADER_BYTES) return;
    if (f->length < GRUNDY_HEADER_BYTES) return;
    if (new > old) {
        memmove(f->bytes + at + new, f->bytes + at + old, GRUNDY_HEADER_BYTES - at - new);
    } else {
        memmove(f->bytes + at + new, f->bytes + at + old, GRUNDY_HEADER_BYTES - at - old);
        memset(f->bytes + GRUNDY_HEADER_BYTES - (old - new), ' ', old - new);
    }
    memcpy(f->bytes + at, text, new);
}

/* A number of the header becomes one that is hard. */
static void change_number(file *f) {
    static const char *const numbers[] = {
        "0", "1", "-1", "9", "16", "17", "20", "40", "41", "180", "181", "255", "256", "65536", "4294967295", "4294967296",
        "1099511627776", "9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999999",
        "", "00", "0x10", "1e9", "\"", "[", "]", "{", "}", "\\u0031", ",", ":"};
    size_t at = 8 + (size_t)below(500), end;
    while (at < f->length && at < 600 && (f->bytes[at] < '0' || f->bytes[at] > '9')) at++;
    for (end = at; end < f->length && end < 700 && f->bytes[end] >= '0' && f->bytes[end] <= '9';) end++;
    replace(f, at, end - at, numbers[below(sizeof numbers / sizeof *numbers)]);
}

static void change(file *f, const file *other) {
    const size_t at = f->length == 0 ? 0 : (size_t)below(f->length < 700 ? f->length : 700);
    switch (below(8)) {
    case 0: f->bytes[at] ^= (unsigned char)(1u << below(8)); break;
    case 1: f->bytes[at] = (unsigned char)below(256); break;
    case 2: replace(f, at, (size_t)below(30), ""); break;
    case 3: replace(f, at, 0, (const char *[]){"\"", ",", "0", "{", "}", "[", "id\":\"", "\\", " "}[below(9)]); break;
    case 4: f->length = (size_t)below(f->length + 1); break;
    case 5: f->length = f->length + 64 < MOST ? f->length + (size_t)below(64) : f->length; break;
    case 6: memcpy(f->bytes + at, other->bytes + at, (size_t)below(200)); break;
    default: change_number(f); break;
    }
}

/* Reads all that an open table allows. */
static unsigned use(const grundy_table *table) {
    unsigned sum = 0;
    for (uint64_t i = 0; i < table->entries; i++) sum += (unsigned)grundy_value(table, i);
    const unsigned cells[] = {(unsigned)below(50), (unsigned)below(50)};
    const unsigned used[] = {(unsigned)below(200), (unsigned)below(200)};
    char picture[64];
    uint64_t index = 0;
    memset(picture, "#x."[below(3)], sizeof picture);
    picture[below(sizeof picture)] = '\0';
    picture[sizeof picture - 1] = '\0';
    if (grundy_index_of_cells(table, cells, 2, &index) == 0) sum += table->values[index];
    if (grundy_index_of_picture(table, picture, &index) == 0) sum += table->values[index];
    if (grundy_index_of_pile(table, (unsigned)below(200), used, 2, &index) == 0) sum += table->values[index];
    if (grundy_value(table, table->entries) != -1) abort();
    if (strlen(table->id) >= sizeof table->id || strlen(table->blake3) != 64) abort();
    return sum;
}

static int put(int scratch, const file *f) {
    if (pwrite(scratch, f->bytes, f->length, 0) != (ssize_t)f->length) return -1;
    return ftruncate(scratch, (off_t)f->length);
}

int main(int count, char **words) {
    static file seeds[64], now;
    if (count < 4) return 2;
    const int known = count - 3 < 64 ? count - 3 : 64;
    for (int i = 0; i < known; i++) {
        if (read_seed(words[3 + i], &seeds[i]) != 0) return perror(words[3 + i]), 2;
    }
    const int scratch = open(words[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (scratch < 0) return perror(words[2]), 2;
    const time_t end = time(NULL) + atoi(words[1]);
    unsigned long long tried = 0, opened = 0;
    unsigned sum = 0;
    while (tried % 1024 != 0 || time(NULL) < end) {
        now = seeds[below((uint64_t)known)];
        for (uint64_t changes = below(5); changes > 0; changes--) change(&now, &seeds[below((uint64_t)known)]);
        if (put(scratch, &now) != 0) return perror(words[2]), 2;
        char error[300];
        grundy_table table;
        tried++;
        /* Messages are cut to any room. */
        if (grundy_open(words[2], &table, error, (size_t)below(sizeof error)) != 0) continue;
        opened++;
        sum += use(&table);
        grundy_close(&table);
    }
    printf("%llu tables tried, %llu of them opened (sum %u)\n", tried, opened, sum);
    /* Seeds that are tables open unchanged: none opened means that nothing was tested. */
    return opened == 0;
}
