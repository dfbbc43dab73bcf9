/**
 * The images of pieces whose shapes show how they move and capture, for all games. They share a
 * chunk, because a request costs more than an image.
 */
export default import.meta.glob<string>('../../../../games/*/men/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});
