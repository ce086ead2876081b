# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, auto_pickle=False, autotestdict=False
"""The native core: compiles a rule set into lookup tables and evaluates hands with them.

It knows no game and imports nothing of the package. Rule sets come in as objects with the
attributes of `wildrank.rules.RuleSet`; whatever the fast paths cannot read goes to two Python
methods of the subclass, which name what is wrong (see `Core`).

How a rule set is compiled: for every number of cards k that a category uses, every multiset of k
natural ranks is matched against the categories, once for each number of wild cards w that it may
contain. Then one card at a time becomes wild: best(M + wild) = max over the ranks r of
best(M + r). A hand with more cards than a category uses is the best of itself with one card less.
The results are sort keys; sorting the keys that some hand of the deck has makes dense values.
"""

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_C_CONTIGUOUS, PyBUF_WRITABLE
from cpython.buffer cimport PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize
from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.list cimport PyList_CheckExact, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_Check, PyLong_CheckExact
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_GET_LENGTH
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cimport cython

cdef extern from "Python.h":
    bint PyUnicode_CheckExact(object text)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    bint PyBool_Check(object value)
    long PyLong_AsLongAndOverflow(object value, int *overflow) noexcept  # of an int

cdef extern from "evalkernels.h" nogil:
    enum:
        WR_NO_FLUSH
        WR_WHOLE_FLUSH
        WR_PART_FLUSH
        WR_PORTABLE
        WR_SSE41
        WR_AVX2
    const uint32_t WR_MASKS
    ctypedef struct wr_tables:
        int hand_size
        uint32_t code_limit
        uint64_t wild_codes
        int flush_kind
        int flush_cards
        int most_wilds
        uint32_t flush_offset
        const uint16_t *ranks
        const uint16_t *flushes
        uint32_t places[7][16]
    void wr_init_kernels()
    void wr_set_places(wr_tables *t)
    bint wr_kernel_supported(int kernel)
    int wr_evaluate(const wr_tables *t, const uint8_t *hand, int wild_rank)
    int64_t wr_batch(
        int kernel, const wr_tables *t, const uint8_t *hands, int64_t rows, const uint8_t *wild_ranks,
        int wild_rank, uint16_t *values)
    void wr_roofline(const uint8_t *hands, int64_t rows, int n, uint16_t *values)
    void wr_valid(const wr_tables *t, const uint8_t *hands, int64_t rows, uint8_t *valid)

cdef extern from "hands.h" nogil:
    void wr_init_hands()
    const uint8_t *wr_rank_of
    int wr_parse_hand(const uint8_t *text, const uint8_t *end, uint8_t *codes, int limit)
    int64_t wr_parse_lines(
        const uint8_t *text, int64_t length, int n, int64_t rows, uint8_t *hands, int64_t *used)
    int64_t wr_format_lines(
        const uint8_t *hands, int64_t rows, int n, const uint16_t *values, const char *endings,
        const int64_t *ends, char *out)
    ctypedef struct wr_bitgen:
        pass
    void wr_deal(
        wr_bitgen *random, uint8_t *deck, int deck_size, int n, int64_t rows, uint8_t *hands)
    int64_t wr_enumerate(
        const uint8_t *deck, int deck_size, int *places, int n, int64_t rows, uint8_t *hands)


cdef enum:
    MAX_CARDS = 7
    MAX_CATEGORIES = 127
    MAX_VALUE = 65535
    WILD = 13  # the rank symbol of a wild card; 0 to 12 are the natural ranks
    RANK_BITS = 28  # up to seven compared ranks of four bits, 1 to 13
    JOKER_BITS = 3
    RADIX_BITS = 10  # four passes sort keys of up to 7 + 28 + 3 bits

cdef uint32_t CHOOSE[24][9]
cdef uint32_t PLACES[8][14]  # what rank symbol r at place i adds to an index: C(r + i, i + 1)


cdef int _fill_tables() except -1:
    cdef int n, k
    for n in range(24):
        for k in range(9):
            CHOOSE[n][k] = (
                1 if k == 0 else 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k])
    for k in range(8):
        for n in range(14):
            PLACES[k][n] = CHOOSE[n + k][k + 1]
    return 0


_fill_tables()


# --- which batch kernel runs -------------------------------------------------------------------

cdef dict KERNELS = {"portable": WR_PORTABLE, "sse4.1": WR_SSE41, "avx2": WR_AVX2}
cdef int current_kernel = WR_PORTABLE


def kernel_names():
    """Return the names of the batch kernels that this machine can run, the fastest first."""
    return [name for name in reversed(KERNELS) if wr_kernel_supported(KERNELS[name])]


def kernel_name():
    """Return the name of the batch kernel in use."""
    return next(name for name in KERNELS if KERNELS[name] == current_kernel)


def use_kernel(str name not None):
    """Run batches with another kernel from now on; ValueError if this machine cannot."""
    global current_kernel
    if name not in kernel_names():
        raise ValueError(f"expected a kernel ({', '.join(kernel_names())}), got {name!r}")
    current_kernel = KERNELS[name]


wr_init_kernels()
wr_init_hands()
use_kernel(kernel_names()[0])


# --- multisets of rank symbols, sorted upwards, in the order of their index --------------------

cdef inline int next_multiset(int *ranks, int size) noexcept nogil:
    """Step to the next multiset in index order; the caller knows when to stop."""
    cdef int i = 0, j
    while i < size - 1 and ranks[i] == ranks[i + 1]:
        i += 1
    ranks[i] += 1
    for j in range(i):
        ranks[j] = 0
    return i


cdef inline uint32_t multiset_index(const int *ranks, int size) noexcept nogil:
    cdef uint32_t index = 0
    cdef int i
    for i in range(size):
        index += PLACES[i][ranks[i]]
    return index


cdef inline uint32_t wild_index(int naturals, int size) noexcept nogil:
    """What the wild symbols at the places from `naturals` to `size` add to an index."""
    cdef uint32_t index = 0
    cdef int i
    for i in range(naturals, size):
        index += PLACES[i][WILD]
    return index


cdef inline uint32_t multisets(int size, int symbols) noexcept nogil:
    return CHOOSE[size + symbols - 1][size] if size else 1


# --- keys: what a reading is worth, as a number that sorts ------------------------------------

cdef enum TieBreak:
    TIE_RANKS
    TIE_FEWER
    TIE_MORE

cdef dict TIE_NAMES = {"ranks": TIE_RANKS, "fewer_jokers": TIE_FEWER, "more_jokers": TIE_MORE}


