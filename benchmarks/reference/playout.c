/* Preferans pulkas played by simple bots: the plain C program against which the engine is measured.
 *
 *   playout VARIANT SEED PULKAS TARGET [BOT [rows]]
 *
 * Three players, the rules of sochi, leningrad or rostov, one of the bots below in every seat. Plays
 * the same pulkas as the engine: the same deal numbers, random words and actions, so the same rows.
 * Prints one JSON line; with `rows` it prints every deal as well. All amounts are in twelfths.
 *
 * It is written the way one writes such a program: a deal is straight code from the auction to the
 * score, and a decision is a call through a pointer chosen at run time.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAYERS = 3, HANDS = 3, TRICKS_IN_DEAL = 10, MAX_DEALS = 500, UNIT = 12, ROWS = 16384 };
enum { AUCTION, DISCARD, CONTRACT, WHIST, OPEN, CARD };            /* phases */
enum { PASS, HOLD, FIRST_BID };                                    /* actions of the auction */
enum { CALL_PASS, CALL_WHIST, CALL_HALF };                         /* actions of the whist phase */
enum { CLOSED, OPENED };                                           /* actions of a lone whister */
enum { RASPAS, TRICKS, MISERE_GAME };                              /* kinds of a deal */
enum { NO_DECISION, PASSED, WHISTED, HALF_WHISTED };               /* a defender's part */
enum { NO_TRUMP = 4, N_STRAINS = 5, MISERE = 25, N_CONTRACTS = 26, LAST_RASPAS = 7 };

/* ---- rules ------------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    int made[5], undertrick[5], whist[5], remise[5], consolation[5], duty[5]; /* by level - 6 */
    int misere_made, misere_undertrick;
    int gentleman;         /* whists of a failed contract are shared with the passer */
    int long_whist;        /* whist, pass, half-whist */
    int half_levels;       /* mask of levels */
    int raspas_to_whists;  /* the lowest taker writes whists on the others; else mountain */
    int raspas_price, progression[3];
    int zero_prices, zero_points; /* bonus for no trick at raspas, into the pool */
    int talon_led;         /* talon cards name the suits of the first two raspas tricks */
    int end_sum;           /* the sum of the pools ends the pulka, no help */
    int pool_weight;
    int target;
} Rules;

#define SINGLE {2, 4, 6, 8, 10}
#define DOUBLE {4, 8, 12, 16, 20}
#define COMMON .made = SINGLE, .duty = {4, 2, 1, 1, 1}, .misere_made = 10, .half_levels = 1 << 6 | 1 << 7

static const Rules VARIANTS[] = {
    {.name = "sochi", COMMON, .undertrick = SINGLE, .whist = SINGLE, .remise = SINGLE,
     .consolation = SINGLE, .misere_undertrick = 10, .raspas_price = 1, .progression = {1, 2, 3},
     .zero_prices = 1, .talon_led = 1, .pool_weight = 1},
    {.name = "leningrad", COMMON, .undertrick = DOUBLE, .whist = DOUBLE, .remise = SINGLE,
     .consolation = DOUBLE, .misere_undertrick = 20, .gentleman = 1, .long_whist = 1,
     .raspas_price = 2, .progression = {1, 1, 1}, .zero_prices = 1, .talon_led = 1, .end_sum = 1,
     .pool_weight = 2},
    {.name = "rostov", COMMON, .undertrick = SINGLE, .whist = SINGLE, .remise = {1, 2, 3, 4, 5},
     .consolation = {10, 10, 10, 10, 10}, .misere_undertrick = 10, .gentleman = 1,
     .raspas_to_whists = 1, .raspas_price = 5, .progression = {1, 1, 1}, .zero_points = 1,
     .pool_weight = 1},
};

/* ---- the table -------------------------------------------------------------------------------- */

typedef struct { /* what a player may know */
    int phase, mover, player; /* the decision, the hand it is for, the player who decides */
    uint64_t legal;
    uint64_t random; /* 63 bits for this decision */
    uint32_t hand, discard;
    int deal, dealer, player_of[HANDS], hand_of[PLAYERS], decides_for[HANDS];
    int active, bid, bidder, last_bid[HANDS]; /* auction */
    int calls[96], n_calls;
    int kind, declarer, contract, level, strain; /* contract; declarer is a hand */
    uint32_t talon;
    int talon_card[2];
    int whist_call[HANDS], last_whister, open_play; /* whist */
    int trick, leader, led, winner, best_key, in_trick, trick_card[HANDS]; /* play */
    uint32_t played, played_by[HANDS], shown[HANDS];
    int voids[HANDS], plays[32], n_plays, tricks[PLAYERS];
    int pool[PLAYERS], mountain[PLAYERS], whists[PLAYERS][PLAYERS], raspas_index; /* sheet */
    const Rules *rules;
} View;

