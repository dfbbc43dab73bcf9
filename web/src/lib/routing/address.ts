import { splitLanguage } from './address-language.svelte';

/**
 * Returns a path on this site as an absolute URL, to share or to open a socket. It names no
 * language, so that each reader sees the page in their own.
 */
export const absoluteUrl = (path: string): URL => new URL(splitLanguage(path).path, location.href);
