import { expect, test, type Locator, type Page } from '@playwright/test';
import { openMenu as openSiteMenu } from './menu';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { createGame, expectPly, showAll, square, step, type } from './game-page';

/** Opens a menu on the page by its label. */
async function openMenu(page: Page, name: string): Promise<void> {
  await page.locator('summary', { hasText: name }).click();
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Collez une FEN ou un PGN').fill(text);
  await page.getByRole('button', { name: 'Lire', exact: true }).click();
}

function withFen(variant: string, fen: string): string {
  return `/analysis/${variant}#fen=${encodeURIComponent(fen)}`;
}

function turn(page: Page, text: string | RegExp): Locator {
  return page.locator('.tree button', { hasText: text });
}

test.describe('the engine runs in its worker', () => {
  for (const { variant, fen, score, first } of [
    { variant: 'chess', fen: '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1', score: '#1', first: 'Td8#' },
    { variant: 'chess', fen: '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1', score: '#2', first: '' },
    {
      variant: 'baroque',
      fen: '5k2/8/5Q2/p7/6R1/2B4K/6N1/8 w - - 0 1',
      score: '#1',
      first: 'C-a8',
    },
    { variant: 'baroque', fen: '6N1/1p6/3k4/1Q4K1/8/6R1/8/7B w - - 0 1', score: '#2', first: '' },
    {
      variant: 'interweave',
      fen: '7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1',
      score: '#1',
      first: 'T',
    },
  ])
    test(`${score} in ${variant}: ${fen}`, async ({ page }) => {
      await page.goto(withFen(variant, fen));
      await page.getByRole('switch', { name: 'Calculer' }).check();
      await expect(page.locator('[data-score]')).toHaveText(score);
      await expect(page.locator('[data-line="1"] .pv')).toContainText(first);
      // The evaluation bar has the same information in its accessible name.
      await expect(page.getByRole('img', { name: /Les Blancs gagnent en \d coup/ })).toBeVisible();
    });

  test('several lines and the threat are shown', async ({ page }) => {
    await page.goto(
      withFen('chess', 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3'),
    );
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await page.getByRole('combobox', { name: 'Lignes' }).selectOption('3');
    await expect(page.locator('.lines > li')).toHaveCount(3);
    await page.getByRole('button', { name: 'Montrer la menace' }).click();
    await expect(page.locator('.threat')).toContainText(/Si c’était aux Blancs.*h5.*f7/, {
      timeout: 30_000,
    });
    await expect(page.locator('[data-drawing="shift-h5-f7"]')).toHaveCount(1);
  });

  test('the engine also runs without shared memory', async ({ page }) => {
    await page.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers['cross-origin-opener-policy'];
      await route.fulfill({ response, headers });
    });
    await page.goto('/analysis/chess');
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(page.locator('[data-line="1"] .turn').first()).toHaveText(/^1\./, {
      timeout: 30_000,
    });
    await type(page, 'f3');
    await expect(page.locator('[data-line="1"] .turn').first()).toHaveText(/^1…/, {
      timeout: 30_000,
    });
  });

  test('no threat is shown in check', async ({ page }) => {
    await page.goto(withFen('chess', '4k3/8/8/8/8/8/4r3/4K3 w - - 0 1'));
    await page.getByRole('switch', { name: 'Calculer' }).check();
    // Wait for the first result.
    await expect(page.locator('[data-line="1"]')).toBeVisible();
    await page.getByRole('button', { name: 'Montrer la menace' }).click();
    await expect(
      page.getByText('Le camp au trait est en échec et ne peut pas passer son tour'),
    ).toBeVisible();
  });
});

