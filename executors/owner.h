/*
 * Who created something that lives elsewhere and survives a kill -9: a container, a sandbox of a
 * service. It is labelled with this process; whoever finds it later can tell whether that process
 * is gone.
 */
#pragma once
#include <stdbool.h>

#include "base/hash.h"

#define OWNER_SIZE 160

/* This process as "BOOT/NAMESPACE/PID/START"; "" if the system does not tell. */
void owner_self(char owner[OWNER_SIZE]);

#define OWNER_MACHINE_SIZE HASH_SIZE

/* This machine, the same after a reboot; "" if it does not tell. */
void owner_machine(char machine[OWNER_MACHINE_SIZE]);

/* Whether an owner is known to be gone. It must be of this boot and pid namespace; of another boot
 * it is gone only if is_of_this_machine. Everything else is left alone. */
bool owner_is_gone(const char *owner, bool is_of_this_machine);
