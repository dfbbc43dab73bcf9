/** Helpers for component tests, which have `@vitest-environment happy-dom` on their first line. */
// Unmounts components after each test.
import '@testing-library/svelte/vitest';
import { i18n } from './i18n/i18n.svelte';

/** Switches to French, the language that the tests expect. */
export async function useFrench(): Promise<void> {
  await i18n.use('fr');
}

export { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
export { userEvent } from '@testing-library/user-event';