cdef struct Pattern:
    int strength  # the strongest category has the highest
    int cards
    uint32_t shape  # group sizes, largest first, four bits each; 0 for none
    bint straight
    bint flush
    int top  # -1 for none
    uint32_t wilds  # bit w: the reading may contain w wild cards


cdef struct Reading:
    uint32_t shape
    uint32_t groups  # ranks by group size, then downwards, seven places of four bits
    uint32_t downwards
    int group_top
    int straight_top  # -1 for no straight
    int highest
    bint distinct


cdef inline void read_multiset(
        const int *ranks, int size, bint ace_high, bint ace_low, Reading *out) noexcept nogil:
    """Describe a multiset of natural ranks."""
    cdef int counts[13]
    cdef int i, count, place = RANK_BITS - 4, down = RANK_BITS - 4, shape_place = RANK_BITS - 4
    memset(counts, 0, sizeof(counts))
    out.shape = out.groups = out.downwards = 0
    out.straight_top = -1
    out.distinct = True
    for i in range(size - 1, -1, -1):
        counts[ranks[i]] += 1
        out.downwards |= <uint32_t> (ranks[i] + 1) << down
        down -= 4
        if i and ranks[i] == ranks[i - 1]:
            out.distinct = False
    out.highest = out.group_top = ranks[size - 1]
    if out.distinct:
        out.groups = out.downwards
        out.shape = <uint32_t> 0x1111111 >> (4 * (MAX_CARDS - size)) << (4 * (MAX_CARDS - size))
        if size >= 2:
            if ranks[size - 1] - ranks[0] == size - 1 and (ace_high or ranks[size - 1] != 12):
                out.straight_top = ranks[size - 1]
            elif ace_low and ranks[size - 1] == 12 and ranks[size - 2] == size - 2:
                out.straight_top = size - 2
        return
    for count in range(size, 0, -1):
        i = size - 1
        while i >= 0:
            if counts[ranks[i]] == count:
                if place == RANK_BITS - 4:
                    out.group_top = ranks[i]
                out.groups |= <uint32_t> (ranks[i] + 1) << place
                out.shape |= <uint32_t> count << shape_place
                place -= 4
                shape_place -= 4
            i -= counts[ranks[i]]


cdef inline bint has_bit(uint32_t bits, int bit) noexcept nogil:
    return (bits >> bit) & 1


