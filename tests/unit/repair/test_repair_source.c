/* What repair makes of a text: tokens, definitions, operands. Whatever the bytes, it comes to an
 * end. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/source/source.h"

struct reading {
	struct arena arena;
	struct words words;
	struct repair_file file;
	struct source source;
	struct definitions definitions;
};

static void read_bytes(struct reading *reading, const char *path, const char *text, size_t n)
{
	*reading = (struct reading){.file = {.path = path, .text = text, .n = n, .editable = true}};
	reading->words = (struct words){.arena = &reading->arena, .size = sizeof(struct term)};
	reading->source = (struct source){
		.file = &reading->file, .language = language_of(path), .words = &reading->words};
	source_lex(&reading->source, &reading->arena);
	source_find_structure(&reading->source, &reading->arena, &reading->definitions);
}

static void read_text(struct reading *reading, const char *path, const char *text)
{
	read_bytes(reading, path, text, strlen(text));
}

/* The tokens of a text, apart by one space. */
static void assert_tokens(const char *path, const char *text, const char *wanted)
{
	struct reading reading;
	read_text(&reading, path, text);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	for (uint32_t i = 0; i < reading.source.n; i++)
		strbuf_addf(&sb, "%s%s", i ? " " : "", tokens_text(&reading.source, &reading.arena, i, i));
	assert_string_equal(sb.text, wanted);
	arena_release(&reading.arena);
}

static void comments_and_strings_are_told_apart(void **state)
{
	(void)state;
	assert_tokens("a.py", "x = 1 # y\nz = '# no'", "x = 1 z = '# no'");
	assert_tokens("a.py", "'''a\n\"b'''+r'\\d'", "'''a\n\"b''' + r'\\d'");
	assert_tokens("a.js", "a // b\n/* c */ d = 'e\\'f'", "a d = 'e\\'f'");
	assert_tokens("a.js", "x = a / b / c; y = /[/]b/g", "x = a / b / c ; y = /[/]b/g");
	assert_tokens(
		"a.rs", "/* a /* b */ c */ d = r#\"x\"y\"#; &'a T; 'c'", "d = r#\"x\"y\"# ; & 'a T ; 'c'");
	assert_tokens("a.go", "s := `a\n\\`+\"b\"", "s := `a\n\\` + \"b\"");
	assert_tokens("a.java", "s = \"\"\"\n a \" b\"\"\";", "s = \"\"\"\n a \" b\"\"\" ;");
	assert_tokens("a.rb", "x = 1 # y\nputs \"a\"", "x = 1 puts \"a\"");
	assert_tokens("a.sh", "cat <<EOF\n( not [ code\nEOF\necho $a#b", "cat << EOF echo $a # b");
	assert_tokens("a.cc", "std::max(a,b)", "std :: max ( a , b )");
}

static void expressions_in_strings_are_code(void **state)
{
	(void)state;
	assert_tokens("a.py", "f\"{{a}}{b:>{n}}c{d!r}\"", "f\"{{a}} { b :>{n} } c { d !r } \"");
	assert_tokens("a.js", "`a${b + `c${d}`}e`", "`a ${ b + `c ${ d } ` } e`");
	assert_tokens("a.rb", "\"#{a}-#{b}\"", "\" #{ a } - #{ b } \"");
	assert_tokens("a.sh", "\"$(f \"$1\")\"", "\" $( f \"$1\" ) \"");
	assert_tokens("a.py", "'{a}'", "'{a}'");
}

static void lua_ends_long_brackets_with_their_own_marks(void **state)
{
	(void)state;
	assert_tokens("a.lua", "x = 1 -- y\nz = '-- no'", "x = 1 z = '-- no'");
	assert_tokens("a.lua", "a --[[ b\n -- c ]] d --[==[ e ]] ]=] f\n]==] g --[ h\ni", "a d g i");
	assert_tokens("a.lua",
		"s = [[a ' \n"
		"]] .. [=[b ]] c]=] .. t[u[1]]",
		"s = [[a ' \n"
		"]] .. [=[b ]] c]=] .. t [ u [ 1 ] ]");
	assert_tokens("a.lua", "x = [==[ no end ]=]", "x = [==[ no end ]=]");
	assert_tokens("a.lua", "--[[ no end", "");
	assert_tokens("a.lua", "if a ~= b // #t and not nil then return 1 .. 2 end",
		"if a ~= b // # t and not nil then return 1 .. 2 end");
}

