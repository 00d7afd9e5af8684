# Reads what objdump -dl says of programs, each after a line "module PATH", and then the notes of
# note.c, after a line "notes"; prints what cover.h says. `copy`, a directory, was built for `tree`.

# A place holds until the next one: "/tree/list.c:12 (discriminator 1)".
!notes && /^\/.*:[0-9]+( \(discriminator [0-9]+\))?$/ {
	sub(/ \(discriminator.*/, "")
	place = index($0, copy) == 1 ? tree substr($0, length(copy) + 1) : ""
	next
}

!notes && /^[0-9a-f]+ <.*>:$/ { block = place = "" }

# A block is known by the address to which its call of note.c returns.
!notes && /^ +[0-9a-f]+:\t/ {
	if (is_call)
		block = module " " substr($1, 1, length($1) - 1)
	is_call = /<__sanitizer_cov_trace_pc(@plt)?>$/
	if (!is_call && block && place && !seen[block, place]++)
		add_place()
	next
}

$1 == "module" && !notes { module = substr($0, 8); next }
$0 == "notes" { notes = 1; next }
notes && /^(goal |other)$/ { print $1; next }
notes { printf "%s", places[$0] }

function add_place(    colon, number)
{
	colon = match(place, /:[0-9]+$/)
	number = substr(place, colon + 1)
	places[block] = places[block] substr(place, 1, colon) number "," number "\n"
}
