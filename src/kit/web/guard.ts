import type { Screen } from '../describe/screen.ts'
import type { Session } from '../describe/session.ts'

/** Log-in page by type of user (specification, section 4; decision 3 names the paths). */
export function loginPath(typeId: number | undefined): string {
  switch (typeId) {
    case 2:
      return '/afflogin'
    case 4:
      return '/logininvoice'
    case 5:
      return '/logincpa'
    case 6:
      return '/logincpam'
    case 8:
      return '/logintime'
    default:
      return '/login'
  }
}

/** Main page by type of user; a sub-type has its own. */
export function mainPath({ TypeID, subTypeID }: Pick<Session, 'TypeID' | 'subTypeID'>): string {
  if (subTypeID === 1) return '/classworker/mainlobby'
  if (subTypeID === 2) return '/classtreiner/mainclass'
  switch (TypeID) {
    case 5:
      return '/cpa/main'
    case 6:
      return '/cpa/manager'
    case 8:
      return '/time/main'
    case 9:
      return '/worker/main'
    default:
      return '/invoice/main'
  }
}

export type Verdict =
  | { kind: 'open' }
  /** Elsewhere, with the query kept. */
  | { kind: 'go'; to: string }
  /** Stays at its address and says why it is shut. */
  | { kind: 'shut'; why: 'users' | 'rule' | 'module' }

export interface Visit {
  screen: Pick<Screen, 'open' | 'users' | 'rule' | 'module'>
  session: Session | undefined
  /** `can` of kit/describe/session, or a stand-in. */
  can: (session: Session, rule: string) => boolean
  /** Modules the business has paid for; undefined while nobody has said, and then the server's answer counts. */
  modules?: ReadonlySet<string> | undefined
  /** The type of who was logged in before: he logs in again where he did. */
  lastType?: number | undefined
}

/** May this person open this screen, and where to otherwise. Decision 1: only `guest` screens turn a logged-in person away. */
export function guard({ screen, session, can, modules, lastType }: Visit): Verdict {
  if (screen.open === 'anyone') return { kind: 'open' }
  if (screen.open === 'guest') return session ? { kind: 'go', to: mainPath(session) } : { kind: 'open' }
  if (!session) return { kind: 'go', to: loginPath(lastType) }
  return access(screen, session, can, modules)
}

/** The rights half of the guard, also asked by the menu: what one may not see is absent there. */
export function access(screen: Visit['screen'], session: Session, can: Visit['can'], modules?: ReadonlySet<string>): Verdict {
  if (screen.users && !screen.users.includes(session.TypeID)) return { kind: 'shut', why: 'users' }
  if (screen.rule && !can(session, screen.rule)) return { kind: 'shut', why: 'rule' }
  if (screen.module && modules && !modules.has(screen.module)) return { kind: 'shut', why: 'module' }
  return { kind: 'open' }
}

/** A paid plug-in of the specification. */
export interface PaidModule {
  pluginid: number
  companyid: number
}

/** A module is paid when a record matches both the plug-in and the company, and the company id is above 0. */
export const isPaid = (records: readonly PaidModule[], pluginId: number, companyId: number): boolean =>
  companyId > 0 && records.some((one) => one.pluginid === pluginId && one.companyid === companyId)
