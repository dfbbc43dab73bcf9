/** What the live region says. Saying the same thing twice must be heard twice. */
class Announcer {
  message = $state('');
  #even = false;

  say(text: string): void {
    this.#even = !this.#even;
    this.message = this.#even ? text : `${text}\u200b`;
  }
}

export const announcer = new Announcer();
