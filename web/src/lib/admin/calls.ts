import { json, withBody } from '../http';
import type {
  AdminAct,
  AdminDone,
  AdminOverview,
  AuditCheck,
  AuditList,
  AuditQuery,
  ClassList,
  HouseInvitation,
  HousePage,
  HousePageName,
  Me,
  Member,
  MemberList,
  MemberQuery,
  ReportList,
  ReportQuery,
} from '../api';

function queryOf(filter: MemberQuery | ReportQuery | AuditQuery): string {
  const values = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '' && value !== false)
    .map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(values);
  return query.size === 0 ? '' : `?${query}`;
}

/** Carries out an administrative act. */
export const administer = (act: AdminAct): Promise<AdminDone> =>
  json('/api/admin/acts', {
    ...withBody('POST', act),
    // Hashing the passwords of a whole class takes a while.
    signal: AbortSignal.timeout(60_000),
  });

export const readOverview = (): Promise<AdminOverview> => json('/api/admin');

export const listMembers = (filter: MemberQuery): Promise<MemberList> =>
  json(`/api/admin/members${queryOf(filter)}`);

/** Fetches all pages of a list of members. */
export async function listAllMembers(filter: MemberQuery): Promise<readonly Member[]> {
  const all: Member[] = [];
  let after: string | null = null;
  do {
    const page: MemberList = await listMembers(after === null ? filter : { ...filter, after });
    all.push(...page.members);
    after = page.next;
  } while (after !== null);
  return all;
}

export const listClasses = (): Promise<ClassList> => json('/api/admin/classes');

export const listReports = (filter: ReportQuery): Promise<ReportList> =>
  json(`/api/admin/reports${queryOf(filter)}`);

export const listAudit = (filter: AuditQuery): Promise<AuditList> =>
  json(`/api/admin/audit${queryOf(filter)}`);

export const checkAudit = (): Promise<AuditCheck> => json('/api/admin/audit/check');

export const readHousePage = (page: HousePageName, language: string): Promise<HousePage> =>
  json(`/api/house/pages/${page}?language=${encodeURIComponent(language)}`);

const invitation = (token: string): string => `/api/house/invitations/${encodeURIComponent(token)}`;

export const readHouseInvitation = (token: string): Promise<HouseInvitation> =>
  json(invitation(token));

/** Gives the visitor's account the role that an invitation grants. */
export const claimRole = (token: string): Promise<Me> =>
  json(invitation(token), { method: 'POST' });
