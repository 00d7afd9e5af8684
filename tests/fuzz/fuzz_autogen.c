/* reads: components of AutoGen and AutoGen Studio */
/* A component is put into an outer one that AutoGen writes: it becomes a scenario that means the
 * same once it was written and read again, or is refused with words; see scenario.h. */
#include "tests/fuzz/scenario.h"

#define TEAM \
	"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"component_type\": " \
	"\"team\", " \
	"\"config\": {\"participants\": ["

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	scenario_survives(data, size);
	strbuf_adds(&text, TEAM);
	strbuf_add(&text, (const char *)data, size);
	strbuf_adds(&text, "]}}");
	scenario_survives((const uint8_t *)text.text, text.length);
	return 0;
}
