// One chunk per language, so that only the current one is fetched. Messages that only a few pages
// need are in separate chunks (see `parts.ts`); those that only the server needs are left out.
export default import.meta.glob<string>(
  [
    '../../../../locales/fr/*.ftl',
    '!../../../../locales/fr/{account,admin,analysis,compose,document,drill,hall,mail,problem}.ftl',
    '../../../../games/*/words.fr.ftl',
  ],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);
