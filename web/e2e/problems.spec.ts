import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';

interface Problem {
  id: string;
  fen: string;
  goal: string;
  turns: number;
  line: string[];
  rating: number;
  before: { fen: string; turn: string } | null;
  themes: string[];
  retired: boolean;
}

async function problemsOf(page: Page, variant: string): Promise<Problem[]> {
  const response = await page.request.get(`/api/problems/${variant}`);
  return ((await response.json()) as { problems: Problem[] }).problems;
}

const square = (page: Page, name: string) => page.locator(`button[data-square="${name}"]`);
const verdict = (page: Page) => page.locator('.verdict');

/** Plays a turn given in coordinate notation, one step of a chain after another. */
async function play(page: Page, turn: string): Promise<void> {
  for (const name of turn.match(/[a-h][1-8]/g) ?? []) await square(page, name).click();
}

const isPlain = ({ line }: Problem): boolean => line.every((turn) => /^([a-h][1-8])+$/.test(turn));

async function open(page: Page, variant: string, problem: Problem): Promise<void> {
  await page.goto(`/problems/${variant}/${problem.id}`);
  await expect(page.locator('button[data-square]')).toHaveCount(64);
  // The opponent's last turn is played first; then it is the solver's turn, and hints are available.
  await expect(page.getByRole('button', { name: 'Un indice' })).toBeEnabled();
}

