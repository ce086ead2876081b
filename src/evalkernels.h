/* Evaluation of hands with compiled tables: plain C, no Python, no allocation.
 *
 * A hand is n card codes. Its sorted rank symbols r_0 <= ... <= r_{n-1}, 13 for a wild card, have
 * the index sum of C(r_i + i, i + 1), which the tables turn into a value. One hand at a time, the
 * cards become bits of a 64-bit set: a duplicate is a missing bit, and reading the bits upwards is
 * reading the cards sorted. Many hands go through blocks of columns (portable below, SIMD in
 * evalblocks.h), which are sorted with a network of minima and maxima.
 */
#ifndef EVALKERNELS_H
#define EVALKERNELS_H

#include <stdint.h>
#include <stddef.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define WR_INLINE static __forceinline
#define WR_UNROLL
#define WR_UNROLL16
#define wr_prefetch(address) ((void)0)
static __forceinline int wr_lowest_bit(uint64_t bits)
{
    unsigned long i;
    _BitScanForward64(&i, bits);
    return (int)i;
}
#else
#define WR_INLINE static inline __attribute__((always_inline))
#define wr_lowest_bit __builtin_ctzll
#define wr_prefetch __builtin_prefetch
#if defined(__clang__)
#define WR_UNROLL _Pragma("clang loop unroll(full)")
#define WR_UNROLL16 WR_UNROLL
#else
#define WR_UNROLL _Pragma("GCC unroll 8")
#define WR_UNROLL16 _Pragma("GCC unroll 16")
#endif
#if defined(__x86_64__)
#define WR_X86 1
#include <immintrin.h>
#endif
#endif

enum { WR_NO_FLUSH, WR_WHOLE_FLUSH, WR_PART_FLUSH };
enum { WR_PORTABLE, WR_SSE41, WR_AVX2, WR_KERNELS };

#define WR_NATURALS 0x000FFFFFFFFFFFFFULL
#define WR_ONE_SUIT 0x0001111111111111ULL
#define WR_MASKS 8192u      /* sets of the 13 ranks */
#define WR_FIRST_WILD 52    /* codes from here up are wild */
#define WR_MADE_WILD 0x80   /* marks a natural card as wild; keeps codes different and sorts last */
#define WR_PREFETCH 4096    /* bytes ahead */
#define WR_LOW_BASE 48      /* the index digits of the first five places: see wr_set_places */
#define WR_HIGH_BASE 127    /* of the sixth place */

typedef struct {
    int hand_size;
    uint32_t code_limit;     /* codes below this are in the deck */
    uint64_t wild_codes;     /* bits of the codes that are always wild, jokers included */
    int flush_kind;
    int flush_cards;         /* fewest cards that a flush category uses */
    int most_wilds;          /* for which the part flush table has room */
    uint32_t flush_offset;   /* what a whole flush adds to the index: 0 without flushes */
    const uint16_t *ranks;   /* value by multiset index; by offset + index for a whole flush */
    const uint16_t *flushes; /* whole flush: ranks + offset; part: by wilds * 8192 + rank set */
    uint32_t places[7][16];  /* places[i][r] = C(min(r, 13) + i, i + 1) */
    uint8_t digits[6][2][16]; /* places in two digits, for byte shuffles */
} wr_tables;

/* Split what each symbol adds to the index into a low and a high digit, so that the sums of the
 * digits over the first five places fit a byte: 13 + 4 * 47 and 8567 / 48. */
static void wr_set_places(wr_tables *t)
{
    for (int i = 0; i < 6; i++)
        for (int r = 0; r < 16; r++) {
            uint32_t base = i < 5 ? WR_LOW_BASE : WR_HIGH_BASE;
            t->digits[i][0][r] = (uint8_t)(t->places[i][r] % base);
            t->digits[i][1][r] = (uint8_t)(t->places[i][r] / base);
        }
}

/* --- one hand ------------------------------------------------------------------------------ */

WR_INLINE uint64_t wr_card_set(const uint8_t *hand, const int n)
{
    uint64_t cards = 0;
    for (int i = 0; i < n; i++)
        cards |= 1ULL << (hand[i] & 63);
    return cards;
}

