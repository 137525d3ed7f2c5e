import type { EnteredLaw } from '#domain/law/dated.ts'
import { areaOf } from './area.ts'

/** The stored session of the specification (section 3), as the browser keeps it under the key `user`. */
export interface Session {
  UserKey: string
  TypeID: number
  subTypeID: number
  Name: string
  FullName: string
  rules: number[]
  docsAllow: number[]
  IsActiveButton: boolean
  HideNavHeader: boolean
  HideTotalPrices: boolean
  ruleid: number
  dealerID: number
  /**
   * Ours, beyond the specification: the id of the business the session works in; absent in what older
   * versions stored.
   */
  CompanyKey?: string
  /**
   * Ours too: who may give rights in that business, by name; of another person, and empty where there is
   * none.
   */
  Owner?: string
  /** Areas of the product this business does not use. */
  areasOff?: readonly string[]
  /** Areas that work and are in no menu until the business uses them or turns them on. */
  areasHidden?: readonly string[]
  /** The legal kind of that business: `exemptDealer`, `licensedDealer`, `partnership`, `company`, `nonProfit`. */
  businessKind?: string
  /** What left the menu of a business that had the longer one has been seen. */
  menuTold?: boolean
  /** This business requires a second factor, and the person has none yet: only the own account is open. */
  mustSetFactor?: boolean
  /** What operators of the installation entered of the law since the release. */
  law?: readonly EnteredLaw[]
}

/** What `can` needs to know of a session. */
export type Rights = Pick<Session, 'rules' | 'docsAllow' | 'areasOff'>

/** A rules list that is empty, or whose first item is -1, allows everything (specification, section 5). */
export const isUnlimited = (rules: readonly number[]): boolean => rules.length === 0 || rules[0] === -1

const ruleNumbers = new Map<string, number>()

/**
 * Declares the permissions of a feature with the numbers the product knows them by. A number is never reused
 * for another meaning: it is stored in the permission sets of businesses.
 */
export function defineRules<const R extends Record<string, number>>(rules: R): R {
  for (const [name, number] of Object.entries(rules)) {
    const taken = [...ruleNumbers].find(([other, n]) => n === number && other !== name)
    if (taken) throw new Error(`rule number ${number} is taken by ${taken[0]}`)
    ruleNumbers.set(name, number)
  }
  return rules
}

export const allRules = (): ReadonlyMap<string, number> => ruleNumbers

/**
 * What only a person may do, whatever the rights of an API key: grant rights, let people in, buy, create keys. The
 * calls, their documentation and the refusal follow this list.
 */
const personRules: ReadonlySet<string> = new Set([
  'workers.change',
  'accountant.change',
  'apiKeys',
  'modules',
  'companies.change',
])

/** Whether a permission can be given to an API key. */
export const isRuleForKeys = (rule: string): boolean => !personRules.has(rule)

/** Whether an area is one that the business does not use. */
export const isOff = (session: Pick<Rights, 'areasOff'>, area: string | undefined): boolean =>
  area !== undefined && (session.areasOff?.includes(area) ?? false)

/**
 * The one question of rights, asked by endpoints, menu, buttons and routes alike; it is the server's answer
 * that counts.
 */
export function can(session: Rights | undefined, rule: string | undefined): boolean {
  if (!session) return false
  if (isOff(session, areaOf(rule))) return false
  if (!rule || isUnlimited(session.rules)) return true
  const number = ruleNumbers.get(rule)
  if (number === undefined) throw new Error(`no such rule: ${rule}`)
  return session.rules.includes(number)
}

/**
 * Sees the business whole: every customer and every type of document. Totals of the books are for such people only.
 */
export const seesWhole = (person: { docsAllow: readonly number[]; ownCustomersOnly: boolean }): boolean =>
  person.docsAllow.length === 0 && !person.ownCustomersOnly

/** Sees all data of the business, totals included, and has every right in it. */
export const seesEverything = (
  person: Pick<Rights, 'rules' | 'docsAllow'> & { ownCustomersOnly: boolean; hideTotalPrices: boolean },
): boolean => isUnlimited(person.rules) && seesWhole(person) && !person.hideTotalPrices

/** An empty list of documents allows every type. */
export const canDocument = (session: Rights | undefined, typeId: number): boolean =>
  !!session && (session.docsAllow.length === 0 || session.docsAllow.includes(typeId))
