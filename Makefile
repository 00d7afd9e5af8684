# rondo: the only build file. `make` builds build/release/rondo and installs nothing.
MODE ?= release
BUILD ?= build/$(MODE)
FLOORS := base chat source models executors suite guard worktree termination repair agents team gate run
VERSION := $(shell cat VERSION)
Q := $(if $(V),,@)
comma := ,

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d

CC := gcc
OBJCOPY := objcopy
CLI_PKGS := libedit
# Built against, and loaded only when it is needed.
LOADED_PKGS := libcurl libzmq
PKGS := libgit2 libcjson libcrypto md4c yaml-0.1 expat libseccomp
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wimplicit-fallthrough \
	-Wnull-dereference $(if $(findstring clang,$(CC)),-Wmissing-variable-declarations)
FLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_debug := -O0 -g3 -Werror
FLAGS_asan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
FLAGS_tsan := -O1 -g -Werror -fno-omit-frame-pointer -fsanitize=thread
FLAGS_coverage := -O0 -g --coverage -Werror
FLAGS_fuzz := -O1 -g -Werror -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
# One set of objects for the program and both libraries: what is not in rondo.h is hidden in each.
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE -I. -pthread -fPIC -fvisibility=hidden $(WARN) $(FLAGS_$(MODE)) \
	-DRONDO_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) $(LOADED_PKGS)) $(CFLAGS)
LIBS = $(shell pkg-config --libs $(PKGS)) -lm -ldl
CLI_LIBS = $(shell pkg-config --libs $(CLI_PKGS))
LDFLAGS_ALL = -pthread $(FLAGS_$(MODE)) $(LDFLAGS)

