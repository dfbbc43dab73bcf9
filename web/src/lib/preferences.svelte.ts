import { keep, kept } from './storage';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const pieceSets = ['classic', 'mechanism'] as const;
export type PieceSet = (typeof pieceSets)[number];

function oneOf<T extends string>(values: readonly T[], text: string | null, otherwise: T): T {
  return values.find((value) => value === text) ?? otherwise;
}

/** What a visitor has chosen about the looks, kept from one visit to the next. */
class Preferences {
  #theme = $state(oneOf(themes, kept('theme'), 'system'));
  #pieces = $state(oneOf(pieceSets, kept('pieces'), 'classic'));
  #coordinates = $state(kept('coordinates') !== 'off');

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#theme = theme;
    keep('theme', theme);
    this.applyTheme();
  }

  get pieces(): PieceSet {
    return this.#pieces;
  }
  set pieces(pieces: PieceSet) {
    this.#pieces = pieces;
    keep('pieces', pieces);
  }

  get coordinates(): boolean {
    return this.#coordinates;
  }
  set coordinates(shown: boolean) {
    this.#coordinates = shown;
    keep('coordinates', shown ? 'on' : 'off');
  }

  /** The style sheet follows the system unless the root element names a theme. */
  applyTheme(): void {
    if (this.#theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.#theme;
  }
}

export const preferences = new Preferences();