test('variations are played, promoted, marked and deleted, and survive a reload', async ({
  page,
}) => {
  await page.goto('/analysis/chess');
  await step(page, 'e2', 'e4');
  await step(page, 'e7', 'e5');
  // The arrow keys work although a click has moved the focus to the board.
  await page.keyboard.press('ArrowLeft');
  await expect(turn(page, 'e4')).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press('ArrowRight');
  await expect(turn(page, 'e5')).toHaveAttribute('aria-current', 'step');
  await type(page, 'Cf3');
  await turn(page, 'Cf3').press('ArrowLeft');
  await step(page, 'f1', 'c4');
  await expect(page.getByRole('group', { name: 'Variante : 2. Fc4' })).toBeVisible();
  // Up and down switch between variations.
  await expect(turn(page, 'Fc4')).toHaveAttribute('aria-current', 'step');
  await page.locator('body').press('ArrowUp');
  await expect(turn(page, 'Cf3')).toHaveAttribute('aria-current', 'step');
  await page.locator('body').press('ArrowDown');
  await expect(turn(page, 'Fc4')).toHaveAttribute('aria-current', 'step');
  await openMenu(page, 'Commenter ce coup');
  await page.getByRole('button', { name: 'Coup intéressant' }).click();
  await page.getByLabel('Commentaire sur 2. Fc4').fill('vers f7');
  await page.getByLabel('Commentaire sur 2. Fc4').blur();
  await page.getByRole('button', { name: 'Promouvoir la variante' }).click();
  await expect(page.getByRole('group', { name: 'Variante : 2. Cf3' })).toBeVisible();
  await expect(page).toHaveURL(/#turns=e2e4\.e7e5\.f1c4&ply=3$/);
  await page.reload();
  await expect(turn(page, 'Fc4!?')).toHaveAttribute('aria-current', 'step');
  await expect(page.getByText('vers f7', { exact: true }).first()).toBeVisible();
  await expect(page.locator('img[data-square="c4"][data-piece="white-bishop"]')).toHaveCount(1);
  await turn(page, 'Cf3').click();
  await openMenu(page, 'Commenter ce coup');
  await page.getByRole('button', { name: 'Supprimer à partir d’ici' }).click();
  await page.getByRole('button', { name: 'Oui, supprimer' }).click();
  await expect(turn(page, 'Cf3')).toHaveCount(0);
});

test('an Interweave chain is played step by step', async ({ page }) => {
  await page.goto(withFen('interweave', '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1'));
  await step(page, 'a1', 'a3');
  await expect(page.getByText('Continuez la prise.')).toBeVisible();
  await square(page, 'e3').or(page.locator('button[data-target]')).first().click();
  await expect(page.locator('.tree .turn')).toHaveCount(1);
});

test('errors in a PGN are located, and a FEN without a king is explained', async ({ page }) => {
  await page.goto('/analysis/chess');
  await openMenu(page, 'Ouvrir une FEN ou un PGN');
  await paste(page, '[White "Ann"]\n\n1. e4 {bien} e5 (1... c5)\n2. Ke3 1-0');
  await expect(page.getByText(/Ligne 4, demi-coup 3.*Ke3.*pas un coup légal/)).toBeVisible();
  await expect(page.getByText('Les 2 demi-coups d’avant sont lus.')).toBeVisible();
  await expect(page.locator('.tree .turn')).toHaveCount(3);
  await expect(page.locator('.tree').getByText('bien')).toBeVisible();
  await paste(page, '8/8/8/8/8/8/8/7K w - - 0 1');
  await expect(page.getByText(/Les Noirs n’ont pas de roi/)).toBeVisible();
  // The moves loaded earlier are still there.
  await expect(page.locator('.tree .turn')).toHaveCount(3);
  await paste(page, '[Variant "Baroque"]\n\n1. e4 *');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analyse : Baroque');
  await expect(page.locator('.tree .turn')).toHaveCount(1);
});

test('a game is opened from the empty list, and the board is shown', async ({ page }) => {
  await page.goto('/analysis/chess');
  const open = page.getByRole('button', { name: 'Ouvrir une partie' });
  await open.click();
  const field = page.getByLabel('Collez une FEN ou un PGN');
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport({ ratio: 1 });
  await paste(page, '1. e4 e5 *');
  await expect(field).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(square(page, 'e4')).toBeInViewport();
  await expect(page.locator('.tree .turn')).toHaveCount(2);
  // Another game can be opened from the tools.
  await open.click();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
});

test('the current move and the navigation are visible together with the engine', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 657 });
  const turns = 'g1f3.g8f6.f3g1.f6g8.'.repeat(20).slice(0, -1);
  await page.goto(`/analysis/chess#turns=${turns}&ply=80`);
  await page.getByRole('switch', { name: 'Calculer' }).check();
  await expect(page.locator('[data-line="1"]')).toBeVisible();
  await expect(page.locator('.tree [aria-current]')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Coup précédent' })).toBeInViewport();
});

