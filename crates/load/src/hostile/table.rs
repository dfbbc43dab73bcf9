//! Percentiles of latencies, and Markdown tables.

use std::time::Duration;

/// Returns a percentile of sorted values: the smallest value that is at least as large as `percent`% of them.
/// Returns `None` if there are no values.
pub(super) fn percentile(sorted: &[Duration], percent: usize) -> Option<Duration> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.max(1) - 1).copied()
}

/// Formats the 99th percentile and the maximum of some latencies, in milliseconds.
pub(super) fn p99_and_max(mut all: Vec<Duration>) -> [String; 2] {
    all.sort_unstable();
    [percentile(&all, 99), all.last().copied()].map(|value| value.map_or_else(|| "–".to_owned(), millis))
}

pub(super) fn millis(value: Duration) -> String {
    let millis = value.as_secs_f64() * 1000.0;
    if millis < 10.0 { format!("{millis:.1}") } else { format!("{millis:.0}") }
}

/// Writes a table in Markdown; the first column is text, the others are figures.
pub(super) fn markdown(headings: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let headings = headings.iter().map(|&heading| heading.to_owned()).collect::<Vec<_>>();
    let rule = (0..headings.len()).map(|column| if column == 0 { "---" } else { "--:" }.to_owned());
    let mut text = line(&headings) + &line(&rule.collect::<Vec<_>>());
    for row in rows {
        text += &line(row);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values = |count: u64| (1..=count).map(Duration::from_millis).collect::<Vec<_>>();
        let at = |count, percent| percentile(&values(count), percent).map(|value| value.as_millis());
        assert_eq!(at(0, 99), None);
        assert_eq!(at(1, 99), Some(1));
        assert_eq!(at(10, 99), Some(10));
        assert_eq!(at(100, 99), Some(99));
        assert_eq!(at(1_000, 99), Some(990));
        assert_eq!(at(1_001, 99), Some(991));
        assert_eq!(at(100, 0), Some(1));
        assert_eq!(at(100, 100), Some(100));
    }

    #[test]
    fn p99_and_max_do_not_depend_on_the_order_of_values() {
        let values = [3, 1, 200, 2].map(Duration::from_millis).to_vec();
        assert_eq!(p99_and_max(values), ["200", "200"]);
        assert_eq!(p99_and_max((1..=100).rev().map(Duration::from_micros).collect()), ["0.1", "0.1"]);
        assert_eq!(p99_and_max(Vec::new()), ["–", "–"]);
    }

    #[test]
    fn a_table_has_a_rule_below_its_headings() {
        let rows = [vec!["none".to_owned(), "1".to_owned()], vec!["all".to_owned(), "2".to_owned()]];
        let expected = "| what | ms |\n| --- | --: |\n| none | 1 |\n| all | 2 |\n";
        assert_eq!(markdown(&["what", "ms"], &rows), expected);
    }
}
