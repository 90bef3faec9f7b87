/* Preferans pulkas played by simple bots: the plain C program against which the engine is measured.
 *
 *   cc -std=c11 -O3 -march=native -o playout playout.c
 *   playout VARIANT SEED PULKAS TARGET [BOT [rows]]
 *
 * Three players, the rules of sochi, leningrad or rostov, one of the bots below in every seat. The
 * same deal numbers and random words as in the engine, so the same decisions and the same rows.
 * Prints one JSON line; with `rows` every deal before it. Amounts are in twelfths.
 *
 * It is what one would write by hand: a deal is straight code from the auction to the score, and a
 * decision is a call through a pointer chosen at run time.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "deals.h"

enum { PLAYERS = 3, HANDS = 3, MAX_DEALS = 500, LAST_RASPAS = 7, UNIT = 12, ROWS = 16384 };
enum { AUCTION, DISCARD, CONTRACT, WHIST, OPEN, CARD }; /* phases, and their actions: */
enum { PASS, HOLD, FIRST_BID };
enum { CALL_PASS, CALL_WHIST, CALL_HALF };
enum { CLOSED, OPENED };
enum { RASPAS, TRICKS, MISERE_GAME };                /* kinds of a deal */
enum { NO_DECISION, PASSED, WHISTED, HALF_WHISTED }; /* a defender's part */
enum { NO_TRUMP = 4, MISERE = 25, N_CONTRACTS = 26 };

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int made[5], undertrick[5], whist[5], remise[5], consolation[5], duty[5]; /* by level - 6 */
    int misere_made, misere_undertrick;
    int gentleman;                /* whists of a failed contract: half to the passer */
    int long_whist;               /* whist, pass, half-whist */
    int half_levels;              /* mask of levels with half-whist */
    int raspas_to_whists;         /* the lowest taker writes whists on the others; else mountain */
    int raspas_price, progression[3];
    int zero_prices, zero_points; /* for no trick at raspas, into the pool */
    int talon_led;                /* the talon names the suits of two raspas tricks */
    int end_sum;                  /* the sum of the pools ends the pulka, no help */
    int pool_weight, target;
} Rules;

#define SINGLE {2, 4, 6, 8, 10}
#define DOUBLE {4, 8, 12, 16, 20}
#define COMMON .made = SINGLE, .duty = {4, 2, 1, 1, 1}, .misere_made = 10, .half_levels = 3 << 6

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

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct { /* what a player may know */
    int phase, mover, player;  /* the decision, the hand it is for, the player who decides */
    uint64_t legal, random;    /* mask of actions; 63 bits of his own */
    uint32_t hand, discard;
    int deal, dealer, player_of[HANDS], hand_of[PLAYERS], decides_for[HANDS];
    int active, bid, bidder, last_bid[HANDS], calls[96], n_calls;
    int kind, declarer, contract, level, strain; /* the declarer is a hand */
    uint32_t talon;
    int talon_card[2], whist_call[HANDS], last_whister, open_play;
    int trick, leader, led, winner, best_key, in_trick, trick_card[HANDS];
    uint32_t played, played_by[HANDS], shown[HANDS];
    int voids[HANDS], plays[32], n_plays, tricks[PLAYERS];
    int pool[PLAYERS], mountain[PLAYERS], whists[PLAYERS][PLAYERS], raspas_index; /* sheet */
    const Rules *rules;
} View;

typedef struct { /* a bot's memory, cleared when a pulka starts */
    int64_t memory[2];
} Own;

typedef int64_t (*Bot)(const View *, Own *);

typedef struct { /* one finished deal, in words of 64 bits: see fold */
    int64_t pulka, deal, number, dealer, kind, level, strain, declarer, last_whister, open_play;
    int64_t played, raspas_index, bid, n_bids, n_decisions;
    int64_t tricks[PLAYERS], decision[PLAYERS], value[PLAYERS];
} DealRow;

typedef struct {
    int64_t pulka, n_deals, unfinished;
    int64_t pool[PLAYERS], mountain[PLAYERS], whists[PLAYERS][PLAYERS], result[PLAYERS];
} PulkaRow;