test('a position is set up, and its errors are listed', async ({ page }) => {
  await page.goto('/analysis/chess');
  await page.getByRole('button', { name: 'Modifier la position' }).click();
  await page.getByRole('button', { name: 'Vider' }).click();
  await expect(page.getByText(/Les Blancs n’ont pas de roi/)).toBeVisible();
  const done = page.getByRole('button', { name: 'Analyser', exact: true });
  await expect(done).toBeDisabled();
  for (const [man, where] of [
    ['roi blanc', 'e1'],
    ['roi noir', 'e8'],
    ['tour blanche', 'h1'],
  ] as const) {
    await page.getByRole('radio', { name: man }).check();
    await square(page, where).click();
  }
  await page.getByRole('checkbox', { name: 'avec la tour h1' }).check();
  await expect(page.getByText('Cette position est jouable.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await done.click();
  await expect(page).toHaveURL(/#fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K2R%20w%20K%20-%200%201$/);
  await type(page, 'O-O');
  await expect(turn(page, 'O-O')).toBeVisible();
});

test('the game is saved as a PGN, and the question mode is available', async ({ page }) => {
  await page.goto('/analysis/baroque#turns=e2e4&ply=1');
  await openMenu(page, 'Partager et enregistrer');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('adoube-baroque.pgn');
  const text = await new Response((await file.createReadStream()) as unknown as BodyInit).text();
  expect(text).toContain('[Variant "Baroque"]');
  await page.getByRole('button', { name: 'Demander pourquoi' }).click();
  await square(page, 'd8').click();
  await expect(page.getByRole('region', { name: 'Réponse' })).toContainText('d8');
});

test('the language changes without a reload', async ({ page }) => {
  await page.goto('/analysis/baroque');
  await page.getByText('Ouvrir une FEN').evaluate((menu) => (menu.dataset['same'] = ''));
  await openSiteMenu(page);
  await page.getByLabel('Langue').selectOption('en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analysis: Baroque');
  await page.getByLabel('Language').selectOption('es');
  await expect(page.getByText('Mostrar la amenaza')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Calcular' }).check();
  await expect(page.getByText('Mostrar la amenaza')).toBeVisible();
  // The document has not been reloaded.
  await expect(page.locator('[data-same]')).toHaveCount(1);
});

test('an unreadable link is reported', async ({ page }) => {
  await page.goto('/analysis/chess#turns=e2e5&ply=1');
  await expect(page.getByText(/Ce lien n’a pas pu être lu/)).toBeVisible();
  await expect(page.locator('button[data-square]')).toHaveCount(64);
});

for (const scheme of ['light', 'dark'] as const)
  test(`the analysis page is accessible, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/analysis/interweave');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(page.locator('[data-line="1"] button').first()).toBeVisible();
    for (const menu of ['Commenter', 'Ouvrir une FEN', 'Partager et enregistrer'])
      await openMenu(page, menu);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

test.describe('the report', () => {
  const lost = '[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0';

  test('shows the accuracy of both sides, and mistakes can be retried', async ({ page }) => {
    await page.goto('/analysis/chess');
    await openMenu(page, 'Ouvrir une FEN ou un PGN');
    await paste(page, lost);
    await page.getByRole('button', { name: 'Faire le rapport' }).click();
    const graph = page.getByRole('img', { name: /Courbe de l’évaluation/ });
    await expect(graph).toBeVisible({ timeout: 40_000 });
    await expect(page.getByRole('heading', { name: 'Ann' })).toBeVisible();
    await expect(page.getByText(/^Précision\s:\s\d+\s%$/)).toHaveCount(2);
    const mistake = page.locator('[data-mistake="5"]');
    await expect(mistake).toContainText(/3… Cf6.*gaffe.*Mieux\s: 3… /);
    // The graph has an equivalent slider and table.
    await page.getByRole('slider', { name: 'Parcourir la partie' }).fill('6');
    await expect(turn(page, 'Cf6')).toHaveAttribute('aria-current', 'step');
    await openMenu(page, 'Tableau, coup par coup');
    await expect(page.locator('table tr')).toHaveCount(8);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    // Playing the same move again is graded as wrong, and the solution can be shown.
    await mistake.getByRole('button', { name: 'Réessayer à partir d’ici' }).click();
    await expect(page.getByText('Les Noirs ont joué 3… Cf6. Trouvez mieux.')).toBeVisible();
    await step(page, 'g8', 'f6');
    await expect(page.locator('[data-grade="wrong"]')).toBeVisible();
    await page.getByRole('button', { name: 'Autre coup' }).click();
    await page.getByRole('button', { name: 'Voir la solution' }).click();
    await expect(page.locator('.status strong')).toContainText('noir');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revenir à l’analyse' }).click();
    await page.getByRole('button', { name: 'Noter cela dans la partie' }).click();
    await expect(turn(page, 'Cf6??')).toBeVisible();
    await expect(page.locator('.tree .variation')).not.toHaveCount(0);
  });

  test('can be cancelled', async ({ page }) => {
    await page.goto('/analysis/chess');
    await openMenu(page, 'Ouvrir une FEN ou un PGN');
    await paste(page, `1. ${'Nf3 Nf6 Ng1 Ng8 '.repeat(30)} *`);
    await page.getByRole('button', { name: 'Faire le rapport' }).click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    await page.getByRole('button', { name: 'Annuler', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Faire le rapport' })).toBeEnabled();
  });
});

test('a finished game from this site can be analysed; one in progress cannot', async ({ page }) => {
  await createGame(page, '', {
    variant: 'Baroque',
    opponent: 'machine',
    color: 'Blancs',
    level: 1,
  });
  await showAll(page);
  await type(page, 'e2e4');
  await expectPly(page, 2);
  const path = new URL(page.url()).pathname;
  await page.goto(`/analysis${path}`);
  await expect(page.getByText('Cette partie n’est pas finie')).toBeVisible();
  await page.goto(path);
  await showAll(page);
  await page.getByRole('button', { name: 'Abandonner' }).click();
  await page.getByRole('button', { name: /abandon/i }).click();
  await page.getByRole('link', { name: 'Analyser la partie' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analyse : Baroque');
  await expect(page.getByText(/^Les Blancs – Machine.* · 0-1$/)).toBeVisible();
  await expect(page.locator('.tree .turn')).toHaveCount(2);
  await turn(page, '1.').first().click();
  await expect(page).toHaveURL(/&ply=1$/);
  await page.reload();
  await expect(page.locator('.tree .turn').first()).toHaveAttribute('aria-current', 'step');
});