WR_INLINE int wr_count_wilds(uint64_t cards, uint64_t wild_codes)
{
    int jokers = (int)(cards >> WR_FIRST_WILD) & 15;
    int wilds = (int)(0x4332322132212110ULL >> 4 * jokers) & 15; /* the bits of 0 to 15 */
    for (cards &= wild_codes & WR_NATURALS; cards; cards &= cards - 1)
        wilds++;
    return wilds;
}

/* Whether some suit has enough cards, wild ones included, for a flush of fewer than all cards. */
WR_INLINE int wr_may_flush(const wr_tables *t, uint64_t naturals, int wilds)
{
    int enough = 0;
    for (int suit = 0; suit < 4; suit++) {
        /* the product's digit 12 in base 16 is the sum of all digits, which are 0 or 1 */
        uint64_t sum = ((naturals >> suit) & WR_ONE_SUIT) * WR_ONE_SUIT >> 48;
        enough |= (int)(sum & 15) + wilds >= t->flush_cards;
    }
    return enough;
}

/* Best value of a flush of fewer than all cards; 0 where a suit has too few. */
WR_INLINE unsigned wr_part_flush(const wr_tables *t, uint64_t naturals, int wilds)
{
    if (wilds > t->most_wilds) /* only if another thread changes the hand meanwhile */
        return 0;
    const uint16_t *flushes = t->flushes + (unsigned)wilds * WR_MASKS;
    unsigned best = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint64_t ranks = (naturals >> suit) & WR_ONE_SUIT; /* every fourth bit: close the gaps */
        ranks = (ranks | ranks >> 3) & 0x0303030303030303ULL;
        ranks = (ranks | ranks >> 6) & 0x000F000F000F000FULL;
        ranks = (ranks | ranks >> 12) & 0x000000FF000000FFULL;
        unsigned value = flushes[(ranks | ranks >> 24) & (WR_MASKS - 1)];
        best = value > best ? value : best;
    }
    return best;
}

