#include "base/raw.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

char *raw_put_number(char *at, unsigned long number)
{
	char digits[24];
	size_t n = 0;
	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		*at++ = digits[--n];
	*at = '\0';
	return at;
}

int raw_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t n = write(fd, text, strlen(text));
	close(fd);
	return n < 0 ? -1 : 0;
}

ssize_t raw_read(int dir, const char *path, char *text, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	size_t length = 0;
	ssize_t n;
	while (length < size - 1 && (n = read(fd, text + length, size - 1 - length)) > 0)
		length += (size_t)n;
	close(fd);
	text[length] = '\0';
	return (ssize_t)length;
}

int64_t raw_number_behind(const char *text, const char *label)
{
	const char *at = strstr(text, label);
	if (!at)
		return -1;
	at += strlen(label);
	while (*at == ' ' || *at == '\t')
		at++;
	if (*at < '0' || *at > '9')
		return -1;
	int64_t number = 0;
	for (; *at >= '0' && *at <= '9' && number < INT64_MAX / 10 - 1; at++)
		number = number * 10 + (*at - '0');
	return number;
}

int64_t raw_stat_field(const char *stat, int field)
{
	const char *at = strrchr(stat, ')');
	for (int i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	return at ? raw_number_behind(at, " ") : -1;
}
