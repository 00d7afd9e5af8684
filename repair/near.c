/* What is near: the tokens around one, and spellings that are like another. */
#include "repair/source.h"

bool outward_next(const struct source *source, struct outward *outward, uint32_t *ret_i)
{
	while (outward->steps / 2 + 1 < outward->within) {
		uint32_t distance = outward->steps / 2 + 1;
		bool behind = outward->steps++ % 2 != outward->behind_first;
		uint32_t i = behind ? outward->at + distance : outward->at - distance;
		/* Before the first token the number is larger than any. */
		if (i < source->n) {
			*ret_i = i;
			return true;
		}
	}
	return false;
}
