import { areaOf } from '#kit/describe/area.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { can as mayDo, isOff, type Session } from '#kit/describe/session.ts'

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

let there: ReadonlyMap<string, Visit['screen']> | undefined

/** Told once at the start: the screens there are. */
export const setScreens = (screens: readonly (Visit['screen'] & Pick<Screen, 'path'>)[]): void =>
  void (there = new Map(screens.map((screen) => [screen.path.toLowerCase(), screen])))

const narrow: ((rules: readonly number[]) => string | undefined)[] = []

/**
 * Gives people of few rights a separate main page, by the numbers of their rules: in a feature's web/screens.ts.
 */
export const provideMain = (find: (rules: readonly number[]) => string | undefined): void =>
  void narrow.push(find)

/**
 * Main page by rights, then by type of user; a sub-type has another. Where an area does not exist or is closed to
 * the person, the previous one.
 */
export function mainPath(session: Pick<Session, 'TypeID' | 'subTypeID'> & Partial<Session>): string {
  const { TypeID, subTypeID, rules = [] } = session
  const own = rules.length > 0 ? narrow.flatMap((find) => find(rules)?.toLowerCase() ?? []) : []
  const wished = [...own, ...mainOfSubType(subTypeID), ...mainOfType(TypeID)]
  const person = { ...session, rules } as Session
  const isOpen = (path: string): boolean => {
    const screen = there?.get(path)
    return !there || (screen !== undefined && access(screen, person, mayDo).kind === 'open')
  }
  return wished.find(isOpen) ?? '/invoice/main'
}

const mainOfSubType = (subTypeId: number): string[] =>
  subTypeId === 1 ? ['/classworker/mainlobby'] : subTypeId === 2 ? ['/classtreiner/mainclass'] : []

function mainOfType(typeId: number): string[] {
  switch (typeId) {
    case 5:
      return ['/cpa/main']
    case 6:
      return ['/cpa/manager', '/cpa/main']
    case 8:
      return ['/time/main']
    case 9:
      return ['/worker/main']
    default:
      return ['/invoice/main']
  }
}

/** Where a person sets up a second factor. */
const accountPath = '/invoice/account'

export type Verdict =
  | { kind: 'open' }
  /** Elsewhere, with the query kept; `first`: whatever page was wanted, this one comes before it. */
  | { kind: 'go'; to: string; first?: true }
  /** Stays at its address and says why it is shut. */
  | { kind: 'shut'; why: 'users' | 'area' | 'rule' | 'module' }

export interface Visit {
  screen: Pick<Screen, 'open' | 'users' | 'area' | 'rule' | 'module'> & { path?: string }
  session: Session | undefined
  /** `can` of kit/describe/session, or a stand-in. */
  can: (session: Session, rule: string) => boolean
  /**
   * Modules the business has paid for; undefined while nobody has said, and then the server's answer counts.
   */
  modules?: ReadonlySet<string> | undefined
  /** The type of the previous user: the log-in is the same one again. */
  lastType?: number | undefined
}

/**
 * May this person open this screen, and where to otherwise. Decision 1: only `guest` screens turn a logged-in
 * person away.
 */
export function guard({ screen, session, can, modules, lastType }: Visit): Verdict {
  if (screen.open === 'anyone') return { kind: 'open' }
  if (screen.open === 'guest') return session ? { kind: 'go', to: mainPath(session) } : { kind: 'open' }
  if (!session) return { kind: 'go', to: loginPath(lastType) }
  if (session.mustSetFactor && screen.path !== accountPath)
    return { kind: 'go', to: accountPath, first: true }
  return access(screen, session, can, modules)
}

/** The rights half of the guard, also asked by the menu: what one may not see is absent there. */
export function access(
  screen: Visit['screen'],
  session: Session,
  can: Visit['can'],
  modules?: ReadonlySet<string>,
): Verdict {
  if (screen.users && !screen.users.includes(session.TypeID)) return { kind: 'shut', why: 'users' }
  if (isOff(session, screen.area ?? areaOf(screen.rule))) return { kind: 'shut', why: 'area' }
  if (screen.rule && !can(session, screen.rule)) return { kind: 'shut', why: 'rule' }
  if (screen.module && modules && !modules.has(screen.module)) return { kind: 'shut', why: 'module' }
  return { kind: 'open' }
}
