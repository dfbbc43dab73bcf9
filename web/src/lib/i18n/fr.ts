// One chunk per language: only the one in use is fetched. What few pages need is in parts of its own.
export default import.meta.glob<string>(
  ['../../../../locales/fr/*.ftl', '!../../../../locales/fr/{drill,problem}.ftl'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);
