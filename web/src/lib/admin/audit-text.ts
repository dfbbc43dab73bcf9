import type { AuditLine, TimeControl } from '../api';
import { i18n, t } from '../i18n/i18n.svelte';
import { controlText } from '../time-text';
import { isVariant } from '../variants';

/** Describes a list of games, which is empty if the house offers all. */
function gamesText(games: string): string {
  if (games === '') return t('audit-value-all');
  const names = games.split(' ');
  return names.map((name) => (isVariant(name) ? t(`variant-${name}`) : name)).join(', ');
}

/** Describes a list of time controls, which is empty if players choose freely. */
function clocksText(clocks: string): string {
  const controls = JSON.parse(clocks) as TimeControl[];
  return controls.length === 0 ? t('house-clocks-all') : controls.map(controlText).join(', ');
}

/** Describes a value that the server records in coded form; null for plain text. */
function valueText(name: string, value: string): string | null {
  if (name === 'registration') return i18n.lookup(`house-registration-${value}`);
  if (name === 'chat') return i18n.lookup(`house-chat-${value}`);
  if (name === 'role') return i18n.lookup(`role-${value}`);
  if (name === 'games') return gamesText(value);
  if (name === 'clocks') return clocksText(value);
  // A setting that was cleared.
  if (value === '') return t('audit-value-empty');
  if (name === 'outcome' || name === 'hidden' || name === 'contact')
    return i18n.lookup(`audit-value-${value}`);
  return null;
}

/** Describes the details of an entry in the audit log. The note about a report is left out if it is empty. */
export function detailsText({ details }: Pick<AuditLine, 'details'>): string {
  return Object.entries(details)
    .filter(([name, value]) => name !== 'note' || value !== '')
    .map(
      ([name, value]) =>
        `${i18n.lookup(`detail-${name}`) ?? name} ${valueText(name, value) ?? value}`,
    )
    .join(' · ');
}
