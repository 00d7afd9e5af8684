package shapes

import "testing"

func TestArea(t *testing.T) {
	if found := Area(3, 5); found != 15 {
		t.Errorf("found %d", found)
	}
}

func TestPerimeter(t *testing.T) {
	if found := Perimeter(3, 5); found != 16 {
		t.Errorf("found %d", found)
	}
}
