/**
 * The pages and their paths. `{name}` is a parameter, whose values are defined in `routes.ts`. A
 * test generates the server's list of pages from this table.
 */
export const paths = {
  home: ['/'],
  hall: ['/hall'],
  games: ['/games'],
  game: ['/game/{id}'],
  invite: ['/invite/{token}'],
  rules: ['/rules', '/rules/{variant}'],
  learn: ['/learn', '/learn/{variant}', '/learn/{variant}/{drill}'],
  problems: ['/problems', '/problems/{variant}', '/problems/{variant}/{problem}'],
  compose: ['/problems/{variant}/compose'],
  analysis: ['/analysis', '/analysis/{variant}'],
  'analysis-of-game': ['/analysis/game/{id}'],
  'saved-analyses': ['/analysis/saved'],
  'saved-analysis': ['/analysis/saved/{saved}'],
  account: ['/account'],
  identity: ['/identity'],
  settings: ['/settings'],
  admin: ['/admin', '/admin/{section}'],
  'house-text': ['/house/{text}'],
  join: ['/join/{token}'],
  recover: ['/recover/{token}'],
  'mail-link-confirm': ['/confirm/{token}'],
  'mail-link-stop': ['/mail/stop/{token}'],
} as const satisfies Record<string, readonly `/${string}`[]>;
