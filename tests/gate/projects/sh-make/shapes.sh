area() {
	echo $(($1 + $2))
}

perimeter() {
	echo $((2 * ($1 + $2)))
}
