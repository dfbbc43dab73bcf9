import { describe, expect, test } from 'vitest';
import { variants } from '../variants';
import {
  imageFile,
  isRole,
  isSet,
  loadImages,
  rolesOf,
  setNames,
  setsOf,
  type Color,
  type RoleOf,
} from './sets';

const COLORS: readonly Color[] = ['white', 'black'];

/** All images by path, as text. */
const FILES = import.meta.glob<string>(
  ['./classic/*.svg', './silhouette/*.svg', '../../../../games/*/men/*.svg'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);

describe('the piece sets', () => {
  test.each(variants)('each set for %s has a different image for each piece', (variant) => {
    for (const set of setsOf(variant)) {
      const files = COLORS.flatMap((color) =>
        rolesOf(variant).map((role) => imageFile(set, variant, color, role)),
      );
      expect(new Set(files).size).toBe(2 * rolesOf(variant).length);
    }
  });

  test('every image is used', () => {
    const used = new Set(
      variants.flatMap((variant) =>
        setsOf(variant).flatMap((set) =>
          COLORS.flatMap((color) =>
            rolesOf(variant).map((role) => imageFile(set, variant, color, role)),
          ),
        ),
      ),
    );
    expect(used.size).toBe(Object.keys(FILES).length);
  });

  test.each(Object.entries(FILES))('%s is small and contains only shapes', (_, svg) => {
    expect(svg.length).toBeLessThan(2048);
    expect(svg).toContain('viewBox="0 0 100 100"');
    expect(svg).not.toMatch(/<(script|style|text|image|foreignObject|metadata)|\son\w+=/i);
    expect(svg).not.toMatch(/href="(?!#)/);
  });

  test('the images are loaded by set', async () => {
    const loaded = await Promise.all(setNames.map(loadImages));
    expect(Object.assign({}, ...loaded)).toEqual(FILES);
    for (const variant of variants)
      for (const set of setsOf(variant)) {
        const images = await loadImages(set);
        for (const role of rolesOf(variant))
          expect(images[imageFile(set, variant, 'white', role)]).toContain('<svg');
      }
  });

  test('every game has three sets; outside chess, the first one shows how pieces move', () => {
    expect(setsOf('chess')).toEqual(['classic', 'silhouette', 'mechanism']);
    for (const variant of ['baroque', 'ultima', 'interweave'] as const)
      expect(setsOf(variant)).toEqual(['mechanism', 'classic', 'silhouette']);
    expect(isSet('baroque', 'constructor')).toBe(false);
  });

  test('games with the same pieces share their images', () => {
    for (const role of rolesOf('ultima'))
      expect(imageFile('mechanism', 'ultima', 'black', role)).toBe(
        imageFile<'baroque'>('mechanism', 'baroque', 'black', role),
      );
  });

  test('a role is accepted only in its game', () => {
    expect(isRole('baroque', 'immobilizer')).toBe(true);
    expect(isRole('chess', 'immobilizer')).toBe(false);
  });

  test('a role is drawn as the classic piece with its letter', () => {
    const man = (role: RoleOf<'chess'>) => imageFile('classic', 'chess', 'white', role);
    expect(imageFile('classic', 'baroque', 'white', 'pincer-pawn')).toBe(man('pawn'));
    expect(imageFile('classic', 'baroque', 'white', 'long-leaper')).toBe(man('knight'));
    expect(imageFile('classic', 'baroque', 'white', 'chameleon')).toBe(man('bishop'));
    expect(imageFile('classic', 'baroque', 'white', 'coordinator')).toBe(man('rook'));
    expect(imageFile('classic', 'baroque', 'white', 'withdrawer')).toBe(man('queen'));
    expect(imageFile('classic', 'interweave', 'white', 'leaper')).toBe(man('knight'));
    expect(imageFile('classic', 'interweave', 'white', 'remover')).toBe(man('bishop'));
    expect(imageFile('classic', 'interweave', 'white', 'smasher')).toBe(man('rook'));
  });
});