for (const variant of ['chess', 'baroque', 'interweave', 'ultima'])
  test(`a ${variant} problem is solved against the best defence, and counts once`, async ({
    page,
  }) => {
    const all = await problemsOf(page, variant);
    expect(all.filter(({ retired }) => !retired).length).toBeGreaterThanOrEqual(200);
    const problem = all.find(
      (each) => each.goal === 'win' && each.turns === 2 && isPlain(each),
    ) as Problem;
    await open(page, variant, problem);
    await expect(page.getByText(`Difficulté ${problem.rating}`)).toBeVisible();
    await play(page, problem.line[0] ?? '');
    await expect(verdict(page)).toContainText('continuez');
    await play(page, problem.line[2] ?? '');
    await expect(verdict(page)).toContainText('Exact');
    await expect(page.getByText(/^Cote\s: 1000 → 1\d\d\d$/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Analyser la position' })).toHaveAttribute(
      'href',
      `/analysis/${variant}#fen=${encodeURIComponent(problem.fen)}&turns=${problem.line.join('.')}&ply=3`,
    );
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const rating = await page.locator('dd.rating').textContent();

    // A solved problem stays solved, and a second attempt does not count.
    await page.reload();
    await expect(page.locator('dd.rating')).toHaveText(rating ?? '');
    await page.getByRole('button', { name: 'Voir la solution' }).click();
    await expect(page.locator('dd.rating')).toHaveText(rating ?? '');
  });

test('a wrong turn is refuted, and a second attempt does not count', async ({ page }) => {
  const all = await problemsOf(page, 'chess');
  const problem = all.find(
    (each) => each.goal === 'win' && each.turns === 2 && isPlain(each),
  ) as Problem;
  await open(page, 'chess', problem);
  // A wrong move: the right piece goes to a wrong square.
  const from = (problem.line[0] ?? '').slice(0, 2);
  await square(page, from).click();
  const targets = page.locator('button[data-square][aria-label*="destination possible"]');
  const names = await targets.evaluateAll((buttons) =>
    buttons.map((button) => button.getAttribute('data-square') ?? ''),
  );
  const wrong = names.find((name) => `${from}${name}` !== problem.line[0]) ?? '';
  await square(page, wrong).click();
  await expect(verdict(page)).toContainText('Ce n’est pas le bon coup');
  await expect(verdict(page)).toContainText(/on ne gagne plus à temps|sans vainqueur/);
  await expect(page.locator('dd.rating')).toHaveText(/^9\d\d$/);
  await expectAccessible(page);
  const rating = await page.locator('dd.rating').textContent();
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await play(page, problem.line[0] ?? '');
  await expect(verdict(page)).toContainText('continuez');
  await play(page, problem.line[2] ?? '');
  await expect(verdict(page)).toContainText('Exact');
  await expect(page.locator('dd.rating')).toHaveText(rating ?? '');
  await page.getByRole('button', { name: 'Problème suivant' }).click();
  await expect(page).toHaveURL(/\/problems\/chess$/);
  await expect(verdict(page)).toBeHidden();
});

test("the next problem is close to the solver's rating", async ({ page }) => {
  await page.goto('/problems/baroque');
  const level = page.getByText(/^.*Difficulté \d+$/);
  const rating = Number(/\d+$/.exec((await level.textContent()) ?? '')?.[0]);
  expect(Math.abs(rating - 1000)).toBeLessThanOrEqual(200);
});

test('hints name the piece, then its move, and lower the rating', async ({ page }) => {
  const all = await problemsOf(page, 'chess');
  const problem = all.find(
    ({ goal, turns, before, line }) =>
      goal === 'win' && turns === 1 && before !== null && /^([a-h][1-8]){2}$/.test(line[0] ?? ''),
  ) as Problem;
  await open(page, 'chess', problem);
  await expect(page.getByText('L’adversaire vient de jouer')).toBeVisible();
  const [from, to] = (problem.line[0] ?? '').match(/../g) ?? [];
  const hint = page.getByRole('button', { name: 'Un indice' });
  await hint.click();
  await expect(verdict(page)).toContainText(`en ${from}`);
  await expect(page.locator('dd.rating')).toHaveText(/^9\d\d$/);
  await hint.click();
  await expect(verdict(page)).toContainText(`de ${from} à ${to}`);
  await expect(hint).toBeDisabled();
  await play(page, problem.line[0] ?? '');
  await expect(verdict(page)).toContainText('Exact');
});

test('the visitor steps through a solution, and plays on against the machine', async ({ page }) => {
  const all = await problemsOf(page, 'baroque');
  const problem = all.find((each) => each.goal === 'win' && each.turns === 2) as Problem;
  await open(page, 'baroque', problem);
  await page.getByRole('button', { name: 'Voir la solution' }).click();
  const steps = page.getByRole('region', { name: 'La solution, coup par coup' });
  await expect(steps.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(steps.locator('[aria-current="step"]')).toHaveCount(1);
  await steps.getByRole('button', { name: 'Fin' }).click();
  await expect(page.getByRole('button', { name: 'Continuer à partir d’ici' })).toBeHidden();
  await steps.getByRole('button', { name: 'Début' }).click();
  await page.getByRole('button', { name: 'Continuer à partir d’ici' }).click();
  await expect(page).toHaveURL(/\/game\//);
});

/** A knight forks the king and the queen. */
const royalFork = 'e597851f';
/** The queen can be given away on g6. */
const unguarded = 'bde41fe6';

/** Collects the addresses from which the engine is fetched. */
function engineFetches(page: Page): string[] {
  const fetched: string[] = [];
  // Includes the requests made by the worker.
  page.context().on('request', (request) => {
    if (request.url().includes('adoube_wasm_analysis')) fetched.push(request.url());
  });
  return fetched;
}

test('the engine continues after the best turn, and says what that turn wins', async ({ page }) => {
  const all = await problemsOf(page, 'chess');
  const problem = all.find(({ id }) => id === royalFork) as Problem;
  const fetched = engineFetches(page);
  await open(page, 'chess', problem);
  expect(fetched).toEqual([]);
  await page.getByRole('button', { name: 'Voir la solution' }).click();
  const steps = page.getByRole('region', { name: 'La solution, coup par coup' });
  await expect(steps.getByRole('status')).toContainText(/Les Blancs gagnent la dame noire en d5/, {
    timeout: 20_000,
  });
  expect(fetched).not.toEqual([]);
  const turns = await steps.getByRole('listitem').count();
  expect(turns).toBeGreaterThanOrEqual(problem.line.length);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('End');
  await expect(steps.locator('[aria-current="step"]')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Analyser la position' })).toHaveAttribute(
    'href',
    new RegExp(`&turns=${problem.line.join('\\.')}[.a-h1-8qrbn]*&ply=${turns}$`),
  );
});

test('the engine refutes a wrong turn where another is clearly better', async ({ page }) => {
  const all = await problemsOf(page, 'chess');
  const problem = all.find(({ id }) => id === unguarded) as Problem;
  await open(page, 'chess', problem);
  await play(page, 'c2g6');
  await expect(verdict(page)).toContainText('Un autre coup est nettement meilleur');
  await expect(verdict(page)).toContainText(/Les Noirs répondent hxg6 et (?:gagnent|obtiennent)/, {
    timeout: 20_000,
  });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await play(page, problem.line[0] ?? '');
  await expect(verdict(page)).toContainText('Exact');
});

test('problems are chosen by theme, and retired ones are not counted', async ({ page }) => {
  const all = await problemsOf(page, 'chess');
  const offered = all.filter(({ retired }) => !retired);
  await page.goto('/problems/chess');
  const themes = page.getByLabel('Thème des problèmes suivants');
  await expect(themes.locator('option').first()).toHaveText(
    `Tous les problèmes (${offered.length})`,
  );
  await themes.selectOption('fork');
  await page.getByRole('button', { name: 'Voir la solution' }).click();
  await expect(page.getByText(/Thèmes\s: .*fourchette/)).toBeVisible();
});
