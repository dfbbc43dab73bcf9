/**
 * The images, for all games, of pieces drawn by how they move and capture. They share a chunk,
 * because a request costs more than an image.
 */
export default import.meta.glob<string>('../../../../games/*/men/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});
