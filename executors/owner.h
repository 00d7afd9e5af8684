/*
 * Who made a thing that lives elsewhere and outlives a kill -9: a container, a sandbox of a service. The name of this process is
 * put on it; whoever finds the thing later can tell whether that process is gone.
 */
#pragma once
#include <stdbool.h>

#include "base/hash.h"

#define OWNER_SIZE 160

/* This process: "BOOT/NAMESPACE/PID/START", the same as long as it lives. "" where the system does not say. */
void owner_self(char owner[OWNER_SIZE]);

#define OWNER_MACHINE_SIZE HASH_SIZE

/* This machine, as it knows itself over boots; "" where it does not. */
void owner_machine(char machine[OWNER_MACHINE_SIZE]);

/* Whether the process of that name is known to be gone: it was of this boot of this machine, and of this namespace of pids. What
 * is of another, or no such name, is nobody's to remove here; but one of another boot where all owners are of this machine. */
bool owner_is_gone(const char *owner, bool is_of_this_machine);
