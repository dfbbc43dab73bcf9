import type { Page } from '@playwright/test';

/** Says how many cores there are, whatever the machine has. */
export async function withCores(page: Page, cores: number): Promise<void> {
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count });
  }, cores);
}
