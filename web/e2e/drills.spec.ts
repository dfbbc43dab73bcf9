import { expect, test, type Page } from '@playwright/test';
import { openMenu } from './menu';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';

const square = (page: Page, name: string) => page.locator(`button[data-square="${name}"]`);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/learn/${path}`);
  await expect(page.locator('button[data-square]')).toHaveCount(64);
}

async function move(page: Page, from: string, to: string): Promise<void> {
  await square(page, from).click();
  await square(page, to).click();
}

/** Returns the element with the feedback on the last answer. */
const verdict = (page: Page) => page.locator('.verdict');

test('a Baroque drill: a wrong turn is explained, the right one is recorded', async ({ page }) => {
  await page.goto('/learn/baroque');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Exercices\u00a0: Baroque');
  await expect(page.getByText(/^Exercices réussis\u00a0: 0 sur \d+$/)).toBeVisible();
  await page.getByRole('link', { name: 'Le rectangle du coordinateur' }).click();
  await expect(page).toHaveURL(/\/learn\/baroque\/coordinator$/);

  await move(page, 'h4', 'h6');
  await expect(verdict(page)).toContainText('Ce n’est pas cela');
  await expect(verdict(page)).toContainText('Ce n’est pas la prise demandée.');
  await expect(verdict(page)).toContainText(
    'Toujours sur l’échiquier : le pion pinceur noir en f2',
  );
  await expect(verdict(page)).toContainText('au coin du rectangle formé avec le roi en b2');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(verdict(page)).toBeHidden();

  await page.getByRole('button', { name: 'Un indice' }).click();
  await expect(page.getByText('Le roi est en b2.')).toBeVisible();
  await move(page, 'h4', 'h6');
  await expect(verdict(page)).toContainText('Ce n’est pas cela');
  // The next press on the board takes the wrong turn back.
  await square(page, 'h6').click();
  await expect(verdict(page)).toContainText('Votre coup est repris');
  await move(page, 'h4', 'f6');
  await expect(verdict(page)).toContainText('Exact');
  await expect(verdict(page).getByRole('link', { name: 'Règle B7' })).toHaveAttribute(
    'href',
    '/rules/baroque#B7',
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.goto('/learn/baroque');
  await expect(page.getByText(/^Exercices réussis\u00a0: 1 sur \d+$/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Exercices réussis\u00a0: 1 sur \d+$/)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a chess drill: squares are selected, and each wrong one is explained', async ({ page }) => {
  await open(page, 'chess/king-squares');
  for (const name of ['e3', 'e5']) await square(page, name).click();
  await expect(square(page, 'e3')).toHaveAccessibleName(/choisie/);
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(verdict(page)).toContainText('le fou noir en h2');
  await expect(verdict(page)).toContainText('Il manque encore 2 cases.');
  await square(page, 'e5').click();
  for (const name of ['f3', 'f5']) await square(page, name).click();
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(verdict(page)).toContainText('Exact');
  await page.getByRole('link', { name: 'Le suivant' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Le roi prend');
});

test('on a phone, only the title and the task are above the board', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await open(page, 'interweave/king-squares');
  const task = page.getByText('Choisissez toutes les cases où le roi d’e2 peut aller.');
  await expect(task).toBeInViewport({ ratio: 1 });
  await expect(square(page, 'a8')).toBeInViewport({ ratio: 1 });
  await expect(square(page, 'a1')).toBeInViewport({ ratio: 1 });
  const bottom = async (element: typeof task) => {
    const box = await element.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  const top = (await square(page, 'a8').boundingBox())?.y ?? 0;
  expect(await bottom(task)).toBeLessThanOrEqual(top);
  expect(await bottom(page.getByText(/^Touchez chaque case demandée/))).toBeGreaterThan(top);
  // The prerequisites from other games are on the page that lists the drills, not here.
  await expect(page.getByText(/^Ce qu’il faut connaître des échecs/)).toHaveCount(0);
  await page.goto('/learn/interweave');
  await expect(page.getByText(/^Ce qu’il faut connaître des échecs/)).toBeVisible();
});

test('an illegal turn is explained', async ({ page }) => {
  await open(page, 'chess/castling');
  await move(page, 'e1', 'c1');
  await expect(verdict(page)).toContainText('coup illégal');
  await expect(verdict(page)).toContainText('En roquant, le roi passerait par d1');
  await move(page, 'e1', 'g1');
  await expect(verdict(page)).toContainText('Exact');
});

test('an Interweave drill: a chain played with the keyboard, and a yes-or-no question', async ({
  page,
}) => {
  await open(page, 'interweave/chain');
  await square(page, 'a1').focus();
  await page.keyboard.press('Enter');
  for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expect(verdict(page)).toContainText('Continuez la prise.');
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await expect(verdict(page)).toContainText('Exact');

  await open(page, 'interweave/compulsory');
  await page.getByRole('button', { name: 'Oui' }).click();
  await expect(verdict(page)).toContainText('Ce n’est pas cela');
  await expect(verdict(page)).toContainText('donc il le doit');
  await expect(verdict(page).getByRole('link', { name: 'Règle I4' })).toBeVisible();
  await page.getByRole('button', { name: 'Non' }).click();
  await expect(verdict(page)).toContainText('Exact');
  await expectAccessible(page);
});

test('in a drill with two turns, the other side replies, and a wrong turn is taken back', async ({
  page,
}) => {
  await page.goto('/learn/chess');
  await expect(page.getByRole('heading', { name: 'En deux coups' })).toBeVisible();
  await page.getByRole('link', { name: 'Le mat à l’étouffée' }).click();
  await expect(page.getByText('Matez en deux coups.')).toBeVisible();
  await move(page, 'h6', 'f7');
  await expect(verdict(page)).toContainText('Ce coup ne mène pas au but à coup sûr.');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await move(page, 'b3', 'g8');
  await expect(verdict(page)).toContainText('L’adversaire a répondu. Tour noire de a8 à g8');
  await expectAccessible(page);
  await move(page, 'h6', 'g8');
  await expect(verdict(page)).toContainText('Ce coup ne finit pas la partie.');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.locator('img[data-square="h6"][data-piece="white-knight"]')).toHaveCount(1);
  await expect(page.locator('img[data-square="g8"][data-piece="black-rook"]')).toHaveCount(1);
  await move(page, 'h6', 'f7');
  await expect(verdict(page)).toContainText('Exact');
  await expect(verdict(page)).toContainText('La dame s’est sacrifiée en g8');
  await expectNoSidewaysScroll(page);
  await page.goto('/learn/chess');
  await expect(page.getByText(/^Exercices réussis\u00a0: 1 sur \d+$/)).toBeVisible();
});

test('the other side is forced to capture, and then a chain wins', async ({ page }) => {
  await open(page, 'interweave/lure-king');
  await move(page, 'b8', 'a7');
  await expect(verdict(page)).toContainText('L’adversaire a répondu');
  await square(page, 'a7').click();
  await square(page, 'a1').click();
  await expect(verdict(page)).toContainText('Continuez la prise.');
  await square(page, 'g1').click();
  await expect(verdict(page)).toContainText('Exact');
  await expectAccessible(page);
});

test('the text follows the language, and the rule page links to the drills', async ({ page }) => {
  await page.goto('/rules/interweave');
  await page.getByRole('main').getByRole('link', { name: 'Exercices' }).click();
  await expect(page).toHaveURL(/\/learn\/interweave$/);
  await page.getByRole('link', { name: 'La plus longue' }).click();
  await openMenu(page);
  await page.getByLabel('Langue').selectOption('en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The longest');
  await expect(page.getByText('Capture as many pieces as you can.')).toBeVisible();
});

test('a lesson leads to its rule and to the next drill, and has three levels of difficulty', async ({
  page,
}) => {
  await page.goto('/learn/chess');
  const lesson = page.getByRole('region', { name: 'La tour' });
  await expect(lesson.getByText('0 sur 3')).toBeVisible();
  await expect(lesson.getByRole('link', { name: /^La règle/ })).toHaveAttribute(
    'href',
    '/rules/chess#C5',
  );
  await expect(lesson.getByRole('listitem')).toContainText(['facile', 'moyen', 'difficile']);
  await expect(lesson.getByText('facultatif')).toHaveCount(1);
  await page.getByRole('link', { name: 'Commencer : La marche de la tour' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('La marche de la tour');
});

test('an optional drill is not suggested as the next one', async ({ page }) => {
  await open(page, 'chess/rook-takes');
  await move(page, 'd3', 'g3');
  await page.getByRole('link', { name: 'Le suivant' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('La marche du fou');
});

test('a wrong answer to a question about a possible capture is explained', async ({ page }) => {
  await open(page, 'baroque/coordinator-aligned');
  await page.getByRole('button', { name: 'Oui' }).click();
  await expect(verdict(page)).toContainText('Ce n’est pas cela');
  await expect(verdict(page)).toContainText('aligné avec son roi');
  await page.getByRole('button', { name: 'Non' }).click();
  await expect(verdict(page)).toContainText('Exact');
});

test('a frozen piece is given up by choosing its own square', async ({ page }) => {
  await open(page, 'ultima/give-up-opens');
  await move(page, 'd4', 'd4');
  await expect(verdict(page)).toContainText('Exact');
});

for (const variant of ['chess', 'baroque', 'ultima', 'interweave'])
  test(`the small games of ${variant} come after all its lessons`, async ({ page }) => {
    await page.goto(`/learn/${variant}`);
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    await expect(headings.last()).toHaveText('Et ensuite');
    const texts = await headings.allTextContents();
    expect(texts.indexOf('De petites parties')).toBe(texts.length - 2);
    const games = page.getByRole('button', { name: /^Jouer / });
    expect(await games.count()).toBeGreaterThanOrEqual(4);
    const section = page.getByRole('region', { name: 'De petites parties' });
    await expect(section.getByRole('button')).toHaveCount(await games.count());
  });

test('a small game is played against the machine', async ({ page }) => {
  await page.goto('/learn/chess');
  await page.getByRole('button', { name: 'Jouer La tour' }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.locator('img[data-piece$="-rook"]')).toHaveCount(4);
  await expect(page.locator('img[data-piece$="-queen"]')).toHaveCount(0);
  await move(page, 'e2', 'e4');
  await expect(page.getByRole('main')).toContainText('e4');
});
