import { expect, test } from '@playwright/test';

/** What the first page may weigh, compressed, everything included. */
const LIMIT = 400 * 1024;

test('the first load stays under 400 KB compressed', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  // The diagrams come with the rules: then all is there.
  await expect(
    page.getByRole('img', { name: 'Position de départ de Baroque' }).locator('img'),
  ).toHaveCount(32);
  await page.waitForLoadState('networkidle');
  console.info(`first load: ${(bytes / 1024).toFixed(0)} KB in ${requests} requests`);
  expect(requests).toBeGreaterThan(10);
  expect(bytes).toBeLessThan(LIMIT);
});