typedef struct {
    View view;
    uint32_t hands[HANDS], talon, discard;
    int talon_order[2], drawn[PLAYERS], n_decisions, n_bids;
    uint64_t seed, number, key[PLAYERS];
    int64_t pulka, balance[PLAYERS];
    Bot bots[PLAYERS];
    Own own[PLAYERS];
} Table;

static inline int next(int hand) { return hand == HANDS - 1 ? 0 : hand + 1; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

/* ---- asking a bot ---------------------------------------------------------------------------- */

/* the action for a hand out of `legal`; a single legal action is taken without asking */
static int ask(Table *t, int phase, int mover, uint64_t legal) {
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
        fprintf(stderr, "playout: action %" PRId64 " in phase %d is not legal\n", action, phase);
        exit(1);
    }
    t->n_decisions++;
    return (int)action;
}

static int ask_call(Table *t, int phase, int mover, uint64_t legal) { /* a call, which all hear */
    int action = ask(t, phase, mover, legal);
    t->view.calls[t->view.n_calls++] = phase << 8 | mover << 6 | action;
    return action;
}

/* ---- auction, talon, contract ---------------------------------------------------------------- */

static uint64_t bids_above[N_CONTRACTS + 1]; /* [bid + 1]: codes that outrank a bid */

static int rung(int code) { return code == MISERE ? 2 * 14 + 1 : 2 * code; } /* after 8NT */

static void build_ladder(void) {
    for (int bid = -1; bid < N_CONTRACTS; bid++)
        for (int code = 0; code < N_CONTRACTS; code++)
            if (bid < 0 || rung(code) > rung(bid)) bids_above[bid + 1] |= 1ull << code;
}

static uint64_t legal_calls(const View *v, int mover) {
    uint64_t bids = bids_above[v->bid + 1];
    int own = v->last_bid[mover]; /* misère is a player's first and last bid: */
    if (own == MISERE) return 1ull << PASS;
    if (own >= 0) bids &= ~(1ull << MISERE);
    int may_hold = v->bid >= 0 && v->bid != MISERE && mover < v->bidder
                   && popcount((uint64_t)v->active) == 2;
    return 1ull << PASS | (uint64_t)may_hold << HOLD | bids << FIRST_BID;
}

