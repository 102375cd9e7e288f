// HDU 5724 "Chess", answered from a table: for each board YES where the player who moves first wins.
//
//     grundy generate chess --width 20
//     c++ -O2 -std=c++11 -I include examples/hdu5724.cpp -o hdu5724
//     ./hdu5724 tables/chess-20.safetensors < input
//
// The whole input is read with one buffer and one pass. An input that is not in the format is an error with its
// line, never an answer. Other tables of strips (`slide`, `welter`, other widths) judge the variants.

#include "grundy.h"

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

// The numbers of a file, between white space of any layout.
class Numbers {
public:
    explicit Numbers(std::FILE *file) : file_(file) {}

    // The next number, which must be one of `least` to `most`.
    unsigned long long next(unsigned long long least, unsigned long long most, const char *what) {
        int byte = skip_spaces();
        const unsigned long long limit = most / 10;
        unsigned long long number = 0;
        bool fits = is_digit(byte);
        for (; is_digit(byte); byte = get()) {
            fits = fits && number <= limit;
            number = number * 10 + static_cast<unsigned>(byte - '0');
        }
        if (!fits || number < least || number > most || !(byte == EOF || is_space(byte))) {
            fail(std::string("expected ") + what + ", from " + std::to_string(least) + " to " + std::to_string(most));
        }
        line_ended_ = byte == '\n';
        return number;
    }

    void end() {
        if (skip_spaces() != EOF) fail("expected nothing more: all boards are read");
    }

    [[noreturn]] void fail(const std::string &problem) const {
        throw std::runtime_error("line " + std::to_string(line_) + ": " + problem);
    }

private:
    static bool is_digit(int byte) { return byte >= '0' && byte <= '9'; }
    static bool is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

    int skip_spaces() {
        line_ += line_ended_; // the last number is still named by its own line
        line_ended_ = false;
        int byte = get();
        for (; is_space(byte); byte = get()) line_ += byte == '\n';
        return byte;
    }

    int get() {
        if (at_ == filled_) {
            filled_ = std::fread(buffer_, 1, sizeof buffer_, file_);
            at_ = 0;
            if (std::ferror(file_)) throw std::runtime_error("the input cannot be read");
            if (filled_ == 0) return EOF;
        }
        return buffer_[at_++];
    }

    std::FILE *file_;
    unsigned char buffer_[1 << 16];
    std::size_t at_ = 0, filled_ = 0;
    unsigned long line_ = 1;
    bool line_ended_ = false;
};

// A table that is closed at the end of its scope.
class Table {
public:
    explicit Table(const char *path) {
        char error[512];
        if (grundy_open(path, &table_, error, sizeof error) != 0) throw std::runtime_error(error);
        if (table_.width == 0) {
            grundy_close(&table_);
            throw std::runtime_error(std::string(path) + " has piles, expected the table of a strip, such as chess-20");
        }
    }
    ~Table() { grundy_close(&table_); }
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    unsigned width() const { return table_.width; }
    unsigned value(uint64_t row) const { return table_.values[row]; }

private:
    grundy_table table_;
};

// Reads a row: its place in the table, where cell c is bit `width - c`.
uint64_t read_row(Numbers &input, unsigned width) {
    uint64_t row = 0;
    for (unsigned long long pieces = input.next(0, width, "the number of pieces"); pieces > 0; pieces--) {
        const uint64_t bit = UINT64_C(1) << (width - input.next(1, width, "the cell of a piece"));
        if (row & bit) input.fail("expected different cells: one is named twice");
        row |= bit;
    }
    return row;
}

std::string answers(Numbers &input, const Table &table) {
    std::string answers;
    const unsigned long long any = 1000000000000000000;
    for (unsigned long long boards = input.next(0, any, "the number of boards"); boards > 0; boards--) {
        unsigned sum = 0;
        for (unsigned long long rows = input.next(0, any, "the number of rows"); rows > 0; rows--) {
            sum ^= table.value(read_row(input, table.width()));
        }
        answers += sum != 0 ? "YES\n" : "NO\n";
    }
    input.end();
    return answers;
}

}  // namespace

int main(int count, char **words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s TABLE < INPUT\n", count > 0 ? words[0] : "hdu5724");
        return 2;
    }
    try {
        const Table table(words[1]);
        Numbers input(stdin);
        const std::string text = answers(input, table);
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
            throw std::runtime_error("the answers cannot be written");
        }
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "hdu5724: %s\n", problem.what());
        return 2;
    }
}