SOURCES := $(wildcard $(addsuffix /*.c,$(FLOORS)) $(addsuffix /*/*.c,$(FLOORS)))
PROMPTS := $(sort $(wildcard agents/prompts/*.md))
LIB_OBJ := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/agents/prompts.o $(BUILD)/suite/preload.js.o $(BUILD)/executors/daytona/remote.sh.o \
	$(BUILD)/warm/programs.o $(BUILD)/inside/program.o
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))
# Those that take long come first, so that the cores end together.
SCRIPTS := $(wildcard tests/cli/t4*.t tests/cli/t1*.t tests/cli/t3*.t tests/cli/t2*.t tests/cli/t0*.t)
UNIT := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
BENCH := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
HELPERS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/lib/*.c))
FUZZ := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))

# What is installed, where it is lacking: pkg-config's name or a program = Debian's package.
DEPS_BUILD := pkg-config=pkg-config libgit2.pc=libgit2-dev libcjson.pc=libcjson-dev libcrypto.pc=libssl-dev \
	md4c.pc=libmd4c-dev yaml-0.1.pc=libyaml-dev libcurl.pc=libcurl4-openssl-dev libedit.pc=libedit-dev \
	expat.pc=libexpat1-dev libseccomp.pc=libseccomp-dev libzmq.pc=libzmq3-dev
DEPS_DEMO := bwrap=bubblewrap python3=python3 /usr/lib/python3/dist-packages/pytest=python3-pytest
DEPS_CHECK := cmocka.pc=libcmocka-dev /usr/share/sharness/sharness.sh=sharness prove=perl node=nodejs esbuild=esbuild \
	scdoc=scdoc g++=g++ /usr/lib/python3/dist-packages/jsonschema=python3-jsonschema \
	/usr/lib/python3/dist-packages/yaml=python3-yaml /usr/lib/python3/dist-packages/pip=python3-pip
DEPS_SLOW := /usr/lib/python3/dist-packages/ipykernel=python3-ipykernel /usr/lib/python3/dist-packages/matplotlib=python3-matplotlib \
	lua=lua5.4 php=php-cli gtest.pc=libgtest-dev /usr/include/catch2=catch2 cmake=cmake check.pc=check \
	/usr/lib/python3/dist-packages/xdist=python3-pytest-xdist dockerd=docker.io docker-registry=docker-registry \
	/bin/busybox=busybox-static debootstrap=debootstrap podman=podman
DEPS_LINT := clang=clang clang-tidy=clang-tidy clang-format=clang-format shellcheck=shellcheck mandoc=mandoc

all: $(BUILD)/rondo

$(BUILD)/rondo: $(CLI_OBJ) $(BUILD)/librondo.a
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS) $(CLI_LIBS)

# The stamp holds the list of objects, so that a deleted source does not stay in the archive.
$(BUILD)/librondo.a: $(LIB_OBJ) $(BUILD)/objects
	$(Q)rm -f $@ && ar qcs $@ $(LIB_OBJ)

$(BUILD)/librondo.so.0: $(LIB_OBJ) $(BUILD)/objects
	$(Q)$(CC) -shared -Wl,-soname,$(@F) $(if $(findstring sanitize,$(FLAGS_$(MODE))),,-Wl,-z,defs) $(LDFLAGS_ALL) -o $@ $(LIB_OBJ) $(LIBS)

# As it is installed: one object, in which names such as team_new are nobody else's.
$(BUILD)/installed/librondo.a: $(LIB_OBJ) $(BUILD)/objects
	$(Q)mkdir -p $(@D) && rm -f $@
	$(Q)$(LD) -r -o $(@D)/librondo.o $(LIB_OBJ) && $(OBJCOPY) --localize-hidden $(@D)/librondo.o
	$(Q)ar qcs $@ $(@D)/librondo.o && rm $(@D)/librondo.o

$(BUILD)/objects: FORCE
	$(Q)mkdir -p $(@D); echo '$(LIB_OBJ)' | cmp -s - $@ || echo '$(LIB_OBJ)' >$@

$(BUILD)/%.o: %.c Makefile VERSION | $(BUILD)/libraries
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Plain text that is a part of the library: a table of the files' names and bytes.
$(BUILD)/agents/prompts.o: $(PROMPTS) agents/prompts Makefile | $(BUILD)/libraries
	$(Q)mkdir -p $(@D)
	$(Q){ echo '#include "agents/agent.h"'; \
		for file in $(PROMPTS:%.md=%); do \
			echo "static const char $${file##*/}_text[] = {"; od -An -v -td1 $$file.md | sed 's/[0-9]\+/&,/g'; echo "0};"; \
		done; \
		echo 'const struct prompt prompts[] = {'; \
		for file in $(PROMPTS:%.md=%); do echo "{\"$${file##*/}\", $${file##*/}_text},"; done; \
		echo '}; const size_t prompts_n = sizeof prompts / sizeof *prompts;'; } | \
		$(CC) $(CFLAGS_ALL) -MMD -MP -MF $(@:.o=.d) -MT $@ -x c -c -o $@ -

# A program in another language that is a part of the library: its text, as `NAME_js` or `NAME_sh`.
define program_text
	$(Q)mkdir -p $(@D)
	$(Q){ echo 'extern const char $(*F)_$(1)[]; const char $(*F)_$(1)[] = {'; od -An -v -td1 $< | sed 's/[0-9]\+/&,/g'; echo '0};'; } | \
		$(CC) $(CFLAGS_ALL) -x c -c -o $@ -
endef
$(BUILD)/%.js.o: %.js Makefile | $(BUILD)/libraries
	$(call program_text,js)
$(BUILD)/%.sh.o: %.sh Makefile | $(BUILD)/libraries
	$(call program_text,sh)

# Programs that run in the sandbox: one that is compiled, and those in other languages, each of modules that are one file there: of
# node's, what they import from each other is left out, and what they import from node comes once. Then a table of their names,
# suffixes and texts.
WARM_PYTHON := $(sort $(wildcard warm/python_*.py)) warm/python.py
WARM_NODE := $(patsubst %,warm/node%.mjs,-wire -channel -typescript -world -interrupt -loader -files -suite -cover -program -mocha -tape -overlay \
	-jest -engine -command -tests -judge -statements -esbuild -pool) warm/node.mjs
WARM := $(BUILD)/warm/node.mjs $(BUILD)/warm/python.py $(BUILD)/warm/rerun.elf
$(BUILD)/warm/python.py: $(WARM_PYTHON) Makefile
	$(Q)mkdir -p $(@D) && cat $(WARM_PYTHON) >$@
$(BUILD)/warm/node.mjs: $(WARM_NODE) Makefile
	$(Q)mkdir -p $(@D) && awk '/^import .* from "\.\// || (/^import / && seen[$$0]++) { next } { print }' $(WARM_NODE) >$@
# Never with sanitizers: it is what other programs are measured in.
$(BUILD)/warm/rerun.elf: warm/rerun.c warm/compilers.c base/orphans.c base/raw.c \
		warm/compilers.h base/orphans.h base/raw.h Makefile
	$(Q)mkdir -p $(@D) && $(CC) -std=c17 -D_GNU_SOURCE -I. -O2 -s $(WARN) $(filter -Werror,$(FLAGS_$(MODE))) -o $@ $(filter %.c,$^)
$(BUILD)/warm/programs.o: $(WARM) warm/warm.h Makefile | $(BUILD)/libraries
	$(Q){ echo '#include "warm/warm.h"'; \
		for file in $(WARM); do \
			name=$$(basename $${file%.*}); \
			echo "static const char $${name}_text[] = {"; od -An -v -td1 $$file | sed 's/[0-9]\+/&,/g'; echo "0};"; \
		done; \
		echo 'const struct warm_program warm_programs[] = {'; \
		for file in $(WARM); do name=$$(basename $${file%.*}); \
			echo "{\"$$name\", \"$${file##*.}\", $${name}_text, sizeof $${name}_text - 1},"; done; \
		echo '}; const size_t warm_programs_n = sizeof warm_programs / sizeof *warm_programs;'; } | \
		$(CC) $(CFLAGS_ALL) -MMD -MP -MF $(@:.o=.d) -MT $@ -x c -c -o $@ -

# The helper in containers: small and on its own, so that it runs in any image. Never with sanitizers.
INSIDE_BARE := $(filter x86_64 aarch64,$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))))
INSIDE_LINK := -static $(if $(INSIDE_BARE),-nostdlib -ffreestanding -fno-stack-protector -fno-pie inside/system.c -Wl$(comma)--build-id=none)
$(BUILD)/inside/inside.elf: inside/inside.c inside/carry.c inside/away.c inside/system.c base/orphans.c inside/inside.h inside/carry.h inside/away.h base/orphans.h Makefile
	$(Q)mkdir -p $(@D) && $(CC) -std=c17 -D_GNU_SOURCE -U_FORTIFY_SOURCE -I. -Os -s $(WARN) $(filter -Werror,$(FLAGS_$(MODE))) \
		-o $@ inside/inside.c inside/carry.c inside/away.c base/orphans.c $(INSIDE_LINK)
