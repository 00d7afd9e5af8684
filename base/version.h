/* Which rondo this is. */
#pragma once

extern const char version_text[]; /* as in the file VERSION */
