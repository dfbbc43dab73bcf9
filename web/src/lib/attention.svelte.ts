import { preferences } from './preferences.svelte';
import { withBase } from './routing/base-path';
import { router } from './routing/router.svelte';

const plainIcon = withBase('/favicon.svg');
const turnIcon = withBase('/favicon-turn.svg');

/**
 * Shows in the tab's icon whether the game is waiting for the visitor to play a turn or to answer
 * an offer.
 */
export function showTurnIcon(isAwaited: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = isAwaited ? turnIcon : plainIcon;
}

/** Counts the items that need the visitor's attention, on any page. */
class Attention {
  /** The number of open toasts and challenges; shown in the tab's title. */
  count = $state(0);
}

export const attention = new Attention();

/** The permission to show notifications, or `unsupported` if the browser cannot show any. */
export type NotificationState = NotificationPermission | 'unsupported';

/** Browser notifications, shown while the page is open but hidden. */
class BrowserNotifications {
  permission: NotificationState = $state.raw(
    typeof Notification === 'undefined' ? 'unsupported' : Notification.permission,
  );

  get areOn(): boolean {
    return this.permission === 'granted' && preferences.notifications.current;
  }

  /** Turns notifications on if the browser permits them. Must be called from a click. */
  async turnOn(): Promise<void> {
    if (this.permission === 'unsupported') return;
    this.permission = await Notification.requestPermission();
    preferences.notifications.current = this.permission === 'granted';
  }

  turnOff(): void {
    preferences.notifications.current = false;
  }

  /**
   * Shows a notification if notifications are on and the page is hidden. A click on it opens the
   * page at `path`.
   */
  show(title: string, body: string, tag: string, path = router.path): void {
    if (!this.areOn || document.visibilityState === 'visible') return;
    const options = {
      body,
      tag,
      icon: withBase('/icon-192.png'),
      badge: withBase('/icon-badge.png'),
      data: { path },
    };
    void this.#show(title, options, path);
  }

  async #show(title: string, options: NotificationOptions, path: string): Promise<void> {
    try {
      // On phones only a service worker may show notifications; the constructor throws there.
      const registration = await navigator.serviceWorker?.getRegistration();
      if (registration?.active) {
        await registration.showNotification(title, options);
        return;
      }
      const notice = new Notification(title, options);
      notice.addEventListener('click', () => {
        window.focus();
        notice.close();
        if (path !== router.path) router.go(path);
      });
    } catch {
      // This browser has the API, but cannot show notifications.
      this.permission = 'unsupported';
    }
  }
}

export const browserNotifications = new BrowserNotifications();
