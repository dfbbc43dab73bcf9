import type { Page } from '@playwright/test';

/** Opens the header's menu if the window is too narrow to show its entries. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await menu.click();
}
