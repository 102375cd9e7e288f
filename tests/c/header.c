/* What tests/c_header.rs asks of include/grundy.h. It is compiled as C99 and as C++11. */
#include "grundy.h"

/* The value of every row, as bytes: each row looked up by its cells, its picture and its mirrored bits. */
static int print_values(const grundy_table *table) {
    for (uint64_t row = 0; row < table->entries; row++) {
        unsigned cells[GRUNDY_MAX_WIDTH];
        char picture[GRUNDY_MAX_WIDTH + 1] = "";
        size_t pieces = 0;
        uint64_t left_low = 0, from_cells, from_picture;
        for (unsigned cell = table->width; cell >= 1; cell--) {
            const int piece = (int)(row >> (table->width - cell) & 1);
            picture[cell - 1] = piece ? '#' : '.';
            if (!piece) continue;
            cells[pieces++] = cell;
            left_low |= UINT64_C(1) << (cell - 1);
        }
        if (grundy_index_of_cells(table, cells, pieces, &from_cells) != 0 || from_cells != row ||
            grundy_index_of_picture(table, picture, &from_picture) != 0 || from_picture != row ||
            grundy_mirror(table->width, left_low) != row || grundy_mirror(table->width, row) != left_low) {
            fprintf(stderr, "row %llu does not come back\n", (unsigned long long)row);
            return 1;
        }
        putchar(grundy_value(table, from_cells));
    }
    return 0;
}

/* The value of each pile of standard input, as lines: the stones left, how many amounts are used, and these. */
static int print_piles(const grundy_table *table) {
    unsigned left;
    while (scanf("%u", &left) == 1) {
        unsigned used[GRUNDY_MAX_STONES];
        unsigned count = 0;
        uint64_t index;
        if (scanf("%u", &count) != 1 || count > GRUNDY_MAX_STONES) return 1;
        for (unsigned i = 0; i < count; i++) {
            if (scanf("%u", &used[i]) != 1) return 1;
        }
        if (grundy_index_of_pile(table, left, used, count, &index) != 0) {
            printf("none\n");
        } else {
            printf("%llu %d\n", (unsigned long long)index, grundy_value(table, index));
        }
    }
    return 0;
}

/* What is no row, no entry and no pile of the table. The number of those taken for one. */
static int count_nonsense(const grundy_table *table) {
    const unsigned outside[] = {0}, beyond[] = {table->width + 1}, far[] = {4000000000u}, twice[] = {1, 1};
    char longer[GRUNDY_MAX_WIDTH + 2];
    uint64_t index;
    int taken = 0;
    memset(longer, '.', sizeof longer);
    longer[table->width + 1] = '\0';
    taken += grundy_index_of_cells(table, outside, 1, &index) == 0;
    taken += grundy_index_of_cells(table, beyond, 1, &index) == 0;
    taken += grundy_index_of_cells(table, far, 1, &index) == 0;
    taken += grundy_index_of_cells(table, twice, 2, &index) == 0;
    taken += grundy_index_of_picture(table, "", &index) == 0;
    taken += grundy_index_of_picture(table, longer, &index) == 0;
    taken += grundy_index_of_picture(table, longer + 2, &index) == 0;
    longer[0] = 'o';
    taken += grundy_index_of_picture(table, longer, &index) == 0;
    taken += grundy_index_of_pile(table, 1, NULL, 0, &index) == 0;
    taken += grundy_value(table, table->entries) != -1;
    taken += grundy_value(table, UINT64_MAX) != -1;
    return taken;
}

/* Overwrites the byte at `at` of an open file, or adds one at its end. Files are changed in place: to write
 * thousands anew takes a minute on some disks. */
static void put(FILE *file, size_t at, unsigned char byte) {
    if (fseek(file, (long)at, SEEK_SET) != 0 || fputc(byte, file) == EOF || fflush(file) != 0) {
        perror("scratch file");
        exit(2);
    }
}

static int opens(const char *path) {
    char error[16]; /* shorter than any message */
    grundy_table table;
    const int status = grundy_open(path, &table, error, sizeof error);
    if (status != 0 && (error[0] == '\0' || table.values != NULL || table.entries != 0)) exit(2);
    grundy_close(&table);
    grundy_close(&table);
    return status == 0;
}

/* Writes the file `path` byte by byte as `scratch`, then some bytes more, then changes each byte of the header in
 * several ways, and prints each state of it that was opened: "length LENGTH" or "byte AT XOR". */
static int print_accepted(const char *path, const char *scratch) {
    static unsigned char bytes[1 << 16];
    const unsigned char changes[] = {0x01, 0x02, 0x20, 0x80, 0xff};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 2;
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    file = fopen(scratch, "wb");
    if (file == NULL) return 2;
    for (size_t longer = 0; longer < length + 40; longer++) {
        if (opens(scratch)) printf("length %lu\n", (unsigned long)longer);
        put(file, longer, longer < length ? bytes[longer] : 0);
    }
    fclose(file);
    file = fopen(scratch, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fflush(file) != 0) return 2;
    for (size_t at = 0; at < GRUNDY_HEADER_BYTES; at++) {
        for (size_t i = 0; i < sizeof changes; i++) {
            put(file, at, bytes[at] ^ changes[i]);
            if (opens(scratch)) printf("byte %lu %u\n", (unsigned long)at, (unsigned)changes[i]);
        }
        put(file, at, bytes[at]);
    }
    fclose(file);
    return 0;
}

/* A line for each path: what the table is, or why there is none. */
static int print_opened(int count, char **paths) {
    for (int i = 0; i < count; i++) {
        char error[512];
        grundy_table table;
        if (grundy_open(paths[i], &table, error, sizeof error) != 0) {
            printf("error: %s\n", error);
        } else {
            printf("%s %s width %u reach %u max %u entries %llu max_value %u zero_entries %llu blake3 %s\n", table.id,
                   grundy_game_name_(table.game), table.width, table.reach, table.max,
                   (unsigned long long)table.entries, table.max_value, (unsigned long long)table.zero_entries,
                   table.blake3);
        }
        grundy_close(&table);
    }
    return 0;
}

int main(int count, char **words) {
    if (count >= 3 && strcmp(words[1], "open") == 0) return print_opened(count - 2, words + 2);
    if (count == 4 && strcmp(words[1], "accepted") == 0) return print_accepted(words[2], words[3]);
    if (count != 3) return 2;
    char error[512];
    grundy_table table;
    if (grundy_open(words[2], &table, error, sizeof error) != 0) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    int status = 2;
    if (strcmp(words[1], "values") == 0) status = print_values(&table);
    if (strcmp(words[1], "piles") == 0) status = print_piles(&table);
    if (strcmp(words[1], "nonsense") == 0) status = count_nonsense(&table);
    grundy_close(&table);
    return status;
}
