/**
 * The text of the live region. An invisible character distinguishes consecutive announcements, so
 * that screen readers read an announcement even if it repeats the last one.
 */
class Announcer {
  message = $state('');
  #even = false;

  announce(text: string): void {
    this.#even = !this.#even;
    this.message = this.#even ? text : `${text}\u200b`;
  }
}

export const announcer = new Announcer();
