# rondo: `make` builds build/release/rondo and installs nothing. Tests: tests/Makefile.
MODE ?= release
BUILD ?= build/$(MODE)
FLOORS := base chat models executors worktree termination repair verify agents team run
VERSION := $(shell cat VERSION)
Q := $(if $(V),,@)
# What calls make again uses all cores, where -j does not say otherwise.
PARALLEL = --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
ZSHDIR ?= $(DATADIR)/zsh/site-functions

CC := gcc
OBJCOPY := objcopy
CLI_PKGS := libedit
# Built against, and loaded only when it is needed.
LOADED_PKGS := libcurl libzmq
PKGS := libgit2 libcjson libcrypto md4c md4c-html yaml-0.1 expat libseccomp zlib
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wwrite-strings -Wpointer-arith -Wcast-qual -Wundef -Wvla -Wformat=2 -Wswitch-enum \
	-Wimplicit-fallthrough -Wnull-dereference \
	$(if $(findstring clang,$(CC)),-Wmissing-variable-declarations)
FLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_debug := -O0 -g3 -Werror
FLAGS_asan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
FLAGS_tsan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=thread
FLAGS_coverage := -O0 -g --coverage -Werror
# What is read before it is written is no text and no truth: a pattern of bytes.
FLAGS_fuzz := -O1 -g -Werror -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-ftrivial-auto-var-init=pattern \
	-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
# One set of objects for the program and both libraries: what is not in rondo.h is hidden in each.
CFLAGS_SHARED := -std=c17 -D_GNU_SOURCE -I. -pthread -fPIC -fvisibility=hidden $(WARN) \
	$(shell pkg-config --cflags $(PKGS) $(LOADED_PKGS) 2>/dev/null)
CFLAGS_ALL := $(CFLAGS_SHARED) $(FLAGS_$(MODE)) $(CPPFLAGS) $(CFLAGS)
LDFLAGS_ALL := -pthread $(FLAGS_$(MODE)) $(LDFLAGS)
LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm -ldl
CLI_LIBS := $(shell pkg-config --libs $(CLI_PKGS) 2>/dev/null)

