/** Tests the printed rules: a booklet in each language. */
import { expect, test } from '@playwright/test';
import { readPdf } from './pdf';

/** A5 in points, rounded. */
const A5 = { width: 420, height: 595 };

const BOOKS = [
  {
    locale: 'fr-FR',
    variant: 'chess',
    title: 'Règles : Échecs',
    words: 'prise en passant',
    last: 'Sources',
  },
  {
    locale: 'fr-FR',
    variant: 'baroque',
    title: 'Règles : Baroque',
    words: 'coordinateur',
    last: 'Sources',
  },
  {
    locale: 'en-GB',
    variant: 'interweave',
    title: 'Rules: Interweave',
    words: 'captured',
    last: 'Source',
  },
  {
    locale: 'es-ES',
    variant: 'ultima',
    title: 'Reglas: Ultima',
    words: 'inmovilizador',
    last: 'Fuentes',
  },
] as const;

for (const { locale, variant, title, words, last } of BOOKS)
  test.describe(locale, () => {
    test.use({ locale });

    test(`the rules of ${variant} are printed as a booklet`, async ({ page }) => {
      await page.goto(`/rules/${variant}`);
      await expect(page.locator('figure[data-diagram] button[data-square]').first()).toBeVisible();
      const navigation = await page.getByRole('navigation').allInnerTexts();
      const file = await page.pdf({ preferCSSPageSize: true });
      const { pages, pictures } = readPdf(file);
      expect(pages.length).toBeGreaterThan(4);
      for (const [index, { width, height, text }] of pages.entries()) {
        expect(Math.round(width)).toBe(A5.width);
        expect(Math.round(height)).toBe(A5.height);
        // Chromium draws the margin, with the page number, before the text.
        expect(text).toMatch(new RegExp(`^${index + 1}\\D`));
      }
      const plain = (text: string): string =>
        text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
      const text = plain(pages.map((each) => each.text).join(''));
      // Compares word by word, because the space before a colon is a different character in some
      // of the PDF's fonts.
      for (const word of title.split(/\s+/)) expect(text).toContain(plain(word));
      expect(text).toContain(plain(words));
      expect(text).toContain(plain(last));
      // Menus and buttons are not printed.
      for (const menu of navigation.filter((item) => item !== ''))
        expect(text).not.toContain(plain(menu));
      // Diagrams off the screen are not rendered, so the text is read from the document, not from the layout.
      for (const button of await page.locator('figure .buttons').allTextContents())
        if (plain(button) !== '') expect(text).not.toContain(plain(button));
      // Diagrams and pieces are vector graphics.
      expect(pictures).toBe(0);
    });
  });
