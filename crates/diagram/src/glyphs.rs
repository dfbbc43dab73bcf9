//! The letters and digits of the coordinates as strokes. A picture without fonts looks the same everywhere.

/// Returns the strokes for a letter from a to h or a digit from 1 to 8, as path data for a box 60 wide and
/// 100 high with the baseline at 100.
pub(crate) const fn strokes(letter: char) -> &'static str {
    match letter {
        'a' => "M50 44V100M50 72A20 28 0 1 1 10 72A20 28 0 1 1 50 72",
        'b' => "M10 4V100M10 72A20 28 0 1 1 50 72A20 28 0 1 1 10 72",
        'c' => "M48 58A20 28 0 1 0 48 86",
        'd' => "M50 4V100M50 72A20 28 0 1 1 10 72A20 28 0 1 1 50 72",
        'e' => "M11 70H49A19 27 0 1 0 45 90",
        'f' => "M48 8C30 0 24 10 24 26V100M8 46H44",
        'g' => "M50 44V106C50 130 22 132 12 120M50 72A20 28 0 1 1 10 72A20 28 0 1 1 50 72",
        'h' => "M10 4V100M10 66C14 40 50 36 50 66V100",
        '1' => "M12 22L34 6V100",
        '2' => "M10 28C12 -4 52 0 50 30C49 52 20 70 10 100H52",
        '3' => "M10 14C26 -4 52 6 48 28C46 44 34 48 24 48C40 48 52 58 51 74C49 104 18 108 8 90",
        '4' => "M40 100V6L6 72H56",
        '5' => "M48 6H16L12 48C30 36 52 46 51 72C50 104 18 106 8 90",
        '6' => "M46 10C22 12 8 42 9 72C10 108 52 108 51 70C50 42 14 42 9 70",
        '7' => "M8 6H52L22 100",
        '8' => "M30 48C4 46 6 5 30 5C54 5 56 46 30 48C2 50 2 100 30 100C58 100 58 50 30 48",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_has_strokes() {
        assert!(('a'..='h').chain('1'..='8').all(|letter| strokes(letter).starts_with('M')));
    }
}
