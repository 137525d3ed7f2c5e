import { allEvents } from '#kit/describe/event.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import type { Caller } from '#kit/server/context.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import type { ways } from '../endpoints.ts'

interface OwnKind {
  /** Only people with this rule are notified. */
  rule: string | undefined
  /** It has a separate email, also for people who chose nothing: the bell sends none. */
  hasLetter: boolean
}

/** What rings for a person by name. */
const own = new Map<string, OwnKind>()

/**
 * Declares a kind that rings for people by name; its words are `bell.kinds.<kind>`. Told once, when the
 * server's parts are read.
 */
export const registerBell = (kind: string, rule?: string, { hasLetter = false } = {}): void =>
  void own.set(kind, { rule, hasLetter })

/** Whether a kind writes its own letter. */
export const hasOwnLetter = (kind: string): boolean => own.get(kind)?.hasLetter ?? false

/**
 * Events that owners hear of without choosing them; `is_usual_notification` of the database has the same list (0632).
 */
export const usualEvents: readonly string[] = [
  'charge.paid',
  'charge.declined',
  'charge.disputed',
  'standingOrder.failing',
  'signature.done',
  'signature.declined',
  'classBooking.made',
  'classBooking.cancelled',
  'lead.created',
  'quote.accepted',
  'quote.declined',
  'quote.commented',
]

/** How a kind comes to the person who chose nothing; `isOwner` is of a person who sees everything of the business. */
export const usualWay = (kind: string, isOwner = false): (typeof ways)[number] =>
  hasOwnLetter(kind) ? 'mail' : isOwnKind(kind) || (isOwner && usualEvents.includes(kind)) ? 'screen' : 'none'

export const isOwnKind = (kind: string): boolean => own.has(kind)

const ruleOfEvent = (name: string): string | undefined => {
  const see = allEvents().get(name)?.see
  const access =
    see === undefined
      ? undefined
      : allImplementations().find(({ endpoint }) => endpoint.name === see)?.endpoint.access
  return typeof access === 'object' ? access.rule : undefined
}

/**
 * Whether a person may be notified of a kind: by name where they may open it, by events only where they see the
 * whole business.
 */
export function mayHear(
  caller: Pick<Caller, 'rules' | 'docsAllow' | 'areasOff' | 'ownCustomersOnly'>,
  kind: string,
): boolean {
  const ours = own.get(kind)
  if (ours) return ours.rule === undefined || can(caller, ours.rule)
  const rule = ruleOfEvent(kind)
  return allEvents().has(kind) && rule !== undefined && seesWhole(caller) && can(caller, rule)
}

/** Every kind this person may choose: first what rings by name, then the events in their order. */
export const kindsFor = (caller: Caller): { kind: string; isOwn: boolean }[] => [
  ...[...own.keys()].filter((kind) => mayHear(caller, kind)).map((kind) => ({ kind, isOwn: true })),
  ...[...allEvents().keys()]
    .filter((kind) => kind !== 'webhook.test' && mayHear(caller, kind))
    .map((kind) => ({ kind, isOwn: false })),
]
