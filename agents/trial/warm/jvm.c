#include "agents/trial/warm/jvm.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "agents/trial/warm/replay.h"
#include "agents/trial/warm/stand_in.h"
#include "agents/trial/warm/surefire.h"

/* As in java/Wire.java. */
enum frame_kind { FRAME_OUT = 1, FRAME_ERR, FRAME_END, FRAME_LAST, FRAME_REFUSED };
enum { LARGEST_REQUEST = 1 << 24, DIED = 134 };

void jvm_stand_in(void)
{
	char program[PATH_SIZE];
	if (!stand_in_find_other("java", program) || !stand_in_find_other("javac", program))
		return;
	stand_in_take("java");
	surefire_stand_in();
}

bool jvm_is(const char *name)
{
	return strcmp(name, "java") == 0 || strcmp(name, SUREFIRE) == 0;
}

/* These do much in one machine, and start others. */
static bool jvm_is_of_build_tool(char **argv)
{
	static const char *const names[] = {
		"plexus.classworlds.", "org.gradle.", "org.apache.tools.ant."};
	for (char **word = argv + 1; *word; word++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (strstr(*word, names[i]))
				return true;
	return false;
}

int jvm_be(const char *name, char **argv)
{
	char program[PATH_SIZE];
	bool is_java = strcmp(name, "java") == 0, is_ours = getenv(STAND_IN_MARK);
	int code;
	if (!stand_in_find_other("java", program)) {
		fprintf(stderr, "java: not found\n");
		return 127;
	}
	if (is_ours && is_java)
		surefire_note(argv);
	if (is_ours && !jvm_is_of_build_tool(argv) &&
		jvm_ask(is_java ? "java" : "surefire", argv, &code))
		return code;
	if (!is_java)
		return surefire_be(argv);
	argv[0] = program;
	return stand_in_become(program, argv);
}

/* --- Its place: a socket's name says which directory and environment it has --- */

/* Whether runs may differ in a variable: Maven puts its words into one, and Surefire the place of
 * its java. */
static bool jvm_leaves_out(const char *variable)
{
	const char *const names[] = {
		getenv(STAND_IN_MARK), "_", REPLAY_NOTES, "MAVEN_CMD_LINE_ARGS", "JAVA_HOME"};
	size_t n = strcspn(variable, "=");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i] && n == strlen(names[i]) && memcmp(variable, names[i], n) == 0)
			return true;
	return false;
}

static uint64_t jvm_hash_place(const char *cwd)
{
	uint64_t sum = 0;
	for (char **variable = environ; *variable; variable++)
		if (!jvm_leaves_out(*variable))
			sum += stand_in_mix(STAND_IN_HASH, *variable, strlen(*variable));
	return stand_in_mix(sum, cwd, strlen(cwd));
}

/* Ask for a machine: the socket's name, the directory, the environment. */
static void jvm_want(int dir, const char *name, const char *cwd)
{
	char fresh[32];
	snprintf(fresh, sizeof fresh, "wanted.%d", (int)getpid());
	int fd = openat(dir, fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!file)
		return;
	fprintf(file, "%s%c%s%c", name, 0, cwd, 0);
	for (char **variable = environ; *variable; variable++)
		fprintf(file, "%s%c", *variable, 0);
	if (fclose(file) == 0)
		renameat(dir, fresh, dir, "wanted");
}

/* By way of the directory: a socket's path must be short. */
static int jvm_connect(int dir, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir, name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* --- A request, and its answer --- */

static bool jvm_send(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;
	ssize_t sent = 0;
	for (; n && (sent = send(fd, at, n, MSG_NOSIGNAL)) > 0; at += sent, n -= (size_t)sent)
		;
	return n == 0;
}

static bool jvm_receive(int fd, void *bytes, size_t n)
{
	return recv(fd, bytes, n, MSG_WAITALL) == (ssize_t)n;
}

static bool jvm_send_request(int fd, const char *name, char **argv)
{
	const char *choice = getenv(STAND_IN_MARK), *value = getenv(choice);
	char *text = NULL;
	size_t n = 0;
	FILE *file = open_memstream(&text, &n);
	if (!file)
		return false;
	fprintf(file, "%s%c%s%c%s%c", name, 0, choice, 0, value ? value : "", 0);
	for (char **word = argv + 1; *word; word++)
		fprintf(file, "%s%c", *word, 0);
	bool fits = fclose(file) == 0 && n < LARGEST_REQUEST;
	uint32_t length = htonl((uint32_t)n);
	fits = fits && jvm_send(fd, &length, sizeof length) && jvm_send(fd, text, n);
	free(text);
	return fits;
}

/* Hand on what is printed. */
static bool jvm_pass(int fd, int to, size_t n)
{
	char bytes[16384];
	for (size_t some; n; n -= some) {
		some = n < sizeof bytes ? n : sizeof bytes;
		if (!jvm_receive(fd, bytes, some))
			return false;
		for (size_t at = 0; at < some;) {
			ssize_t written = write(to, bytes + at, some - at);
			if (written < 0)
				return false;
			at += (size_t)written;
		}
	}
	return true;
}

/* Output, until another frame comes; FRAME_LAST too where the machine is gone. */
static enum frame_kind jvm_read_answer(int fd, int *ret_code)
{
	unsigned char kind;
	uint32_t number;
	*ret_code = DIED;
	while (jvm_receive(fd, &kind, 1) && jvm_receive(fd, &number, sizeof number)) {
		if (kind > FRAME_ERR) {
			*ret_code = (int)(ntohl(number) & 0xff);
			return kind;
		}
		if (!jvm_pass(fd, kind == FRAME_OUT ? 1 : 2, ntohl(number)))
			return FRAME_LAST;
	}
	return FRAME_LAST;
}

/* --- Who asks --- */

/* A machine's place, and a connection to it; -1: it is not there. */
struct jvm_place {
	int dir, fd;
	char cwd[PATH_SIZE], name[32];
};

static bool jvm_find(struct jvm_place *place)
{
	char path[PATH_SIZE];
	stand_in_beside("jvm", path);
	place->dir =
		getcwd(place->cwd, sizeof place->cwd) ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (place->dir < 0)
		return false;
	snprintf(
		place->name, sizeof place->name, "%016llx", (unsigned long long)jvm_hash_place(place->cwd));
	place->fd = jvm_connect(place->dir, place->name);
	return true;
}

static void jvm_leave(const struct jvm_place *place, bool wants)
{
	if (wants)
		jvm_want(place->dir, place->name, place->cwd);
	if (place->fd >= 0)
		close(place->fd);
	close(place->dir);
}

void jvm_prepare(void)
{
	struct jvm_place place;
	if (jvm_find(&place))
		jvm_leave(&place, place.fd < 0);
}

/* Whether programs would read nothing, as in the machine. */
static bool jvm_stdin_is_empty(void)
{
	struct stat st;
	return fstat(0, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

bool jvm_ask(const char *name, char **argv, int *ret_code)
{
	struct jvm_place place;
	enum frame_kind end = FRAME_REFUSED;
	char byte;
	if (!jvm_stdin_is_empty() || !jvm_find(&place))
		return false;
	if (place.fd >= 0 && jvm_send_request(place.fd, name, argv))
		end = jvm_read_answer(place.fd, ret_code);
	while (end == FRAME_LAST && recv(place.fd, &byte, 1, 0) > 0)
		;
	jvm_leave(&place, place.fd < 0 || end == FRAME_LAST);
	return end != FRAME_REFUSED;
}
