/* Evaluation of hands with compiled tables: plain C, no Python, no allocation.
 *
 * A hand is n card codes. Its cards become bits of a 64-bit set (bit = code), so that a duplicate
 * is a missing bit and reading the bits upwards is reading the cards sorted by rank. Wild cards
 * become the bits from 52 up, which have rank symbol 13. The sorted symbols r_0 <= ... <= r_{n-1}
 * have the index sum of C(r_i + i, i + 1).
 */
#ifndef EVALKERNELS_H
#define EVALKERNELS_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
#define WR_INLINE static __forceinline
static __forceinline int wr_lowest_bit(uint64_t bits)
{
    unsigned long i;
    _BitScanForward64(&i, bits);
    return (int)i;
}
#else
#define WR_INLINE static inline __attribute__((always_inline))
#define wr_lowest_bit __builtin_ctzll
#endif

enum { WR_NO_FLUSH, WR_WHOLE_FLUSH, WR_PART_FLUSH };

#define WR_NATURALS 0x000FFFFFFFFFFFFFULL
#define WR_ONE_SUIT 0x0001111111111111ULL
#define WR_MASKS 8192 /* sets of the 13 ranks */

typedef struct {
    int hand_size;
    uint32_t code_limit;     /* codes below this are in the deck */
    uint64_t wild_codes;     /* bits of the codes that are always wild, jokers included */
    int flush_kind;
    int flush_cards;         /* fewest cards that a flush category uses */
    const uint16_t *ranks;   /* value by multiset index */
    const uint16_t *flushes; /* whole flush: by multiset index; part: by wilds * 8192 + rank set */
    uint32_t places[7][16];  /* places[i][r] = C(min(r, 13) + i, i + 1) */
} wr_tables;

/* Best flush value when a flush category may use fewer cards than the hand holds. */
WR_INLINE unsigned wr_part_flush(const wr_tables *t, uint64_t naturals, int wilds, uint32_t counts)
{
    unsigned best = 0;
    for (int suit = 0; suit < 4; suit++, counts >>= 8) {
        if ((int)(counts & 0xFF) + wilds < t->flush_cards)
            continue;
        uint64_t held = (naturals >> suit) & WR_ONE_SUIT;
        unsigned ranks = 0;
        for (; held; held &= held - 1)
            ranks |= 1u << (wr_lowest_bit(held) >> 2);
        unsigned value = t->flushes[wilds * WR_MASKS + ranks];
        if (value > best)
            best = value;
    }
    return best;
}

/* Value of one hand; -1 if a code is out of range or comes twice. */
WR_INLINE int wr_evaluate_n(const wr_tables *t, const uint8_t *hand, const int n, uint64_t wild_codes)
{
    uint64_t cards = 0;
    uint32_t bad = 0;
    for (int i = 0; i < n; i++) {
        uint32_t code = hand[i];
        uint64_t bit = 1ULL << (code & 63);
        bad |= (code >= t->code_limit) | ((cards & bit) != 0);
        cards |= bit;
    }
    if (bad)
        return -1;

    uint64_t naturals = cards & ~wild_codes;
    uint64_t left = cards & wild_codes;
    int wilds = 0;
    for (; left; left &= left - 1)
        wilds++;
    uint64_t symbols = naturals | (((1ULL << wilds) - 1) << 52);
    uint32_t index = 0;
    for (int i = 0; i < n; i++, symbols &= symbols - 1)
        index += t->places[i][wr_lowest_bit(symbols) >> 2];

    if (t->flush_kind == WR_WHOLE_FLUSH) {
        uint64_t clubs = WR_ONE_SUIT;
        int mixed = ((naturals & ~clubs) != 0) & ((naturals & ~(clubs << 1)) != 0)
                    & ((naturals & ~(clubs << 2)) != 0) & ((naturals & ~(clubs << 3)) != 0);
        return (mixed ? t->ranks : t->flushes)[index];
    }
    unsigned value = t->ranks[index];
    if (t->flush_kind == WR_PART_FLUSH) {
        uint32_t counts = 0;
        for (int i = 0; i < n; i++) {
            uint32_t natural = (uint32_t)(naturals >> hand[i]) & 1;
            counts += natural << (8 * (hand[i] & 3));
        }
        unsigned flush = wr_part_flush(t, naturals, wilds, counts);
        if (flush > value)
            value = flush;
    }
    return (int)value;
}

WR_INLINE uint64_t wr_wild_codes(const wr_tables *t, int wild_rank)
{
    return wild_rank < 0 ? t->wild_codes : t->wild_codes | 15ULL << (4 * wild_rank);
}

/* Value of one hand; wild_rank is -1 or one more wild rank. */
static int wr_evaluate(const wr_tables *t, const uint8_t *hand, int wild_rank)
{
    uint64_t wild_codes = wr_wild_codes(t, wild_rank);
    switch (t->hand_size) {
    case 1: return wr_evaluate_n(t, hand, 1, wild_codes);
    case 2: return wr_evaluate_n(t, hand, 2, wild_codes);
    case 3: return wr_evaluate_n(t, hand, 3, wild_codes);
    case 4: return wr_evaluate_n(t, hand, 4, wild_codes);
    case 5: return wr_evaluate_n(t, hand, 5, wild_codes);
    case 6: return wr_evaluate_n(t, hand, 6, wild_codes);
    default: return wr_evaluate_n(t, hand, 7, wild_codes);
    }
}

WR_INLINE int64_t wr_batch_n(const wr_tables *t, const uint8_t *hands, int64_t rows, const int n,
                             const uint8_t *wild_ranks, int wild_rank, uint16_t *values)
{
    uint64_t wild_codes = wr_wild_codes(t, wild_rank);
    for (int64_t row = 0; row < rows; row++, hands += n) {
        if (wild_ranks) {
            if (wild_ranks[row] > 12)
                return row;
            wild_codes = wr_wild_codes(t, wild_ranks[row]);
        }
        int value = wr_evaluate_n(t, hands, n, wild_codes);
        if (value < 0)
            return row;
        values[row] = (uint16_t)value;
    }
    return -1;
}

/* Values of many hands; the first bad row, or -1. wild_ranks is NULL or has one rank a row. */
static int64_t wr_batch(const wr_tables *t, const uint8_t *hands, int64_t rows,
                        const uint8_t *wild_ranks, int wild_rank, uint16_t *values)
{
#define WR_CASE(n) case n: return wr_batch_n(t, hands, rows, n, wild_ranks, wild_rank, values)
    switch (t->hand_size) {
        WR_CASE(1);
        WR_CASE(2);
        WR_CASE(3);
        WR_CASE(4);
        WR_CASE(5);
        WR_CASE(6);
    default: return wr_batch_n(t, hands, rows, 7, wild_ranks, wild_rank, values);
    }
#undef WR_CASE
}

/* Which rows are hands of the deck. */
static void wr_valid(const wr_tables *t, const uint8_t *hands, int64_t rows, uint8_t *valid)
{
    for (int64_t row = 0; row < rows; row++, hands += t->hand_size)
        valid[row] = wr_evaluate(t, hands, -1) >= 0;
}

#endif
