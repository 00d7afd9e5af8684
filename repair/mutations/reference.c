/* "f(x)" to "f(&x)", "x" to "*x"; in Rust also "mut", "&mut" and clones. */
#include "repair/search.h"
#include "repair/source/kinds.h"

/* Whether a call of Go's takes anything, and fills in what it points at. */
static bool reference_is_filled(const struct source *source, uint32_t i)
{
	uint32_t open = source->tokens[i].around;
	return open &&
		token_in(source, open - 1, " Unmarshal Decode Scan Scanln Scanf Sscan Sscanf As ");
}

static void reference_mark(struct site *site, bool is_argument)
{
	const struct source *source = site->source;
	enum kind kind = kind_of(source, site_span(site));
	bool may_point = (kind == KIND_POINTER || (kind == KIND_UNKNOWN && !is_go(source))) &&
		!is_access(source, site->at + 1);
	if (is_argument && kind != KIND_POINTER &&
		(!is_go(source) || site->repair->is_unbuilt || reference_is_filled(source, site->at)))
		propose_before(site, 4.6, "&");
	if (may_point || site->repair->is_unbuilt)
		propose_before(site, 5.4, "*");
}

/* What is wrong of these in Rust does not build. */
static void reference_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool rust = source->language == &language_rust;
	if (token->kind != TOKEN_NAME || !language_in(source->language, " c c++ go rust ") ||
		(rust && !site->repair->is_unbuilt))
		return;
	bool reads = token->role == ROLE_VALUE;
	bool argument = reads && site->at && token_in(source, site->at - 1, " ( , ");
	if (reads)
		reference_mark(site, argument);
	if (argument && rust)
		propose_before(site, 4.8, "&mut ");
	if (rust && site->at && token_is(source, site->at - 1, "let"))
		propose_before(site, 4, "mut ");
	if (rust && reads && expression_last(source, site->at, ONE_OPERAND) == site->at)
		propose_textf(site, 5, site_span(site), "%s.clone()", token->word->text);
}

MUTATION(reference, .least = 4, .rank = CANDIDATE_OPERATOR);
