/** Counts the failures that are shown in place of something that could not be loaded. */
class LoadFailures {
  #count = $state(0);

  get areShown(): boolean {
    return this.#count > 0;
  }

  /** Counts a failure until the returned function is called. */
  add(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }
}

export const loadFailures = new LoadFailures();
