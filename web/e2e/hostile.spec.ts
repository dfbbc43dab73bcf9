import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { createGame, headline, join, showAll } from './game-page';

/** Strings that would have an effect if they were ever interpreted as markup, code or a URL. */
const payloads = [
  '<script>window.caught = 1</script>',
  '<img src=x onerror="window.caught = 2">',
  '"><svg onload=window.caught=3>',
  "'-(window.caught=4)-'",
  'javascript:window.caught=5',
  '{{window.caught=6}}${window.caught=7}',
  '</p></section><h1>adoube</h1>',
  '[Event "<b>x</b>"] {<i>y</i>} %3Cscript%3E',
];

/** Opens a page that records violations of its content security policy. */
async function openGuardedPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    const forbidden: string[] = [];
    Object.assign(window, { forbidden });
    document.addEventListener('securitypolicyviolation', (event) => {
      forbidden.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  page.on('dialog', (dialog) => {
    throw new Error(`unexpected dialog: ${dialog.message()}`);
  });
  return page;
}

async function expectNothingHappened(page: Page): Promise<void> {
  const seen = await page.evaluate(() => ({
    caught: Reflect.get(window, 'caught') as unknown,
    forbidden: Reflect.get(window, 'forbidden') as unknown,
  }));
  expect(seen).toEqual({ caught: undefined, forbidden: [] });
}

test('s12: user input is always rendered as text', async ({ browser }) => {
  const white = await openGuardedPage(await browser.newContext({ locale: 'fr-FR' }));
  const black = await openGuardedPage(await browser.newContext({ locale: 'fr-FR' }));
  const link = await createGame(white, '', {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Blancs',
  });
  await join(black, link);
  await expect(headline(white)).toHaveText('À vous de jouer');
  for (const page of [white, black]) await showAll(page);
  const lines = black.locator('.lines .text');
  for (const [index, payload] of payloads.entries()) {
    // The players alternate to stay below the chat's rate limit.
    const field = (index % 2 === 0 ? white : black).getByLabel('Écrire un message');
    await field.fill(payload);
    await field.press('Enter');
    await expect(lines).toHaveCount(index + 1);
  }
  for (const page of [white, black]) {
    await expect(page.locator('.lines .text')).toHaveText(payloads);
    await expect(page.locator('.lines :is(img, svg, script, a, h1, b, i)')).toHaveCount(0);
    await expectNothingHappened(page);
  }
});

test('s12: markup in addresses and positions is shown, not interpreted', async ({ browser }) => {
  const page = await openGuardedPage(await browser.newContext({ locale: 'fr-FR' }));
  for (const payload of payloads) {
    const word = encodeURIComponent(payload);
    for (const path of [`/game/${word}`, `/invite/${word}`, `/rules/${word}`, `/recover/${word}`]) {
      await page.goto(path);
      await expect(page.locator('main')).not.toBeEmpty();
      // Each navigation discards what the previous page recorded.
      await expectNothingHappened(page);
    }
  }
  await page.goto('/');
  await page.getByText('Plus de réglages').click();
  await page.getByRole('radio', { name: 'Une position (FEN)' }).check();
  for (const payload of payloads) {
    await page.getByLabel('Position de départ (FEN)').fill(payload);
    await expect(page.getByRole('button', { name: 'Jouer', exact: true })).toBeDisabled();
  }
  await expectNothingHappened(page);
});
