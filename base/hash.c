#include "base/hash.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
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

void hash_sign(const char *key, const struct hash_part *parts, size_t n, char hex[HASH_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	size_t size = sizeof digest;
	EVP_PKEY *secret =
		EVP_PKEY_new_raw_private_key(EVP_PKEY_HMAC, NULL, (const unsigned char *)key, strlen(key));
	EVP_MD_CTX *state = EVP_MD_CTX_new();
	if (!secret || !state || EVP_DigestSignInit(state, NULL, EVP_sha256(), NULL, secret) != 1)
		abort();
	for (size_t i = 0; i < n; i++)
		if (EVP_DigestSignUpdate(state, parts[i].bytes, parts[i].n) != 1)
			abort();
	if (EVP_DigestSignFinal(state, digest, &size) != 1)
		abort();
	EVP_MD_CTX_free(state);
	EVP_PKEY_free(secret);
	put_hex(hex, digest, HASH_SIZE - 1);
}

bool hash_is_same(const char a[HASH_SIZE], const char b[HASH_SIZE])
{
	return CRYPTO_memcmp(a, b, HASH_SIZE - 1) == 0;
}

void hash_random(char *hex, size_t n)
{
	unsigned char bytes[32];
	size_t need = (n + 1) / 2;
	ssize_t got;
	do
		got = getrandom(bytes, need <= sizeof bytes ? need : 0, 0);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)need)
		abort();
	put_hex(hex, bytes, n);
}
