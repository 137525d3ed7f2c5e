import { allEvents } from '#kit/describe/event.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import type { Caller } from '#kit/server/context.ts'
import { allImplementations } from '#kit/server/implement.ts'

/** What rings for a person by name, with the rule without which it means nothing to him. */
const own = new Map<string, string | undefined>()

/** Declares a kind that rings for people by name; its words are `bell.kinds.<kind>`. Told once, when the server's parts are read. */
export const registerBell = (kind: string, rule?: string): void => void own.set(kind, rule)

export const isOwnKind = (kind: string): boolean => own.has(kind)

const ruleOfEvent = (name: string): string | undefined => {
  const see = allEvents().get(name)?.see
  const access = see === undefined ? undefined : allImplementations().find(({ endpoint }) => endpoint.name === see)?.endpoint.access
  return typeof access === 'object' ? access.rule : undefined
}

/** Whether a person may be told of a kind: by name of what he may open, by events only who sees the business whole. */
export function mayHear(caller: Pick<Caller, 'rules' | 'docsAllow' | 'areasOff' | 'ownCustomersOnly'>, kind: string): boolean {
  if (own.has(kind)) return own.get(kind) === undefined || can(caller, own.get(kind))
  const rule = ruleOfEvent(kind)
  return allEvents().has(kind) && rule !== undefined && seesWhole(caller) && can(caller, rule)
}

/** Every kind this person may choose: first what rings by name, then the events in their order. */
export const kindsFor = (caller: Caller): { kind: string; isOwn: boolean }[] => [
  ...[...own.keys()].filter((kind) => mayHear(caller, kind)).map((kind) => ({ kind, isOwn: true })),
  ...[...allEvents().keys()].filter((kind) => kind !== 'webhook.test' && mayHear(caller, kind)).map((kind) => ({ kind, isOwn: false })),
]