/* Value of one hand; -1 if a code is out of range or comes twice. */
WR_INLINE int wr_evaluate_n(const wr_tables *t, const uint8_t *hand, const int n, uint64_t wild_codes)
{
    uint32_t highest = 0;
    for (int i = 0; i < n; i++)
        highest = hand[i] > highest ? hand[i] : highest;
    uint64_t cards = wr_card_set(hand, n);
    uint64_t naturals = cards & ~wild_codes;
    int wilds = wr_count_wilds(cards, wild_codes);
    /* Behind the naturals every bit is a wild card, as many as are needed to have n cards. */
    uint64_t symbols = naturals | ~WR_NATURALS;
    uint32_t index = 0;
    for (int i = 0; i < n; i++, symbols &= symbols - 1)
        index += t->places[i][wr_lowest_bit(symbols) >> 2];
    /* If there are not as many wild cards as that, some card came twice. */
    if (highest >= t->code_limit || symbols != ~WR_NATURALS << wilds)
        return -1;

    if (t->flush_kind == WR_PART_FLUSH) {
        unsigned value = t->ranks[index], flush = 0;
        if (wr_may_flush(t, naturals, wilds))
            flush = wr_part_flush(t, naturals, wilds);
        return (int)(flush > value ? flush : value);
    }
    uint64_t clubs = WR_ONE_SUIT;
    int mixed = ((naturals & ~clubs) != 0) & ((naturals & ~(clubs << 1)) != 0)
                & ((naturals & ~(clubs << 2)) != 0) & ((naturals & ~(clubs << 3)) != 0);
    return t->ranks[index + (mixed ? 0 : t->flush_offset)];
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

/* --- many hands ---------------------------------------------------------------------------- */

typedef struct {
    const wr_tables *tables;
    const uint8_t *hands;
    const uint8_t *wild_ranks; /* NULL, or one more wild rank for each row */
    int wild_rank;             /* -1, or one more for all rows */
    uint16_t *values;
    uint8_t is_wild[16];       /* by rank symbol: WR_MADE_WILD for natural cards that are wild */
} wr_job;

/* Evaluate rows one by one; the first bad row, or -1. */
WR_INLINE int64_t wr_rows_n(const wr_job *job, int64_t row, int64_t end, const int n)
{
    uint64_t wild_codes = wr_wild_codes(job->tables, job->wild_rank);
    const uint8_t *hand = job->hands + row * n;
    for (; row < end; row++, hand += n) {
        if (job->wild_ranks) {
            if (job->wild_ranks[row] > 12)
                return row;
            wild_codes = wr_wild_codes(job->tables, job->wild_ranks[row]);
        }
        int value = wr_evaluate_n(job->tables, hand, n, wild_codes);
        if (value < 0)
            return row;
        job->values[row] = (uint16_t)value;
    }
    return -1;
}

static int64_t wr_rows(const wr_job *job, int64_t row, int64_t end)
{
    switch (job->tables->hand_size) {
    case 1: return wr_rows_n(job, row, end, 1);
    case 2: return wr_rows_n(job, row, end, 2);
    case 3: return wr_rows_n(job, row, end, 3);
    case 4: return wr_rows_n(job, row, end, 4);
    case 5: return wr_rows_n(job, row, end, 5);
    case 6: return wr_rows_n(job, row, end, 6);
    default: return wr_rows_n(job, row, end, 7);
    }
}

/* Let a flush of fewer cards than the hand holds raise the value of a row, which is a hand of the
 * deck with its value without such a flush. */
WR_INLINE void wr_add_part_flush(const wr_job *job, int64_t row, const int n)
{
    const wr_tables *t = job->tables;
    const uint8_t *hand = job->hands + row * n;
    uint64_t wild_codes =
        wr_wild_codes(t, job->wild_ranks ? job->wild_ranks[row] : job->wild_rank);
    uint64_t cards = wr_card_set(hand, n);
    unsigned flush = wr_part_flush(t, cards & ~wild_codes, wr_count_wilds(cards, wild_codes));
    if (flush > job->values[row])
        job->values[row] = (uint16_t)flush;
}

/* Sorting networks by number of cards, as pairs of places. */
static const int wr_network_size[7] = {0, 0, 1, 3, 5, 9, 12};
static const uint8_t wr_networks[7][12][2] = {
    {{0, 0}},
    {{0, 0}},
    {{0, 1}},
    {{0, 1}, {0, 2}, {1, 2}},
    {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}},
    {{0, 1}, {3, 4}, {2, 4}, {2, 3}, {1, 4}, {0, 3}, {0, 2}, {1, 3}, {1, 2}},
    {{1, 2}, {4, 5}, {0, 2}, {3, 5}, {0, 1}, {3, 4}, {2, 5}, {0, 3}, {1, 4}, {2, 4}, {1, 3}, {2, 3}},
};

/* Blocks of columns in plain C: every inner loop is one that compilers vectorise. */
#define WR_BLOCK 64
#define WR_EACH(k) for (size_t k = 0; k < WR_BLOCK; k++)

/* Transpose 8 x 8 bytes: byte i of word j becomes byte j of word i. */
WR_INLINE void wr_transpose(uint64_t *words)
{
    static const uint64_t masks[3] = {0x00FF00FF00FF00FFULL, 0x0000FFFF0000FFFFULL,
                                      0x00000000FFFFFFFFULL};
    WR_UNROLL
    for (int step = 0; step < 3; step++) {
        const int apart = 1 << step, shift = 8 << step;
        WR_UNROLL
        for (int pair = 0; pair < 4; pair++) {
            const int i = (pair >> step << (step + 1)) + (pair & (apart - 1));
            uint64_t swap = ((words[i] >> shift) ^ words[i + apart]) & masks[step];
            words[i + apart] ^= swap;
            words[i] ^= swap << shift;
        }
    }
}

