/* The SIMD block kernel, included once for every vector width by evalkernels.h, which defines
 * WR_NAME, WR_LANES (of 16 bytes), the vector type V and the V_ operations.
 *
 * A block is 16 hands a lane. Its rows become columns, one vector of codes for each place in the
 * hand; then every step works on all hands at once.
 */

#define WR_HANDS (16 * WR_LANES)
#define WR_ALL ((uint32_t)((1ULL << WR_HANDS) - 1)) /* a bit for each hand of a block */

/* Load the vector number j of a block: bytes 16 j ... of each lane's 16 hands. */
#define WR_LOAD(block, n, j) V_LOAD((block) + 16 * (j), (block) + 16 * (n) + 16 * (j))

/* De-interleave rows of 3 or 5 bytes, which are coprime to 16: at each position the n vectors of a
 * lane hold the n columns in turn, so blending picks a column and one shuffle puts it in order. */
WR_INLINE void WR_NAME(odd_columns)(const uint8_t *block, const int n, V *card)
{
    V raw[5];
    WR_UNROLL
    for (int j = 0; j < n; j++)
        raw[j] = WR_LOAD(block, n, j);
    WR_UNROLL
    for (int c = 0; c < n; c++) {
        V column = raw[c];
        WR_UNROLL
        for (int d = 1; d < n; d++)
            column = V_DO(blendv_epi8)(column, raw[(c + n - d) % n], V_TABLE(wr_blends[n][d]));
        card[c] = V_DO(shuffle_epi8)(column, V_TABLE(wr_orders[n][c]));
    }
}

/* The same for rows of 6 bytes as 3 words, 8 hands at a time; the shuffle also parts the words. */
WR_INLINE void WR_NAME(six_columns)(const uint8_t *block, V *card)
{
    V half[2][3];
    WR_UNROLL
    for (int h = 0; h < 2; h++) {
        V raw[3];
        WR_UNROLL
        for (int j = 0; j < 3; j++)
            raw[j] = WR_LOAD(block, 6, 3 * h + j);
        WR_UNROLL
        for (int c = 0; c < 3; c++) {
            /* vector j holds word column c at the places p with 2 j + p = c modulo 3 */
            V column = V_DO(blend_epi16)(raw[2 * c % 3], raw[2 * (c + 2) % 3], WR_PLACES_1_4_7);
            column = V_DO(blend_epi16)(column, raw[2 * (c + 1) % 3], WR_PLACES_2_5);
            half[h][c] = V_DO(shuffle_epi8)(column, V_TABLE(wr_orders[6][c]));
        }
    }
    WR_UNROLL
    for (int c = 0; c < 3; c++) {
        card[2 * c] = V_DO(unpacklo_epi64)(half[0][c], half[1][c]);
        card[2 * c + 1] = V_DO(unpackhi_epi64)(half[0][c], half[1][c]);
    }
}

/* Rows of 4 bytes are a transposition of 4 x 4 groups. */
WR_INLINE void WR_NAME(four_columns)(const uint8_t *block, V *card)
{
    V quad[4];
    WR_UNROLL
    for (int j = 0; j < 4; j++)
        quad[j] = V_DO(shuffle_epi8)(WR_LOAD(block, 4, j), V_TABLE(wr_orders[4][0]));
    V low01 = V_DO(unpacklo_epi32)(quad[0], quad[1]), high01 = V_DO(unpackhi_epi32)(quad[0], quad[1]);
    V low23 = V_DO(unpacklo_epi32)(quad[2], quad[3]), high23 = V_DO(unpackhi_epi32)(quad[2], quad[3]);
    card[0] = V_DO(unpacklo_epi64)(low01, low23);
    card[1] = V_DO(unpackhi_epi64)(low01, low23);
    card[2] = V_DO(unpacklo_epi64)(high01, high23);
    card[3] = V_DO(unpackhi_epi64)(high01, high23);
}

/* Mark the natural cards of wild ranks; the marked codes stay different and sort behind. */
WR_INLINE void WR_NAME(make_wild)(const wr_job *job, int64_t row, const int n, V *card, V *bad)
{
    V is_wild = V_TABLE(job->is_wild), own = V_DO(set1_epi8)(-1);
    if (job->wild_ranks) {
        own = V_LOAD(job->wild_ranks + row, job->wild_ranks + row + 16);
        *bad = V_BITS(or)(*bad, V_DO(subs_epu8)(own, V_DO(set1_epi8)(12)));
    }
    WR_UNROLL
    for (int i = 0; i < n; i++) {
        V rank = V_BITS(and)(V_DO(srli_epi16)(card[i], 2), V_DO(set1_epi8)(15));
        V wild = V_BITS(or)(V_DO(shuffle_epi8)(is_wild, rank), V_DO(cmpeq_epi8)(rank, own));
        card[i] = V_BITS(or)(card[i], V_BITS(and)(wild, V_DO(set1_epi8)((char)WR_MADE_WILD)));
    }
}

