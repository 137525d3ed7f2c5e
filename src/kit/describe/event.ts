/** A kind of event that is published: what happened to which kind of thing. */
export interface EventKind {
  /** '<thing>.<what became of it>'; what it is for is the word `events.<name>`. */
  name: string
  /** Where the thing is read: the name of the call that answers one of them. */
  see: string
  entity: string
  /** The lines of the log that tell it; none where the database tells it itself. */
  on: readonly string[]
  /** What of the line's new values the event carries. */
  keep: readonly string[]
}

const kinds = new Map<string, EventKind>()
const byAction = new Map<string, EventKind[]>()

interface Happening {
  on?: string | readonly string[]
  keep?: readonly string[]
}

/**
 * Declares the events of a thing by the lines of the log: a command that writes its line publishes its event, in its
 * transaction and without further code. `see` is the call that answers one of these things.
 */
export function defineEvents(
  thing: string,
  of: { entity: string; see: string },
  happenings: Record<string, Happening>,
): void {
  for (const [what, { on = [], keep = [] }] of Object.entries(happenings)) {
    const kind: EventKind = { name: `${thing}.${what}`, ...of, on: typeof on === 'string' ? [on] : on, keep }
    if (kinds.has(kind.name)) throw new Error(`the event ${kind.name} is declared twice`)
    kinds.set(kind.name, kind)
    for (const action of kind.on) byAction.set(action, [...(byAction.get(action) ?? []), kind])
  }
}

export const allEvents = (): ReadonlyMap<string, EventKind> => kinds

/** What a line of the log tells. */
export const eventsOn = (action: string): readonly EventKind[] => byAction.get(action) ?? []