static void php_stands_between_its_marks(void **state)
{
	(void)state;
	assert_tokens("a.php",
		"<h1>it's</h1>\n"
		"<?php f($x); ?>\n"
		"<b>(</b>\n"
		"<?= $y ?>!",
		"f ( $x ) ; ?> $y ?>");
	assert_tokens("a.php", "no code", "");
	assert_tokens("a.php",
		"<?php $a // b ?> c <?php # d\n"
		"$e /* f */ #[G(1)]\n"
		"$h",
		"$a ?> $e #[ G ( 1 ) ] $h");
	assert_tokens("a.php",
		"<?php $a->list ?-> and . B::class ... $c <=> $d ?? e() === fn($f) => $f",
		"$a -> list ?-> and . B :: class ... $c <=> $d ?? e ( ) === fn ( $f ) => $f");
	assert_tokens("a.php",
		"<?php 'a\n"
		"$b'.\"c {$d->e[1]} ${f} {g} $h\"",
		"'a\n"
		"$b' . \"c  { $d -> e [ 1 ] }   ${ f }  {g} $h\"");
	assert_tokens("a.php", "<?php f(<<<EOT\n it's ( EOTS\n  EOT, <<<'X'\nY\nX);",
		"f ( <<<EOT\n it's ( EOTS\n  EOT , <<<'X'\nY\nX ) ;");
	assert_tokens("a.php", "<?php $a << B; <<<C\nno end", "$a << B ; <<<C\nno end");
}

static void perl_quotes_as_it_likes(void **state)
{
	(void)state;
	assert_tokens("a.pl",
		"$x = 1; # y\n\n"
		"=head1 It's (\n\n"
		"=cut\n"
		"$z;\n"
		"__END__\n"
		"no code (",
		"$x = 1 ; $z ;");
	assert_tokens("a.pl",
		"$_ @list %h $#list $h{s} $x->{y}[0] @{$r} %$r @$r $$x[0] $#{$r} $1 $@ $0 &f;",
		"$_ @list % h $#list $h { s } $x -> { y } [ 0 ] @{ $r } % $r @ $r $ $x [ 0 ] $#{ $r } $1 "
		"$@ $0 & f ;");
	assert_tokens("a.pl", "kill 9, $$; f($$, $$x, $$$y, ${$$})",
		"kill 9 , $$ ; f ( $$ , $ $x , $ $ $y , ${ $$ } )");
	assert_tokens("a.pl", "keys %h; return %{$x}; $a % $b; $c %2; f(&g, %d)",
		"keys %h ; return %{ $x } ; $a % $b ; $c % 2 ; f ( &g , %d )");
	assert_tokens("a.pl",
		"q(a(b)) . qq{c\\}} . qw/d e/ . m!f!x . s/g/h/ge . tr{i} {j}r . y/k/l/ . qr'm'i",
		"q(a(b)) . qq{c\\}} . qw/d e/ . m!f!x . s/g/h/ge . tr{i} {j}r . y/k/l/ . qr'm'i");
	assert_tokens("a.pl", "{ s => 1, y => 2 } $h{q}; sub m { -s $f } $o->tr(1)",
		"{ s => 1 , y => 2 } $h { q } ; sub m { - s $f } $o -> tr ( 1 )");
	assert_tokens(
		"a.pl", "$a =~ /b'/ && split /,/, $c / 2 / $d", "$a =~ /b'/ && split /,/ , $c / 2 / $d");
	assert_tokens("a.pl",
		"f(<<A, <<~'B b') if $c x 3;\n"
		" it's (\n"
		"A\n"
		" (\n"
		"  B b\n"
		"$d << 2; while (<$e>) { x() }",
		"f ( <<A , <<~'B b' ) if $c x 3 ; $d << 2 ; while ( <$e> ) { x ( ) }");
	assert_tokens("a.pl", "$a eq 'b' ? $c->{x} : x => $d", "$a eq 'b' ? $c -> { x } : x => $d");
	assert_tokens("a.pl", "\"@{[ f() ]} ${\\ g } $h\"", "\" @{ [ f ( ) ] }   ${ \\ g }  $h\"");
	assert_tokens("a.pl", "q(no end\n$x = 1; 'nor here\n$y", "q ( no end $x = 1 ; 'nor here $y");
}

