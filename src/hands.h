/* Making hands: from text, at random, and all of them in order. */
#ifndef HANDS_H
#define HANDS_H

#include <stdint.h>
#include <string.h>

#include "evalkernels.h"

/* --- text ---------------------------------------------------------------------------------- */

#define WR_NONE 0xFF
#define WR_CODES 56 /* cards and jokers */
static uint8_t wr_rank_of[256], wr_suit_of[256]; /* by letter, or WR_NONE */

static void wr_init_hands(void)
{
    memset(wr_rank_of, WR_NONE, sizeof wr_rank_of);
    memset(wr_suit_of, WR_NONE, sizeof wr_suit_of);
    for (int i = 0; i < 13; i++) {
        wr_rank_of[(int)"23456789TJQKA"[i]] = (uint8_t)i;
        wr_rank_of[(int)"23456789tjqka"[i]] = (uint8_t)i;
    }
    for (int i = 0; i < 4; i++) {
        wr_suit_of[(int)"cdhs"[i]] = (uint8_t)i;
        wr_suit_of[(int)"CDHS"[i]] = (uint8_t)i;
    }
}

/* Read the plain text of a hand; return how many cards, or -1 for anything out of the way. */
WR_INLINE int wr_parse_hand(const uint8_t *text, const uint8_t *end, uint8_t *codes, int limit)
{
    int count = 0;
    uint8_t joker = WR_FIRST_WILD;
    while (text < end) {
        uint8_t rank = wr_rank_of[*text];
        if (*text == ' ' || *text == ',') {
            text++;
            continue;
        }
        if (count == limit)
            return -1;
        if (rank != WR_NONE && text + 1 < end && wr_suit_of[text[1]] != WR_NONE) {
            codes[count++] = (uint8_t)(rank * 4 + wr_suit_of[text[1]]);
            text += 2;
        } else if (*text == '*' && joker < WR_CODES) {
            codes[count++] = joker++;
            text++;
        } else if (text + 1 < end && (*text | 32) == 'j' && (text[1] | 32) == 'k'
                   && joker < WR_CODES) {
            codes[count++] = joker++;
            text += 2;
        } else if (text + 2 < end && *text == '1' && text[1] == '0'
                   && wr_suit_of[text[2]] != WR_NONE) {
            codes[count++] = (uint8_t)(8 * 4 + wr_suit_of[text[2]]);
            text += 3;
        } else {
            return -1;
        }
    }
    return count;
}

#define WR_LONG_LINE 500 /* bytes; what is longer is for the caller to look at */

/* Read lines that end in \n, each the plain text of a hand of n cards, until the text or the room
 * for rows ends or a line is something else. Return the rows; *used is where reading stopped,
 * always the start of a line. Carriage returns before \n are part of the line end. */
static int64_t wr_parse_lines(const uint8_t *text, int64_t length, int n, int64_t rows,
                              uint8_t *hands, int64_t *used)
{
    const uint8_t *line = text, *stop = text + length;
    uint8_t codes[64];
    int64_t row = 0;
    while (row < rows && line < stop) {
        const uint8_t *end = (const uint8_t *)memchr(line, '\n', (size_t)(stop - line));
        if (end == NULL || end - line > WR_LONG_LINE)
            break;
        const uint8_t *last = end > line && end[-1] == '\r' ? end - 1 : end;
        if (wr_parse_hand(line, last, codes, n) != n)
            break;
        memcpy(hands + row * n, codes, (size_t)n);
        row++;
        line = end + 1;
    }
    *used = line - text;
    return row;
}

/* Write hands as lines: the cards with blanks between them, then the ending of the hand's value,
 * which stops at ends[value] in `endings`. Return the bytes; `out` has room for them all. */
static int64_t wr_format_lines(const uint8_t *hands, int64_t rows, int n, const uint16_t *values,
                               const char *endings, const int64_t *ends, char *out)
{
    char *start = out;
    for (int64_t row = 0; row < rows; row++, hands += n) {
        for (int i = 0; i < n; i++) {
            int joker = hands[i] >= WR_FIRST_WILD;
            *out++ = joker ? 'J' : "23456789TJQKA"[hands[i] >> 2];
            *out++ = joker ? 'k' : "cdhs"[hands[i] & 3];
            *out++ = ' ';
        }
        out--;
        int64_t from = values[row] ? ends[values[row] - 1] : 0;
        size_t size = (size_t)(ends[values[row]] - from);
        memcpy(out, endings + from, size);
        out += size;
    }
    return out - start;
}

