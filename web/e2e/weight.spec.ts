import { expect, test, type Page } from '@playwright/test';

/** Counts what comes over the line, compressed, everything included. */
async function weigh(page: Page): Promise<{ bytes: number; requests: number }> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const weight = { bytes: 0, requests: 0 };
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    weight.bytes += encodedDataLength;
    weight.requests += 1;
  });
  return weight;
}

test('the first load stays under 400 KB compressed', async ({ page }) => {
  const weight = await weigh(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  // The diagrams come with the rules: then all is there.
  await expect(
    page.getByRole('img', { name: 'Position de départ de Baroque' }).locator('img'),
  ).toHaveCount(32);
  await page.waitForLoadState('networkidle');
  console.info(`first load: ${(weight.bytes / 1024).toFixed(0)} KB in ${weight.requests} requests`);
  expect(weight.requests).toBeGreaterThan(10);
  expect(weight.bytes).toBeLessThan(400 * 1024);
});

for (const variant of ['chess', 'baroque', 'interweave', 'ultima'])
  test(`the rules of ${variant} stay under 300 KB compressed`, async ({ page }) => {
    const weight = await weigh(page);
    await page.goto(`/rules/${variant}`, { waitUntil: 'networkidle' });
    await expect(page.locator('figure[data-diagram] button[data-square]').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    console.info(`rules of ${variant}: ${(weight.bytes / 1024).toFixed(0)} KB`);
    expect(weight.requests).toBeGreaterThan(10);
    expect(weight.bytes).toBeLessThan(300 * 1024);
  });
