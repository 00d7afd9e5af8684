/* Hashes and random ids, as lower-case hexadecimal digits. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define HASH_SIZE 65 /* 64 digits and a NUL */

/* The SHA-256 of n bytes. */
void hash_bytes(const void *bytes, size_t n, char hex[HASH_SIZE]);

/* Bytes somewhere. */
struct hash_part {
	const void *bytes;
	size_t n;
};

/* The HMAC-SHA256 of n parts, one after the other, with the text of a key. */
void hash_sign(const char *key, const struct hash_part *parts, size_t n, char hex[HASH_SIZE]);

/* Whether two signatures are the same, in a time that does not say where they differ. */
bool hash_is_same(const char a[HASH_SIZE], const char b[HASH_SIZE]);

/* n random lower-case hexadecimal digits from the kernel and a NUL. */
void hash_random(char *hex, size_t n);
