#include "run/env.h"

#include <stdarg.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/report/field.h"

const char *env_redact(const struct run_env *env, const char *text)
{
	return secrets_redacted(env->order->secrets, text, env->arena);
}

bool env_is_of_file(const struct run_env *env)
{
	return env->order->scenario->path;
}

const char *env_limit(const struct run_env *env, const char *name, const char *value)
{
	return arena_printf(
		env->arena, env_is_of_file(env) ? "limits: {%s: %s}" : "--limit %s=%s", name, value);
}

int env_keep(const struct run_env *env, const char *name, const char *text, struct rondo_error *err)
{
	const char *clean = env_redact(env, text);
	const char *path = arena_printf(env->arena, "%s/%s", env->paths.dir, name);
	return file_write(path, clean, strlen(clean), 0600, err);
}

int env_notice(const struct run_env *env, struct rondo_error *err, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	ARENA_PUSH(env->arena, env->notices->items, env->notices->n, arena_strdup(env->arena, text));
	return context_event(
		&env->ctx, &(struct rondo_event){.type = RONDO_EVENT_NOTICE, .text = text}, err);
}

int env_event(const struct run_env *env, enum rondo_event_type type, const char *text,
	const struct field *table, void *facts, struct rondo_error *err)
{
	AUTO_JSON *json = json_object();
	fields_redact(table, env->order->secrets, env->arena, facts);
	fields_add(json, table, facts);
	AUTO_FREE char *data = json_print(json);
	return context_event(&env->ctx,
		&(struct rondo_event){.type = type, .text = text, .data = data, .value = facts}, err);
}
