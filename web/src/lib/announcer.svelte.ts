/** Text of the live region. Text that is announced twice in a row must also be read twice. */
class Announcer {
  message = $state('');
  #even = false;

  announce(text: string): void {
    this.#even = !this.#even;
    this.message = this.#even ? text : `${text}\u200b`;
  }
}

export const announcer = new Announcer();
