/**
 * The images of pieces drawn by how they move and capture, of all games, in one chunk, because a
 * request costs more than an image.
 */
export default import.meta.glob<string>('../../../../games/*/men/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});
