//! Written by web/src/lib/routing/routes.test.ts. Do not edit.

/// The paths of the client, which finds by them what to show.
pub(crate) const PAGES: [&str; 24] = [
    "/",
    "/hall",
    "/games",
    "/game/{id}",
    "/invite/{token}",
    "/rules",
    "/rules/{variant}",
    "/learn",
    "/learn/{variant}",
    "/learn/{variant}/{drill}",
    "/problems",
    "/problems/{variant}",
    "/problems/{variant}/{problem}",
    "/problems/{variant}/compose",
    "/analysis",
    "/analysis/{variant}",
    "/analysis/game/{id}",
    "/analysis/saved",
    "/analysis/saved/{saved}",
    "/account",
    "/settings",
    "/recover/{token}",
    "/confirm/{token}",
    "/mail/stop/{token}",
];
