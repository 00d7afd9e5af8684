/* reads: text in which keys may stand; files of keys */
/* Cut anywhere, as the first byte says, the text is told without a key, and without a part of one
 * that was held back too short. The rest is also read as a file of keys. */
#include "base/secrets.h"
#include "tests/fuzz/fuzz.h"

#define KEY "key-0123456789abcdef"

static void tell(const struct secrets *secrets, const char *text, size_t size, unsigned seed,
	struct strbuf *told)
{
	AUTO_STRBUF held = STRBUF_INIT(STRBUF_RECORD);
	for (size_t i = 0, n; i < size; i += n) {
		n = fuzz_piece(&seed, size - i);
		strbuf_add(&held, text + i, n);
		size_t whole = secrets_whole(secrets, held.text, held.length);
		assert(whole <= held.length);
		secrets_redact(secrets, told, held.text, whole);
		memmove(held.text, held.text + whole, held.length - whole);
		strbuf_truncate(&held, held.length - whole);
	}
	secrets_redact(secrets, told, held.text, held.length);
}

static void read_file(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct secrets secrets = {0};
	fuzz_write("keys.env", data, size);
	if (secrets_from_file(&secrets, fuzz_path("keys.env"), &arena, &err) < 0)
		assert_error(&err);
	for (size_t i = 0; i < secrets.n; i++)
		assert(text_ends_with(secrets.names[i], "_API_KEY"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct secrets secrets = {0};
	AUTO_STRBUF whole = STRBUF_INIT(STRBUF_RECORD), cut = STRBUF_INIT(STRBUF_RECORD);
	if (!size)
		return 0;
	setenv("FUZZ_API_KEY", KEY, 1);
	secrets_from_environment(&secrets, &arena);
	AUTO_FREE char *text = fuzz_text(data + 1, size - 1);
	tell(&secrets, text, strlen(text), 0, &whole);
	tell(&secrets, text, strlen(text), data[0] + 1U, &cut);
	assert(!strstr(whole.text, KEY) && strcmp(whole.text, cut.text) == 0);
	read_file(data + 1, size - 1);
	return 0;
}
