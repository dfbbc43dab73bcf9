import { splitLanguage } from './address-language.svelte';
import { withBase, withoutBase } from './base-path';

/**
 * Returns an address on this site as an absolute URL, to share or to open a socket. It names no
 * language, so that each reader sees the page in their own.
 */
export const absoluteUrl = (address: string): URL =>
  new URL(withBase(splitLanguage(withoutBase(address) ?? '/').path), location.href);
