use shapes::{area, perimeter};

#[test]
fn area_multiplies() {
    assert_eq!(area(3, 5), 15);
}

#[test]
fn perimeter_goes_around() {
    assert_eq!(perimeter(3, 5), 16);
}