cdef int limited(value, int low, int high, str what) except -2:
    """Read an int of a rule set. A subclass can have left out the checks of its own class."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"expected {what} to be an int from {low} to {high}, got {value!r}")
    return value


@cython.internal
cdef class Compiler:
    """The scratch space of one compilation."""

    cdef int hand_size, max_wild, pattern_count, tie_count, min_cards
    cdef int ties[3]
    cdef bint ace_high, ace_low, double_ace
    cdef Pattern patterns[MAX_CATEGORIES]
    cdef uint64_t *scratch[2]
    cdef uint64_t *levels[2][8]  # [flush][cards]: best key by multiset index; NULL below min_cards

    def __cinit__(self, rules, int hand_size, int max_wild):
        cdef int i, size
        cdef uint32_t naturals = multisets(hand_size, 13)
        self.hand_size = hand_size
        self.max_wild = max_wild
        self.ace_high = rules.ace != "low"
        self.ace_low = rules.ace != "high"
        self.double_ace = rules.double_ace_flush
        tie_breaks = tuple(rules.tie_breaks)
        self.tie_count = limited(len(tie_breaks), 0, 3, "the number of tie_breaks")
        for i in range(self.tie_count):
            self.ties[i] = TIE_NAMES[tie_breaks[i]]
        categories = tuple(rules.categories)
        self.pattern_count = limited(
            len(categories), 1, MAX_CATEGORIES, "the number of categories")
        self.min_cards = self.hand_size
        for i, category in enumerate(categories):
            self.patterns[i] = self.read_category(category, self.pattern_count - i)
            self.min_cards = min(self.min_cards, self.patterns[i].cards)
        for i in range(2):
            self.scratch[i] = <uint64_t *> malloc(naturals * sizeof(uint64_t))
            if self.scratch[i] == NULL:
                raise MemoryError
            for size in range(self.min_cards, self.hand_size + 1):
                self.levels[i][size] = <uint64_t *> calloc(multisets(size, 14), sizeof(uint64_t))
                if self.levels[i][size] == NULL:
                    raise MemoryError

    def __dealloc__(self):
        cdef int i, j
        for i in range(8):
            for j in range(2):
                free(self.levels[j][i])
        for i in range(2):
            free(self.scratch[i])

    cdef Pattern read_category(self, category, int strength) except *:
        cdef Pattern pattern
        cdef int place = RANK_BITS, wilds
        pattern.strength = strength
        pattern.cards = (
            self.hand_size if category.cards is None
            else limited(category.cards, 1, self.hand_size, "the cards of a category"))
        pattern.shape = 0
        for size in tuple(category.shape or ())[:MAX_CARDS]:
            place -= 4
            pattern.shape |= <uint32_t> limited(size, 1, MAX_CARDS, "a group of a shape") << place
        pattern.straight = category.straight
        pattern.flush = category.flush
        pattern.top = -1 if category.top is None else limited(category.top, 0, 12, "a top")
        pattern.wilds = 0
        least = limited(category.min_wild, 0, MAX_CARDS, "min_wild")
        most = (MAX_CARDS if category.max_wild is None
                else limited(category.max_wild, 0, MAX_CARDS, "max_wild"))
        for wilds in range(least, most + 1):
            pattern.wilds |= 1 << wilds
        return pattern

    cdef uint64_t key(self, uint64_t reading, int wilds) noexcept nogil:
        """Return the sort key of a reading (strength, then ranks) with some wild cards in it."""
        cdef uint64_t key = reading >> RANK_BITS
        cdef int i
        if reading == 0:
            return 0
        for i in range(self.tie_count):
            if self.ties[i] == TIE_RANKS:
                key = (key << RANK_BITS) | (reading & ((<uint64_t> 1 << RANK_BITS) - 1))
            elif self.ties[i] == TIE_FEWER:
                key = (key << JOKER_BITS) | <uint64_t> (MAX_CARDS - wilds)
            else:
                key = (key << JOKER_BITS) | <uint64_t> wilds
        return key

    cdef bint match(
            self, const Pattern *pattern, const Reading *reading, uint32_t *ranks) noexcept nogil:
        """Whether a natural reading has a pattern; `ranks` becomes the ranks compared."""
        cdef int top
        if pattern.straight:
            if reading.straight_top < 0:
                return False
            top = reading.straight_top
            ranks[0] = <uint32_t> (top + 1) << (RANK_BITS - 4)
        elif pattern.shape:
            if pattern.shape != reading.shape:
                return False
            top = reading.group_top
            ranks[0] = reading.groups
        else:
            if not (reading.distinct or self.double_ace):
                return False
            top = reading.highest
            ranks[0] = reading.downwards
        return pattern.top < 0 or pattern.top == top

    cdef uint64_t best_reading(self, int *ranks, int size, bint flush, int wilds) noexcept nogil:
        """Return the strongest category and the ranks of natural cards, `wilds` of them wild."""
        cdef Reading reading
        cdef uint32_t compared = 0
        cdef int i
        read_multiset(ranks, size, self.ace_high, self.ace_low, &reading)
        for i in range(self.pattern_count):
            if (self.patterns[i].cards == size and self.patterns[i].flush == flush
                    and has_bit(self.patterns[i].wilds, wilds)
                    and self.match(&self.patterns[i], &reading, &compared)):
                return (<uint64_t> self.patterns[i].strength << RANK_BITS) | compared
        return 0

    cdef void fill_natural(self, int size, bint flush, int wilds, uint64_t *out) noexcept nogil:
        """Put the best reading of every multiset of `size` natural ranks into `out`."""
        cdef int ranks[8]
        cdef uint32_t index
        memset(ranks, 0, sizeof(ranks))
        for index in range(multisets(size, 13)):
            if flush and not self.double_ace and not all_different(ranks, size):
                out[index] = 0
            else:
                out[index] = self.best_reading(ranks, size, flush, wilds)
            next_multiset(ranks, size)

    cdef bint same_patterns(self, int size, bint flush, int wilds, int others) noexcept nogil:
        """Whether the same patterns may hold either number of wild cards."""
        cdef int i
        for i in range(self.pattern_count):
            if (self.patterns[i].cards == size and self.patterns[i].flush == flush
                    and has_bit(self.patterns[i].wilds, wilds)
                    != has_bit(self.patterns[i].wilds, others)):
                return False
        return True

    cdef void fill_level(self, int size, bint flush) noexcept nogil:
        """Best key of every multiset of exactly `size` cards, wild cards included."""
        cdef int first, wilds, side, last = min(self.max_wild, size)
        cdef uint32_t index, offset, done = 0
        cdef bint sparse = flush and not self.double_ace
        cdef uint64_t *readings
        for first in range(last + 1):
            if has_bit(done, first):
                continue
            # What the wild cards become does not depend on how many they are, only on which
            # patterns allow that many: one pass serves all numbers that the same ones allow.
            side = 0
            self.fill_natural(size, flush, first, self.scratch[side])
            for wilds in range(last + 1):
                if wilds:
                    resolve_wild(
                        self.scratch[side], size - wilds, sparse, self.scratch[1 - side])
                    side = 1 - side
                if wilds < first or not self.same_patterns(size, flush, first, wilds):
                    continue
                done |= <uint32_t> 1 << wilds
                readings = self.scratch[side]
                offset = wild_index(size - wilds, size)
                for index in range(multisets(size - wilds, 13)):
                    self.levels[flush][size][offset + index] = self.key(readings[index], wilds)

    cdef void run(self) noexcept nogil:
        cdef int flush, size, i
        cdef bint used
        for flush in range(2):
            for size in range(self.min_cards, self.hand_size + 1):
                used = False
                for i in range(self.pattern_count):
                    used |= self.patterns[i].cards == size and self.patterns[i].flush == flush
                if used:
                    self.fill_level(size, flush)
                if size > self.min_cards:
                    leave_one_out(self.levels[flush][size], self.levels[flush][size - 1], size)


cdef inline bint all_different(const int *ranks, int size) noexcept nogil:
    cdef int i
    for i in range(1, size):
        if ranks[i] == ranks[i - 1]:
            return False
    return True


cdef void resolve_wild(
        const uint64_t *readings, int cards, bint sparse, uint64_t *out) noexcept nogil:
    """out[M] = max over ranks r of readings[M + r], for every multiset M of `cards` ranks.

    `sparse` says that only multisets of different ranks have readings.
    """
    cdef int ranks[8]
    cdef uint32_t after[9]
    cdef uint32_t index, rest
    cdef int i, place, rank, last
    cdef uint64_t best
    memset(ranks, 0, sizeof(ranks))
    for index in range(multisets(cards, 13)):
        best = 0
        if not sparse or all_different(ranks, cards):
            after[cards] = 0
            for i in range(cards - 1, -1, -1):
                after[i] = after[i + 1] + PLACES[i + 1][ranks[i]]
            rank = 0
            rest = 0  # what the ranks below the inserted one add to the index
            for place in range(cards + 1):
                last = ranks[place] if place < cards else 12
                while rank <= last:
                    best = max(best, readings[rest + PLACES[place][rank] + after[place]])
                    rank += 1
                if place < cards:
                    rest += PLACES[place][ranks[place]]
        out[index] = best
        if cards:
            next_multiset(ranks, cards)


cdef void leave_one_out(uint64_t *keys, const uint64_t *smaller, int cards) noexcept nogil:
    """keys[M] = max of itself and smaller[M - x] over the symbols x of M."""
    cdef int ranks[8]
    cdef uint32_t index, before, after
    cdef int i
    cdef uint64_t key
    memset(ranks, 0, sizeof(ranks))
    for index in range(multisets(cards, 14)):
        after = 0
        for i in range(1, cards):
            after += PLACES[i - 1][ranks[i]]
        before = 0
        for i in range(cards):
            key = smaller[before + after]
            if key > keys[index]:
                keys[index] = key
            before += PLACES[i][ranks[i]]
            if i + 1 < cards:
                after -= PLACES[i][ranks[i + 1]]
        next_multiset(ranks, cards)


# --- counting the hands of a deck --------------------------------------------------------------

cdef struct Deck:
    int hand_size
    uint32_t natural_ranks  # bit r: the four cards of rank r are natural
    int64_t wild_ways[8]  # in how many ways w wild cards can be held
    int always_wild  # with more wild cards than this some natural rank must be absent
    int flush_kind
    int flush_cards
    uint32_t size  # entries before `size` are those of the rank table, then the flush table's


cdef int64_t spread_suits(
        const int *counts, const int *ranks, int groups, uint32_t *suits, int group,
        int64_t ways, const Deck *deck, int wilds, uint32_t entry, const uint64_t *order,
        int64_t *hands) noexcept nogil:
    """Count the hands of one rank multiset by walking through all suits its cards may have."""
    cdef int suit, size
    cdef uint32_t pattern, best, flush
    if group == groups:
        best = entry
        for suit in range(4):
            size = bit_count(suits[suit])
            if size + wilds >= deck.flush_cards:
                flush = deck.size + wilds * WR_MASKS + suits[suit]
                if order[flush] > order[best]:
                    best = flush
        hands[best] += ways
        return ways
    for pattern in range(16):
        if bit_count(pattern) != counts[group]:
            continue
        for suit in range(4):
            if has_bit(pattern, suit):
                suits[suit] |= 1 << ranks[group]
        if group == 0:  # by symmetry one choice of suits stands for all
            spread_suits(counts, ranks, groups, suits, 1, ways * CHOOSE[4][counts[0]], deck,
                         wilds, entry, order, hands)
        else:
            spread_suits(counts, ranks, groups, suits, group + 1, ways, deck, wilds, entry, order,
                         hands)
        for suit in range(4):
            suits[suit] &= ~(<uint32_t> 1 << ranks[group])
        if group == 0:
            break
    return 0


cdef inline int bit_count(uint32_t bits) noexcept nogil:
    cdef int count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


cdef void count_one_suit(
        const int *counts, const int *ranks, int groups, int64_t ways, int64_t all_ways,
        const Deck *deck, int wilds, uint32_t entry, const uint64_t *order,
        int64_t *hands) noexcept nogil:
    """Count the hands of one rank multiset when at most one suit can hold a flush."""
    cdef uint32_t subset, mask, flush
    cdef int64_t some, rest = all_ways
    cdef int group
    for subset in range(<uint32_t> 1 << groups):
        if bit_count(subset) + wilds < deck.flush_cards:
            continue
        some = 4 * ways  # the suit
        mask = 0
        for group in range(groups):
            if has_bit(subset, group):
                mask |= <uint32_t> 1 << ranks[group]
                some *= CHOOSE[3][counts[group] - 1]
            else:
                some *= CHOOSE[3][counts[group]]
        flush = deck.size + wilds * WR_MASKS + mask
        if some and order[flush] > order[entry]:
            hands[flush] += some
            rest -= some
    hands[entry] += rest


cdef void count_hands(const Deck *deck, const uint64_t *order, int64_t *hands) noexcept nogil:
    """Add up how many hands of the deck get their value from each table entry.

    Where a hand has both a rank entry and flush entries, the greatest in `order` counts.
    """
    cdef int ranks[8]
    cdef int group_ranks[8]
    cdef int counts[8]
    cdef uint32_t suits[4]
    cdef int wilds, naturals, groups, i, free_ranks
    cdef uint32_t index, entry, offset
    cdef int64_t ways, all_ways
    cdef bint possible
    memset(suits, 0, sizeof(suits))
    for wilds in range(deck.hand_size + 1):
        if not deck.wild_ways[wilds]:
            continue
        naturals = deck.hand_size - wilds
        offset = wild_index(naturals, deck.hand_size)
        memset(ranks, 0, sizeof(ranks))
        for index in range(multisets(naturals, 13)):
            groups = 0
            possible = True
            ways = all_ways = deck.wild_ways[wilds]
            free_ranks = bit_count(deck.natural_ranks)
            for i in range(naturals):
                if i and ranks[i] == ranks[i - 1]:
                    counts[groups - 1] += 1
                    possible &= counts[groups - 1] <= 4
                else:
                    group_ranks[groups] = ranks[i]
                    counts[groups] = 1
                    groups += 1
                    free_ranks -= 1
                    possible &= has_bit(deck.natural_ranks, ranks[i])
            possible &= wilds <= deck.always_wild or free_ranks > 0
            if possible:
                for i in range(groups):
                    all_ways *= CHOOSE[4][counts[i]]
                entry = offset + index
                if deck.flush_kind == WR_WHOLE_FLUSH and groups == naturals:
                    if naturals:
                        hands[deck.size + entry] += 4 * ways
                        hands[entry] += all_ways - 4 * ways
                    else:
                        hands[deck.size + entry] += ways
                elif deck.flush_kind != WR_PART_FLUSH or naturals + wilds < deck.flush_cards:
                    hands[entry] += all_ways
                elif wilds < deck.flush_cards and 2 * (deck.flush_cards - wilds) > naturals:
                    count_one_suit(counts, group_ranks, groups, ways, all_ways, deck, wilds, entry,
                                   order, hands)
                else:
                    spread_suits(counts, group_ranks, groups, suits, 0, ways, deck, wilds, entry,
                                 order, hands)
            if naturals:
                next_multiset(ranks, naturals)


# --- from keys to dense values -----------------------------------------------------------------

cdef void sort_entries(
        const uint64_t *keys, uint32_t *entries, uint32_t *scratch, uint32_t count) noexcept nogil:
    """Sort entries by their keys: a radix sort, which beats comparing for so many."""
    cdef uint32_t buckets[1 << RADIX_BITS]
    cdef uint32_t i, digit, start, size
    cdef int turn, shift
    cdef uint32_t *swap
    for turn in range(4):
        shift = turn * RADIX_BITS
        memset(buckets, 0, sizeof(buckets))
        for i in range(count):
            buckets[(keys[entries[i]] >> shift) & ((1 << RADIX_BITS) - 1)] += 1
        start = 0
        for digit in range(1 << RADIX_BITS):
            size = buckets[digit]
            buckets[digit] = start
            start += size
        for i in range(count):
            digit = (keys[entries[i]] >> shift) & ((1 << RADIX_BITS) - 1)
            scratch[buckets[digit]] = entries[i]
            buckets[digit] += 1
        swap = entries
        entries = scratch
        scratch = swap


cdef class Tables:
    """The compiled lookup tables of one rule set.

    Parameters
    ----------
    rules : RuleSet

    Raises
    ------
    ValueError
        If the rule set has more than 65,535 different values, or never went through the checks of
        its class.
    """

    cdef object __weakref__
    cdef wr_tables tables
    cdef Deck deck
    cdef uint16_t *values  # of every table entry
    cdef uint64_t *keys  # of every value
    cdef uint32_t entry_count
    cdef readonly int num_values
    cdef readonly int category_count
    cdef int own_wilds
    cdef int tie_count
    cdef int ties[3]
    cdef readonly bint wild_rank_per_hand

    def __cinit__(self, rules):
        cdef int i, rank
        cdef int hand_size = limited(rules.hand_size, 1, MAX_CARDS, "hand_size")
        cdef int jokers = limited(rules.jokers, 0, 4, "jokers")
        cdef Compiler compiler
        wild_ranks = {limited(item, 0, 12, "a wild rank") for item in rules.wild_ranks}
        self.own_wilds = jokers + 4 * len(wild_ranks)
        self.wild_rank_per_hand = rules.wild_rank_per_hand
        self.tables.hand_size = hand_size
        self.tables.code_limit = 52 + jokers
        self.tables.wild_codes = <uint64_t> 15 << 52
        self.deck.natural_ranks = 0x1FFF
        for rank in wild_ranks:
            self.tables.wild_codes |= <uint64_t> 15 << (4 * rank)
            self.deck.natural_ranks &= ~(<uint32_t> 1 << rank)
        for i in range(MAX_CARDS):
            for rank in range(16):
                self.tables.places[i][rank] = PLACES[i][min(rank, WILD)]
        wr_set_places(&self.tables)
        compiler = Compiler(
            rules, hand_size, min(self.own_wilds + 4 * self.wild_rank_per_hand, hand_size))
        self.tables.flush_kind = WR_NO_FLUSH
        self.tables.flush_cards = hand_size
        for i in range(compiler.pattern_count):
            if compiler.patterns[i].flush:
                self.tables.flush_cards = min(self.tables.flush_cards, compiler.patterns[i].cards)
                self.tables.flush_kind = (
                    WR_WHOLE_FLUSH if self.tables.flush_cards == hand_size else WR_PART_FLUSH)
        self.tables.most_wilds = compiler.max_wild
        self.deck.hand_size = hand_size
        self.deck.flush_kind = self.tables.flush_kind
        self.deck.flush_cards = self.tables.flush_cards
        self.deck.size = multisets(hand_size, 14)
        self.entry_count = self.deck.size
        if self.tables.flush_kind == WR_WHOLE_FLUSH:
            self.entry_count += self.deck.size
        elif self.tables.flush_kind == WR_PART_FLUSH:
            self.entry_count += (compiler.max_wild + 1) * WR_MASKS
        self.category_count = compiler.pattern_count
        self.compile(compiler)

    def __dealloc__(self):
        free(self.values)
        free(self.keys)

    cdef int compile(self, Compiler compiler) except -1:
        cdef uint64_t *order = NULL
        cdef int64_t *hands = NULL
        cdef uint32_t *sorted_entries = NULL
        cdef int64_t num_values = -1
        cdef Deck deck
        cdef int i
        self.tie_count = compiler.tie_count
        for i in range(3):
            self.ties[i] = compiler.ties[i]
        self.values = <uint16_t *> calloc(self.entry_count, sizeof(uint16_t))
        self.keys = <uint64_t *> malloc((MAX_VALUE + 1) * sizeof(uint64_t))
        order = <uint64_t *> calloc(self.entry_count, sizeof(uint64_t))
        hands = <int64_t *> calloc(self.entry_count, sizeof(int64_t))
        sorted_entries = <uint32_t *> malloc(2 * self.entry_count * sizeof(uint32_t))
        try:
            if not (self.values and self.keys and order and hands and sorted_entries):
                raise MemoryError
            with nogil:
                compiler.run()
                self.collect(compiler, order)
                deck = self.deck_with(-1, self.wild_rank_per_hand)
                count_hands(&deck, order, hands)
                num_values = self.number(order, hands, sorted_entries)
        finally:
            free(order)
            free(hands)
            free(sorted_entries)
        if num_values > MAX_VALUE:
            raise ValueError(
                f"expected at most {MAX_VALUE} different values, but its categories and tie-breaks "
                f"make {num_values}")
        self.num_values = num_values
        self.tables.ranks = self.values
        self.tables.flushes = self.values + self.deck.size
        if self.tables.flush_kind == WR_WHOLE_FLUSH:
            self.tables.flush_offset = self.deck.size
        return 0

    cdef void collect(self, Compiler compiler, uint64_t *order) noexcept nogil:
        """Put the best keys in the order of the table entries."""
        cdef const uint64_t *plain = compiler.levels[0][compiler.hand_size]
        cdef const uint64_t *flush = compiler.levels[1][compiler.hand_size]
        cdef uint64_t *part = order + self.deck.size
        cdef int ranks[13]
        cdef int wilds, size, rank
        cdef uint32_t index, mask
        memcpy(order, plain, self.deck.size * sizeof(uint64_t))
        if self.tables.flush_kind == WR_NO_FLUSH:
            return
        for mask in range(WR_MASKS):
            size = 0
            for rank in range(13):
                if has_bit(mask, rank):
                    ranks[size] = rank
                    size += 1
                    if size > compiler.hand_size:
                        break
            for wilds in range(compiler.max_wild + 1):
                if self.tables.flush_cards <= size + wilds <= compiler.hand_size:
                    index = multiset_index(ranks, size) + wild_index(size, size + wilds)
                    if self.tables.flush_kind == WR_WHOLE_FLUSH:
                        part[index] = max(plain[index], flush[index])
                    else:
                        part[wilds * WR_MASKS + mask] = compiler.levels[1][size + wilds][index]

    cdef Deck deck_with(self, int wild_rank, bint any_wild_rank) noexcept nogil:
        """Return the deck with one more wild rank, with any, or (-1, False) with none."""
        cdef Deck deck = self.deck
        cdef int w, wilds = self.own_wilds
        if any_wild_rank:
            wilds += 4
        elif wild_rank >= 0 and has_bit(deck.natural_ranks, wild_rank):
            wilds += 4
            deck.natural_ranks &= ~(<uint32_t> 1 << wild_rank)
        deck.always_wild = self.own_wilds if any_wild_rank else wilds
        for w in range(MAX_CARDS + 1):
            deck.wild_ways[w] = choose(wilds, w)
        return deck

    cdef int64_t number(
            self, const uint64_t *order, const int64_t *hands, uint32_t *entries) noexcept nogil:
        """Give every entry its value: its key's place among the keys that hands really have.

        An entry that is never a hand's best gets the value of the next lower key, so that taking
        the greater of two values stays right.
        """
        cdef uint32_t count = 0, entry, first, last, i
        cdef int64_t value = 0
        cdef bint real
        for entry in range(self.entry_count):
            if order[entry]:
                entries[count] = entry
                count += 1
        sort_entries(order, entries, entries + self.entry_count, count)
        first = 0
        while first < count:
            last = first
            real = False
            while last < count and order[entries[last]] == order[entries[first]]:
                real |= hands[entries[last]] != 0
                last += 1
            if real:
                value += 1
                if value <= MAX_VALUE:
                    self.keys[value] = order[entries[first]]
            if value <= MAX_VALUE:
                for i in range(first, last):
                    self.values[entries[i]] = <uint16_t> value
            first = last
        return value

    def same_values(self, Tables other):
        """Return whether both tables number the same values for the same keys."""
        cdef int value
        if self.num_values != other.num_values:
            return False
        for value in range(1, self.num_values + 1):
            if self.keys[value] != other.keys[value]:
                return False
        return True

    def decode(self, int value):
        """Return what a value from 1 to num_values stands for.

        Returns
        -------
        category : int
            Index, 0 for the strongest.
        ranks : tuple of int or None
            The ranks compared, if the rules compare ranks.
        wilds : int or None
            The number of wild cards, if the rules compare it.
        """
        cdef uint64_t key
        cdef int i, shift
        cdef int rank
        if not 1 <= value <= self.num_values:
            raise IndexError(value)
        key = self.keys[value]
        ranks = wilds = None
        for i in range(self.tie_count - 1, -1, -1):
            if self.ties[i] == TIE_RANKS:
                ranks = []
                for shift in range(RANK_BITS - 4, -1, -4):
                    rank = (key >> shift) & 15
                    if rank:
                        ranks.append(rank - 1)
                key >>= RANK_BITS
            else:
                wilds = key & MAX_CARDS
                if self.ties[i] == TIE_FEWER:
                    wilds = MAX_CARDS - wilds
                key >>= JOKER_BITS
        return self.category_count - <int> key, None if ranks is None else tuple(ranks), wilds

    def category_indices(self):
        """Return the category index of every value from 0 up, as bytes of int8."""
        cdef int value, shift = 0, i
        cdef bytearray indices = bytearray(self.num_values + 1)
        for i in range(self.tie_count):
            shift += RANK_BITS if self.ties[i] == TIE_RANKS else JOKER_BITS
        indices[0] = 255
        for value in range(1, self.num_values + 1):
            indices[value] = self.category_count - <int> (self.keys[value] >> shift)
        return bytes(indices)

    def count_values(self, int wild_rank, int64_t[::1] out not None):
        """Add the number of hands of each value in the deck to `out`; wild_rank is -1 for none."""
        cdef Deck deck
        cdef uint64_t *order = <uint64_t *> malloc(self.entry_count * sizeof(uint64_t))
        cdef int64_t *hands = <int64_t *> calloc(self.entry_count, sizeof(int64_t))
        cdef uint32_t entry
        try:
            if not (order and hands):
                raise MemoryError
            if out.shape[0] != self.num_values + 1:
                raise IndexError
            deck = self.deck_with(wild_rank, False)
            with nogil:
                for entry in range(self.entry_count):
                    order[entry] = self.values[entry]
                count_hands(&deck, order, hands)
                for entry in range(self.entry_count):
                    out[self.values[entry]] += hands[entry]
        finally:
            free(order)
            free(hands)


cdef inline int64_t choose(int n, int k) noexcept nogil:
    cdef int64_t result = 1
    cdef int i
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


# --- making hands ------------------------------------------------------------------------------

def deal_hands(bit_generator_capsule, bytes deck not None, uint8_t[:, ::1] out not None):
    """Fill the rows of `out` with different cards of a deck, drawn with NumPy's generator."""
    cdef wr_bitgen *random = <wr_bitgen *> PyCapsule_GetPointer(
        bit_generator_capsule, "BitGenerator")
    cdef uint8_t shuffled[64]
    cdef int size = <int> len(deck)
    if size > 64 or out.shape[1] > size:
        raise IndexError("the deck and the array do not fit together")
    if out.shape[0] and out.shape[1]:
        memcpy(shuffled, PyBytes_AS_STRING(deck), size)
        with nogil:
            wr_deal(random, shuffled, size, <int> out.shape[1], out.shape[0], &out[0, 0])


