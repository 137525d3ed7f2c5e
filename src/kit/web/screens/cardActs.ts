import type { LucideIcon } from 'lucide-react'
import type { AnyRow } from './resources.ts'

/** What can be done with a record from its page. */
export interface CardAct {
  key: string
  /** Word key. */
  word: string
  icon: LucideIcon
  /** Needed right. */
  rule?: string
  /** The smaller, the earlier: the first that fits the state of the record is the page's one filled button. */
  order: number
  /** Whether the state of the record asks for it. */
  when?: (row: AnyRow) => boolean
  href: (row: AnyRow) => string
}

const registered = new Map<string, CardAct[]>()

/** Puts an act on the page of another feature's record, in web/screens.ts. */
export const registerCardAct = (resource: string, act: CardAct): void =>
  void registered.set(resource, [
    ...(registered.get(resource) ?? []).filter(({ key }) => key !== act.key),
    act,
  ])

/** The acts that fit a record and a person, the next step first. */
export const actsOf = (resource: string, row: AnyRow, may: (rule: string) => boolean): CardAct[] =>
  (registered.get(resource) ?? [])
    .filter(({ rule, when }) => (rule === undefined || may(rule)) && (when?.(row) ?? true))
    .toSorted((a, b) => a.order - b.order)
