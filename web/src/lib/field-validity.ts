import { t } from './i18n/i18n.svelte';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;

/** Attribute with a field's own message for a value in the wrong format. */
const wrongFormatAttribute = 'data-wrong-format';

/** Returns the message for an invalid field; null to keep the browser's. */
function messageOf(field: Field): string | null {
  const { validity } = field;
  const read = (name: string): string => field.getAttribute(name) ?? '';
  if (validity.valueMissing) return t('field-missing');
  const own = read(wrongFormatAttribute);
  const isWrongFormat = validity.patternMismatch || validity.tooShort || validity.tooLong;
  if (isWrongFormat && own !== '') return own;
  if (validity.tooShort) return t('field-too-short', { min: Number(read('minlength')) });
  if (validity.tooLong) return t('field-too-long', { max: Number(read('maxlength')) });
  if (validity.typeMismatch && field.type === 'email') return t('field-email');
  if (validity.rangeUnderflow || validity.rangeOverflow)
    return t('field-range', { min: Number(read('min')), max: Number(read('max')) });
  if (validity.badInput || validity.stepMismatch) return t('field-number');
  if (validity.patternMismatch || validity.typeMismatch) return t('field-wrong-form');
  return null;
}

/**
 * Replaces the browser's messages about invalid fields with messages in the page's language, until
 * the returned function is called.
 */
export function translateValidity(root: EventTarget = document): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  // `invalid` does not bubble.
  root.addEventListener(
    'invalid',
    ({ target }) => {
      if (!isField(target)) return;
      // A message from an earlier check would itself make the field invalid.
      target.setCustomValidity('');
      if (!target.validity.valid) target.setCustomValidity(messageOf(target) ?? '');
    },
    { signal, capture: true },
  );
  for (const type of ['input', 'change'])
    root.addEventListener(
      type,
      ({ target }) => {
        if (isField(target)) target.setCustomValidity('');
      },
      { signal, capture: true },
    );
  return () => controller.abort();
}
