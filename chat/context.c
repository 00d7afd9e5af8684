#include "chat/context.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

int context_event(
	const struct context *ctx, const struct rondo_event *event, struct rondo_error *err)
{
	if (ctx->record.call && ctx->record.call(ctx->record.owner, event, err) < 0)
		return -1;
	if (ctx->emit.call)
		ctx->emit.call(ctx->emit.owner, event);
	return 0;
}

__attribute__((format(printf, 4, 0))) static void context_tell(const struct context *ctx,
	const char *source, const char *data, const char *format, va_list args)
{
	char text[256];
	if (!ctx->emit.call)
		return;
	utf8_vformat(text, sizeof text, format, args);
	ctx->emit.call(ctx->emit.owner,
		&(struct rondo_event){
			.type = RONDO_EVENT_PROGRESS, .source = source, .text = text, .data = data});
}

void context_progress(const struct context *ctx, const char *source, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	context_tell(ctx, source, NULL, format, args);
	va_end(args);
}

void context_progress_of(const struct context *ctx, const char *source, int64_t done, int64_t total,
	const char *format, ...)
{
	char data[96];
	va_list args;
	snprintf(data, sizeof data, "{\"done\":%" PRId64 ",\"total\":%" PRId64 "}", done, total);
	va_start(args, format);
	context_tell(ctx, source, data, format, args);
	va_end(args);
}