/* Mark the natural cards of one rank, or of each row's own rank, as wild. */
WR_INLINE void wr_make_wild(uint8_t *card, const uint8_t *ranks, int rank)
{
    if (ranks)
        WR_EACH(k) card[k] |= (uint8_t)((card[k] >> 2) == ranks[k]) << 7;
    else
        WR_EACH(k) card[k] |= (uint8_t)((card[k] >> 2) == rank) << 7;
}

/* Which hands have enough cards of one suit, wild cards included. */
WR_INLINE void wr_find_flushes(uint8_t card[6][WR_BLOCK], const int n, const int part,
                               uint8_t flush_cards, uint8_t *flush)
{
    if (part) {
        memset(flush, 0, WR_BLOCK);
        for (int suit = 0; suit < 4; suit++) {
            uint8_t count[WR_BLOCK] = {0};
            for (int i = 0; i < n; i++)
                WR_EACH(k) count[k] += (card[i][k] >= WR_FIRST_WILD) | ((card[i][k] & 3) == suit);
            WR_EACH(k) flush[k] |= count[k] >= flush_cards;
        }
        return;
    }
    /* One suit: every bit that some natural card's suit has, all of them have. */
    uint8_t some[WR_BLOCK], all[WR_BLOCK];
    memset(some, 0, sizeof some);
    memset(all, 0xFF, sizeof all);
    for (int i = 0; i < n; i++)
        WR_EACH(k)
        {
            uint8_t wild = card[i][k] >= WR_FIRST_WILD ? 0xFF : 0;
            some[k] |= card[i][k] & (uint8_t)~wild;
            all[k] &= card[i][k] | wild;
        }
    WR_EACH(k) flush[k] = (some[k] & (uint8_t)~all[k] & 3) == 0;
}

/* C(r + i, i + 1) without a table; dividing by 3 and 5 is multiplying by the inverse mod 2^16. */
WR_INLINE uint16_t wr_place(uint16_t r, const int i)
{
    uint16_t c = r;
    if (i >= 1)
        c = (uint16_t)(c * (r + 1u)) >> 1;
    if (i >= 2)
        c = (uint16_t)(c * (r + 2u) * 0xAAABu);
    if (i >= 3)
        c = (uint16_t)(c * (r + 3u)) >> 2;
    if (i >= 4)
        c = (uint16_t)(c * (r + 4u) * 0xCCCDu);
    if (i >= 5) { /* the product needs 17 bits */
        uint16_t low = (uint16_t)(c * (r + 5u));
        uint16_t high = (uint16_t)(c * (r + 5u) >> 16);
        c = (uint16_t)((low >> 1 | (uint32_t)high << 15) * 0xAAABu);
    }
    return c;
}

