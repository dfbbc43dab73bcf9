//! The files that search engines request.

use adoube_learn::drills;
use adoube_notation::Language;
use adoube_rules::Variant;
use maud::{PreEscaped, html};

use crate::{Site, localized, problems::offered};

const DECLARATION: PreEscaped<&str> = PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Returns `robots.txt`. It does not list the pages that must not be indexed, which say so in their metadata.
pub fn robots(site: &Site) -> String {
    let Site { address, path } = site;
    format!("User-agent: *\nDisallow: {path}/api/\n\nSitemap: {address}/sitemap.xml\n")
}

/// Returns the index of the sitemaps for all languages. `address` is [`Site::address`].
pub fn sitemap_index(address: &str) -> String {
    let index = html! {
        (DECLARATION)
        sitemapindex xmlns=(NAMESPACE) {
            @for language in Language::ALL {
                sitemap { loc { (address) "/sitemap-" (language) ".xml" } }
            }
        }
    };
    index.into_string()
}

/// Returns the sitemap for one language. It lists only pages whose content is part of the program, so their
/// number is bounded. Retired and composed problems are not listed, although search engines may index them.
pub fn sitemap(address: &str, language: Language) -> String {
    let map = html! {
        (DECLARATION)
        urlset xmlns=(NAMESPACE) {
            @for path in paths() {
                url { loc { (address) (localized(language, &path)) } }
            }
        }
    };
    map.into_string()
}

/// Returns the paths of the pages, without a language, most important first.
fn paths() -> impl Iterator<Item = String> {
    let of_game = |variant: Variant| {
        ["rules", "learn", "problems", "analysis"].map(|page| format!("/{page}/{variant}"))
    };
    let each_drill = |variant: Variant| {
        drills(variant).iter().map(move |drill| format!("/learn/{variant}/{}", drill.name))
    };
    let each_problem =
        |variant: Variant| offered(variant).map(move |problem| format!("/problems/{variant}/{}", problem.id));
    ["/", "/hall"]
        .map(str::to_owned)
        .into_iter()
        .chain(Variant::ALL.into_iter().flat_map(of_game))
        .chain(Variant::ALL.into_iter().flat_map(each_drill))
        .chain(Variant::ALL.into_iter().flat_map(each_problem))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_sitemap_for_a_language_lists_each_page_once_within_the_size_limits() {
        let map = sitemap("https://x.example", Language::English);
        assert!(map.starts_with("<?xml version=\"1.0\""));
        let pages = map.matches("<loc>https://x.example/en/").count();
        let different: BTreeSet<_> = map.split("<loc>").skip(1).collect();
        assert_eq!(pages, different.len());
        assert!(pages > 500, "{pages}");
        // The limits of the protocol: 50,000 addresses and 50 MB.
        assert!(pages < 50_000 && map.len() < 50_000_000, "{pages} pages, {} bytes", map.len());
        assert!(map.contains("<loc>https://x.example/en/rules/chess</loc>"));
        for private in ["/game", "/invite", "/account", "/settings", "/games"] {
            assert!(!map.contains(&format!("/en{private}")), "{private}");
        }
    }

    #[test]
    fn the_index_lists_the_languages() {
        let index = sitemap_index("https://x.example");
        for code in ["fr", "en", "es"] {
            assert!(index.contains(&format!("<loc>https://x.example/sitemap-{code}.xml</loc>")), "{index}");
        }
        let site = Site { address: "https://x.example/echecs".to_owned(), path: "/echecs".to_owned() };
        let robots = robots(&site);
        assert!(robots.contains("\nDisallow: /echecs/api/\n"), "{robots}");
        assert!(robots.ends_with("Sitemap: https://x.example/echecs/sitemap.xml\n"), "{robots}");
    }
}
