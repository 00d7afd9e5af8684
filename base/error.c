#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

int error_set(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	utf8_vformat(err->message, sizeof err->message, format, args);
	va_end(args);
	err->code = code;
	err->help[0] = '\0';
	return -1;
}

static bool is_transient(int number)
{
	return number == ENOSPC || number == EDQUOT || number == EMFILE || number == ENFILE ||
		number == ENOMEM || number == EAGAIN || number == EIO;
}

int error_errno(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
{
	int number = errno;
	char text[sizeof err->message];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	char reason[128];
	const char *why = strerror_r(number, reason, sizeof reason);
	return error_set(err, is_transient(number) ? RONDO_ERROR_TRANSIENT : code, "%s: %s", text, why);
}

int error_unknown(
	struct rondo_error *err, const char *what, const char *name, const char *const *names, size_t n)
{
	const char *near = text_nearest(name, names, n);
	return error_set(err, RONDO_ERROR_USAGE, "%s '%s'%s%s%s", what, name, TEXT_HINT(near));
}

int error_prefix(struct rondo_error *err, const char *format, ...)
{
	char old[sizeof err->message], help[sizeof err->help], context[256];
	memcpy(old, err->message, sizeof old);
	memcpy(help, err->help, sizeof help);
	va_list args;
	va_start(args, format);
	utf8_vformat(context, sizeof context, format, args);
	va_end(args);
	error_set(err, err->code, "%s: %s", context, old);
	memcpy(err->help, help, sizeof help);
	return -1;
}

int error_help(struct rondo_error *err, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	utf8_vformat(err->help, sizeof err->help, format, args);
	va_end(args);
	return -1;
}