def enumerate_hands(bytes deck not None, int[::1] places not None, uint8_t[:, ::1] out not None):
    """Fill `out` with hands in order, from the one at some places of the deck; return how many.

    `places` then are those of the hand that comes next.
    """
    cdef int64_t count = 0
    cdef int i, size = <int> len(deck)
    cdef const uint8_t *cards = <const uint8_t *> PyBytes_AS_STRING(deck)
    if len(deck) > 64 or not 1 <= out.shape[1] <= len(deck) or places.shape[0] != out.shape[1]:
        raise IndexError("the deck and the arrays do not fit together")
    for i in range(<int> places.shape[0]):
        if places[i] < 0 or (i and places[i] <= places[i - 1]):
            raise IndexError("the places are no hand")
    if places[0] > size - <int> places.shape[0]:
        return 0  # behind the last hand
    if places[places.shape[0] - 1] >= size:
        raise IndexError("the places are not in the deck")
    if out.shape[0]:
        with nogil:
            count = wr_enumerate(
                cards, size, &places[0], <int> out.shape[1], out.shape[0], &out[0, 0])
    return count


def parse_lines(const uint8_t[::1] text not None, int64_t start, uint8_t[:, ::1] out not None):
    """Read lines of plain hands from a place in a text; return how many, and where it stopped.

    Reading stops at the end of `out`, at a line without an end, or at the start of a line that is
    anything but the plain text of a hand.
    """
    cdef int64_t count = 0, used = 0
    if not 0 <= start <= text.shape[0] or not 1 <= out.shape[1] <= 64:
        raise IndexError("the start or the array does not fit")
    if out.shape[0] and start < text.shape[0]:
        with nogil:
            count = wr_parse_lines(&text[start], text.shape[0] - start, <int> out.shape[1],
                                   out.shape[0], &out[0, 0], &used)
    return count, start + used


