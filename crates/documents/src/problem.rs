use serde::{Deserialize, Serialize};

use crate::Schema;

/// A composed problem with its proved solution. The title and the composer are columns in the store.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProblemDocument {
    #[serde(default = "Schema::first")]
    pub schema: Schema<1>,
    /// The position; the side to move wins.
    pub fen: String,
    /// The number of turns in which the solver wins.
    pub turns: u8,
    /// The turns of a solution in coordinate notation, beginning and ending with the solver's.
    pub line: Vec<String>,
    pub solution: ProblemSolution,
}

/// A solution as a tree.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProblemSolution {
    pub first: ProblemBranch,
    /// Whether the tree contains every reply. Replies beyond the size or search limit are left out.
    pub complete: bool,
}

/// A turn of the solver, with the opponent's replies.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProblemBranch {
    pub turn: String,
    /// Other turns that win just as fast here.
    pub others: Vec<String>,
    /// The replies, longest resistance first.
    pub replies: Vec<ProblemReply>,
}

/// A reply by the opponent, with the solver's next turn.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProblemReply {
    pub turn: String,
    pub then: ProblemBranch,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::assert_serialized;

    #[test]
    fn its_serialized_form_is_stable() {
        let last = ProblemBranch { turn: "g5g6".into(), others: vec!["g5g7".into()], replies: Vec::new() };
        let replies = vec![ProblemReply { turn: "h7h6".into(), then: last }];
        let first = ProblemBranch { turn: "d5f6".into(), others: Vec::new(), replies };
        let document = ProblemDocument {
            schema: Schema::default(),
            fen: "8/7k/8/3N1KR1/8/8/8/8 w - - 0 1".into(),
            turns: 2,
            line: vec!["d5f6".into(), "h7h6".into(), "g5g6".into()],
            solution: ProblemSolution { first, complete: true },
        };
        let text = concat!(
            r#"{"schema":1,"fen":"8/7k/8/3N1KR1/8/8/8/8 w - - 0 1","turns":2,"line":["d5f6","h7h6","g5g6"],"#,
            r#""solution":{"first":{"turn":"d5f6","others":[],"replies":[{"turn":"h7h6","#,
            r#""then":{"turn":"g5g6","others":["g5g7"],"replies":[]}}]},"complete":true}}"#
        );
        assert_serialized(&document, text);
        let old_format = text.replacen(r#""schema":1,"#, "", 1);
        assert_eq!(serde_json::from_str::<ProblemDocument>(&old_format).unwrap(), document);
    }
}
