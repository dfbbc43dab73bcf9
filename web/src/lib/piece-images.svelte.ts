import { fetchFailure } from './fetch-failure';
import { imageFile, isRole, isSet, loadImages, setsOf, type SetName } from './pieces/sets';
import { menOf } from './preferences.svelte';
import { RefusalError } from './refusal';
import { retryUntilAnswered } from './retry-until-answered';
import type { Variant } from './variants';
import type { Color } from './api';

/** Returns the URL of a piece's image; empty until it is loaded, or if the game lacks the role. */
export type ImageOf = (color: Color, role: string) => string;

/**
 * The images loaded so far, by file, as `data:` URLs. A board needs up to fourteen images of half a
 * kilobyte each (compressed): if they were requested separately, the response headers would be
 * larger than the images.
 */
let urls = $state.raw<Readonly<Record<string, string>>>({});

/** The sets that have been loaded or are being loaded. */
const requested = new Set<SetName>();

/** A signal that is never aborted, because any page may show pieces. */
const never = new AbortController().signal;

const urlOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

function request(set: SetName): void {
  if (requested.has(set)) return;
  requested.add(set);
  const load = () =>
    loadImages(set).catch(async () => {
      throw new RefusalError(await fetchFailure());
    });
  retryUntilAnswered(load, { signal: never, onNetworkFailure: () => {} }).then(
    (images) => {
      const loaded = Object.entries(images ?? {}).map(([file, svg]) => [file, urlOf(svg)] as const);
      urls = { ...urls, ...Object.fromEntries(loaded) };
    },
    // The server runs a different release, with different files. The page reports this elsewhere.
    () => requested.delete(set),
  );
}

/**
 * Returns the images of a game's pieces in the given set (by default the one that the visitor has
 * chosen), and starts loading them. If the game does not have that set, its first set is used.
 */
export function imagesFor(variant: Variant, setName: string = menOf(variant).current): ImageOf {
  const [first] = setsOf(variant);
  const set = isSet(variant, setName) ? setName : first;
  if (set === undefined) return () => '';
  request(set);
  return (color, role) =>
    isRole(variant, role) ? (urls[imageFile(set, variant, color, role)] ?? '') : '';
}
