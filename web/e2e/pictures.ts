/**
 * Compares pictures by the average colours of their blocks. A lost style sheet, a moved panel or a missing
 * board changes many blocks. Small differences in how different versions of Chromium draw the edges
 * of letters and pieces barely change any block.
 */
import type { Page } from '@playwright/test';

/** Height and width of a block, in picture pixels. */
const BLOCK = 4;
/** Two blocks differ if any channel of their average colours differs by more than this, out of 255. */
const CHANNEL = 20;
/** The share of differing blocks, from 0 to 1, above which two pictures differ. */
export const TOLERANCE = 0.004;

/** The difference between two pictures. */
export interface Difference {
  /** The share of the blocks that differ; 1 if the pictures have different sizes. */
  readonly share: number;
  /**
   * The bounding rectangle of those blocks in pixels: left, top, right, bottom; empty if there are
   * none. If the sizes differ, it is the whole first picture.
   */
  readonly around: readonly number[];
}

/**
 * Compares two WebP pictures. They are decoded in `page`, to which the site's content security
 * policy must not apply.
 */
export function compare(page: Page, one: Buffer, other: Buffer): Promise<Difference> {
  return page.evaluate(
    async ({ pictures, block, channel }) => {
      const decode = async (base64: string): Promise<ImageData> => {
        const response = await fetch(`data:image/webp;base64,${base64}`);
        const image = await createImageBitmap(await response.blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        if (canvas === null) throw new Error('the browser cannot draw');
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, image.width, image.height);
      };
      const [a, b] = await Promise.all([decode(pictures[0]), decode(pictures[1])]);
      const { width, height } = a;
      const around = [width, height, 0, 0] as [number, number, number, number];
      if (b.width !== width || b.height !== height)
        return { share: 1, around: [0, 0, width, height] };
      let [blocks, different] = [0, 0];
      for (let top = 0; top < height; top += block)
        for (let left = 0; left < width; left += block) {
          const [right, bottom] = [Math.min(left + block, width), Math.min(top + block, height)];
          let [red, green, blue] = [0, 0, 0];
          for (let y = top; y < bottom; y += 1) {
            const end = (y * width + right) * 4;
            for (let at = (y * width + left) * 4; at < end; at += 4) {
              red += (a.data[at] ?? 0) - (b.data[at] ?? 0);
              green += (a.data[at + 1] ?? 0) - (b.data[at + 1] ?? 0);
              blue += (a.data[at + 2] ?? 0) - (b.data[at + 2] ?? 0);
            }
          }
          blocks += 1;
          const limit = channel * (right - left) * (bottom - top);
          if (Math.max(Math.abs(red), Math.abs(green), Math.abs(blue)) <= limit) continue;
          different += 1;
          around[0] = Math.min(around[0], left);
          around[1] = Math.min(around[1], top);
          around[2] = Math.max(around[2], right);
          around[3] = Math.max(around[3], bottom);
        }
      return { share: different / blocks, around: different === 0 ? [] : around };
    },
    {
      pictures: [one.toString('base64'), other.toString('base64')] as const,
      block: BLOCK,
      channel: CHANNEL,
    },
  );
}