$(BUILD)/inside/program.o: $(BUILD)/inside/inside.elf inside/inside.h Makefile | $(BUILD)/libraries
	$(Q){ echo '#include "inside/inside.h"'; echo 'const unsigned char inside_program[] = {'; od -An -v -tu1 $< | sed 's/[0-9]\+/&,/g'; \
		echo '}; const size_t inside_program_n = sizeof inside_program;'; } | $(CC) $(CFLAGS_ALL) -MMD -MP -MF $(@:.o=.d) -MT $@ -x c -c -o $@ -

# Says once what is missing, instead of a page of compiler errors.
$(BUILD)/libraries:
	$(Q)command -v pkg-config >/dev/null && pkg-config --exists --print-errors $(PKGS) $(LOADED_PKGS) $(CLI_PKGS) || \
		{ echo "rondo needs these libraries to build; make deps installs them: $(PKGS) $(LOADED_PKGS) $(CLI_PKGS)" >&2; exit 1; }
	$(Q)mkdir -p $(@D); touch $@

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/librondo.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) -o $@ $< $(BUILD)/librondo.a $(LIBS) -lcmocka

# Programs that the scripts use.
$(BUILD)/tests/lib/%: tests/lib/%.c $(BUILD)/librondo.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) -o $@ $< $(BUILD)/librondo.a $(LIBS)

# All of LIBS, as rondo has them: the start bench compares rondo with itself, empty.
$(BUILD)/tests/bench/%: tests/bench/%.c $(BUILD)/librondo.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) -Wl,--no-as-needed -o $@ $< $(BUILD)/librondo.a $(LIBS) $(CLI_LIBS)

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(BUILD)/librondo.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -fsanitize=fuzzer $(LDFLAGS_ALL) -o $@ $< $(BUILD)/librondo.a $(LIBS)

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(UNIT:=.d) $(BENCH:=.d) $(HELPERS:=.d) $(FUZZ:=.d)

deps:
	$(Q)tests/deps $(DEPS_BUILD) $(DEPS_DEMO) $(DEPS_CHECK)
deps-demo:
	$(Q)tests/deps $(DEPS_BUILD) $(DEPS_DEMO)
deps-slow: deps
	$(Q)tests/deps $(DEPS_SLOW)
deps-lint: deps
	$(Q)tests/deps $(DEPS_LINT)

demo: deps-demo
	$(Q)$(MAKE) --no-print-directory all
	$(Q)demo/run $(BUILD)/rondo

check: deps
	$(Q)$(MAKE) --no-print-directory -j2 installable unit
	$(Q)tests/run --memory $(BUILD) $(SCRIPTS) $(UNIT)

