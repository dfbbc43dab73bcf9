import type { RulePage } from './api';

let renderedPage: RulePage | null = null;
let renderedNodes: readonly Node[] | null = null;

/**
 * Stores the rule page that the document contains for browsers without scripts, so that it need
 * not be fetched again. Must be called before the client replaces the document's content.
 */
export function takeRenderedRules(): void {
  const data = document.getElementById('rule-page')?.textContent;
  const text = document.querySelector('#app article');
  if (!data || !text) return;
  renderedPage = { ...(JSON.parse(data) as RulePage), html: text.innerHTML };
  renderedNodes = [...text.childNodes];
}

/** Returns the rule page that came with the document if it matches the request; otherwise null. */
export function renderedRules(variant: string, language: string): RulePage | null {
  return renderedPage?.variant === variant && renderedPage.language === language
    ? renderedPage
    : null;
}

/**
 * Fills an element with the text of a rule page. Where the document already contains the text, its
 * nodes are moved: parsing them again and loading their pictures would delay the boards.
 */
export function showRules(element: HTMLElement, page: RulePage): void {
  if (page === renderedPage && renderedNodes) {
    element.replaceChildren(...renderedNodes);
    // The page changes these nodes, so they are used only once.
    renderedNodes = null;
  } else {
    // Safe: our own server generates it from our own Markdown, which must not contain HTML.
    element.innerHTML = page.html;
  }
}