/* --- dealing and enumerating --------------------------------------------------------------- */

/* The C interface that NumPy documents for its bit generators. */
typedef struct {
    void *state;
    uint64_t (*next_uint64)(void *state);
    uint32_t (*next_uint32)(void *state);
    double (*next_double)(void *state);
    uint64_t (*next_raw)(void *state);
} wr_bitgen;

WR_INLINE uint64_t wr_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(_MSC_VER) && !defined(__clang__)
    uint64_t high;
    *low = _umul128(a, b, &high);
    return high;
#else
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#endif
}

#define WR_DRAWS 8 /* cards drawn with one 64-bit number: 56^8 leaves almost nothing to reject */

/* Deal rows of n different cards of a deck, which is shuffled on the way.
 *
 * Multiplying a random 64-bit fraction by m gives a digit below m and the fraction left. After
 * several digits the fraction left tells the few numbers that would make some digits likelier
 * than others (Lemire 2019, "Fast random integer generation in an interval"): draw again. */
WR_INLINE void wr_deal_n(wr_bitgen *random, uint8_t *deck, int deck_size, const int n,
                         int64_t rows, uint8_t *hands)
{
    for (int64_t row = 0; row < rows; row++, hands += n)
        for (int start = 0; start < n; start += WR_DRAWS) {
            const int end = start + WR_DRAWS < n ? start + WR_DRAWS : n;
            uint8_t digits[WR_DRAWS];
            uint64_t left, outcomes = 1;
            for (int i = start; i < end; i++)
                outcomes *= (uint64_t)(deck_size - i);
            do {
                left = random->next_uint64(random->state);
                for (int i = start; i < end; i++)
                    digits[i - start] = (uint8_t)wr_multiply(left, (uint64_t)(deck_size - i), &left);
            } while (left < outcomes && left < -outcomes % outcomes);
            for (int i = start; i < end; i++) {
                int j = i + digits[i - start];
                uint8_t card = deck[j];
                deck[j] = deck[i];
                deck[i] = card;
                hands[i] = card;
            }
        }
}

/* Write up to `rows` hands in order, from the one whose deck places are in `places`; leave there
 * the places of the hand that comes next. Return how many were written. */
WR_INLINE int64_t wr_enumerate_n(const uint8_t *deck, int deck_size, int *places, const int n,
                                 int64_t rows, uint8_t *hands)
{
    int64_t row = 0;
    while (row < rows && places[0] <= deck_size - n) {
        uint8_t first[64];
        for (int i = 0; i < n; i++)
            first[i] = deck[places[i]];
        int64_t stop = row + deck_size - places[n - 1];
        if (stop > rows)
            stop = rows;
        places[n - 1] += (int)(stop - row);
        for (int place = places[n - 1] - (int)(stop - row); row < stop; row++, place++, hands += n) {
            memcpy(hands, first, (size_t)n);
            hands[n - 1] = deck[place];
        }
        /* carry: the rightmost place that can still move, moves; those behind it follow */
        int i = n - 1;
        while (i > 0 && places[i] > deck_size - n + i)
            places[--i]++;
        for (i++; i < n; i++)
            places[i] = places[i - 1] + 1;
    }
    return row;
}

/* Call a function with its number of cards n as a constant, which unrolls its inner loops. */
#define WR_BY_SIZE(function, n, ...)                                                              \
    switch (n) {                                                                                  \
    case 3: return function(__VA_ARGS__, 3, rows, hands);                                         \
    case 4: return function(__VA_ARGS__, 4, rows, hands);                                         \
    case 5: return function(__VA_ARGS__, 5, rows, hands);                                         \
    case 6: return function(__VA_ARGS__, 6, rows, hands);                                         \
    case 7: return function(__VA_ARGS__, 7, rows, hands);                                         \
    default: return function(__VA_ARGS__, n, rows, hands);                                        \
    }

static void wr_deal(wr_bitgen *random, uint8_t *deck, int deck_size, int n, int64_t rows,
                    uint8_t *hands)
{
    WR_BY_SIZE(wr_deal_n, n, random, deck, deck_size)
}

static int64_t wr_enumerate(const uint8_t *deck, int deck_size, int *places, int n, int64_t rows,
                            uint8_t *hands)
{
    WR_BY_SIZE(wr_enumerate_n, n, deck, deck_size, places)
}

#endif
