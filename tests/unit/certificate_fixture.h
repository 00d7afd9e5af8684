/* Certificates for a server of a test, each with a key of its own and signed by itself. */
#pragma once
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tests/unit/unit.h"

static inline X509 *certificate_make(EVP_PKEY *key, const char *host, long from_s, long until_s)
{
	char names[TOP_SIZE];
	X509 *certificate = X509_new();
	X509_NAME *subject = X509_get_subject_name(certificate);
	snprintf(names, sizeof names, "DNS:%s", host);
	X509_set_version(certificate, X509_VERSION_3);
	ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
	X509_gmtime_adj(X509_getm_notBefore(certificate), from_s);
	X509_gmtime_adj(X509_getm_notAfter(certificate), until_s);
	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)host, -1, -1, 0);
	X509_set_issuer_name(certificate, subject);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
	X509_add_ext(certificate, extension, -1);
	X509_EXTENSION_free(extension);
	X509_set_pubkey(certificate, key);
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	return certificate;
}

/* DIR/FILE.pem: a certificate for a host, with its key. Its text goes to `trusted`, too, if that is
 * given. */
static inline void certificate_write(
	const char *dir, const char *name, const char *host, long from_s, long until_s, FILE *trusted)
{
	char path[TOP_SIZE * 2];
	snprintf(path, sizeof path, "%s/%s.pem", dir, name);
	FILE *file = fopen(path, "we");
	EVP_PKEY *key = EVP_EC_gen("P-256");
	assert_non_null(file);
	X509 *certificate = certificate_make(key, host, from_s, until_s);
	PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
	PEM_write_X509(file, certificate);
	if (trusted)
		PEM_write_X509(trusted, certificate);
	X509_free(certificate);
	EVP_PKEY_free(key);
	assert_int_equal(fclose(file), 0);
}
