import type { RulePage } from './api';

let given: RulePage | null = null;

/**
 * Takes the page of rules out of the document, where the server wrote it for those without scripts: asked for, it
 * would come over the line a second time, and later. To be called before the client takes the document's place.
 */
export function takeGiven(): void {
  const data = document.getElementById('rule-page')?.textContent;
  const text = document.querySelector('#app article');
  if (!data || !text) return;
  given = { ...(JSON.parse(data) as RulePage), html: text.innerHTML };
}

/** The page of rules that came with the document, if it is the one that is wanted. */
export function givenRules(variant: string, language: string): RulePage | null {
  return given?.variant === variant && given.language === language ? given : null;
}