SOURCES := $(filter-out agents/trial/warm/% executors/inside/% executors/relay_port/% \
	verify/suite/blocks/%,\
	$(wildcard $(foreach depth,* */* */*/*,$(FLOORS:%=%/$(depth).c))))
# Texts and programs that are a part of the library, as C source below BUILD.
EMBEDDED := agents/prompts.c verify/suite/preload.js.c verify/suite/blocks/texts.c \
	agents/trial/warm/programs.c \
	executors/inside/program.c executors/relay_port/program.c \
	run/report/html/page.css.c run/report/html/page.js.c
LIB_OBJ := $(SOURCES:%.c=$(BUILD)/%.o) $(EMBEDDED:%.c=$(BUILD)/%.o) \
	$(BUILD)/executors/inside/inside_record.o
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))

all: $(BUILD)/rondo

# A recipe that failed leaves no half of a target that the next make takes for the whole.
.DELETE_ON_ERROR:
.SUFFIXES:

$(BUILD)/rondo: $(CLI_OBJ) $(BUILD)/librondo.a
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS) $(CLI_LIBS)

# The stamp holds the list of objects, so that a deleted source does not stay in the archive.
$(BUILD)/librondo.a: $(LIB_OBJ) $(BUILD)/objects
	$(Q)rm -f $@ && ar qcsD $@ $(LIB_OBJ)

$(BUILD)/librondo.so.0: $(LIB_OBJ) $(BUILD)/objects include/rondo.map
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=include/rondo.map \
		$(if $(findstring sanitize,$(FLAGS_$(MODE))),,-Wl,-z,defs) \
		$(LDFLAGS_ALL) -o $@ $(LIB_OBJ) $(LIBS)

# As it is installed: one object, in which names such as team_new are nobody else's.
$(BUILD)/installed/librondo.a: $(LIB_OBJ) $(BUILD)/objects
	$(Q)mkdir -p $(@D) && rm -f $@
	$(Q)$(LD) -r -o $(@D)/librondo.o $(LIB_OBJ) && \
		$(OBJCOPY) --localize-hidden $(@D)/librondo.o
	$(Q)ar qcsD $@ $(@D)/librondo.o && rm $(@D)/librondo.o

$(BUILD)/objects: FORCE
	$(Q)mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' >$@

define compile
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
endef
$(BUILD)/%.o: %.c Makefile | $(BUILD)/libraries
	$(compile)
$(BUILD)/%.o: $(BUILD)/%.c Makefile | $(BUILD)/libraries
	$(compile)
$(BUILD)/base/version.o: CFLAGS_ALL += -DRONDO_VERSION='"$(VERSION)"'
$(BUILD)/base/version.o: VERSION

# Says once what is missing, instead of a page of compiler errors.
$(BUILD)/libraries:
	$(Q)command -v pkg-config >/dev/null && \
		pkg-config --exists --print-errors $(PKGS) $(LOADED_PKGS) $(CLI_PKGS) || \
		{ echo "rondo needs these libraries to build; make deps installs them:" \
			"$(PKGS) $(LOADED_PKGS) $(CLI_PKGS)" >&2; exit 1; }
	$(Q)mkdir -p $(@D); touch $@

# What is embedded: texts ...
PROMPTS := $(sort $(wildcard agents/prompts/*.md))
$(BUILD)/agents/prompts.c: $(PROMPTS) agents/prompts
	$(Q)mkdir -p $(@D) && base/embed char agents/agent.h 'struct prompt prompts' \
		'{"NAME", NAME_text}' $(PROMPTS) >$@
$(BUILD)/verify/suite/preload.js.c: verify/suite/preload.js
	$(Q)mkdir -p $(@D) && base/embed char preload_js $< >$@
BLOCKS := $(addprefix verify/suite/blocks/,note.c verdict.h collect.c places.awk cover.sh \
	cover_c.sh cover_rust.sh)
$(BUILD)/verify/suite/blocks/texts.c: $(BLOCKS)
	$(Q)mkdir -p $(@D) && for file in $(BLOCKS:verify/suite/blocks/%=%); do \
		base/embed char blocks_$$(echo $$file | tr . _) verify/suite/blocks/$$file; done >$@
$(BUILD)/run/report/html/page.css.c: run/report/html/page.css
	$(Q)mkdir -p $(@D) && base/embed char page_css $< >$@
$(BUILD)/run/report/html/page.js.c: run/report/html/page.js
	$(Q)mkdir -p $(@D) && base/embed char page_js $< >$@
# ... programs that run in the sandbox, each of modules that are one file there ...
W := agents/trial/warm
WARM_PYTHON := $(sort $(wildcard $(W)/python_*.py)) $(W)/python.py
WARM := $(BUILD)/$(W)/node.mjs $(BUILD)/$(W)/python.py $(BUILD)/$(W)/rerun.elf
$(BUILD)/$(W)/python.py: $(WARM_PYTHON)
	$(Q)mkdir -p $(@D) && cat $(WARM_PYTHON) >$@
$(BUILD)/$(W)/node.mjs: $(wildcard $(W)/node*.mjs) $(W)/join
	$(Q)mkdir -p $(@D) && $(W)/join $(W)/node.mjs >$@
# (never with sanitizers: it is what other programs are measured in)
WARM_JAVA := $(sort $(wildcard $(W)/java/*.java))
$(BUILD)/$(W)/java.c: $(WARM_JAVA)
	$(Q)mkdir -p $(@D) && base/embed char $(W)/jvm.h 'struct jvm_source jvm_sources' \
		'{"NAME", NAME_text, sizeof NAME_text - 1}' $(WARM_JAVA) >$@
WARM_RERUN := $(wildcard $(W)/*.c) $(BUILD)/$(W)/java.c base/process/orphans.c base/raw.c
$(BUILD)/$(W)/rerun.elf: $(WARM_RERUN) $(wildcard $(W)/*.h) base/process/orphans.h base/raw.h \
	Makefile
	$(Q)mkdir -p $(@D) && $(CC) -std=c17 -D_GNU_SOURCE -I. -O2 -s $(WARN) \
		$(filter -Werror,$(FLAGS_$(MODE))) -o $@ $(WARM_RERUN)
$(BUILD)/$(W)/programs.c: $(WARM)
	$(Q)base/embed char $(W)/warm.h 'struct warm_program warm_programs' \
		'{"NAME", "SUFFIX", NAME_text, sizeof NAME_text - 1}' $(WARM) >$@
# ... and the helper in containers, named by its machine, with its C library, so that it runs in
# any image; small where there is musl. Never with sanitizers. INSIDE_CROSS=aarch64-linux-gnu-gcc:
# one for that machine, too.
I := executors/inside
INSIDE_MACHINE = $(BUILD)/$(I)/$(firstword $(subst -, ,$(shell $(1) -dumpmachine))).elf
INSIDE_OWN := $(call INSIDE_MACHINE,$(CC))
INSIDE_OTHER := $(if $(INSIDE_CROSS),$(call INSIDE_MACHINE,$(INSIDE_CROSS)))
INSIDE := $(wildcard $(I)/*.c) base/process/orphans.c
define static_program
	$(Q)mkdir -p $(@D) && $(INSIDE_CC) -std=c17 -D_GNU_SOURCE -I. -Os -s -static \
		$(filter-out -Wmissing-variable-declarations,$(WARN)) $(filter -Werror,$(FLAGS_$(MODE))) \
		-o $@ $(filter %.c,$^)
endef
$(INSIDE_OWN): INSIDE_CC := $(if $(shell command -v musl-gcc),musl-gcc,$(CC))
$(INSIDE_OTHER): INSIDE_CC := $(INSIDE_CROSS)
$(INSIDE_OWN) $(INSIDE_OTHER): $(INSIDE) $(wildcard $(I)/*.h) base/process/orphans.h Makefile
	$(static_program)
$(BUILD)/$(I)/program.c: $(INSIDE_OWN) $(INSIDE_OTHER)
	$(Q)base/embed 'unsigned char' $(I)/inside.h 'struct inside_program inside_programs' \
		'{"NAME", NAME_text, sizeof NAME_text - 1}' $(INSIDE_OWN) $(INSIDE_OTHER) >$@
# ... and the port that shows the relay to an agent in its box, made in the same way.
R := executors/relay_port
RELAY_PORT_OWN := $(INSIDE_OWN:$(BUILD)/$(I)/%=$(BUILD)/$(R)/%)
RELAY_PORT_OTHER := $(INSIDE_OTHER:$(BUILD)/$(I)/%=$(BUILD)/$(R)/%)
RELAY_PORT := $(wildcard $(R)/*.c)
$(RELAY_PORT_OWN): INSIDE_CC := $(if $(shell command -v musl-gcc),musl-gcc,$(CC))
$(RELAY_PORT_OTHER): INSIDE_CC := $(INSIDE_CROSS)
$(RELAY_PORT_OWN) $(RELAY_PORT_OTHER): $(RELAY_PORT) $(wildcard $(R)/*.h) Makefile
	$(static_program)
$(BUILD)/$(R)/program.c: $(RELAY_PORT_OWN) $(RELAY_PORT_OTHER)
	$(Q)base/embed 'unsigned char' $(R)/relay_port.h \
		'struct relay_port_program relay_port_programs' \
		'{"NAME", NAME_text, sizeof NAME_text - 1}' \
		$(RELAY_PORT_OWN) $(RELAY_PORT_OTHER) >$@
$(EMBEDDED:%=$(BUILD)/%): base/embed

# Through another name, so that it is whole wherever it is.
$(BUILD)/rondo.1 $(BUILD)/rondo-mcp.1 $(BUILD)/rondo-verify.1 $(BUILD)/rondo.3: \
		$(BUILD)/%: doc/%.scd
	$(Q)mkdir -p $(@D) && scdoc <$< >$@.new && mv $@.new $@
$(BUILD)/rondo-scenario.5: $(BUILD)/rondo
	$(Q)$< schema --format man >$@.scd && scdoc <$@.scd >$@.new && mv $@.new $@
$(BUILD)/scenario.schema.json $(BUILD)/report.schema.json: $(BUILD)/%.schema.json: $(BUILD)/rondo
	$(Q)$< schema $* >$@.new && mv $@.new $@
$(BUILD)/completion.bash $(BUILD)/completion.zsh $(BUILD)/completion.fish: \
		$(BUILD)/completion.%: $(BUILD)/rondo
	$(Q)$< completion $* >$@.new && mv $@.new $@
# Their texts depend on PREFIX.
CMAKE_FILES := rondo-config.cmake rondo-config-version.cmake
$(BUILD)/rondo.pc $(CMAKE_FILES:%=$(BUILD)/%): $(BUILD)/%: include/%.in FORCE
	$(Q)mkdir -p $(@D) && sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|; s|@PKGS@|$(PKGS)|' $< >$@

# FILE=PLACE below DESTDIR.
PROGRAM := $(BUILD)/rondo=$(BINDIR)/rondo
INSTALLED := $(BUILD)/installed/librondo.a=$(LIBDIR)/librondo.a \
	$(BUILD)/librondo.so.0=$(LIBDIR)/librondo.so.0 \
	$(BUILD)/rondo.pc=$(LIBDIR)/pkgconfig/rondo.pc \
	$(foreach file,$(CMAKE_FILES),$(BUILD)/$(file)=$(LIBDIR)/cmake/rondo/$(file)) \
	include/rondo.h=$(INCLUDEDIR)/rondo.h \
	$(BUILD)/rondo.1=$(MANDIR)/man1/rondo.1 \
	$(BUILD)/rondo-mcp.1=$(MANDIR)/man1/rondo-mcp.1 \
	$(BUILD)/rondo-verify.1=$(MANDIR)/man1/rondo-verify.1 \
	$(BUILD)/rondo.3=$(MANDIR)/man3/rondo.3 \
	$(BUILD)/rondo-scenario.5=$(MANDIR)/man5/rondo-scenario.5 \
	$(BUILD)/scenario.schema.json=$(DATADIR)/rondo/scenario.schema.json \
	$(BUILD)/report.schema.json=$(DATADIR)/rondo/report.schema.json \
	$(BUILD)/completion.bash=$(DATADIR)/bash-completion/completions/rondo \
	$(BUILD)/completion.zsh=$(ZSHDIR)/_rondo \
	$(BUILD)/completion.fish=$(DATADIR)/fish/vendor_completions.d/rondo.fish
file_of = $(firstword $(subst =, ,$(1)))
place_of = "$(DESTDIR)$(lastword $(subst =, ,$(1)))"
# A line of a recipe.
define install_as
	install -D -m $(1) $(call file_of,$(2)) $(call place_of,$(2))

endef
installable: $(foreach pair,$(PROGRAM) $(INSTALLED),$(call file_of,$(pair)))
install: installable
	$(call install_as,755,$(PROGRAM))
	$(foreach pair,$(INSTALLED),$(call install_as,644,$(pair)))
	ln -sf librondo.so.0 "$(DESTDIR)$(LIBDIR)/librondo.so"
uninstall:
	rm -f "$(DESTDIR)$(LIBDIR)/librondo.so" \
		$(foreach pair,$(PROGRAM) $(INSTALLED),$(call place_of,$(pair)))

clean:
	rm -rf build dist
# Only lines that differ from HEAD: what was broken by hand to read better stays so.
format:
	git clang-format --extensions c,h

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)
-include tests/Makefile
-include packages/Makefile

FORCE:
.PHONY: all installable install uninstall clean format FORCE
