import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './accessible';

const square = (page: Page, name: string): Locator => page.locator(`button[data-square="${name}"]`);
const pieces = (page: Page): Locator => page.locator('.pieces img[data-piece]');
const fen = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'FEN de la position' }).inputValue();

async function centreOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('not on the screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const start = await centreOf(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

const palette = (page: Page, name: string): Locator =>
  page.locator(`.palette label[title="${name}"]`);

test.beforeEach(async ({ page }) => {
  await page.goto('/problems/chess/compose');
  await expect(square(page, 'e4')).toBeVisible();
});

test('the editor reports no errors before the first change', async ({ page }) => {
  await expect(page.locator('.wrong')).toHaveCount(0);
  await expectAccessible(page);
});

test('pieces are dragged from the palette, across the board, and off it', async ({ page }) => {
  await drag(page, palette(page, 'dame blanche'), await centreOf(square(page, 'd4')));
  await expect.poll(() => fen(page)).toMatch(/^8\/8\/8\/8\/3Q4\//);
  await drag(page, square(page, 'd4'), await centreOf(square(page, 'h8')));
  await expect.poll(() => fen(page)).toMatch(/^7Q\/8\//);
  const board = await page.locator('.board .squares').boundingBox();
  await drag(page, square(page, 'h8'), { x: (board?.x ?? 0) + 40, y: (board?.y ?? 0) - 12 });
  await expect(pieces(page)).toHaveCount(0);
});

test('dragging a piece moves it, whichever tool is selected', async ({ page }) => {
  await palette(page, 'roi noir').click();
  await square(page, 'a8').click();
  await drag(page, square(page, 'a8'), await centreOf(square(page, 'b6')));
  await expect.poll(() => fen(page)).toMatch(/^8\/8\/1k6\//);
});

test('the secondary button removes a piece, and two clicks move one', async ({ page }) => {
  await palette(page, 'tour blanche').click();
  await square(page, 'c3').click();
  await page.getByRole('radio', { name: 'Déplacer' }).check();
  await square(page, 'c3').click();
  await square(page, 'c7').click();
  await expect.poll(() => fen(page)).toMatch(/^8\/2R5\//);
  await square(page, 'c7').click({ button: 'right' });
  await expect(pieces(page)).toHaveCount(0);
});

test('pieces are placed and removed by keyboard', async ({ page }) => {
  const knight = page.getByRole('radio', { name: 'cavalier blanc' });
  await knight.focus();
  await page.keyboard.press('Space');
  await square(page, 'a1').focus();
  await page.keyboard.press('Enter');
  await expect(square(page, 'a1')).toHaveAccessibleName(/cavalier blanc/);
  await page.keyboard.press('Enter');
  await expect(pieces(page)).toHaveCount(0);
});

test.describe('with touch input', () => {
  test.use({ hasTouch: true });

  test('a long press removes a piece', async ({ page }) => {
    await palette(page, 'dame noire').tap();
    await square(page, 'd5').tap();
    await expect(pieces(page)).toHaveCount(1);
    const { x, y } = await centreOf(square(page, 'd5'));
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x, y }],
    });
    await expect(pieces(page)).toHaveCount(0);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(pieces(page)).toHaveCount(0);
  });
});
