pub fn area(width: i64, height: i64) -> i64 {
    width + height
}

pub fn perimeter(width: i64, height: i64) -> i64 {
    2 * (width + height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perimeter_of_a_unit() {
        assert_eq!(perimeter(1, 1), 4);
    }
}
