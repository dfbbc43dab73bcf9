/**
 * The images of chess pieces in the Staunton style. They share a chunk, because a request costs
 * more than an image.
 */
export default import.meta.glob<string>('./classic/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});
