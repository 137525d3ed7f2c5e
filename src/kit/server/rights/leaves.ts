import type { Ctx } from '../context.ts'

/**
 * What leaves the business: addresses that answer without a log-in, copies, messages to programs, reports sent on a
 * schedule, people from outside. Each feature registers its own, so that one screen lists all of it and the removal of a
 * person ends it.
 */
export interface Leaving {
  id: string
  /** What it is, as its maker named it. */
  name: string
  /** Where it goes: an address, a site, a person. */
  to: string
  /** The person whose rights it works with; null where it is the business's own. */
  userId: string | null
  /** The API key it works with besides, by name. */
  byKey: string | null
  since: string
  /** When something last left by it. */
  lastAt: string | null
  /** false: paused, turned off or expired for now. */
  isOn: boolean
  /** The screen where it is managed. */
  href: string
}

export interface LeavesSource {
  kind: string
  /** The tables whose rows it lists. */
  tables: readonly string[]
  list: (ctx: Ctx) => Promise<Leaving[]>
  /** Ends one for good. */
  end: (ctx: Ctx, id: string) => Promise<void>
  /**
   * What the business goes on needing when the person leaves is not ended but continues with the rights of another
   * person.
   */
  handOver?: (ctx: Ctx, id: string, to: string) => Promise<void>
}

const sources = new Map<string, LeavesSource>()

/** Told once, when the server's parts are read. */
export const registerLeaves = (source: LeavesSource): void => void sources.set(source.kind, source)

export const leavesSources = (): readonly LeavesSource[] => [...sources.values()]

export type LeavingOfKind = Leaving & { kind: string }

export async function leavesOf(ctx: Ctx): Promise<LeavingOfKind[]> {
  const all: LeavingOfKind[] = []
  for (const { kind, list } of sources.values())
    all.push(...(await list(ctx)).map((one) => ({ ...one, kind })))
  return all
}

/** Ends, or hands over to another person, whatever works with the rights of a person who leaves; answers what it was. */
export async function endLeavesOf(ctx: Ctx, userId: string, to: string): Promise<LeavingOfKind[]> {
  const theirs = (await leavesOf(ctx)).filter((one) => one.userId === userId)
  for (const { kind, id } of theirs) {
    const { end, handOver } = sources.get(kind)!
    await (handOver ? handOver(ctx, id, to) : end(ctx, id))
  }
  return theirs
}
