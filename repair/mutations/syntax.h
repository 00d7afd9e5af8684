/* What mends a line that nobody could read, by its words. Private to repair/mutations/. */
#pragma once
#include "repair/search.h"

/* Propose another text for a run of tokens. */
void put_instead(struct site *site, double cost, uint32_t first, uint32_t last, const char *text);

/* Names that are nearly a keyword. `extra` is what the line costs over one that was complained
 * about. */
void spell_keywords(struct site *site, struct span line, double extra);

/* Words and signs of other languages. */
void translate_words(struct site *site, struct span line, double extra);
