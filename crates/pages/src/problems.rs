//! The problem pages.

use adoube_diagram::Picture;
use adoube_notation::Language;
use adoube_problems::{Goal, Problem, problem as find, problems};
use adoube_rules::{AnyPosition, Position as _, Stalemate, Variant};
use adoube_texts::{Args, message, name, text};
use maud::{Markup, html};

use crate::{
    localized,
    position::{line, numbered},
    shell::{Preview, board},
    site::{Document, breadcrumbs, game_links, learning_resource, with_variant},
};

/// Returns the problems that have not been retired, easiest first.
pub(crate) fn offered(variant: Variant) -> impl Iterator<Item = &'static Problem> {
    problems(variant).iter().filter(|problem| !problem.retired)
}

/// Returns the goal of a problem as a sentence.
fn goal_text(language: Language, variant: Variant, goal: Goal, turns: u8) -> String {
    let key = match goal {
        Goal::Gain => return text(language, "problem-gain"),
        // If stalemate also wins, a win need not be a mate.
        Goal::Win if variant.info().royal.is_some() && variant.info().stalemate == Stalemate::Draws => {
            "problem-mate"
        }
        Goal::Win => "problem-win",
    };
    let mut args = Args::new();
    args.set("count", turns);
    message(language, key, &args)
}

fn level(language: Language, rating: u16) -> String {
    let mut args = Args::new();
    // Pass text, because a number would get a thousands separator.
    args.set("rating", rating.to_string());
    message(language, "problem-level", &args)
}

fn picture_of(variant: Variant, fen: &str) -> Option<(AnyPosition, Picture)> {
    let position = AnyPosition::from_fen(variant, fen).ok()?;
    let picture = Picture { orientation: position.side_to_move(), ..Picture::of(position.clone()) };
    Some((position, picture))
}

/// Returns the page that lists the problems of a variant.
pub fn problem_list(language: Language, variant: Variant) -> Document {
    let all: Vec<_> = offered(variant).collect();
    let path = format!("/problems/{variant}");
    let title = with_variant(language, "problems-of", variant);
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    args.set("count", all.len());
    let picture = all.first().and_then(|first| picture_of(variant, &first.fen));
    let document = Document {
        description: message(language, "document-about-problems", &args),
        preview: picture.map(|(_, picture)| Preview::of(&picture, &title)),
        main: html! {
            (game_links(language, "problems", variant))
            @if all.is_empty() { p { (text(language, "problem-none-yet")) } }
            ol.problems {
                @for problem in &all {
                    li {
                        a href=(localized(language, &format!("{path}/{}", problem.id))) {
                            (goal_text(language, variant, problem.goal, problem.turns))
                        }
                        " " small { (problem.rating) }
                    }
                }
            }
        },
        path: path.clone(),
        title: title.clone(),
        ..Document::new(language)
    };
    let data =
        vec![learning_resource(&document, "problems", variant), breadcrumbs(language, &[(title, path)])];
    Document { data, ..document }
}

/// Returns the page of a problem from the collection, with its solution, or `None` if the variant has no
/// problem with this id.
pub fn problem(language: Language, variant: Variant, id: &str) -> Option<Document> {
    let problem = find(variant, id)?;
    let next = offered(variant).skip_while(|each| each.id != id).nth(1);
    let task = Task {
        id: &problem.id,
        fen: &problem.fen,
        goal: problem.goal,
        turns: problem.turns,
        line: &problem.line,
    };
    page(
        language,
        variant,
        &task,
        &html! { p { (level(language, problem.rating)) } },
        next.map(|next| next.id.as_str()),
    )
}

/// A problem that a player composed.
#[derive(Clone, Copy, Debug)]
pub struct ComposedProblem<'a> {
    /// The id of the problem.
    pub id: &'a str,
    /// The title, if it has one.
    pub title: Option<&'a str>,
    /// The composer's name; `None` if the account no longer exists.
    pub by: Option<&'a str>,
    /// The position to solve.
    pub fen: &'a str,
    /// The number of turns that the solver plays.
    pub turns: u8,
    /// The main line of the solution, in coordinate notation.
    pub line: &'a [String],
}

/// Returns the page of a composed problem, with its solution, or `None` if its position cannot be read.
pub fn composed_problem(
    language: Language,
    variant: Variant,
    composed: &ComposedProblem<'_>,
) -> Option<Document> {
    let by = composed.by.map_or_else(
        || text(language, "composed-by-deleted"),
        |by| {
            let mut args = Args::new();
            args.set("name", by);
            message(language, "composed-by", &args)
        },
    );
    let title = composed.title.map_or_else(|| text(language, "composed-untitled"), str::to_owned);
    let ComposedProblem { id, fen, turns, line, .. } = *composed;
    let task = Task { id, fen, goal: Goal::Win, turns, line };
    page(language, variant, &task, &html! { p { cite { (title) } " " (by) } }, None)
}

struct Task<'a> {
    id: &'a str,
    fen: &'a str,
    goal: Goal,
    turns: u8,
    line: &'a [String],
}

fn page(
    language: Language,
    variant: Variant,
    task: &Task<'_>,
    about: &Markup,
    next: Option<&str>,
) -> Option<Document> {
    let (position, picture) = picture_of(variant, task.fen)?;
    let goal = goal_text(language, variant, task.goal, task.turns);
    let list = format!("/problems/{variant}");
    let path = format!("{list}/{}", task.id);
    let list_title = with_variant(language, "problems-of", variant);
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    args.set("goal", goal.trim_end_matches('.'));
    let turns = line(&position, language, task.line.iter().map(String::as_str));
    let mut solution = Args::new();
    solution.set("turns", numbered(&position, &turns));
    let to_move = crate::position::side_to_move(language, position.side_to_move());
    let document = Document {
        title: message(language, "document-problem-title", &args),
        description: format!("{list_title}. {to_move}. {goal}"),
        preview: Some(Preview::of(&picture, &goal)),
        main: html! {
            p.lead { (goal) }
            (about)
            (board(&picture, language, &goal))
            details {
                summary { (text(language, "document-solution")) }
                p { (message(language, "problem-solution", &solution)) }
            }
            p.links {
                a href=(localized(language, &list)) { (list_title) } " · "
                a href=(localized(language, &format!("/rules/{variant}"))) {
                    (with_variant(language, "rules-of", variant))
                }
                @if let Some(next) = next {
                    " · " a href=(localized(language, &format!("{list}/{next}"))) {
                        (text(language, "problem-next"))
                    }
                }
            }
        },
        path: path.clone(),
        ..Document::new(language)
    };
    let trail = [(list_title, list), (document.title.clone(), path)];
    let data = vec![learning_resource(&document, "problem", variant), breadcrumbs(language, &trail)];
    Some(Document { data, ..document })
}
