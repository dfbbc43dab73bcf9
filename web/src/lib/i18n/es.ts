// One chunk per language, so that only the current one is fetched. Texts needed by only a few pages
// are in `parts.ts`.
export default import.meta.glob<string>(
  [
    '../../../../locales/es/*.ftl',
    '!../../../../locales/es/{account,admin,analysis,compose,document,drill,hall,mail,problem}.ftl',
    '../../../../games/*/words.es.ftl',
  ],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);
