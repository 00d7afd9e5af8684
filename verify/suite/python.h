/* What the runners of Python have in common. */
#pragma once
#include "verify/suite/suite.h"

/* What makes pytest print what is read, for its environment. */
extern const char pytest_options[];

/* A sentinel in the folder of `beside`, named in its manner, so that what collects the one collects
 * the other; its tests are functions where those of `text` are, else methods of a TestCase. Strings
 * lie in the arena. */
struct sentinel python_sentinel(const char *beside, const char *text, const char *passing,
	const char *failing, struct arena *arena);
