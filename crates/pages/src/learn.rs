//! The drill pages.

use adoube_diagram::Picture;
use adoube_learn::{AnswerForm, Drill, drills};
use adoube_notation::Language;
use adoube_rules::{AnyPosition, Variant};
use adoube_texts::{Args, message, name, text};
use maud::{Markup, html};

use crate::{
    localized,
    position::{line, numbered},
    shell::{Preview, board},
    site::{Document, breadcrumbs, game_links, learning_resource, with_variant},
};

fn path_of(variant: Variant, drill: &Drill) -> String {
    format!("/learn/{variant}/{}", drill.name)
}

/// Returns one part of a drill's text. `part` is `title`, `task`, `hint` or `why`.
fn drill_text(language: Language, variant: Variant, drill: &Drill, part: &str) -> String {
    text(language, &format!("drill-{variant}-{}-{part}", drill.name))
}

/// Returns the page that lists the drills of a game.
pub fn drill_list(language: Language, variant: Variant) -> Document {
    let all = drills(variant);
    let path = format!("/learn/{variant}");
    let title = with_variant(language, "drills-of", variant);
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    args.set("count", all.len());
    let picture = Picture::of(first_position(all, variant));
    let document = Document {
        description: message(language, "document-about-learn", &args),
        preview: Some(Preview::of(&picture, &title)),
        main: html! {
            p.lead { (text(language, "drills-lead")) }
            (game_links(language, "learn", variant))
            @for group in all.chunk_by(|one, other| one.group == other.group) {
                @if let Some(first) = group.first() {
                    h2 { (text(language, &format!("drill-group-{}", first.group))) }
                }
                ol {
                    @for drill in group {
                        li { a href=(localized(language, &path_of(variant, drill))) {
                            (drill_text(language, variant, drill, "title"))
                        } " (" (difficulty(language, drill)) ")" }
                    }
                }
            }
        },
        path: path.clone(),
        title: title.clone(),
        ..Document::new(language)
    };
    let data =
        vec![learning_resource(&document, "exercises", variant), breadcrumbs(language, &[(title, path)])];
    Document { data, ..document }
}

fn difficulty(language: Language, drill: &Drill) -> String {
    let mut args = Args::new();
    args.set("difficulty", drill.difficulty.name());
    message(language, "drill-difficulty", &args)
}

fn first_position(all: &[Drill], variant: Variant) -> AnyPosition {
    all.first().map_or_else(|| AnyPosition::initial(variant), Drill::position)
}

/// Returns the page of a drill with its answer; `None` if the game has no drill with this name.
pub fn drill(language: Language, variant: Variant, name: &str) -> Option<Document> {
    let all = drills(variant);
    let index = all.iter().position(|drill| drill.name == name)?;
    let drill = &all[index];
    let path = path_of(variant, drill);
    let of = |part| drill_text(language, variant, drill, part);
    let task = of("task");
    let picture = Picture::of(drill.position());
    let list = format!("/learn/{variant}");
    let list_title = with_variant(language, "drills-of", variant);
    let document = Document {
        title: of("title"),
        description: format!("{list_title}. {task}"),
        preview: Some(Preview::of(&picture, &task)),
        main: html! {
            p.lead { (task) }
            @if !drill.before.is_empty() {
                p { (previous_turns(language, drill)) }
            }
            (board(&picture, language, &task))
            details { summary { (text(language, "drill-show-hint")) } p { (of("hint")) } }
            details {
                summary { (text(language, "document-answer")) }
                p { (answers(language, drill)) }
                p { (of("why")) }
                (clause(language, variant, drill))
            }
            p.links {
                a href=(localized(language, &list)) { (text(language, "drills-all")) }
                @if let Some(next) = all.get(index + 1) {
                    " · " a href=(localized(language, &path_of(variant, next))) { (text(language, "drill-next")) }
                }
            }
        },
        path: path.clone(),
        ..Document::new(language)
    };
    let place = [(list_title, list), (document.title.clone(), path)];
    let data = vec![learning_resource(&document, "exercise", variant), breadcrumbs(language, &place)];
    Some(Document { data, ..document })
}

fn clause(language: Language, variant: Variant, drill: &Drill) -> Markup {
    let mut args = Args::new();
    args.set("clause", drill.clause.as_str());
    let address = localized(language, &format!("/rules/{variant}#{}", drill.clause));
    html! { p { a href=(address) { (message(language, "drill-clause", &args)) } } }
}

/// Returns a sentence with the turns that lead to the drill's position.
fn previous_turns(language: Language, drill: &Drill) -> String {
    let turns = line(&drill.start, language, drill.before.iter().map(String::as_str));
    let mut args = Args::new();
    args.set("turns", numbered(&drill.start, &turns));
    message(language, "drill-before", &args)
}

/// Returns a sentence with the answers: all the correct turns, all the squares, or "yes" or "no". For a drill
/// with several turns, the sentence contains the line.
fn answers(language: Language, drill: &Drill) -> String {
    let position = drill.position();
    let answers = match drill.goal.answer_form() {
        AnswerForm::Turn if !drill.then.is_empty() => {
            let first = drill.solutions.first().map(String::as_str);
            let rest = drill
                .then
                .iter()
                .flat_map(|stage| [Some(stage.reply.as_str()), stage.solutions.first().map(String::as_str)]);
            let turns = line(&position, language, std::iter::once(first).chain(rest).flatten());
            numbered(&position, &turns)
        }
        AnswerForm::Turn => {
            let turns = drill.solutions.iter().flat_map(|turn| line(&position, language, [turn.as_str()]));
            turns.collect::<Vec<_>>().join(", ")
        }
        AnswerForm::Squares => drill.solutions.join(", "),
        AnswerForm::Choice => {
            let words = drill.solutions.iter().map(|word| text(language, &format!("drill-{word}")));
            words.collect::<Vec<_>>().join(", ")
        }
    };
    let mut args = Args::new();
    args.set("answers", answers);
    message(language, "document-answers", &args)
}
