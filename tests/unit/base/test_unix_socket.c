/* Unix sockets: where they lie, whose they are, and what stands in their way. */
#include "tests/unit/top_fixture.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/unix_socket.h"

/* A path that is longer than an address takes. */
static const char *path_of(const char *name)
{
	static char path[TOP_SIZE + 400];
	snprintf(path, sizeof path, "%s/%0150d/%s", top, 0, name);
	return path;
}

static void bytes_pass_at_a_long_path(void **state)
{
	(void)state;
	struct unix_socket at;
	struct rondo_error err;
	struct stat st;
	char bytes[3] = "";
	const char *path = path_of("s");
	assert_int_equal(unix_socket_listen(&at, path, 0, 0, 1, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	AUTO_CLOSE client = unix_socket_connect(path, &err);
	assert_true(client >= 0);
	AUTO_CLOSE server = accept(at.fd, NULL, NULL);
	assert_int_equal(write(client, "hi", 2), 2);
	assert_int_equal(read(server, bytes, 2), 2);
	assert_string_equal(bytes, "hi");
	unix_socket_close(&at);
	assert_int_equal(at.fd, -1);
	assert_false(file_exists(path));
	assert_int_equal(unix_socket_connect(path, &err), -1);
	assert_non_null(strstr(err.message, "cannot connect to"));
}

static void what_is_there_stays(void **state)
{
	(void)state;
	struct unix_socket at;
	struct rondo_error err;
	char path[TOP_SIZE + 8];
	snprintf(path, sizeof path, "%s/file", top);
	assert_int_equal(file_write(path, "x", 1, 0644, &err), 0);
	assert_int_equal(unix_socket_listen(&at, path, 0, 0, 1, &err), -1);
	assert_non_null(strstr(err.message, "cannot bind the socket"));
	unix_socket_close(&at);
	assert_true(file_exists(path));
	assert_int_equal(unix_socket_connect(path, &err), -1);
}

static void what_is_no_place_for_a_socket_is_said(void **state)
{
	(void)state;
	struct unix_socket at;
	struct rondo_error err;
	char path[TOP_SIZE + 300];
	snprintf(path, sizeof path, "%s/%0120d", top, 0);
	assert_int_equal(unix_socket_listen(&at, path, 0, 0, 1, &err), -1);
	assert_non_null(strstr(err.message, "is no name for a socket"));
	unix_socket_close(&at);
	snprintf(path, sizeof path, "%s/", top);
	assert_int_equal(unix_socket_connect(path, &err), -1);
	assert_non_null(strstr(err.message, "is no name for a socket"));
	assert_int_equal(unix_socket_listen(&at, "/nowhere/at/all", 0, 0, 1, &err), -1);
	assert_non_null(strstr(err.message, "cannot make '/nowhere/at/' for a socket"));
	unix_socket_close(&at);
	assert_int_equal(unix_socket_connect("/nowhere/at/all", &err), -1);
}

UNIT(unix_socket)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_pass_at_a_long_path),
		cmocka_unit_test(what_is_there_stays),
		cmocka_unit_test(what_is_no_place_for_a_socket_is_said),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