static void run_auction(Table *t) { /* sets kind, declarer and the bid; at raspas nobody declares */
    View *v = &t->view;
    for (int mover = 0; v->active; mover = next(mover)) {
        if (!(v->active >> mover & 1)) continue;
        int action = ask_call(t, AUCTION, mover, legal_calls(v, mover));
        if (action == PASS) {
            v->active &= ~(1 << mover);
        } else {
            if (action != HOLD) {
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
    }
}

static void exchange(Table *t) {
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
    if (v->kind == MISERE_GAME) return;
    uint64_t contracts = (bids_above[v->bid + 1] | 1ull << v->bid) & ~(1ull << MISERE);
    v->contract = ask_call(t, CONTRACT, v->declarer, contracts);
    v->level = 6 + v->contract / 5;
    v->strain = v->contract % 5;
}

/* ---- whist ----------------------------------------------------------------------------------- */

static int ask_whist(Table *t, int hand, uint64_t legal) {
    static const int part[] = {PASSED, WHISTED, HALF_WHISTED};
    int action = ask_call(t, WHIST, hand, legal);
    t->view.whist_call[hand] = part[action];
    if (action == CALL_WHIST) t->view.last_whister = hand;
    if (action == CALL_HALF) t->view.last_whister = -1;
    return action;
}

static void ask_return(Table *t, int hand, int other) { /* whist over the other's half-whist */
    if (ask_whist(t, hand, 1 << CALL_PASS | 1 << CALL_WHIST) == CALL_WHIST)
        t->view.whist_call[other] = PASSED;
}

static int run_whist(Table *t) { /* the defenders' calls; true if cards are played */
    View *v = &t->view;
    const uint64_t either = 1 << CALL_PASS | 1 << CALL_WHIST, half = 1 << CALL_HALF;
    int half_allowed = v->rules->half_levels >> v->level & 1;
    int d1 = next(v->declarer), d2 = next(d1);
    int first = ask_whist(t, d1, either);
    int second = ask_whist(t, d2, first == CALL_PASS && half_allowed ? either | half : either);
    if (second == CALL_HALF) {
        ask_return(t, d1, d2);
    } else if (first == CALL_WHIST && second == CALL_PASS && half_allowed && v->rules->long_whist) {
        if (ask_whist(t, d1, 1 << CALL_WHIST | half) == CALL_HALF) ask_return(t, d2, d1);
    }
    int whists1 = v->whist_call[d1] == WHISTED, whists2 = v->whist_call[d2] == WHISTED;
    if (whists1 == whists2) return whists1;
    int whister = whists1 ? d1 : d2;
    v->open_play = ask_call(t, OPEN, whister, 1 << CLOSED | 1 << OPENED) == OPENED;
    if (v->open_play) v->decides_for[d1] = v->decides_for[d2] = v->player_of[whister];
    return 1;
}

/* ---- play ------------------------------------------------------------------------------------ */

static void show_defence(Table *t) {
    for (int hand = 0; hand < HANDS; hand++)
        if (hand != t->view.declarer) t->view.shown[hand] = t->hands[hand];
}

static inline uint32_t suit_mask(int suit) { return suit == NO_TRUMP ? 0 : 0xFFu << 8 * suit; }

static inline uint32_t legal_cards(const View *v, uint32_t hand) {
    if (v->led < 0) return hand;
    if (hand & suit_mask(v->led)) return hand & suit_mask(v->led);
    if (hand & suit_mask(v->strain)) return hand & suit_mask(v->strain);
    return hand;
}

static void play_card(Table *t, int hand) {
    View *v = &t->view;
    int card = ask(t, CARD, hand, legal_cards(v, t->hands[hand])), suit = card >> 3;
    uint32_t bit = 1u << card;
    t->hands[hand] &= ~bit;
    v->shown[hand] &= ~bit;
    v->played |= bit;
    v->played_by[hand] |= bit;
    v->plays[v->n_plays++] = hand << 5 | card;
    v->trick_card[hand] = card;
    v->in_trick++;
    if (v->led < 0) v->led = suit;
    if (suit != v->led) { /* void, and without trumps too if he does not ruff */
        v->voids[hand] |= 1 << v->led;
        if (suit != v->strain && v->strain != NO_TRUMP) v->voids[hand] |= 1 << v->strain;
    }
    int key = (card & 7) + 8 * (suit == v->led) + 16 * (suit == v->strain);
    if (key >= 8 && key > v->best_key) {
        v->best_key = key;
        v->winner = hand;
    }
}

static void play_cards(Table *t) {
    View *v = &t->view;
    int show_later = v->kind == MISERE_GAME && v->declarer == 0; /* after the declarer's lead */
    if ((v->kind == MISERE_GAME && !show_later) || v->open_play) show_defence(t);
    v->leader = 0;
    for (v->trick = 0; v->trick < 10; v->trick++) {
        int by_talon = v->kind == RASPAS && v->rules->talon_led && v->trick < 2;
        v->in_trick = 0;
        v->led = v->winner = v->best_key = -1;
        for (int hand = 0; hand < HANDS; hand++) v->trick_card[hand] = -1;
        if (by_talon) {
            int card = v->talon_card[v->trick] = t->talon_order[v->trick];
            v->talon |= 1u << card;
            v->led = card >> 3;
        }
        for (int k = 0, hand = v->leader; k < HANDS; k++, hand = next(hand)) {
            play_card(t, hand);
            if (show_later && v->n_plays == 1) show_defence(t);
        }
        if (v->winner < 0) v->winner = 0; /* nobody followed the talon's suit: the first hand */
        v->tricks[v->player_of[v->winner]]++;
        v->leader = by_talon ? 0 : v->winner;
    }
}

/* ---- score ----------------------------------------------------------------------------------- */

typedef struct {
    int gain[PLAYERS], mountain[PLAYERS], whists[PLAYERS][PLAYERS];
} Entries;

static void score_raspas(const View *v, Entries *e) {
    const Rules *r = v->rules;
    int price = UNIT * r->raspas_price * r->progression[min(v->raspas_index, 2)];
    int lowest = min(v->tricks[0], min(v->tricks[1], v->tricks[2])), n_lowest = 0;
    for (int i = 0; i < PLAYERS; i++) n_lowest += v->tricks[i] == lowest;
    for (int i = 0; i < PLAYERS; i++) {
        if (v->tricks[i] == 0) e->gain[i] = r->zero_prices * price + UNIT * r->zero_points;
        if (!r->raspas_to_whists) e->mountain[i] = price * v->tricks[i];
        for (int j = 0; j < PLAYERS && r->raspas_to_whists && v->tricks[i] == lowest; j++)
            if (v->tricks[j] > lowest) e->whists[i][j] = price * v->tricks[j] / n_lowest;
    }
}

/* whists, consolation and remises of a played contract; two whisters short share the shortfall */
static void score_defence(const View *v, Entries *e, int undertricks) {
    const Rules *r = v->rules;
    int step = v->level - 6, declarer = v->player_of[v->declarer];
    int price = UNIT * r->whist[step], remise = UNIT * r->remise[step], duty = r->duty[step];
    int defence = 10 - v->tricks[declarer], left = max(0, duty - defence), n_whisters = 0;
    for (int hand = 0; hand < HANDS; hand++) n_whisters += v->whist_call[hand] == WHISTED;
    for (int i = 0; i < PLAYERS; i++) {
        if (i == declarer) continue;
        int whists = v->whist_call[v->hand_of[i]] == WHISTED, own = left, paid;
        if (n_whisters == 2) {
            paid = price * v->tricks[i];
            own = v->hand_of[i] == v->last_whister;
            if (duty > 1) own = max(0, (duty + 1) / 2 - v->tricks[i]);
        } else if (undertricks > 0 && r->gentleman) {
            paid = price * defence / 2;
        } else {
            paid = whists ? price * defence : 0;
        }
        e->whists[i][declarer] = paid + UNIT * r->consolation[step] * undertricks;
        own = whists ? min(own, left) : 0;
        left -= own;
        e->mountain[i] = remise * own;
    }
}

static void score(const View *v, Entries *e) {
    const Rules *r = v->rules;
    memset(e, 0, sizeof *e);
    if (v->kind == RASPAS) {
        score_raspas(v, e);
        return;
    }
    int declarer = v->player_of[v->declarer], step = v->level - 6, taken = v->tricks[declarer];
    if (v->kind == MISERE_GAME) {
        e->gain[declarer] = taken ? 0 : UNIT * r->misere_made;
        e->mountain[declarer] = UNIT * r->misere_undertrick * taken;
        return;
    }
    int undertricks = v->n_plays ? max(0, v->level - taken) : 0;
    e->gain[declarer] = undertricks ? 0 : UNIT * r->made[step];
    e->mountain[declarer] = UNIT * r->undertrick[step] * undertricks;
    if (v->n_plays) score_defence(v, e, undertricks);
    for (int hand = 0; hand < HANDS; hand++)
        if (v->whist_call[hand] == HALF_WHISTED)
            e->whists[v->player_of[hand]][declarer] = UNIT * r->whist[step] * r->duty[step] / 2;
}

/* one's own pool to the target, then help to the fullest open pool for ten whists a point */
static void write_gain(View *v, int player, int gain) {
    int full = UNIT * v->rules->target;
    int given = v->rules->end_sum ? gain : min(gain, full - v->pool[player]);
    v->pool[player] += given;
    while ((gain -= given) > 0) {
        int best = -1;
        for (int step = 1; step < PLAYERS; step++) {
            int other = (player + step) % PLAYERS;
            if (v->pool[other] < full && (best < 0 || v->pool[other] > v->pool[best])) best = other;
        }
        if (best < 0) break;
        given = min(gain, full - v->pool[best]);
        v->pool[best] += given;
        v->whists[player][best] += 10 * given;
    }
    v->mountain[player] -= gain;
}

static void write_sheet(View *v, const Entries *e) {
    for (int i = 0; i < PLAYERS; i++) {
        v->mountain[i] += e->mountain[i];
        for (int j = 0; j < PLAYERS; j++) v->whists[i][j] += e->whists[i][j];
    }
    for (int hand = 0; hand < HANDS; hand++) {
        int player = v->player_of[hand];
        if (e->gain[player]) write_gain(v, player, e->gain[player]);
    }
    v->raspas_index = v->kind == RASPAS ? min(v->raspas_index + 1, LAST_RASPAS) : 0;
}

static void settle(const View *v, int64_t balance[PLAYERS]) {
    int debt[PLAYERS], total = 0;
    for (int i = 0; i < PLAYERS; i++)
        total += debt[i] = v->mountain[i] - v->rules->pool_weight * v->pool[i];
    for (int i = 0; i < PLAYERS; i++) {
        balance[i] = 10 * (total - PLAYERS * debt[i]) / PLAYERS;
        for (int j = 0; j < PLAYERS; j++) balance[i] += v->whists[i][j] - v->whists[j][i];
    }
}

static int is_over(const View *v) {
    int full = UNIT * v->rules->target, total = 0, all_full = 1;
    for (int i = 0; i < PLAYERS; i++) {
        total += v->pool[i];
        all_full &= v->pool[i] >= full;
    }
    return v->rules->end_sum ? total >= PLAYERS * full : all_full;
}

/* ---- deals and pulkas ------------------------------------------------------------------------ */

static void clear_deal(Table *t) {
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
        player = next(player); /* the first hand is the player after the dealer */
        v->player_of[hand] = v->decides_for[hand] = player;
        v->hand_of[player] = hand;
        v->whist_call[hand] = NO_DECISION;
        v->last_bid[hand] = -1;
        v->played_by[hand] = v->shown[hand] = 0;
        v->voids[hand] = v->tricks[hand] = 0;
    }
}

static void deal_cards(Table *t) {
    uint64_t keys[4], pulka = (uint64_t)t->pulka, deal = (uint64_t)t->view.deal;
    philox(keys, deal, pulka, 0, t->seed, 1);
    memcpy(t->key, keys, sizeof t->key);
    memset(t->drawn, 0, sizeof t->drawn);
    t->number = draw_number(t->seed, pulka, deal);
    unrank(t->number, t->hands, &t->talon, t->talon_order);
}

static void play_deal(Table *t, DealRow *row) {
    View *v = &t->view;
    Entries entries;
    v->deal++;
    v->dealer = next(v->dealer);
    clear_deal(t);
    deal_cards(t);
    run_auction(t);
    if (v->kind != RASPAS) exchange(t);
    if (v->kind != TRICKS || run_whist(t)) play_cards(t);
    *row = (DealRow){
        .pulka = t->pulka, .deal = v->deal, .number = (int64_t)t->number, .dealer = v->dealer,
        .kind = v->kind, .level = v->level, .strain = v->kind == TRICKS ? v->strain : 0,
        .declarer = v->declarer < 0 ? -1 : v->player_of[v->declarer],
        .last_whister = v->last_whister < 0 ? -1 : v->player_of[v->last_whister],
        .open_play = v->open_play, .played = v->n_plays > 0, .raspas_index = v->raspas_index,
        .bid = v->bid, .n_bids = t->n_bids, .n_decisions = t->n_decisions};
    for (int player = 0; player < PLAYERS; player++) {
        row->tricks[player] = v->tricks[player];
        row->decision[player] = v->whist_call[v->hand_of[player]];
        row->value[player] = -t->balance[player];
    }
    score(v, &entries);
    write_sheet(v, &entries);
    settle(v, t->balance);
    for (int player = 0; player < PLAYERS; player++) row->value[player] += t->balance[player];
}

static void begin_pulka(Table *t) {
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

static void finish_pulka(const Table *t, PulkaRow *row) {
    const View *v = &t->view;
    *row = (PulkaRow){.pulka = t->pulka, .n_deals = v->deal + 1, .unfinished = !is_over(v)};
    for (int i = 0; i < PLAYERS; i++) {
        row->pool[i] = v->pool[i];
        row->mountain[i] = v->mountain[i];
        row->result[i] = t->balance[i];
        for (int j = 0; j < PLAYERS; j++) row->whists[i][j] = v->whists[i][j];
    }
}

/* ---- bots ------------------------------------------------------------------------------------ */

static int64_t play_random(const View *v, Own *own) {
    (void)own;
    return nth_bit(v->legal, below(v->random, popcount(v->legal)));
}

static int64_t play_wild(const View *v, Own *own) { /* see bots.py */
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

/* ---- the program ----------------------------------------------------------------------------- */

/* the words of a row folded into one; the sum of the folds is the checksum of a run */
static uint64_t fold(const void *row, size_t size, int64_t place) {
    const int64_t *words = row;
    uint64_t sum = (uint64_t)place;
    for (size_t k = 0; k < size / sizeof *words; k++)
        sum = sum * 0x9E3779B97F4A7C15ull + (uint64_t)words[k];
    return mix64(sum);
}

static void print_row(const DealRow *row) {
    for (size_t k = 0; k < sizeof *row / sizeof(int64_t); k++)
        printf("%" PRId64 "%c", ((const int64_t *)row)[k], k + 1 < sizeof *row / 8 ? ',' : '\n');
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    static Table table;
    static DealRow rows[ROWS];
    static PulkaRow pulka_rows[ROWS];
    const Rules *variant = NULL;
    Bot bot = NULL;
    const char *name = argc > 5 ? argv[5] : "random";
    for (size_t k = 0; argc > 4 && k < sizeof VARIANTS / sizeof *VARIANTS; k++)
        if (!strcmp(argv[1], VARIANTS[k].name)) variant = &VARIANTS[k];
    for (size_t k = 0; k < sizeof BOTS / sizeof *BOTS; k++)
        if (!strcmp(name, BOTS[k].name)) bot = BOTS[k].bot;
    if (!variant || !bot) {
        fprintf(stderr, "usage: playout VARIANT SEED PULKAS TARGET [BOT [rows]]\n");
        return 2;
    }
    int64_t pulkas = atoll(argv[3]), deals = 0, decisions = 0;
    uint64_t checksum = 0;
    double seconds = 0;
    Rules rules = *variant;
    rules.target = atoi(argv[4]);
    table.seed = strtoull(argv[2], NULL, 10);
    table.view.rules = &rules;
    for (int player = 0; player < PLAYERS; player++) table.bots[player] = bot;
    build_deal_tables();
    build_ladder();

    for (int in_pulka = 0; table.pulka < pulkas;) { /* a buffer of rows at a time, as the engine */
        int n_rows = 0, n_pulkas = 0;
        double start = cpu_seconds();
        while (n_rows < ROWS && table.pulka < pulkas) {
            if (!in_pulka) begin_pulka(&table);
            play_deal(&table, &rows[n_rows++]);
            in_pulka = !is_over(&table.view) && table.view.deal + 1 < MAX_DEALS;
            if (!in_pulka) {
                finish_pulka(&table, &pulka_rows[n_pulkas++]);
                table.pulka++;
            }
        }
        seconds += cpu_seconds() - start;
        for (int k = 0; k < n_rows; k++) {
            checksum += fold(&rows[k], sizeof rows[k], deals++);
            decisions += rows[k].n_decisions;
            if (argc > 6) print_row(&rows[k]);
        }
        for (int k = 0; k < n_pulkas; k++)
            checksum += fold(&pulka_rows[k], sizeof pulka_rows[k], pulka_rows[k].pulka);
    }
    printf("{\"variant\": \"%s\", \"seed\": %" PRIu64 ", \"pulkas\": %" PRId64 ", \"target\": %d, "
           "\"bot\": \"%s\", \"seconds\": %.9f, \"deals\": %" PRId64 ", \"decisions\": %" PRId64
           ", \"checksum\": \"%016" PRIx64 "\"}\n",
           rules.name, table.seed, pulkas, rules.target, name, seconds, deals, decisions, checksum);
    return 0;
}
