import type { Role } from '../api';

/** The sections of the administration page, in display order. */
export const adminSections = [
  'members',
  'reports',
  'games',
  'pupils',
  'settings',
  'pages',
  'audit',
] as const;
export type AdminSection = (typeof adminSections)[number];

export const isAdminSection = (text: string): text is AdminSection =>
  adminSections.some((section) => section === text);

/**
 * The sections that a role can use. The server decides; the page only hides the sections that the
 * server would refuse.
 */
const sectionsOf: Readonly<Record<Role, readonly AdminSection[]>> = {
  administrator: adminSections,
  moderator: ['members', 'reports', 'games'],
  teacher: ['pupils'],
  arbiter: ['games'],
};

export const sectionsFor = (role: Role): readonly AdminSection[] => sectionsOf[role];
