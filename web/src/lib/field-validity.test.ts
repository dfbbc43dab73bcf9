// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest';
import { i18n } from './i18n/i18n.svelte';
import { translateValidity } from './field-validity';
import { useFrench } from './testing';

beforeAll(useFrench);
afterEach(() => document.body.replaceChildren());

function field(attributes: Record<string, string>, value: string): HTMLInputElement {
  const input = document.createElement('input');
  for (const [name, text] of Object.entries(attributes)) input.setAttribute(name, text);
  input.value = value;
  document.body.append(input);
  return input;
}

it("explains an invalid field in the page's language", () => {
  const end = translateValidity();
  const missing = field({ required: '' }, '');
  expect(missing.checkValidity()).toBe(false);
  expect(missing.validationMessage).toBe(i18n.text('field-missing'));
  const own = field({ pattern: '[a-z]+', 'data-wrong-format': 'Un nom, s’il vous plaît.' }, '!!');
  own.checkValidity();
  expect(own.validationMessage).toBe('Un nom, s’il vous plaît.');
  end();
});

it('accepts a field again once it is corrected', () => {
  const end = translateValidity();
  const input = field({ required: '' }, '');
  input.checkValidity();
  input.value = 'Élodie';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  expect(input.validationMessage).toBe('');
  expect(input.checkValidity()).toBe(true);
  end();
});
