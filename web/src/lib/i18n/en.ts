// One chunk per language: only the one in use is fetched. Texts that only a few pages need are left out (see `parts.ts`).
export default import.meta.glob<string>(
  [
    '../../../../locales/en/*.ftl',
    '!../../../../locales/en/{analysis,compose,drill,mail,problem}.ftl',
    '../../../../games/*/words.en.ftl',
  ],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);
