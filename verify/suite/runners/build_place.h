/* Where a suite builds what does not belong among the sources: in the user's cache as programs see
 * it, at a place that depends on the directory alone. So a build finds what an earlier run of the
 * same tree has left there. */
#pragma once

/* An assignment for sh. */
#define BUILD_PLACE "build=\"${XDG_CACHE_HOME:-$HOME/.cache}/rondo-build$PWD\""
