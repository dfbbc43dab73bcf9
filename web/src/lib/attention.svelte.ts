import { preferences } from './preferences.svelte';

const plainIcon = '/favicon.svg';
const turnIcon = '/favicon-turn.svg';

/** Shows in the tab whether the visitor is awaited. */
export function showAwaited(awaited: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = awaited ? turnIcon : plainIcon;
}

/** Notices of the browser itself, for a page that is not being looked at. */
class Notices {
  /** The permission of the browser; `unsupported` if it has no notifications. */
  permission = $state.raw<NotificationPermission | 'unsupported'>(
    typeof Notification === 'undefined' ? 'unsupported' : Notification.permission,
  );

  get areOn(): boolean {
    return this.permission === 'granted' && preferences.notifications.current;
  }

  /** Asks the browser; only ever called by a click that wants them. */
  async turnOn(): Promise<void> {
    if (this.permission === 'unsupported') return;
    this.permission = await Notification.requestPermission();
    preferences.notifications.current = this.permission === 'granted';
  }

  turnOff(): void {
    preferences.notifications.current = false;
  }

  /** Tells of something if they are wanted and the page is out of sight. */
  tell(title: string, body: string, tag: string): void {
    if (!this.areOn || document.visibilityState === 'visible') return;
    const notice = new Notification(title, { body, tag, icon: plainIcon });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
  }
}

export const notices = new Notices();