static void numbers_end_where_they_should(void **state)
{
	(void)state;
	assert_tokens("a.py", "1e-3+0x1F-1_000.5", "1e-3 + 0x1F - 1_000.5");
	assert_tokens("a.rs", "0..10", "0 .. 10");
	assert_tokens("a.rb", "3.times", "3 . times");
}

static void assert_definitions(const char *path, const char *text, const char *wanted)
{
	struct reading reading;
	read_text(&reading, path, text);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < reading.definitions.n; i++) {
		const struct definition *definition = &reading.definitions.items[i];
		strbuf_addf(&sb, "%s%s:%u-%u", i ? " " : "", definition->name->text,
			reading.source.tokens[definition->first].line,
			reading.source.tokens[definition->last].line);
	}
	assert_string_equal(sb.text, wanted);
	arena_release(&reading.arena);
}

static void definitions_are_found_in_each_language(void **state)
{
	(void)state;
	assert_definitions("a.py",
		"LIMIT = 3\nclass A:\n  def f(self,\n     x):\n    return x\n\n  async def g(self): pass\n"
		"def h():\n  def inner():\n    return 1\n  return inner\n",
		"LIMIT:1-1 A:2-7 f:3-5 g:7-7 h:8-11 inner:9-10");
	assert_definitions("a.js",
		"const k = 1;\nfunction f(a) {\n  return a;\n}\nconst g = (x) => x + 1;\n"
		"const h = async x => {\n  y();\n};\nclass C {\n  m(a) {\n    if (a) { b(); }\n  }\n}\n",
		"k:1-1 f:2-4 g:5-5 h:6-8 C:9-13 m:10-12");
	assert_definitions(
		"a.ts", "export function f<T>(a: Map<string, T>): T[] {\n  return [];\n}\n", "f:1-3");
	assert_definitions("a.c",
		"#define N 3\n"
		"static int f(int a, char *b)\n"
		"{\n"
		"\tif (a) {\n"
		"\t\tg(b);\n"
		"\t}\n"
		"\treturn N;\n"
		"}\n"
		"int h(void);\n",
		"N:1-1 f:2-8");
	assert_definitions("a.cc", "int A::f() const {\n  return 1;\n}\n", "f:1-3");
	assert_definitions(
		"a.go", "func (s *S) Get(k string) (int, error) {\n\treturn 1, nil\n}\n", "Get:1-3");
	assert_definitions("a.go",
		"type F func(string) string\nvar (\n\tG F = func(s string) string {\n\t\treturn s\n\t}\n"
		"\tH F = func(s string) string {\n\t\treturn s\n\t}\n)\n",
		"F:3-5 F:6-8");
	assert_definitions("a.rs", "pub fn f<'a>(x: &'a str) -> usize {\n  x.len()\n}\n", "f:1-3");
	assert_definitions("a.java",
		"class A {\n  public int f(int a) throws E {\n    return a;\n  }\n}\n", "A:1-5 f:2-4");
	assert_definitions("a.sh", "f() {\n  echo 1\n}\nx=2\n", "f:1-3 x:4-4");
	assert_definitions("A.pm",
		"package A;\n"
		"use strict;\n"
		"our $LIMIT = 3;\n"
		"my %rates = (a => 1);\n"
		"sub f {\n"
		"  my ($x) = @_;\n"
		"  return { a => $x->{b} "
		"} if $x;\n"
		"  return map { $_ } @{$x};\n"
		"}\n"
		"sub g($y) { return $y }\n"
		"my $h = sub {\n"
		"  return 1;\n"
		"};\n"
		"1;\n",
		"$LIMIT:3-3 %rates:4-4 f:5-9 g:10-10 $h:11-13");
	assert_definitions("a.php",
		"<?php\n"
		"const LIMIT = 3;\n"
		"function f(int $a, ?B $b = null): ?int {\n"
		"  return $a;\n"
		"}\n"
		"class A extends B {\n"
		"  private $x = \"{$y}\";\n"
		"  public function __construct(private int $z) {}\n"
		"  abstract function g();\n"
		"}\n"
		"$h = function ($x) use ($y) {\n  return $x;\n};\n$k = fn($x) => $x;\n",
		"LIMIT:2-2 f:3-5 A:6-10 __construct:8-8 $h:11-13 $k:14-14");
	assert_definitions("a.lua",
		"local M = {}\n"
		"local LIMIT = 3\n"
		"function M.f(a)\n"
		"  if a then return 1 end\n"
		"  return 2\n"
		"end\n"
		"local function g(x) return x end\n"
		"function M:h()\n"
		"  for i = 1, 2 do\n"
		"    self.x(function(y)\n"
		"      return y\n"
		"    end)\n  end\nend\nlocal k = function(z)\n  repeat z() until z\nend\nreturn M\n",
		"M:1-1 LIMIT:2-2 f:3-6 g:7-7 h:8-14 k:15-17");
	assert_definitions("a.rb", "class A\n  def f(x)\n    x\n  end\nend\n", "A:1-4 f:2-3");
}