def format_lines(
        const uint8_t[:, ::1] hands not None, const uint16_t[::1] values not None,
        bytes endings not None, const int64_t[::1] ends not None):
    """Write hands as lines of text, each with the ending of its value.

    ``ends[value]`` is where the ending of a value stops in `endings`, and that of the next starts.
    """
    cdef int64_t rows = hands.shape[0], room = 0, row, from_ = 0
    cdef const char *text = PyBytes_AS_STRING(endings)
    cdef char *target
    cdef bytes out
    for row in range(ends.shape[0]):
        if not from_ <= ends[row] <= PyBytes_GET_SIZE(endings):
            raise IndexError("the ends do not fit the endings")
        from_ = ends[row]
    if values.shape[0] != rows or hands.shape[1] < 1:
        raise IndexError("the arrays do not fit together")
    for row in range(rows):
        if values[row] >= ends.shape[0]:
            raise IndexError("a value has no ending")
        room += 3 * hands.shape[1] - 1 + ends[values[row]]
        if values[row]:
            room -= ends[values[row] - 1]
    out = PyBytes_FromStringAndSize(NULL, room)
    target = PyBytes_AS_STRING(out)
    if rows:
        with nogil:
            wr_format_lines(
                &hands[0, 0], rows, <int> hands.shape[1], &values[0], text, &ends[0], target)
    return out


