import type { RulePage } from './api';

let renderedPage: RulePage | null = null;

/**
 * Stores the rule page that the document contains for browsers without scripts, so that it need
 * not be fetched again. Must be called before the client replaces the document's content.
 */
export function takeRenderedRules(): void {
  const data = document.getElementById('rule-page')?.textContent;
  const text = document.querySelector('#app article');
  if (!data || !text) return;
  renderedPage = { ...(JSON.parse(data) as RulePage), html: text.innerHTML };
}

/** Returns the rule page that came with the document if it matches the request; otherwise null. */
export function renderedRules(variant: string, language: string): RulePage | null {
  return renderedPage?.variant === variant && renderedPage.language === language
    ? renderedPage
    : null;
}
