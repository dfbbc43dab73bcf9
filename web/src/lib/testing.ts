/** Helpers for tests of components, which say `@vitest-environment happy-dom` in their first line. */
import { i18n } from './i18n/i18n.svelte';

/** Has components speak French, the language in which tests look for what they say. */
export async function speakFrench(): Promise<void> {
  await i18n.use('fr');
}

export { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
export { userEvent } from '@testing-library/user-event';