unit: $(UNIT)
helpers: $(HELPERS)
check-unit: $(UNIT)
	$(Q)tests/run $(BUILD) $(UNIT)
check-cli: installable
	$(Q)tests/run $(BUILD) $(SCRIPTS)

# SHORT=1 is for CI, which has minutes for all. It leaves out scripts that make many runs, and of threads what stays on one.
LONG := $(wildcard tests/cli/t4*.t) $(addprefix tests/cli/,t1020-languages.t t2060-search.t t3400-human.t t3600-console.t)
THREADED := $(addprefix $(BUILD)/tests/unit/test_,api api_control bring budget cancel checkout \
	executor gate gc http_ends openai process repair_agent reports run snapshot team tester)
asan:
	$(Q)$(MAKE) --no-print-directory -j2 MODE=asan installable unit
	$(Q)TEST_TIMEOUT=400 tests/run --memory build/asan $(filter-out $(if $(SHORT),$(LONG)),$(SCRIPTS)) \
		$(UNIT:$(BUILD)/%=build/asan/%)
TSAN := $(patsubst $(BUILD)/%,build/tsan/%,$(if $(SHORT),$(THREADED),$(UNIT)))
tsan:
	$(Q)$(MAKE) --no-print-directory -j2 MODE=tsan $(TSAN)
	$(Q)tests/run --memory build/tsan $(TSAN)

# What takes longer than a minute; what is not installed is skipped and named.
SHORT_SLOW := $(addprefix tests/slow/,t5010-programs.t t5200-verdicts.t t5300-inject.t t5311-warm-python-harm.t \
	t5320-warm-node.t t5330-builds.t t5450-hostile.t t5460-types.t t5470-doctor.t)
