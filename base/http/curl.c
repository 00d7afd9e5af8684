#include "base/http/curl.h"

#include "base/library.h"
#include "base/memory.h"

struct curl_functions curl;

static void begin(void)
{
	curl.global_init(CURL_GLOBAL_DEFAULT);
}

int curl_need(struct rondo_error *err)
{
#define ENTRY(name) {"curl_" #name, &curl.name},
	static const struct library_function functions[] = {CURL_FUNCTIONS(ENTRY)};
#undef ENTRY
	static struct library library = {.file = "libcurl.so.4",
		.package = "libcurl4",
		.functions = functions,
		.n = ARRAY_SIZE(functions),
		.begin = begin,
		.lock = PTHREAD_MUTEX_INITIALIZER};
	return library_need(&library, err);
}