/* Which hands can have no flush: 0xFF for those. Adding 76 sets the top bit of every wild code, so
 * that the shuffle gives 0 for it, and keeps the suit in the low bits. */
WR_INLINE V WR_NAME(mixed_suits)(const wr_tables *t, const int n, const int part, const V *card)
{
    V others = V_DO(set1_epi8)(0), more_others = others;
    WR_UNROLL
    for (int i = 0; i < n; i++) {
        V suit = V_DO(add_epi8)(card[i], V_DO(set1_epi8)(76));
        if (part) { /* count for each suit the natural cards of other suits */
            others = V_DO(add_epi8)(others, V_DO(shuffle_epi8)(V_TABLE(wr_not_clubs), suit));
            more_others = V_DO(add_epi8)(more_others,
                                         V_DO(shuffle_epi8)(V_TABLE(wr_not_hearts), suit));
        } else {
            others = V_BITS(or)(others, V_DO(shuffle_epi8)(V_TABLE(wr_other_suits), suit));
        }
    }
    if (!part)
        return V_DO(cmpeq_epi8)(others, V_DO(set1_epi8)(15));
    /* the top bit of a nibble: more others than a hand can leave out of a flush */
    V room = V_DO(set1_epi8)((char)(0x11 * (7 - (n - t->flush_cards))));
    V full = V_DO(set1_epi8)((char)0x88);
    others = V_BITS(and)(V_DO(add_epi8)(others, room), V_DO(add_epi8)(more_others, room));
    return V_DO(cmpeq_epi8)(V_BITS(and)(others, full), full);
}

/* Sum the digits of the sorted symbols' places, and join them to the indices of the block. */
WR_INLINE void WR_NAME(indices)(const wr_tables *t, const int n, const V *symbol, V mixed,
                                uint16_t *index)
{
    const int first_places = n < 5 ? n : 5;
    V low = V_DO(shuffle_epi8)(V_TABLE(t->digits[0][0]), symbol[0]);
    V high = V_DO(shuffle_epi8)(V_TABLE(t->digits[0][1]), symbol[0]);
    WR_UNROLL
    for (int i = 1; i < first_places; i++) {
        low = V_DO(add_epi8)(low, V_DO(shuffle_epi8)(V_TABLE(t->digits[i][0]), symbol[i]));
        high = V_DO(add_epi8)(high, V_DO(shuffle_epi8)(V_TABLE(t->digits[i][1]), symbol[i]));
    }
    V base = V_DO(set1_epi16)(1 + 256 * WR_LOW_BASE);
    V some = V_DO(maddubs_epi16)(V_DO(unpacklo_epi8)(low, high), base);
    V rest = V_DO(maddubs_epi16)(V_DO(unpackhi_epi8)(low, high), base);
    if (n == 6) {
        low = V_DO(shuffle_epi8)(V_TABLE(t->digits[5][0]), symbol[5]);
        high = V_DO(shuffle_epi8)(V_TABLE(t->digits[5][1]), symbol[5]);
        base = V_DO(set1_epi16)(1 + 256 * WR_HIGH_BASE);
        some = V_DO(add_epi16)(some, V_DO(maddubs_epi16)(V_DO(unpacklo_epi8)(low, high), base));
        rest = V_DO(add_epi16)(rest, V_DO(maddubs_epi16)(V_DO(unpackhi_epi8)(low, high), base));
    }
    V offset = V_DO(set1_epi16)((short)t->flush_offset);
    some = V_DO(add_epi16)(some, V_BITS(andnot)(V_DO(unpacklo_epi8)(mixed, mixed), offset));
    rest = V_DO(add_epi16)(rest, V_BITS(andnot)(V_DO(unpackhi_epi8)(mixed, mixed), offset));
    WR_UNROLL
    for (int lane = 0; lane < WR_LANES; lane++) {
        _mm_store_si128((__m128i *)(index + 16 * lane), V_LANE(some, lane));
        _mm_store_si128((__m128i *)(index + 16 * lane + 8), V_LANE(rest, lane));
    }
}