SLOW := $(if $(SHORT),$(SHORT_SLOW),$(wildcard tests/slow/*.t))
check-slow: deps-slow
	$(Q)$(MAKE) --no-print-directory all helpers $(BUILD)/tests/unit/test_docker
	$(Q)TEST_TIMEOUT=1200 RESUME_STEP=1 tests/run $(if $(SHORT),--memory) $(BUILD) $(SLOW) tests/cli/t3800-resume.t \
		tests/cli/t4100-teams.t

# Tampers and honest fixes, each by a whole run: build/release/verdicts.md. ROWS picks some by their names.
gate-table: $(BUILD)/rondo
	$(Q)RONDO=$(abspath $(BUILD)/rondo) RONDO_BUILD=$(abspath $(BUILD)) tests/gate/run $(ROWS)

# Hostile programs in the sandbox, each as root and as an ordinary user: build/release/hostile.md. ROWS picks some by their names.
hostile-table: $(BUILD)/rondo $(BUILD)/tests/lib/hostile
	$(Q)RONDO=$(abspath $(BUILD)/rondo) RONDO_BUILD=$(abspath $(BUILD)) tests/hostile/run $(ROWS)

# Signals and kill -9 at seeded points, and rondo resume after them: KILLS=200 SEED=1.
soak: $(BUILD)/rondo
	$(Q)TEST_TIMEOUT=1200 tests/run $(BUILD) $(wildcard tests/soak/*.t)

# Each fuzzer for FUZZ_SECONDS; what it finds stays in build/fuzz and becomes a unit test.
FUZZ_SECONDS ?= 60
fuzz: deps-lint
	$(Q)tests/deps "/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a=libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev"
	$(Q)$(MAKE) --no-print-directory -j2 MODE=fuzz CC=clang $(patsubst $(BUILD)/%,build/fuzz/%,$(FUZZ))
	$(Q)tests/fuzz/run build/fuzz $(FUZZ_SECONDS)

bench: all $(BENCH)
	$(Q)tests/bench/run $(BUILD)

lint: deps-lint
	$(Q)tests/lint $(SOURCES) $(wildcard cli/*.c) -- $(filter-out -W% -f%,$(CFLAGS_ALL))
	$(Q)$(MAKE) --no-print-directory -j2 MODE=debug BUILD=build/clang CC=clang all
# Only lines that differ from HEAD: what was broken by hand to read better stays so.
format:
	git clang-format --extensions c,h

coverage: deps
	$(Q)$(MAKE) --no-print-directory -j2 MODE=coverage installable unit
	$(Q)TEST_TIMEOUT=400 tests/run build/coverage $(SCRIPTS) $(patsubst $(BUILD)/%,build/coverage/%,$(UNIT))
	$(Q)tests/deps lcov=lcov
	$(Q)lcov -q -c -d build/coverage -o build/coverage/all.info --no-external -b . && lcov --summary build/coverage/all.info

$(BUILD)/rondo.1 $(BUILD)/rondo.3: $(BUILD)/rondo.%: doc/rondo.%.scd
	$(Q)mkdir -p $(@D) && scdoc <$< >$@.new && mv $@.new $@
$(BUILD)/rondo-scenario.5: $(BUILD)/rondo
	$(Q)$< schema --format man >$@.scd && scdoc <$@.scd >$@.new && mv $@.new $@
$(BUILD)/scenario.schema.json $(BUILD)/report.schema.json: $(BUILD)/%.schema.json: $(BUILD)/rondo
	$(Q)$< schema $* >$@.new && mv $@.new $@

INSTALLED := $(BUILD)/rondo $(BUILD)/librondo.so.0 $(BUILD)/installed/librondo.a \
	$(BUILD)/rondo.1 $(BUILD)/rondo.3 $(BUILD)/rondo-scenario.5 $(BUILD)/scenario.schema.json $(BUILD)/report.schema.json
installable: $(INSTALLED)
install: $(INSTALLED)
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(INCLUDEDIR)" \
		$(addprefix "$(DESTDIR)$(MANDIR)"/,man1 man3 man5) $(addprefix "$(DESTDIR)$(DATADIR)"/,rondo $(COMPLETIONS))
	install $(BUILD)/rondo "$(DESTDIR)$(BINDIR)/rondo"
	install -m 644 $(BUILD)/installed/librondo.a "$(DESTDIR)$(LIBDIR)/librondo.a"
	install -m 644 $(BUILD)/librondo.so.0 "$(DESTDIR)$(LIBDIR)/librondo.so.0"
	ln -sf librondo.so.0 "$(DESTDIR)$(LIBDIR)/librondo.so"
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|; s|@PKGS@|$(PKGS)|' include/rondo.pc.in >"$(DESTDIR)$(LIBDIR)/pkgconfig/rondo.pc"
	install -m 644 include/rondo.h "$(DESTDIR)$(INCLUDEDIR)/rondo.h"
	install -m 644 $(BUILD)/rondo.1 "$(DESTDIR)$(MANDIR)/man1/rondo.1"
	install -m 644 $(BUILD)/rondo.3 "$(DESTDIR)$(MANDIR)/man3/rondo.3"
	install -m 644 $(BUILD)/rondo-scenario.5 "$(DESTDIR)$(MANDIR)/man5/rondo-scenario.5"
	install -m 644 $(BUILD)/scenario.schema.json $(BUILD)/report.schema.json "$(DESTDIR)$(DATADIR)/rondo"
	$< completion bash >"$(DESTDIR)$(DATADIR)/bash-completion/completions/rondo"
	$< completion zsh >"$(DESTDIR)$(DATADIR)/zsh/site-functions/_rondo"
	$< completion fish >"$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/rondo.fish"
uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/rondo" "$(DESTDIR)$(INCLUDEDIR)/rondo.h" "$(DESTDIR)$(LIBDIR)/librondo.a" \
		"$(DESTDIR)$(LIBDIR)/librondo.so" "$(DESTDIR)$(LIBDIR)/librondo.so.0" "$(DESTDIR)$(LIBDIR)/pkgconfig/rondo.pc" \
		"$(DESTDIR)$(MANDIR)/man1/rondo.1" "$(DESTDIR)$(MANDIR)/man3/rondo.3" \
		"$(DESTDIR)$(MANDIR)/man5/rondo-scenario.5" "$(DESTDIR)$(DATADIR)/rondo/scenario.schema.json" \
		"$(DESTDIR)$(DATADIR)/rondo/report.schema.json" "$(DESTDIR)$(DATADIR)/bash-completion/completions/rondo" \
		"$(DESTDIR)$(DATADIR)/zsh/site-functions/_rondo" "$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/rondo.fish"
dist:
	mkdir -p dist && git archive --prefix=rondo-$(VERSION)/ -o dist/rondo-$(VERSION).tar.gz HEAD
clean:
	rm -rf build dist

FORCE:
# A recipe that failed leaves no half of a target that the next make takes for the whole.
.DELETE_ON_ERROR:
.PHONY: all deps deps-demo deps-slow deps-lint demo check unit helpers check-unit check-cli check-slow asan tsan soak gate-table hostile-table fuzz \
	bench lint format coverage installable install uninstall dist clean FORCE
