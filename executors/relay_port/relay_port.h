/*
 * The port: a program in the box that shows a unix socket as a port of 127.0.0.1, for agents that
 * only know URLs, and that runs the agent as its child:
 *
 *	relay_port SOCKET PORT MARK COMMAND [ARGUMENT...]
 *
 * It listens on PORT (0: any that is free) before COMMAND starts, and passes the bytes of each
 * connection to SOCKET and back. COMMAND is looked up in PATH. http://127.0.0.1:PORT is in its
 * environment as RONDO_RELAY_URL, and stands in place of each MARK in ARGUMENTs and in values of
 * the environment; "" for MARK: nowhere. Choose one that no task can hold.
 *
 * Standard input, output and error are the child's alone. The program ends as soon as its child
 * does, with its exit code (128 + N: by signal N), and passes SIGTERM, SIGINT and SIGHUP on to it.
 * What a child left running is the box's to kill. Where nothing could be started it says why in one
 * line on standard error and ends with RELAY_PORT_FAILED; 126 and 127 are a shell's.
 */
#pragma once
#include <stddef.h>

/* The variable that tells the child where it is. */
#define RELAY_PORT_URL "RONDO_RELAY_URL"

enum { RELAY_PORT_FAILED = 125 };

/* The program, static, built by the Makefile; first for this machine. */
struct relay_port_program {
	const char *machine; /* as uname calls it */
	const unsigned char *bytes;
	size_t n;
};
extern const struct relay_port_program relay_port_programs[];
extern const size_t relay_port_programs_n;
