import type { Page } from '@playwright/test';

/** Makes the page report `cores` processor cores, however many the machine has. */
export async function setCores(page: Page, cores: number): Promise<void> {
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count });
  }, cores);
}
