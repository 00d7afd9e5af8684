#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/memory.h"

/* ISO C has no way from an object's address to a function's. */
static bool find(void *handle, const struct library_function *function)
{
	void *address = dlsym(handle, function->name);
	memcpy(function->place, &address, sizeof address);
	return address;
}

static void load(struct library *library)
{
	void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
	bool found = handle;
	for (size_t i = 0; found && i < library->n; i++)
		found = find(handle, &library->functions[i]);
	if (!found)
		library->missing = memory_strdup(dlerror());
	else if (library->begin)
		library->begin();
	library->loaded = found;
}

int library_need(struct library *library, struct rondo_error *err)
{
	pthread_mutex_lock(&library->lock);
	if (!library->loaded && !library->missing)
		load(library);
	pthread_mutex_unlock(&library->lock);
	if (library->loaded)
		return 0;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%.*s cannot be loaded: %s",
		(int)strcspn(library->file, "."), library->file, library->missing);
	return error_help(err, "apt-get install %s", library->package);
}
