// One chunk per language: only the one in use is fetched.
export default import.meta.glob<string>('../../../../locales/en/*.ftl', {
  eager: true,
  query: '?raw',
  import: 'default',
});
