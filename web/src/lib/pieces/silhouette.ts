/**
 * The images of chess pieces as bold shapes. They share a chunk, because a request costs more than
 * an image.
 */
export default import.meta.glob<string>('./silhouette/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});
