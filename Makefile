# rondo: the only build file. `make` builds build/release/rondo and installs nothing.
MODE ?= release
BUILD := build/$(MODE)
FLOORS := base chat models executors suite worktree termination repair agents team run
VERSION := $(shell cat VERSION)

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man

PKGS := libgit2 libcjson libcrypto md4c
CC := gcc
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wimplicit-fallthrough \
	-Wnull-dereference
FLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_debug := -O0 -g3 -Werror
FLAGS_asan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
FLAGS_tsan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=thread
FLAGS_coverage := -O0 -g --coverage -Werror
CFLAGS_ALL := -std=c17 -D_GNU_SOURCE -I. -pthread $(WARN) $(FLAGS_$(MODE)) \
	-DRONDO_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(CFLAGS)
LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
LDFLAGS_ALL := -pthread $(FLAGS_$(MODE)) $(LDFLAGS)

LIB_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(addsuffix /*.c,$(FLOORS))))
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
Q := $(if $(V),,@)

all: $(BUILD)/rondo

$(BUILD)/rondo: $(CLI_OBJ) $(BUILD)/librondo.a
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)

# The stamp holds the list of sources, so that a deleted file does not stay in the archive.
$(BUILD)/librondo.a: $(LIB_OBJ) $(BUILD)/sources
	$(Q)rm -f $@; ar rcs $@ $(LIB_OBJ)

$(BUILD)/sources: FORCE
	$(Q)mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' > $@

$(BUILD)/%.o: %.c Makefile VERSION
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/librondo.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) -o $@ $< $(BUILD)/librondo.a $(LIBS) -lcmocka

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(UNIT:=.d)

unit: $(UNIT)

clean:
	rm -rf build

FORCE:
.PHONY: all unit clean FORCE