static uint32_t find(const struct reading *reading, const char *text)
{
	for (uint32_t i = 0; i < reading->source.n; i++)
		if (token_is(&reading->source, i, text))
			return i;
	fail_msg("no token '%s'", text);
	return 0;
}

/* What the first operator so spelt joins, as "left|right". */
static void assert_operands(
	const char *path, const char *text, const char *op, bool near, const char *wanted)
{
	struct reading reading;
	read_text(&reading, path, text);
	uint32_t at = find(&reading, op), left = operand_left(&reading.source, at, near);
	uint32_t right = operand_right(&reading.source, at);
	assert_int_not_equal(left, NO_TOKEN);
	assert_int_not_equal(right, NO_TOKEN);
	const char *both = arena_printf(&reading.arena, "%s|%s",
		tokens_text(&reading.source, &reading.arena, left, at - 1),
		tokens_text(&reading.source, &reading.arena, at + 1, right));
	assert_string_equal(both, wanted);
	arena_release(&reading.arena);
}

static void operands_reach_as_far_as_precedence_says(void **state)
{
	(void)state;
	assert_operands("a.py", "return a + b * c - d", "-", false, "a + b * c|d");
	assert_operands("a.py", "return a + b * c - d", "-", true, "b * c|d");
	assert_operands(
		"a.py", "x = f(a)[1].b(c) / -g.h(2) ** 2", "/", false, "f(a)[1].b(c)|-g.h(2) ** 2");
	assert_operands("a.py", "if a < b and not c == d or e:", "and", false, "a < b|not c == d");
	assert_operands("a.py", "y = z\nx = a\\\n - b", "-", false, "a|b");
	assert_operands("a.c", "x = a & b == c;", "&", false, "a|b == c");
	assert_operands("a.go", "x := a & b == c", "==", false, "a & b|c");
	assert_operands("a.js", "const x = a\nconst y = b - `${c}d`", "-", false, "b|`${c}d`");
	assert_operands(
		"a.pl", "$x = lc $a->{b}[0] eq $h{c}{d} && $e;", "eq", false, "lc $a->{b}[0]|$h{c}{d}");
	assert_operands(
		"a.pl", "$x = @{$a} + @$b - $c->[1]->(2);", "-", false, "@{$a} + @$b|$c->[1]->(2)");
	assert_operands("a.php", "<?php $x = $a . f($b)[1] == !$c->d(2) && $e;", "==", false,
		"$a . f($b)[1]|!$c->d(2)");
	assert_operands("a.php", "<?php $x = $a::B ?? $c . \"{$d}\" . 'e';", ".", false, "$c|\"{$d}\"");
	assert_operands("a.lua", "x = a .. #b + 1 == -c ^ 2", "==", false, "a .. #b + 1|-c ^ 2");
	assert_operands("a.lua", "x = t.a:m(1)[2] .. y", "..", false, "t.a:m(1)[2]|y");
	assert_operands("a.sh", "n=$((a - 2 * b))", "-", false, "a|2 * b");
}

static void unary_signs_join_nothing(void **state)
{
	(void)state;
	struct reading reading;
	read_text(&reading, "a.c", "int *p = -x; f(a, *b); return &c;");
	for (uint32_t i = 0; i < reading.source.n; i++)
		assert_int_equal(binary_precedence(&reading.source, i), 0);
	arena_release(&reading.arena);
}

