/* Hashes and random ids, as lower-case hexadecimal digits. */
#pragma once
#include <stddef.h>

#define HASH_SIZE 65 /* 64 digits and a NUL */

/* The SHA-256 of n bytes. */
void hash_bytes(const void *bytes, size_t n, char hex[HASH_SIZE]);

/* n random lower-case hexadecimal digits from the kernel and a NUL. */
void hash_random(char *hex, size_t n);
