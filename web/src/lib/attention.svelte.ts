import { preferences } from './preferences.svelte';

const plainIcon = '/favicon.svg';
const turnIcon = '/favicon-turn.svg';

/** Shows in the tab's icon and title whether it is the visitor's turn. */
export function showAwaited(awaited: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = awaited ? turnIcon : plainIcon;
}

/** Browser notifications, shown while the page is hidden. */
class Notices {
  /** Permission granted by the browser; `unsupported` if it has no notifications. */
  permission = $state.raw<NotificationPermission | 'unsupported'>(
    typeof Notification === 'undefined' ? 'unsupported' : Notification.permission,
  );

  get areOn(): boolean {
    return this.permission === 'granted' && preferences.notifications.current;
  }

  /** Asks the browser for permission. Must be called from a click. */
  async turnOn(): Promise<void> {
    if (this.permission === 'unsupported') return;
    this.permission = await Notification.requestPermission();
    preferences.notifications.current = this.permission === 'granted';
  }

  turnOff(): void {
    preferences.notifications.current = false;
  }

  /** Shows a notification if notifications are on and the page is hidden. */
  show(title: string, body: string, tag: string): void {
    if (!this.areOn || document.visibilityState === 'visible') return;
    const notice = new Notification(title, { body, tag, icon: plainIcon });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
  }
}

export const notices = new Notices();