WR_INLINE int64_t wr_portable_rows(const wr_job *job, int64_t rows, const int n, const int part,
                                   const int made_wild)
{
    const wr_tables *t = job->tables;
    const uint8_t limit = (uint8_t)t->code_limit;
    const uint16_t offset = part ? 0 : (uint16_t)t->flush_offset;
    uint8_t card[6][WR_BLOCK], flush[WR_BLOCK], bad[WR_BLOCK];
    uint16_t index[WR_BLOCK];
    int64_t row = 0;
    /* 8 bytes are read for each hand: the block's last hand may reach into the next two. */
    for (; row + WR_BLOCK + 2 <= rows; row += WR_BLOCK) {
        for (int k = 0; k < WR_BLOCK; k += 8) {
            uint64_t words[8];
            for (int j = 0; j < 8; j++)
                memcpy(words + j, job->hands + (row + k + j) * n, 8);
            wr_transpose(words);
            for (int i = 0; i < n; i++)
                memcpy(card[i] + k, words + i, 8);
        }
        memset(bad, 0, sizeof bad);
        for (int i = 0; i < n; i++)
            WR_EACH(k) bad[k] |= card[i][k] >= limit;
        if (made_wild) {
            const uint8_t *wild = job->wild_ranks ? job->wild_ranks + row : NULL;
            if (wild)
                WR_EACH(k) bad[k] |= wild[k] > 12;
            for (int i = 0; i < n; i++) {
                if (wild)
                    wr_make_wild(card[i], wild, 0);
                for (int r = 0; r < 13; r++)
                    if (job->is_wild[r])
                        wr_make_wild(card[i], NULL, r);
            }
        }
        wr_find_flushes(card, n, part, (uint8_t)t->flush_cards, flush);
        WR_UNROLL16
        for (int s = 0; s < wr_network_size[n]; s++) {
            uint8_t *low = card[wr_networks[n][s][0]], *high = card[wr_networks[n][s][1]];
            WR_EACH(k)
            {
                uint8_t a = low[k], b = high[k];
                low[k] = a < b ? a : b;
                high[k] = a < b ? b : a;
            }
        }
        for (int i = 1; i < n; i++)
            WR_EACH(k) bad[k] |= card[i - 1][k] == card[i][k];
        uint8_t any_bad = 0;
        WR_EACH(k) any_bad |= bad[k];
        if (any_bad)
            return wr_rows(job, row, row + WR_BLOCK);
        WR_EACH(k) index[k] = flush[k] ? offset : 0;
        WR_UNROLL
        for (int i = 0; i < n; i++)
            WR_EACH(k)
            {
                uint8_t code = card[i][k] < WR_FIRST_WILD ? card[i][k] : WR_FIRST_WILD;
                index[k] = (uint16_t)(index[k] + wr_place(code >> 2, i));
            }
        uint16_t *values = job->values + row;
        WR_EACH(k) values[k] = t->ranks[index[k]];
        if (part)
            WR_EACH(k)
                if (flush[k])
                    wr_add_part_flush(job, row + k, n);
    }
    return wr_rows(job, row, rows);
}

/* Choose by hand size, kind of flush, and whether natural cards may be wild. */
#define WR_CASE(rows_of, n)                                                                       \
    case 4 * n: return rows_of(job, rows, n, 0, 0);                                               \
    case 4 * n + 1: return rows_of(job, rows, n, 0, 1);                                           \
    case 4 * n + 2: return rows_of(job, rows, n, 1, 0);                                           \
    case 4 * n + 3: return rows_of(job, rows, n, 1, 1)
#define WR_KERNEL(name, rows_of)                                                                  \
    static int64_t name(const wr_job *job, int64_t rows, int made_wild)                           \
    {                                                                                             \
        const wr_tables *t = job->tables;                                                         \
        switch (4 * t->hand_size + 2 * (t->flush_kind == WR_PART_FLUSH) + made_wild) {            \
            WR_CASE(rows_of, 3);                                                                  \
            WR_CASE(rows_of, 4);                                                                  \
            WR_CASE(rows_of, 5);                                                                  \
            WR_CASE(rows_of, 6);                                                                  \
        default: return wr_rows(job, 0, rows);                                                    \
        }                                                                                         \
    }

WR_KERNEL(wr_portable, wr_portable_rows)

#ifdef WR_X86
/* By suit, the suits that the card is not of: as a set, and counted in nibbles for two suits. */
#define WR_FOUR_TIMES(a, b, c, d) {a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d}
static const uint8_t wr_other_suits[16] = WR_FOUR_TIMES(14, 13, 11, 7);
static const uint8_t wr_not_clubs[16] = WR_FOUR_TIMES(0x10, 0x01, 0x11, 0x11);
static const uint8_t wr_not_hearts[16] = WR_FOUR_TIMES(0x11, 0x11, 0x10, 0x01);

/* How evalblocks.h makes columns out of rows of n bytes; filled by wr_set_columns. */
static uint8_t wr_blends[6][5][16]; /* [n][d]: the places that are d modulo n */
static uint8_t wr_orders[7][5][16]; /* [n][c]: where column c has the cards of hand 0, 1, ... */

#define WR_PLACES_1_4_7 0x92 /* of 8 words, as bits */
#define WR_PLACES_2_5 0x24

