/* Links and submodules: what they name is not in the fix, and may be anything when it is looked
 * at. */
#include <string.h>

#include "base/beneath.h"
#include "verify/guard/guard.h"

enum { MODE_LINK = 0120000, MODE_SUBMODULE = 0160000 };

/* Whether the base has files below what is now a link. */
static bool link_replaces_folder(const struct inspection *inspection, const char *path)
{
	size_t n = strlen(path);
	for (size_t i = 0; i < inspection->n_base_paths; i++)
		if (strncmp(inspection->base_paths[i], path, n) == 0 && inspection->base_paths[i][n] == '/')
			return true;
	return false;
}

static const char *link_fault(const struct inspection *inspection, const struct changed_file *file)
{
	if (file->mode == MODE_SUBMODULE)
		return "a submodule: what is in it is not in the fix";
	if (file->mode != MODE_LINK)
		return NULL;
	const char *target = file->text ? file->text : "";
	const char *fault = beneath_link_fault(file->path, target);
	if (fault)
		return arena_printf(inspection->arena, "a link that %s: %s", fault, target);
	if (link_replaces_folder(inspection, file->path))
		return arena_printf(inspection->arena, "a link in the place of a folder: %s", target);
	if (file->old_mode && file->old_mode != MODE_LINK)
		return arena_printf(inspection->arena, "a link in the place of a file: %s", target);
	return NULL;
}

const struct guard_rule link_rule = {
	.name = "link",
	.summary =
		"a link out of the tree or over something, or a submodule, brings in what nobody reviews",
	.fault = link_fault,
};