/* Turn the indices of a block into values, and look again at hands that may flush in part. */
WR_INLINE void WR_NAME(look_up)(const wr_job *job, int64_t row, const int n, const uint16_t *index,
                                uint32_t may_flush, uint16_t *values)
{
    const uint16_t *ranks = job->tables->ranks;
    WR_UNROLL
    for (int k = 0; k < WR_HANDS; k += 4) {
        uint64_t four;
        memcpy(&four, index + k, 8);
        values[k] = ranks[(uint16_t)four];
        values[k + 1] = ranks[(uint16_t)(four >> 16)];
        values[k + 2] = ranks[(uint16_t)(four >> 32)];
        values[k + 3] = ranks[four >> 48];
    }
    for (; may_flush; may_flush &= may_flush - 1)
        wr_add_part_flush(job, row + wr_lowest_bit(may_flush), n);
}

WR_INLINE int64_t WR_NAME(rows)(const wr_job *job, int64_t rows, const int n, const int part,
                                const int made_wild)
{
    const wr_tables *t = job->tables;
    const V highest = V_DO(set1_epi8)((char)(t->code_limit - 1));
    const V none = V_DO(set1_epi8)(0);
    _Alignas(32) uint16_t indices[2][WR_HANDS] = {{0}}; /* of the last block and of this one */
    uint16_t scratch[WR_HANDS], *values = scratch;
    uint32_t may_flush = 0;
    int64_t row = 0;
    for (; row + WR_HANDS <= rows; row += WR_HANDS) {
        const uint8_t *block = job->hands + row * n;
        V card[6], bad = none;
        WR_UNROLL
        for (int line = 0; line < n * WR_HANDS; line += 64)
            wr_prefetch(block + WR_PREFETCH + line);
        if (n == 6)
            WR_NAME(six_columns)(block, card);
        else if (n == 4)
            WR_NAME(four_columns)(block, card);
        else
            WR_NAME(odd_columns)(block, n, card);
        if (made_wild) {
            WR_UNROLL
            for (int i = 0; i < n; i++)
                bad = V_BITS(or)(bad, V_DO(subs_epu8)(card[i], highest));
            WR_NAME(make_wild)(job, row, n, card, &bad);
        }
        V mixed = WR_NAME(mixed_suits)(t, n, part, card);
        WR_UNROLL16
        for (int s = 0; s < wr_network_size[n]; s++) {
            const int i = wr_networks[n][s][0], j = wr_networks[n][s][1];
            V low = V_DO(min_epu8)(card[i], card[j]);
            card[j] = V_DO(max_epu8)(card[i], card[j]);
            card[i] = low;
        }
        if (!made_wild)
            bad = V_DO(subs_epu8)(card[n - 1], highest);
        WR_UNROLL
        for (int i = 1; i < n; i++)
            bad = V_BITS(or)(bad, V_DO(cmpeq_epi8)(card[i - 1], card[i]));
        if (V_DO(movemask_epi8)(V_DO(cmpeq_epi8)(bad, none)) != (int)WR_ALL) {
            rows = row + WR_HANDS; /* one by one they tell which is bad */
            break;
        }
        WR_UNROLL
        for (int i = 0; i < n; i++) {
            if (made_wild)
                card[i] = V_DO(min_epu8)(card[i], V_DO(set1_epi8)(WR_FIRST_WILD));
            card[i] = V_BITS(and)(V_DO(srli_epi16)(card[i], 2), V_DO(set1_epi8)(15));
        }
        uint16_t *index = indices[row / WR_HANDS % 2], *last = indices[(row / WR_HANDS + 1) % 2];
        WR_NAME(indices)(t, n, card, part ? V_DO(set1_epi8)(-1) : mixed, index);
        /* Looking up the last block now hides how long this block's indices take. */
        WR_NAME(look_up)(job, row - WR_HANDS, n, last, may_flush, values);
        values = job->values + row;
        if (part)
            may_flush = WR_ALL & ~(uint32_t)V_DO(movemask_epi8)(mixed);
    }
    WR_NAME(look_up)(job, row - WR_HANDS, n, indices[(row / WR_HANDS + 1) % 2], may_flush, values);
    V_END();
    return wr_rows(job, row, rows);
}

WR_KERNEL(WR_NAME(batch), WR_NAME(rows))

#undef WR_HANDS
#undef WR_ALL
#undef WR_LOAD
#undef WR_NAME
#undef WR_LANES
#undef V
#undef V_DO
#undef V_LOAD
#undef V_TABLE
#undef V_BITS
#undef V_LANE
#undef V_END
