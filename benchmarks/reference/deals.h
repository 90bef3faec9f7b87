/* Bits, random words by counter, and deals by number: the parts of playout.c that know no rules. */
#ifndef DEALS_H
#define DEALS_H

#include <stdint.h>
#include <string.h>

/* ---- bits and random words ------------------------------------------------------------------- */

static inline int ctz(uint64_t mask) { return __builtin_ctzll(mask); }
static inline int msb(uint64_t mask) { return 63 - __builtin_clzll(mask); }
static inline int popcount(uint64_t mask) { return __builtin_popcountll(mask); }

static inline uint64_t high_product(uint64_t a, uint64_t b) {
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline int nth_bit(uint64_t mask, int n) { /* index of the n-th set bit, by halves */
    int place = 0;
    for (int width = 32; width > 0; width >>= 1) {
        int low = popcount(mask >> place & ((1ull << width) - 1));
        int skip = low <= n;
        n -= low * skip;
        place += width * skip;
    }
    return place;
}

static inline uint64_t mix64(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static inline uint64_t splitmix(uint64_t key, int n) {
    return mix64(key + 0x9E3779B97F4A7C15ull * (uint64_t)(n + 1));
}

static inline int below(uint64_t word, int n) { return (int)high_product(word << 1, (uint64_t)n); }

/* Philox4x64-10 at the counter (deal, pulka, block, 0) under the key (seed, stream) */
static void philox(uint64_t c[4], uint64_t deal, uint64_t pulka, uint64_t block, uint64_t seed,
                   uint64_t stream) {
    c[0] = deal, c[1] = pulka, c[2] = block, c[3] = 0;
    for (int round = 0; round < 10; round++) {
        uint64_t high0 = high_product(0xD2E7470EE14C6C93ull, c[0]);
        uint64_t high1 = high_product(0xCA5A826395121157ull, c[2]);
        uint64_t low0 = 0xD2E7470EE14C6C93ull * c[0], low1 = 0xCA5A826395121157ull * c[2];
        c[0] = high1 ^ c[1] ^ seed;
        c[1] = low1;
        c[2] = high0 ^ c[3] ^ stream;
        c[3] = low0;
        seed += 0x9E3779B97F4A7C15ull;
        stream += 0xBB67AE8584CAA73Bull;
    }
}

/* ---- deals by number ------------------------------------------------------------------------- */

#define N_DEALS 2753294408504640ull
enum { N_SECOND = 646646, N_TALON = 66 }; /* 22 over 10, 12 over 2 */

typedef struct {                  /* sets of ten out of two halves, by the count in the low half */
    uint16_t subset[1 << 16];     /* subsets of a half by (count, value) */
    int start[17];                /* where a count starts */
    int64_t split[12], upper[11]; /* sets with fewer low cards; ways of the upper half */
} Halves;

static Halves halves16, halves11;
static uint16_t pair[N_TALON];
static uint8_t scatter_byte[256][256];

static int64_t choose(int n, int k) {
    int64_t ways = 1;
    for (int i = 0; i < k; i++) ways = ways * (n - i) / (i + 1);
    return ways;
}

static void build_halves(Halves *h, int width) {
    for (int count = 0, place = 0; count <= width; count++) {
        h->start[count] = place;
        for (int subset = 0; subset < 1 << width; subset++)
            if (popcount((uint64_t)subset) == count) h->subset[place++] = (uint16_t)subset;
    }
    for (int k = 0; k <= 10; k++) {
        h->upper[k] = choose(width, 10 - k);
        h->split[k + 1] = h->split[k] + choose(width, k) * h->upper[k];
    }
}

static void build_deal_tables(void) {
    build_halves(&halves16, 16);
    build_halves(&halves11, 11);
    for (int b = 0, n = 0; b < 12; b++)
        for (int a = 0; a < b; a++) pair[n++] = (uint16_t)(1 << a | 1 << b);
    for (int mask = 0; mask < 256; mask++)
        for (int bits = 0; bits < 256; bits++)
            for (int place = 0, used = 0; place < 8; place++)
                if (mask >> place & 1) scatter_byte[mask][bits] |= (bits >> used++ & 1) << place;
}

static inline uint32_t scatter(uint32_t bits, uint32_t into) { /* low bits at the set places */
    uint32_t out = 0;
    for (int lane = 0; lane < 32; lane += 8) {
        uint32_t mask = into >> lane & 255;
        int n = popcount(mask);
        out |= (uint32_t)scatter_byte[mask][bits & ((1u << n) - 1)] << lane;
        bits >>= n;
    }
    return out;
}

static inline uint32_t ten_cards(const Halves *h, int width, int64_t digit) {
    int k = 0;
    for (int j = 1; j <= 10; j++) k += h->split[j] <= digit;
    digit -= h->split[k];
    int64_t low = digit / h->upper[k], up = digit - low * h->upper[k];
    return h->subset[h->start[k] + low] | (uint32_t)h->subset[h->start[10 - k] + up] << width;
}

static uint64_t draw_number(uint64_t seed, uint64_t pulka, uint64_t deal) {
    const uint64_t threshold = (0 - N_DEALS) % N_DEALS;
    for (uint64_t block = 0;; block++) {
        uint64_t words[4];
        philox(words, deal, pulka, block, seed, 0);
        for (int k = 0; k < 4; k++)
            if (words[k] * N_DEALS >= threshold) return high_product(words[k], N_DEALS);
    }
}

/* masks of the hands and of the talon, and the cards of the talon in their order */
static void unrank(uint64_t number, uint32_t hands[3], uint32_t *talon, int talon_order[2]) {
    int64_t high = (int64_t)(number / N_TALON);
    uint32_t rest = ~0u;
    rest ^= hands[0] = ten_cards(&halves16, 16, high / N_SECOND);
    rest ^= hands[1] = scatter(ten_cards(&halves11, 11, high % N_SECOND), rest);
    rest ^= *talon = scatter(pair[number % N_TALON], rest);
    hands[2] = rest;
    int higher_first = mix64(number) & 1;
    talon_order[higher_first] = ctz(*talon);
    talon_order[!higher_first] = msb(*talon);
}

#endif