static void wr_set_columns(void)
{
    for (int b = 0; b < 16; b++) {
        for (int n = 3; n <= 5; n += 2) {
            wr_blends[n][b % n][b] = 0xFF;
            for (int c = 0; c < n; c++)
                wr_orders[n][c][b] = (uint8_t)((n * b + c) % 16);
        }
        wr_orders[4][0][b] = (uint8_t)(b % 4 * 4 + b / 4);
        for (int c = 0; c < 3; c++) /* the low bytes of eight words, then the high bytes */
            wr_orders[6][c][b] = (uint8_t)((3 * (b % 8) + c) % 8 * 2 + b / 8);
    }
}

/* SSE4.1: 16 hands a block. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif
#define WR_NAME(name) wr_sse41_##name
#define WR_LANES 1
#define V __m128i
#define V_DO(operation) _mm_##operation
#define V_LOAD(low, high) _mm_loadu_si128((const __m128i *)(low))
#define V_TABLE(table) _mm_loadu_si128((const __m128i *)(table))
#define V_BITS(operation) _mm_##operation##_si128
#define V_LANE(vector, lane) (vector)
#define V_END() ((void)0)
#include "evalblocks.h"
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
/* AVX2: 32 hands a block, 16 in each lane. */
#define WR_NAME(name) wr_avx2_##name
#define WR_LANES 2
#define V __m256i
#define V_DO(operation) _mm256_##operation
#define V_LOAD(low, high)                                                                         \
    _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(low))),      \
                            _mm_loadu_si128((const __m128i *)(high)), 1)
#define V_TABLE(table) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table)))
#define V_BITS(operation) _mm256_##operation##_si256
#define V_LANE(vector, lane)                                                                      \
    ((lane) ? _mm256_extracti128_si256(vector, 1) : _mm256_castsi256_si128(vector))
#define V_END() _mm256_zeroupper() /* or all SSE code that runs later is slow; GCC forgets it */
#include "evalblocks.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

static void wr_init_kernels(void)
{
#ifdef WR_X86
    wr_set_columns();
#endif
}

static int wr_kernel_supported(int kernel)
{
#ifdef WR_X86
    __builtin_cpu_init();
    if (kernel == WR_AVX2)
        return __builtin_cpu_supports("avx2") != 0;
    if (kernel == WR_SSE41)
        return __builtin_cpu_supports("sse4.1") != 0;
#endif
    return kernel == WR_PORTABLE;
}

/* Values of many hands; the first bad row, or -1. wild_ranks is NULL or has one rank a row. */
static int64_t wr_batch(int kernel, const wr_tables *t, const uint8_t *hands, int64_t rows,
                        const uint8_t *wild_ranks, int wild_rank, uint16_t *values)
{
    wr_job job = {t, hands, wild_ranks, wild_rank, values, {0}};
    int made_wild = wild_ranks != NULL;
    for (int r = 0; r < 13; r++)
        if (r == wild_rank || (t->wild_codes >> (4 * r) & 1)) {
            job.is_wild[r] = WR_MADE_WILD;
            made_wild = 1;
        }
    switch (kernel) {
#ifdef WR_X86
    case WR_AVX2: return wr_avx2_batch(&job, rows, made_wild);
    case WR_SSE41: return wr_sse41_batch(&job, rows, made_wild);
#endif
    default: return wr_portable(&job, rows, made_wild);
    }
}

/* What memory alone costs: read n bytes and write 2 bytes a hand, do nothing else. */
static void wr_roofline(const uint8_t *hands, int64_t rows, int n, uint16_t *values)
{
    uint64_t words[8], sums[8] = {0};
    for (int64_t row = 0; row + 64 <= rows; row += 64) {
        for (int part = 0; part < n; part++) {
            memcpy(words, hands + row * n + 64 * part, 64);
            for (int i = 0; i < 8; i++)
                sums[i] += words[i];
        }
        memcpy(values + row, sums, 64);
        memcpy(values + row + 32, sums, 64);
    }
}

/* Which rows are hands of the deck. */
static void wr_valid(const wr_tables *t, const uint8_t *hands, int64_t rows, uint8_t *valid)
{
    for (int64_t row = 0; row < rows; row++, hands += t->hand_size)
        valid[row] = wr_evaluate(t, hands, -1) >= 0;
}

#endif