typedef struct { /* a bot's own memory, cleared when a pulka starts */
    int64_t memory[2];
} Own;

typedef int64_t (*Bot)(const View *, Own *);

typedef struct { /* one finished deal, all words of 64 bits: see checksum */
    int64_t pulka, deal, number, dealer, kind, level, strain, declarer, last_whister, open_play;
    int64_t played, raspas_index, bid, n_bids, n_decisions;
    int64_t tricks[PLAYERS], decision[PLAYERS], value[PLAYERS];
} DealRow;

typedef struct {
    int64_t pulka, n_deals, unfinished;
    int64_t pool[PLAYERS], mountain[PLAYERS], whists[PLAYERS * PLAYERS], result[PLAYERS];
} PulkaRow;

typedef struct {
    View view;
    uint32_t hands[HANDS], talon;
    int talon_order[2];
    uint32_t discard;
    uint64_t seed, number, key[PLAYERS];
    int drawn[PLAYERS], n_decisions, n_bids;
    int64_t pulka, balance[PLAYERS];
    Bot bots[PLAYERS];
    Own own[PLAYERS];
} Table;

/* ---- bits and random words -------------------------------------------------------------------- */

static inline int ctz(uint64_t mask) { return __builtin_ctzll(mask); }
static inline int msb(uint64_t mask) { return 63 - __builtin_clzll(mask); }
static inline int popcount(uint64_t mask) { return __builtin_popcountll(mask); }
static inline int next(int hand) { return hand == HANDS - 1 ? 0 : hand + 1; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

static inline uint64_t high_product(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

/* index of the n-th set bit, by halves */
static inline int nth_bit(uint64_t mask, int n)
{
    int place = 0;
    for (int width = 32; width > 0; width >>= 1) {
        int low = popcount(mask >> place & ((1ull << width) - 1));
        int skip = low <= n;
        n -= low * skip;
        place += width * skip;
    }
    return place;
}

static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static inline uint64_t splitmix(uint64_t key, int n)
{
    return mix64(key + 0x9E3779B97F4A7C15ull * (uint64_t)(n + 1));
}

static inline uint64_t below(uint64_t word, int n) { return high_product(word << 1, (uint64_t)n); }

/* Philox4x64-10 at counter (deal, pulka, block, 0) under the key (seed, stream) */
static void philox(uint64_t out[4], uint64_t deal, uint64_t pulka, uint64_t block, uint64_t seed,
                   uint64_t stream)
{
    uint64_t c[4] = {deal, pulka, block, 0};
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
    memcpy(out, c, sizeof c);
}

/* ---- deals by number -------------------------------------------------------------------------- */

#define N_DEALS 2753294408504640ull
enum { N_SECOND = 646646, N_TALON = 66 }; /* 22 over 10, 12 over 2 */

typedef struct { /* ten cards of two halves of `width` cards, ordered by the count in the low half */
    uint16_t subset[1 << 16];      /* subsets of a half by (count, value) */
    int start[17];                 /* the first subset of each count */
    int64_t split[12], upper[11];  /* ten-card sets with fewer low cards; sets of the upper half */
} Halves;

static Halves halves16, halves11;
static uint16_t pair[N_TALON];
static uint8_t scatter_byte[256][256];

static int64_t choose(int n, int k)
{
    int64_t ways = 1;
    for (int i = 0; i < k; i++) ways = ways * (n - i) / (i + 1);
    return ways;
}

static void build_halves(Halves *h, int width)
{
    int place = 0;
    for (int count = 0; count <= width; count++) {
        h->start[count] = place;
        for (int subset = 0; subset < 1 << width; subset++)
            if (popcount((uint64_t)subset) == count) h->subset[place++] = (uint16_t)subset;
    }
    for (int k = 0; k <= 10; k++) {
        h->upper[k] = choose(width, 10 - k);
        h->split[k + 1] = h->split[k] + choose(width, k) * h->upper[k];
    }
}

static void build_tables(void)
{
    build_halves(&halves16, 16);
    build_halves(&halves11, 11);
    for (int b = 0, n = 0; b < 12; b++)
        for (int a = 0; a < b; a++) pair[n++] = (uint16_t)(1 << a | 1 << b);
    for (int mask = 0; mask < 256; mask++)
        for (int bits = 0; bits < 256; bits++)
            for (int place = 0, used = 0; place < 8; place++)
                if (mask >> place & 1) scatter_byte[mask][bits] |= (bits >> used++ & 1) << place;
}

/* the low bits of `bits` at the set places of `into` */
static inline uint32_t scatter(uint32_t bits, uint32_t into)
{
    uint32_t out = 0;
    for (int lane = 0; lane < 32; lane += 8) {
        uint32_t mask = into >> lane & 255;
        int n = popcount(mask);
        out |= (uint32_t)scatter_byte[mask][bits & ((1u << n) - 1)] << lane;
        bits >>= n;
    }
    return out;
}

static inline uint32_t ten_cards(const Halves *h, int width, int64_t digit)
{
    int k = 0;
    for (int j = 1; j <= 10; j++) k += h->split[j] <= digit;
    digit -= h->split[k];
    int64_t low = digit / h->upper[k];
    int64_t up = digit - low * h->upper[k];
    return h->subset[h->start[k] + low] | (uint32_t)h->subset[h->start[10 - k] + up] << width;
}

static uint64_t draw_number(uint64_t seed, uint64_t pulka, uint64_t deal)
{
    const uint64_t threshold = (0 - N_DEALS) % N_DEALS;
    for (uint64_t block = 0;; block++) {
        uint64_t words[4];
        philox(words, deal, pulka, block, seed, 0);
        for (int k = 0; k < 4; k++)
            if (words[k] * N_DEALS >= threshold) return high_product(words[k], N_DEALS);
    }
}

static void deal_cards(Table *t)
{
    uint64_t keys[4];
    t->number = draw_number(t->seed, (uint64_t)t->pulka, (uint64_t)t->view.deal);
    philox(keys, (uint64_t)t->view.deal, (uint64_t)t->pulka, 0, t->seed, 1);
    for (int player = 0; player < PLAYERS; player++) {
        t->key[player] = keys[player];
        t->drawn[player] = 0;
    }
    int64_t high = (int64_t)(t->number / N_TALON);
    uint32_t rest = ~0u;
    rest ^= t->hands[0] = ten_cards(&halves16, 16, high / N_SECOND);
    rest ^= t->hands[1] = scatter(ten_cards(&halves11, 11, high % N_SECOND), rest);
    rest ^= t->talon = scatter(pair[t->number % N_TALON], rest);
    t->hands[2] = rest;
    int higher_first = mix64(t->number) & 1;
    t->talon_order[higher_first] = ctz(t->talon);
    t->talon_order[!higher_first] = msb(t->talon);
}

/* ---- asking a bot ----------------------------------------------------------------------------- */

/* the action of `mover` out of `legal`; a single legal action is taken without asking */
static int ask(Table *t, int phase, int mover, uint64_t legal)
{
    View *v = &t->view;
    if ((legal & (legal - 1)) == 0) return ctz(legal);
    int player = v->decides_for[mover];
    v->phase = phase;
    v->mover = mover;
    v->player = player;
    v->legal = legal;
    v->hand = t->hands[mover];
    v->discard = v->declarer >= 0 && player == v->player_of[v->declarer] ? t->discard : 0;
    v->random = splitmix(t->key[player], t->drawn[player]++) >> 1;
    int64_t action = t->bots[player](v, &t->own[player]);
    if (action < 0 || action > 62 || !(legal >> action & 1)) {
        fprintf(stderr, "illegal action %" PRId64 " in phase %d\n", action, phase);
        exit(1);
    }
    t->n_decisions++;
    return (int)action;
}

/* the same for a call, which all hear */
static int ask_call(Table *t, int phase, int mover, uint64_t legal)
{
    int action = ask(t, phase, mover, legal);
    t->view.calls[t->view.n_calls++] = phase << 8 | mover << 6 | action;
    return action;
}

/* ---- auction, talon, contract ----------------------------------------------------------------- */

static uint64_t bids_above[N_CONTRACTS + 1]; /* [bid + 1]: codes that outrank a bid */

static void build_ladder(void)
{
    int rung[N_CONTRACTS];
    for (int code = 0; code < N_CONTRACTS; code++) rung[code] = 2 * code;
    rung[MISERE] = 2 * 14 + 1; /* between eight no trump and nine spades */
    for (int bid = -1; bid < N_CONTRACTS; bid++)
        for (int code = 0; code < N_CONTRACTS; code++)
            if (bid < 0 || rung[code] > rung[bid]) bids_above[bid + 1] |= 1ull << code;
}

static uint64_t legal_calls(const View *v, int mover)
{
    uint64_t bids = bids_above[v->bid + 1];
    int own = v->last_bid[mover];
    if (own == MISERE) bids = 0; /* misère is a player's first and last bid */
    else if (own >= 0) bids &= ~(1ull << MISERE);
    int may_hold = v->bid >= 0 && v->bid != MISERE && mover < v->bidder
                   && popcount((uint64_t)v->active) == 2;
    return 1ull << PASS | (uint64_t)may_hold << HOLD | bids << FIRST_BID;
}

/* sets kind, declarer and the bid; nobody declares at raspas */
static void run_auction(Table *t)
{
    View *v = &t->view;
    int mover = 0;
    while (v->active) {
        int action = ask_call(t, AUCTION, mover, legal_calls(v, mover));
        if (action == PASS) {
            v->active &= ~(1 << mover);
        } else {
            if (action >= FIRST_BID) {
                v->bid = action - FIRST_BID;
                t->n_bids++;
            }
            v->bidder = mover;
            v->last_bid[mover] = v->bid;
        }
        if (v->bid >= 0 && (v->active & (v->active - 1)) == 0) {
            v->declarer = v->bidder;
            v->contract = v->bid;
            v->kind = v->bid == MISERE ? MISERE_GAME : TRICKS;
            return;
        }
        if (v->active)
            do mover = next(mover);
            while (!(v->active >> mover & 1));
    }
}

static void exchange(Table *t)
{
    View *v = &t->view;
    uint32_t *hand = &t->hands[v->declarer];
    v->talon = t->talon;
    memcpy(v->talon_card, t->talon_order, sizeof v->talon_card);
    *hand |= t->talon;
    uint32_t legal = *hand & ~(1u << msb(*hand)); /* the lower card of the discard first */
    for (int k = 0; k < 2; k++) {
        uint32_t card = 1u << ask(t, DISCARD, v->declarer, legal);
        t->discard |= card;
        *hand &= ~card;
        legal = *hand & ~(card | (card - 1));
    }
}

static void name_contract(Table *t)
{
    View *v = &t->view;
    if (v->kind == MISERE_GAME) return;
    uint64_t legal = (bids_above[v->bid + 1] | 1ull << v->bid) & ~(1ull << MISERE);
    v->contract = ask_call(t, CONTRACT, v->declarer, legal);
    v->level = 6 + v->contract / N_STRAINS;
    v->strain = v->contract % N_STRAINS;
}

/* ---- whist ------------------------------------------------------------------------------------ */

static int ask_whist(Table *t, int hand, int other, uint64_t legal, int is_return)
{
    View *v = &t->view;
    int action = ask_call(t, WHIST, hand, legal);
    v->whist_call[hand] = action == CALL_PASS ? PASSED : action == CALL_WHIST ? WHISTED : HALF_WHISTED;
    if (action == CALL_WHIST) {
        v->last_whister = hand;
        if (is_return) v->whist_call[other] = PASSED;
    }
    return action;
}

/* the defenders' calls; true if cards are played */
static int run_whist(Table *t)
{
    View *v = &t->view;
    const uint64_t either = 1 << CALL_PASS | 1 << CALL_WHIST, half = 1 << CALL_HALF;
    int half_allowed = v->rules->half_levels >> v->level & 1;
    int d1 = next(v->declarer), d2 = next(d1);
    int first = ask_whist(t, d1, d2, either, 0);
    int second = ask_whist(t, d2, d1, first == CALL_PASS && half_allowed ? either | half : either, 0);
    if (first == CALL_PASS && second == CALL_HALF) {
        ask_whist(t, d1, d2, either, 1);
    } else if (first == CALL_WHIST && second == CALL_PASS && half_allowed && v->rules->long_whist) {
        if (ask_whist(t, d1, d2, 1 << CALL_WHIST | half, 0) == CALL_HALF)
            ask_whist(t, d2, d1, either, 1);
    }
    int whists1 = v->whist_call[d1] == WHISTED, whists2 = v->whist_call[d2] == WHISTED;
    if (whists1 + whists2 != 1) return whists1 + whists2;
    int whister = whists1 ? d1 : d2;
    if (ask_call(t, OPEN, whister, 1 << CLOSED | 1 << OPENED) == OPENED) {
        v->open_play = 1;
        v->decides_for[d1] = v->decides_for[d2] = v->player_of[whister];
    }
    return 1;
}

/* ---- play ------------------------------------------------------------------------------------- */

static void show_defence(Table *t)
{
    for (int hand = 0; hand < HANDS; hand++)
        if (hand != t->view.declarer) t->view.shown[hand] = t->hands[hand];
}

static inline uint32_t suit_mask(int suit) { return suit == NO_TRUMP ? 0 : 0xFFu << 8 * suit; }

static inline uint32_t legal_cards(const View *v, uint32_t hand)
{
    if (v->led < 0) return hand;
    if (hand & suit_mask(v->led)) return hand & suit_mask(v->led);
    if (hand & suit_mask(v->strain)) return hand & suit_mask(v->strain);
    return hand;
}

static void play_card(Table *t, int hand)
{
    View *v = &t->view;
    int card = ask(t, CARD, hand, legal_cards(v, t->hands[hand]));
    int suit = card >> 3;
    uint32_t bit = 1u << card;
    t->hands[hand] &= ~bit;
    v->shown[hand] &= ~bit;
    v->played |= bit;
    v->played_by[hand] |= bit;
    v->plays[v->n_plays++] = hand << 5 | card;
    v->trick_card[hand] = card;
    v->in_trick++;
    if (v->led < 0) v->led = suit;
    if (suit != v->led) {
        v->voids[hand] |= 1 << v->led;
        if (suit != v->strain && v->strain != NO_TRUMP) v->voids[hand] |= 1 << v->strain;
    }
    int key = (card & 7) + 8 * (suit == v->led) + 16 * (suit == v->strain);
    if (key >= 8 && key > v->best_key) {
        v->best_key = key;
        v->winner = hand;
    }
}

static void play_cards(Table *t)
{
    View *v = &t->view;
    int show_after_lead = v->kind == MISERE_GAME && v->declarer == 0;
    if ((v->kind == MISERE_GAME && !show_after_lead) || v->open_play) show_defence(t);
    int leader = 0;
    for (int trick = 0; trick < TRICKS_IN_DEAL; trick++) {
        int by_talon = v->kind == RASPAS && v->rules->talon_led && trick < 2;
        v->trick = trick;
        v->leader = leader;
        v->in_trick = 0;
        v->led = v->winner = v->best_key = -1;
        for (int hand = 0; hand < HANDS; hand++) v->trick_card[hand] = -1;
        if (by_talon) {
            int card = v->talon_card[trick] = t->talon_order[trick];
            v->talon |= 1u << card;
            v->led = card >> 3;
        }
        for (int k = 0, hand = leader; k < HANDS; k++, hand = next(hand)) {
            play_card(t, hand);
            if (show_after_lead && v->n_plays == 1) show_defence(t);
        }
        int winner = v->winner < 0 ? 0 : v->winner; /* nobody followed the talon: the first hand */
        v->tricks[v->player_of[winner]]++;
        leader = by_talon ? 0 : winner;
    }
}

/* ---- score ------------------------------------------------------------------------------------ */

typedef struct {
    int gain[PLAYERS], mountain[PLAYERS], whists[PLAYERS][PLAYERS];
} Entries;

static void score_raspas(const Rules *r, const DealRow *d, Entries *e)
{
    int price = UNIT * r->raspas_price * r->progression[min((int)d->raspas_index, 2)];
    int lowest = 10, n_lowest = 0;
    for (int i = 0; i < PLAYERS; i++) lowest = min(lowest, (int)d->tricks[i]);
    for (int i = 0; i < PLAYERS; i++) n_lowest += d->tricks[i] == lowest;
    for (int i = 0; i < PLAYERS; i++) {
        if (d->tricks[i] == 0) e->gain[i] = r->zero_prices * price + UNIT * r->zero_points;
        if (!r->raspas_to_whists) e->mountain[i] = price * (int)d->tricks[i];
        else if (d->tricks[i] == lowest)
            for (int j = 0; j < PLAYERS; j++)
                if (d->tricks[j] > lowest) e->whists[i][j] = price * (int)d->tricks[j] / n_lowest;
    }
}

static void score_defence(const Rules *r, const DealRow *d, Entries *e, int step, int undertricks)
{
    int declarer = (int)d->declarer;
    int defence = 10 - (int)d->tricks[declarer], n_whisters = 0;
    for (int i = 0; i < PLAYERS; i++) n_whisters += d->decision[i] == WHISTED;
    int consolation = UNIT * r->consolation[step] * undertricks, price = UNIT * r->whist[step];
    int short_of_duty = max(0, r->duty[step] - defence), remise = UNIT * r->remise[step];
    int quota = (r->duty[step] + 1) / 2, left = short_of_duty;
    for (int i = 0; i < PLAYERS; i++) {
        if (i == declarer) continue;
        int whists = d->decision[i] == WHISTED, tricks = (int)d->tricks[i];
        if (n_whisters == 2) {
            e->whists[i][declarer] = price * tricks + consolation;
            int own = r->duty[step] > 1 ? min(left, max(0, quota - tricks)) : i == d->last_whister;
            own = min(own, left);
            left -= own;
            e->mountain[i] = remise * own;
        } else {
            int shared = undertricks > 0 && r->gentleman;
            int paid = shared ? price * defence / 2 : whists ? price * defence : 0;
            e->whists[i][declarer] = paid + consolation;
            if (whists) e->mountain[i] = remise * short_of_duty;
        }
    }
}

static void score(const Rules *r, const DealRow *d, Entries *e)
{
    int declarer = (int)d->declarer, step = (int)d->level - 6;
    memset(e, 0, sizeof *e);
    if (d->kind == RASPAS) {
        score_raspas(r, d, e);
    } else if (d->kind == MISERE_GAME) {
        int taken = (int)d->tricks[declarer];
        if (taken == 0) e->gain[declarer] = UNIT * r->misere_made;
        e->mountain[declarer] = UNIT * r->misere_undertrick * taken;
    } else if (!d->played) {
        e->gain[declarer] = UNIT * r->made[step];
        for (int i = 0; i < PLAYERS; i++)
            if (d->decision[i] == HALF_WHISTED)
                e->whists[i][declarer] = UNIT * r->whist[step] * r->duty[step] / 2;
    } else {
        int undertricks = max(0, (int)d->level - (int)d->tricks[declarer]);
        if (undertricks == 0) e->gain[declarer] = UNIT * r->made[step];
        e->mountain[declarer] = UNIT * r->undertrick[step] * undertricks;
        score_defence(r, d, e, step, undertricks);
    }
}

/* pool points: one's own pool to the target, then help to the fullest open pool for ten whists each */
static void write_gain(View *v, int player, int gain)
{
    int full = UNIT * v->rules->target;
    if (v->rules->end_sum) {
        v->pool[player] += gain;
        return;
    }
    int given = min(gain, full - v->pool[player]);
    v->pool[player] += given;
    gain -= given;
    while (gain > 0) {
        int best = -1;
        for (int step = 1; step < PLAYERS; step++) {
            int other = (player + step) % PLAYERS;
            if (v->pool[other] < full && (best < 0 || v->pool[other] > v->pool[best])) best = other;
        }
        if (best < 0) break;
        given = min(gain, full - v->pool[best]);
        v->pool[best] += given;
        v->whists[player][best] += 10 * given;
        gain -= given;
    }
    v->mountain[player] -= gain;
}

static void write_sheet(View *v, const Entries *e)
{
    for (int i = 0; i < PLAYERS; i++) {
        v->mountain[i] += e->mountain[i];
        for (int j = 0; j < PLAYERS; j++) v->whists[i][j] += e->whists[i][j];
    }
    for (int step = 1; step <= PLAYERS; step++) {
        int player = (v->dealer + step) % PLAYERS;
        if (e->gain[player]) write_gain(v, player, e->gain[player]);
    }
    v->raspas_index = v->kind == RASPAS ? min(v->raspas_index + 1, LAST_RASPAS) : 0;
}

static void settle(const View *v, int64_t balance[PLAYERS])
{
    int debt[PLAYERS], total = 0;
    for (int i = 0; i < PLAYERS; i++) {
        debt[i] = v->mountain[i] - v->rules->pool_weight * v->pool[i];
        total += debt[i];
    }
    for (int i = 0; i < PLAYERS; i++) {
        balance[i] = 10 * (total - PLAYERS * debt[i]) / PLAYERS;
        for (int j = 0; j < PLAYERS; j++) balance[i] += v->whists[i][j] - v->whists[j][i];
    }
}

static int is_over(const View *v)
{
    int full = UNIT * v->rules->target, total = 0, all_full = 1;
    for (int i = 0; i < PLAYERS; i++) {
        total += v->pool[i];
        all_full &= v->pool[i] >= full;
    }
    return v->rules->end_sum ? total >= PLAYERS * full : all_full;
}

/* ---- deals and pulkas ------------------------------------------------------------------------- */

static void clear_deal(Table *t)
{
    View *v = &t->view;
    t->discard = 0;
    t->n_decisions = t->n_bids = 0;
    v->n_calls = v->n_plays = v->open_play = 0;
    v->played = v->talon = 0;
    v->kind = RASPAS;
    v->level = 6;
    v->strain = NO_TRUMP;
    v->declarer = v->contract = v->last_whister = v->bid = v->bidder = -1;
    v->talon_card[0] = v->talon_card[1] = -1;
    v->active = (1 << HANDS) - 1;
    for (int hand = 0, player = v->dealer; hand < HANDS; hand++) {
        player = next(player); /* hand 0 is the player after the dealer */
        v->player_of[hand] = v->decides_for[hand] = player;
        v->hand_of[player] = hand;
        v->whist_call[hand] = NO_DECISION;
        v->last_bid[hand] = -1;
        v->played_by[hand] = v->shown[hand] = 0;
        v->voids[hand] = v->tricks[hand] = 0;
    }
}

static void play_deal(Table *t, DealRow *row)
{
    View *v = &t->view;
    Entries entries;
    v->deal++;
    v->dealer = next(v->dealer);
    clear_deal(t);
    deal_cards(t);
    run_auction(t);
    if (v->kind != RASPAS) {
        exchange(t);
        name_contract(t);
    }
    if (v->kind != TRICKS || run_whist(t)) play_cards(t);

    *row = (DealRow){
        .pulka = t->pulka, .deal = v->deal, .number = (int64_t)t->number, .dealer = v->dealer,
        .kind = v->kind, .level = v->level, .strain = v->kind == TRICKS ? v->strain : 0,
        .declarer = v->declarer < 0 ? -1 : v->player_of[v->declarer],
        .last_whister = v->last_whister < 0 ? -1 : v->player_of[v->last_whister],
        .open_play = v->open_play, .played = v->n_plays > 0, .raspas_index = v->raspas_index,
        .bid = v->bid, .n_bids = t->n_bids, .n_decisions = t->n_decisions};
    for (int hand = 0; hand < HANDS; hand++) {
        int player = v->player_of[hand];
        row->tricks[player] = v->tricks[player];
        row->decision[player] = v->whist_call[hand];
        row->value[player] = -t->balance[player];
    }
    score(v->rules, row, &entries);
    write_sheet(v, &entries);
    settle(v, t->balance);
    for (int player = 0; player < PLAYERS; player++) row->value[player] += t->balance[player];
}

static void begin_pulka(Table *t)
{
    View *v = &t->view;
    v->deal = -1;
    v->dealer = PLAYERS - 2; /* the last player deals first */
    v->raspas_index = 0;
    memset(v->pool, 0, sizeof v->pool);
    memset(v->mountain, 0, sizeof v->mountain);
    memset(v->whists, 0, sizeof v->whists);
    memset(t->balance, 0, sizeof t->balance);
    memset(t->own, 0, sizeof t->own);
}

static void finish_pulka(const Table *t, PulkaRow *row)
{
    const View *v = &t->view;
    *row = (PulkaRow){.pulka = t->pulka, .n_deals = v->deal + 1, .unfinished = !is_over(v)};
    for (int i = 0; i < PLAYERS; i++) {
        row->pool[i] = v->pool[i];
        row->mountain[i] = v->mountain[i];
        row->result[i] = t->balance[i];
        for (int j = 0; j < PLAYERS; j++) row->whists[PLAYERS * i + j] = v->whists[i][j];
    }
}

/* ---- bots ------------------------------------------------------------------------------------- */

static int64_t play_random(const View *v, Own *own)
{
    (void)own;
    return nth_bit(v->legal, (int)below(v->random, popcount(v->legal)));
}

/* bids seldom and low, so that raspas, misère and half-whist come often */
static int64_t play_wild(const View *v, Own *own)
{
    int dice = v->random & 63;
    if (v->phase == AUCTION) {
        uint64_t bids = v->legal & ~(1ull << PASS);
        if (v->legal >> (FIRST_BID + MISERE) & 1 && dice < 4) return FIRST_BID + MISERE;
        return dice < 44 || !bids ? PASS : ctz(bids);
    }
    if (v->phase == CONTRACT && dice < 48) return ctz(v->legal);
    return play_random(v, own);
}

static const struct {
    const char *name;
    Bot bot;
} BOTS[] = {{"random", play_random}, {"wild", play_wild}};

/* ---- the program ------------------------------------------------------------------------------ */

/* the words of a row folded into one; a sum of mixed folds is the checksum of a run */
static uint64_t fold(const void *row, size_t size, uint64_t place)
{
    const int64_t *words = row;
    uint64_t sum = place;
    for (size_t k = 0; k < size / sizeof *words; k++)
        sum = sum * 0x9E3779B97F4A7C15ull + (uint64_t)words[k];
    return mix64(sum);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_row(const DealRow *row)
{
    const int64_t *words = (const int64_t *)row;
    for (size_t k = 0; k < sizeof *row / sizeof *words; k++)
        printf("%s%" PRId64, k ? "," : "", words[k]);
    puts("");
}

static int find(const char *word, const void *table, size_t n, size_t size)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(word, *(const char *const *)((const char *)table + k * size))) return (int)k;
    fprintf(stderr, "playout: %s is not known\n", word);
    exit(2);
}

#define FIND(word, table) find(word, table, sizeof table / sizeof *table, sizeof *table)

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: playout VARIANT SEED PULKAS TARGET [BOT [rows]]\n");
        return 2;
    }
    static Table table;
    static DealRow rows[ROWS];
    static PulkaRow pulka_rows[ROWS];
    const char *bot = argc > 5 ? argv[5] : "random";
    Rules rules = VARIANTS[FIND(argv[1], VARIANTS)];
    int64_t pulkas = atoll(argv[3]), deals = 0, decisions = 0;
    uint64_t checksum = 0;
    rules.target = atoi(argv[4]);
    table.seed = strtoull(argv[2], NULL, 10);
    table.view.rules = &rules;
    for (int player = 0; player < PLAYERS; player++) table.bots[player] = BOTS[FIND(bot, BOTS)].bot;
    build_tables();
    build_ladder();

    double seconds = 0;
    int in_pulka = 0;
    for (int64_t done = 0; done < pulkas;) {
        int n_rows = 0, n_pulkas = 0;
        double start = cpu_seconds();
        while (n_rows < ROWS && done < pulkas) {
            table.pulka = done;
            if (!in_pulka) begin_pulka(&table);
            play_deal(&table, &rows[n_rows++]);
            in_pulka = !is_over(&table.view) && table.view.deal + 1 < MAX_DEALS;
            if (!in_pulka) {
                finish_pulka(&table, &pulka_rows[n_pulkas++]);
                done++;
            }
        }
        seconds += cpu_seconds() - start;
        for (int k = 0; k < n_rows; k++) {
            checksum += fold(&rows[k], sizeof rows[k], (uint64_t)deals++);
            decisions += rows[k].n_decisions;
            if (argc > 6) print_row(&rows[k]);
        }
        for (int k = 0; k < n_pulkas; k++)
            checksum += fold(&pulka_rows[k], sizeof pulka_rows[k], (uint64_t)pulka_rows[k].pulka);
    }
    printf("{\"variant\": \"%s\", \"seed\": %" PRIu64 ", \"pulkas\": %" PRId64 ", \"target\": %d, "
           "\"bot\": \"%s\", \"seconds\": %.9f, \"deals\": %" PRId64 ", \"decisions\": %" PRId64
           ", \"checksum\": \"%016" PRIx64 "\"}\n",
           rules.name, table.seed, pulkas, rules.target, bot, seconds, deals, decisions, checksum);
    return 0;
}