/* The first tokens of statements. */
static void assert_statements(const char *path, const char *text, const char *wanted)
{
	struct reading reading;
	read_text(&reading, path, text);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	for (uint32_t i = 0; i < reading.source.n; i++)
		if (reading.source.tokens[i].first)
			strbuf_addf(&sb, "%s%s", sb.length ? " " : "",
				tokens_text(&reading.source, &reading.arena, i, i));
	assert_string_equal(sb.text, wanted);
	arena_release(&reading.arena);
}

static void words_begin_and_end_statements_in_lua(void **state)
{
	(void)state;
	assert_statements("a.lua", "local a = 1\n  + 2 b = 3; c(d,\n e) f.g = h\n", "local b c f");
	assert_statements("a.lua", "for i = 1, n do x() end return\n", "for x end return");
	assert_statements(
		"a.lua", "if a then b() elseif c then d() else e() end\n", "if b elseif d else e end");
	assert_statements("a.lua",
		"sort(t, function(a, b)\n"
		"  local c = a\n"
		"  return b\n"
		"end)\n"
		"u = {\n"
		"  v = 1,\n"
		"  w = 2,\n"
		"}\n",
		"sort local return end u");
	assert_statements("a.lua", "end end x = 1 until\n", "end end x until");
}

static void braces_hold_more_than_statements(void **state)
{
	(void)state;
	assert_statements("a.php",
		"<?php $a = \"{$b}\"; if ($c) { $d(); } else { echo 1; } e(function () { return 2; });",
		"$a if $d else echo e return");
	assert_statements("a.pl",
		"my %h = (a => {b => 1}); if ($h{a}{b} eq 'c') { d() } elsif (e()) { return {%$f} if $g } "
		"h();",
		"my if d elsif return h");
	assert_statements("a.pl",
		"sub f { my @l = map { g($_) } grep { $_ } @{$x}; $h{$_} = 1 for @l; return }",
		"sub my g $_ $h return");
	assert_statements("a.php",
		"<?php $a = f(function ($b) { return 1; }, 2); g(); if ($c) { h(); } ++$d;",
		"$a return g if h ++");
	assert_statements("a.php",
		"<?php foreach ($a as $b): ?> <li> <?php echo $b; endforeach ?> <?php f();",
		"foreach echo endforeach f");
}

static const char *const paths[] = {"a.py", "a.js", "a.ts", "a.c", "a.cc", "a.java", "a.go", "a.rs",
	"a.sh", "a.rb", "a.lua", "a.php", "a.pl"};

/* Look at everything that there is to look at. */
static void exercise(const char *path, const char *text, size_t n)
{
	struct reading reading;
	read_bytes(&reading, path, text, n);
	const struct source *source = &reading.source;
	struct span items[SPAN_MOST];
	for (uint32_t i = 0; i < source->n; i++) {
		assert_true(source->tokens[i].start + source->tokens[i].length <= n);
		assert_true(source->tokens[i].length > 0 || source->tokens[i].kind == TOKEN_CLOSE);
		if (binary_precedence(source, i)) {
			operand_left(source, i, false);
			operand_right(source, i);
		}
		if (source->tokens[i].kind == TOKEN_OPEN)
			bracket_items(source, i, items);
		expression_last(source, i, 1);
	}
	arena_release(&reading.arena);
}

static void random_bytes_come_to_an_end(void **state)
{
	(void)state;
	static const char alphabet[] = "ab1 .,;:(){}[]\"'`#$/\\*+-=<>!&|\n\tr\xc3\xa9"
								   "fnot in<<EOF\n"
								   "[==[--[[ end function do <?php ?>{$a}<<<b\n"
								   "=cut\n"
								   "s/q(@%";
	uint32_t seed = 12345;
	for (int round = 0; round < 400; round++) {
		char text[300];
		for (size_t i = 0; i < sizeof text; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] =
				round % 2 ? alphabet[(seed >> 16) % (sizeof alphabet - 1)] : (char)(seed >> 24);
		}
		/* A copy of its own, so that reading over the end is seen. */
		AUTO_FREE char *copy = memory_alloc(sizeof text);
		memcpy(copy, text, sizeof text);
		exercise(paths[(size_t)round % ARRAY_SIZE(paths)], copy, sizeof text);
	}
}

