#include "base/hash.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <sys/random.h>

static void put_hex(char *hex, const unsigned char *bytes, size_t digits)
{
	for (size_t i = 0; i < digits; i++)
		hex[i] = "0123456789abcdef"[i % 2 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4];
	hex[digits] = '\0';
}

void hash_bytes(const void *bytes, size_t n, char hex[HASH_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	if (!EVP_Digest(bytes, n, digest, NULL, EVP_sha256(), NULL))
		abort();
	put_hex(hex, digest, HASH_SIZE - 1);
}

void hash_random(char *hex, size_t n)
{
	unsigned char bytes[32];
	size_t need = (n + 1) / 2;
	if (need > sizeof bytes || getrandom(bytes, need, 0) != (ssize_t)need)
		abort();
	put_hex(hex, bytes, n);
}
