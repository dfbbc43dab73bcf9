use serde::{Deserialize, Serialize};

use crate::{ProblemSolution, Schema};

/// A composition to prove, as a job for another process. It is deleted a minute or two after the last
/// visitor has stopped waiting for the result.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProofJobDocument {
    pub schema: Schema<1>,
    /// The name of the variant.
    pub variant: String,
    /// The position; the side to move is to win.
    pub fen: String,
    /// The number of turns in which the solver is to win.
    pub turns: u8,
    /// The author's solution: lines of turns in coordinate notation.
    pub lines: Vec<Vec<String>>,
}

/// The result of a [`ProofJobDocument`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct ProofResultDocument {
    pub schema: Schema<1>,
    pub finding: ProofFinding,
}

/// The outcome of an attempt to prove a composition.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "found")]
pub enum ProofFinding {
    Proved {
        fen: String,
        line: Vec<String>,
        solution: ProblemSolution,
        nodes: u64,
    },
    SecondSolution {
        own: Option<String>,
        others: Vec<Vec<String>>,
    },
    Sooner {
        turns: u8,
        line: Vec<String>,
    },
    Refuted {
        line: Vec<String>,
        reply: Option<String>,
        instead: Vec<Vec<String>>,
    },
    NoWin,
    /// A limit was reached, or the search was stopped, after this many positions.
    TooHard {
        nodes: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProblemBranch, schema::tests::assert_serialized};

    #[test]
    fn a_job_has_a_stable_serialized_form() {
        let job = ProofJobDocument {
            schema: Schema::default(),
            variant: "chess".into(),
            fen: "8/7k/8/3N1KR1/8/8/8/8 w - - 0 1".into(),
            turns: 2,
            lines: vec![vec!["d5f6".into(), "h7h6".into()], Vec::new()],
        };
        assert_serialized(
            &job,
            r#"{"schema":1,"variant":"chess","fen":"8/7k/8/3N1KR1/8/8/8/8 w - - 0 1","turns":2,"lines":[["d5f6","h7h6"],[]]}"#,
        );
        let written = |finding, text: &str| {
            let text = format!(r#"{{"schema":1,"finding":{{"found":{text}}}}}"#);
            assert_serialized(&ProofResultDocument { schema: Schema::default(), finding }, &text);
        };
        let first = ProblemBranch { turn: "d5f6".into(), others: Vec::new(), replies: Vec::new() };
        written(
            ProofFinding::Proved {
                fen: "fen".into(),
                line: vec!["d5f6".into()],
                solution: ProblemSolution { first, complete: true },
                nodes: 7,
            },
            r#""proved","fen":"fen","line":["d5f6"],"solution":{"first":{"turn":"d5f6","others":[],"replies":[]},"complete":true},"nodes":7"#,
        );
        written(
            ProofFinding::SecondSolution { own: None, others: vec![vec!["a1a2".into()]] },
            r#""second-solution","own":null,"others":[["a1a2"]]"#,
        );
        written(
            ProofFinding::Sooner { turns: 1, line: vec!["a1a2".into()] },
            r#""sooner","turns":1,"line":["a1a2"]"#,
        );
        written(
            ProofFinding::Refuted { line: Vec::new(), reply: Some("a1a2".into()), instead: Vec::new() },
            r#""refuted","line":[],"reply":"a1a2","instead":[]"#,
        );
        written(ProofFinding::NoWin, r#""no-win""#);
        written(ProofFinding::TooHard { nodes: 9 }, r#""too-hard","nodes":9"#);
    }
}
