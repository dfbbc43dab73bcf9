/** A button on a toast. */
export interface ToastAction {
  readonly label: string;
  readonly primary?: boolean;
  run(): void | Promise<void>;
}

/** A short message displayed on top of any page. */
export interface Toast {
  /** Identifies the subject: a later toast with the same key replaces this one. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly actions: readonly ToastAction[];
  /** Whether it disappears automatically after a delay. */
  readonly fades: boolean;
  /** The number of seconds after which `run` is called, unless the toast is closed first. */
  readonly countdown?: { readonly seconds: number; run(): void };
}

/** The maximum number of toasts shown at once; older ones are removed. */
const MAX_TOASTS = 4;

class Toasts {
  list: readonly Toast[] = $state.raw([]);

  show(toast: Toast): void {
    this.list = [...this.list.filter(({ key }) => key !== toast.key), toast].slice(-MAX_TOASTS);
  }

  has(key: string): boolean {
    return this.list.some((each) => each.key === key);
  }

  close(key: string): void {
    if (this.has(key)) this.list = this.list.filter((each) => each.key !== key);
  }
}

export const toasts = new Toasts();