# --- reading single hands ----------------------------------------------------------------------

cdef inline int read_item(object item, uint8_t *code) noexcept:
    """Read a card code from an int; -1 for anything else."""
    cdef int overflow
    cdef long number
    if not PyLong_Check(item) or PyBool_Check(item):
        return -1
    number = PyLong_AsLongAndOverflow(item, &overflow)  # -1 for a number that is too large
    if not 0 <= number < 56:
        return -1
    code[0] = <uint8_t> number
    return 0


cdef inline bint overlap(const Py_buffer *one, const Py_buffer *other) noexcept:
    return (<char *> one.buf < <char *> other.buf + other.len
            and <char *> other.buf < <char *> one.buf + one.len)


cdef class Core:
    """Evaluates hands with compiled tables; the base class of `wildrank.evaluator.Evaluator`.

    A subclass provides `_evaluate_any` and `_evaluate_batch_any`: they get everything that the fast
    paths do not take, and either read it, or say what is wrong with it by raising.

    Parameters
    ----------
    tables : Tables
    array_type : type
        What the fast paths take as an array, exactly; subclasses may mean something else by their
        items, as masked arrays do.
    new_values : callable
        Makes a uint16 array of a given length.
    """

    cdef readonly Tables _tables
    cdef object _array_type
    cdef object _new_values

    def __init__(self, Tables tables not None, array_type, new_values):
        self._tables = tables
        self._array_type = array_type
        self._new_values = new_values

    def evaluate(self, hand, wild_rank=None):
        """Return the value of one hand.

        Parameters
        ----------
        hand : str, bytes, sequence of int or Card, or uint8 array
            Exactly ``hand_size`` different cards of the deck: as a text, or as codes from 0 to 55.
        wild_rank : str or int, optional
            One more rank whose cards are all wild in this hand: text or 0 ... 12.

        Returns
        -------
        int
            From 1 to ``num_values``; a higher value wins, equal values tie. 0 is no combination.

        Raises
        ------
        CardError
            If something is no card or no rank.
        HandError
            If the number of cards is wrong, a card comes twice, or the deck does not have it.
        RuleError
            If `wild_rank` is given and the rules' values leave no room for it: they then need
            ``wild_rank_per_hand=True``.

        Examples
        --------
        >>> import wildrank
        >>> perico = wildrank.evaluator("perico")
        >>> perico.evaluate("As Ks Qs Js Jk") > perico.evaluate("7c 7d 7h 7s Jk")
        True
        >>> perico.evaluate([0, 1, 4, 5, 9]) == perico.evaluate("2c 2d 3c 3d 4d")
        True
        """
        cdef uint8_t codes[8]
        cdef Tables tables = self.checked_tables()
        cdef int size = tables.tables.hand_size
        cdef int count = -1
        cdef int value
        cdef int rank = -1
        cdef Py_ssize_t i
        cdef Py_buffer view
        cdef const uint8_t *text
        if PyUnicode_CheckExact(hand):
            if PyUnicode_IS_COMPACT_ASCII(hand):
                text = <const uint8_t *> PyUnicode_1BYTE_DATA(hand)
                count = wr_parse_hand(text, text + PyUnicode_GET_LENGTH(hand), codes, size)
        elif PyTuple_CheckExact(hand):
            if PyTuple_GET_SIZE(hand) == size:
                count = size
                for i in range(size):
                    if read_item(<object> PyTuple_GET_ITEM(hand, i), &codes[i]) < 0:
                        count = -1
                        break
        elif PyBytes_CheckExact(hand):
            if PyBytes_GET_SIZE(hand) == size:
                count = size
                memcpy(codes, PyBytes_AS_STRING(hand), size)
        elif PyList_CheckExact(hand):
            if PyList_GET_SIZE(hand) == size:
                count = size
                for i in range(size):
                    if read_item(<object> PyList_GET_ITEM(hand, i), &codes[i]) < 0:
                        count = -1
                        break
        elif self.get_buffer(hand, &view, 1, c"B", 0):
            if view.shape[0] == size:
                count = size
                memcpy(codes, view.buf, size)
            PyBuffer_Release(&view)
        if wild_rank is not None:
            rank = self.read_wild_rank(wild_rank)
            if rank < 0:
                count = -1
        if count == size:
            value = wr_evaluate(&tables.tables, codes, rank)
            if value >= 0:
                return value
        return self._evaluate_any(hand, wild_rank)

    cdef bint get_buffer(
            self, object owner, Py_buffer *view, int ndim, char kind, int flags) except -1:
        """Get a C-contiguous array of one native item format, to be released; False for others."""
        if type(owner) is not self._array_type:
            return False
        try:
            PyObject_GetBuffer(owner, view, flags | PyBUF_FORMAT | PyBUF_ND | PyBUF_C_CONTIGUOUS)
        except (BufferError, ValueError):
            return False
        if (view.ndim == ndim and view.format != NULL and view.format[0] == kind
                and view.format[1] == 0 and <size_t> view.buf % <size_t> view.itemsize == 0):
            return True
        PyBuffer_Release(view)
        return False

    cdef inline Tables checked_tables(self):
        if self._tables is None:
            raise RuntimeError("the evaluator was not initialised")
        return self._tables

    cdef int read_wild_rank(self, object wild_rank) except -2:
        """Read a plain rank for this hand; -1 for anything out of the way."""
        cdef int overflow
        cdef long number
        if not self.checked_tables().wild_rank_per_hand:
            return -1
        if PyUnicode_CheckExact(wild_rank):
            if PyUnicode_IS_COMPACT_ASCII(wild_rank) and PyUnicode_GET_LENGTH(wild_rank) == 1:
                number = (<const uint8_t *> PyUnicode_1BYTE_DATA(wild_rank))[0]
                if wr_rank_of[number] < 13:
                    return wr_rank_of[number]
        elif PyLong_CheckExact(wild_rank):  # a Card is not its code here
            number = PyLong_AsLongAndOverflow(wild_rank, &overflow)
            if 0 <= number <= 12:
                return number
        return -1

    def evaluate_batch(self, hands, *, wild_ranks=None, out=None, threads=1):
        """Return the values of many hands.

        Parameters
        ----------
        hands : array_like of int, shape (N, hand_size)
            Card codes from 0 to 55, every row a hand. A C-contiguous uint8 array is taken as it
            is; any other integer dtype, order or stride is copied first.
        wild_ranks : str, int, or array_like of shape (N,), optional
            One more rank whose cards are all wild: the same for all hands, or one for each. An
            array of uint8 is the fast form of the latter.
        out : ndarray of uint16, shape (N,), optional
            Where to put the values. After an error its contents are undefined: any rows may have
            been written.
        threads : int
            How many threads share the work; the result is the same for any number.

        Returns
        -------
        ndarray of uint16, shape (N,)
            `out` if it is given. Values from 1 to ``num_values``, higher wins, 0 is no combination.

        Raises
        ------
        CardError
            If a code or a wild rank is out of range; ``error.row`` is the first bad row.
        HandError
            If a row has a card twice or a joker the deck does not have (``error.row`` is the first
            bad row), or an array has the wrong shape or dtype.
        RuleError
            If `wild_ranks` is given and the rules' values leave no room for it.

        Examples
        --------
        >>> import numpy as np, wildrank
        >>> paiute = wildrank.evaluator("paiute")
        >>> hands = np.array([[20, 21, 22, 24, 25, 26]], dtype=np.uint8)  # 7c 7d 7h 8c 8d 8h
        >>> [paiute.category_of(v) for v in paiute.evaluate_batch(hands)]
        ['three_three']
        >>> [paiute.category_of(v) for v in paiute.evaluate_batch(hands, wild_ranks="7")]
        ['five_of_a_kind']
        """
        cdef Py_buffer rows, ranks, values
        cdef bint done = False
        self.checked_tables()
        if (PyLong_CheckExact(threads) and threads == 1
                and self.get_buffer(hands, &rows, 2, c"B", 0)):
            target = self._new_values(rows.shape[0]) if out is None else out
            if self.get_buffer(target, &values, 1, c"H", PyBUF_WRITABLE):
                if wild_ranks is None:
                    done = self.fill(&rows, &values, NULL, -1)
                elif self.get_buffer(wild_ranks, &ranks, 1, c"B", 0):
                    done = self.fill(&rows, &values, &ranks, -1)
                    PyBuffer_Release(&ranks)
                else:
                    rank = self.read_wild_rank(wild_ranks)
                    done = rank >= 0 and self.fill(&rows, &values, NULL, rank)
                PyBuffer_Release(&values)
            PyBuffer_Release(&rows)
            if done:
                return target
        return self._evaluate_batch_any(hands, wild_ranks, out, threads)

    cdef bint fill(
            self, Py_buffer *rows, Py_buffer *values, Py_buffer *ranks, int rank) noexcept:
        """Evaluate rows of codes in one thread; False if they do not fit or one is bad."""
        cdef Tables tables = self._tables
        cdef int64_t count = rows.shape[0]
        cdef int64_t bad
        cdef const uint8_t *wild_ranks = NULL
        if (rows.shape[1] != tables.tables.hand_size or values.shape[0] != count
                or overlap(rows, values)):
            return False
        if ranks != NULL:
            if (not tables.wild_rank_per_hand or ranks.shape[0] != count
                    or overlap(ranks, values)):
                return False
            wild_ranks = <const uint8_t *> ranks.buf
        with nogil:
            bad = wr_batch(current_kernel, &tables.tables, <const uint8_t *> rows.buf, count,
                           wild_ranks, rank, <uint16_t *> values.buf)
        return bad < 0

    def _evaluate_codes(self, bytes codes not None, int wild_rank):
        """Return the value of a hand of codes, or -1 if it is not a hand of the deck."""
        cdef Tables tables = self.checked_tables()
        if len(codes) != tables.tables.hand_size or not -1 <= wild_rank <= 12:
            return -1
        if wild_rank >= 0 and not tables.wild_rank_per_hand:
            return -1  # the tables have no room for that many wild cards
        return wr_evaluate(
            &tables.tables, <const uint8_t *> PyBytes_AS_STRING(codes), wild_rank)

    def _evaluate_rows(
            self, const uint8_t[:, ::1] hands not None, const uint8_t[::1] wild_ranks,
            int wild_rank, uint16_t[::1] out not None):
        """Fill `out` with the values of the rows; return the first bad row, or -1.

        `out` is filled up to the bad row. `wild_ranks` is one rank a row or None; `wild_rank` is
        one rank for all rows or -1.
        """
        cdef Tables tables = self.checked_tables()
        cdef int64_t rows = hands.shape[0]
        cdef int64_t bad
        cdef const uint8_t *ranks = NULL
        if (hands.shape[1] != tables.tables.hand_size or out.shape[0] != rows
                or not -1 <= wild_rank <= 12
                or (wild_ranks is not None and wild_ranks.shape[0] != rows)
                or ((wild_rank >= 0 or wild_ranks is not None)
                    and not tables.wild_rank_per_hand)):
            raise IndexError("the arrays do not fit together")
        if rows == 0:
            return -1
        if wild_ranks is not None:
            ranks = &wild_ranks[0]
        with nogil:
            bad = wr_batch(
                current_kernel, &tables.tables, &hands[0, 0], rows, ranks, wild_rank, &out[0])
        return bad

    def _valid_rows(self, const uint8_t[:, ::1] hands not None, uint8_t[::1] out not None):
        """Fill `out` with 1 for every row that is a hand of the deck, else 0."""
        cdef Tables tables = self.checked_tables()
        if (hands.shape[1] != tables.tables.hand_size or out.shape[0] != hands.shape[0]):
            raise IndexError("the arrays do not fit together")
        if hands.shape[0]:
            with nogil:
                wr_valid(&tables.tables, &hands[0, 0], hands.shape[0], &out[0])

    def _roofline(self, const uint8_t[:, ::1] hands not None, uint16_t[::1] out not None):
        """Read the hands and write as much as values take, to measure what memory alone costs."""
        if out.shape[0] != hands.shape[0]:
            raise IndexError("the arrays do not fit together")
        if hands.shape[0]:
            with nogil:
                wr_roofline(&hands[0, 0], hands.shape[0], <int> hands.shape[1], &out[0])
