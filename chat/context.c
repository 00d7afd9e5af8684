#include "chat/context.h"

#include <stdarg.h>

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

void context_progress(const struct context *ctx, const char *source, const char *format, ...)
{
	if (!ctx->emit.call)
		return;
	char text[256];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	ctx->emit.call(ctx->emit.owner,
		&(struct rondo_event){.type = RONDO_EVENT_PROGRESS, .source = source, .text = text});
}