static void truncated_sources_come_to_an_end(void **state)
{
	(void)state;
	static const char text[] =
		"def f(a, b=f\"{a!r:>{w}}\"):\n  '''doc'''\n  return [x for x in a if x not in b]\n"
		"function g(a) { return `x${a[1] - `y${2}`}z` / /re[/]/.test(b) ? 1 : 2; }\n"
		"#define M(x) ((x) * 2)\n"
		"fn h<'a>(s: &'a str) -> u8 { r#\"a\"# /* /* */ */ }\n"
		"cat <<-'END'\n"
		" x\n"
		"END\n"
		"$((1+2))"
		"<?php f(<<<A\n A; #[B] ?> <?= \"{$c->d['e']} ${f}\" . $this->list ?-> <<<\"G\"\n x"
		"\n"
		"=pod\n\n"
		"=cut\n"
		"f(<<A, <<~'B') if $h{s} =~ m{(a)}x;\n"
		" a\n"
		"A\n"
		" B\n"
		"s{a} {b}ge; $#{$x} y/a/b/ <$f> @{[ q(a ]} %$r &g "
		"qw( \n__END__\n x"
		"--[==[ a ]] ]==] function f(x) if x then return [[y]] .. #z end end repeat until [=[";
	for (size_t p = 0; p < ARRAY_SIZE(paths); p++)
		for (size_t n = 0; n < sizeof text; n++) {
			AUTO_FREE char *copy = memory_alloc(n + 1);
			memcpy(copy, text, n);
			exercise(paths[p], copy, n);
		}
}

/* What could be looked at again and again. Were it so, these would take minutes. */
static void long_hostile_texts_cost_no_more_than_their_length(void **state)
{
	(void)state;
	static const char *const parts[] = {"(", "-", "((a)=>", "a=b=>", "import{", "function f",
		"def f;", "lambda x,", "for a,", "f(){", "\"${", "f'{", "x<a,", "class A{", "{[(", ")=>",
		"a.", "!", "'", "@a.", "[=", "--[[", "]=", "function(", "if ", "do ", "end ",
		"repeat until ", "<?php ", "?>", "<<<A\n", "\"{$a", "#[", "fn() =>", "q(", "s{a}", "<<A;\n",
		"<<\"", "$#", "$$", "@{", "%$x",
		"\n"
		"=x\n",
		"<$a", "y(", "m "};
	for (size_t p = 0; p < ARRAY_SIZE(paths); p++)
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
			AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
			while (sb.length < 30000)
				strbuf_adds(&sb, parts[i]);
			struct reading reading;
			read_bytes(&reading, paths[p], sb.text, sb.length);
			arena_release(&reading.arena);
		}
}

/* A reader of the next token need not ask whether there is one. */
static void the_end_is_a_token_without_bytes(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "a", "f(", "a\n\n"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct reading reading;
		read_text(&reading, "a.py", texts[i]);
		const struct token *end = &reading.source.tokens[reading.source.n];
		assert_true(end->first && !end->length && end->match == NO_TOKEN);
		arena_release(&reading.arena);
	}
}

UNIT(repair_source)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_strings_are_told_apart),
		cmocka_unit_test(expressions_in_strings_are_code),
		cmocka_unit_test(lua_ends_long_brackets_with_their_own_marks),
		cmocka_unit_test(php_stands_between_its_marks),
		cmocka_unit_test(perl_quotes_as_it_likes),
		cmocka_unit_test(numbers_end_where_they_should),
		cmocka_unit_test(definitions_are_found_in_each_language),
		cmocka_unit_test(operands_reach_as_far_as_precedence_says),
		cmocka_unit_test(unary_signs_join_nothing),
		cmocka_unit_test(words_begin_and_end_statements_in_lua),
		cmocka_unit_test(braces_hold_more_than_statements),
		cmocka_unit_test(random_bytes_come_to_an_end),
		cmocka_unit_test(truncated_sources_come_to_an_end),
		cmocka_unit_test(long_hostile_texts_cost_no_more_than_their_length),
		cmocka_unit_test(the_end_is_a_token_without_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
