/* How many tests a run says that it has, before they end. */
#include "base/memory.h"
#include "verify/suite/lines.h"
#include "verify/suite/suite.h"

struct announcement {
	size_t n;
	bool is_certain; /* one line tells of all */
};

/* pytest, TAP; ctest and Meson, which number each test; Cargo, which tells of each program. */
static void announced_hear(void *owner, const char *line)
{
	struct announcement *told = owner;
	size_t numbers[2];
	while (*line == ' ')
		line++;
	if (told->is_certain)
		return;
	if (line_match(line, "collected # item*", numbers) || line_match(line, "1..#", numbers + 1)) {
		told->n = *line == 'c' ? numbers[0] : numbers[1];
		told->is_certain = true;
	} else if (line_match(line, "#/# *", numbers) && numbers[0] <= numbers[1]) {
		told->n = numbers[1];
	} else if (line_match(line, "running # test*", numbers)) {
		told->n += numbers[0];
	}
}

size_t suite_announced(int log)
{
	struct announcement told = {0};
	struct rondo_error ignored;
	return lines_read(log, (struct listener){announced_hear, &told}, &ignored) < 0 ? 0 : told.n;
}
