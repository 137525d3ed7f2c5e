/*
 * Who signs now. Those of one order number sign side by side; the next begin when every role of it has a
 * signature. Of several people in one role, one signs.
 */

export type SignerState = 'waiting' | 'open' | 'signed' | 'declined' | 'delegated' | 'spared'

export interface FlowSigner {
  readonly id: string
  readonly role: string
  readonly order: number
  readonly state: SignerState
}

/**
 * Roles with their places when their signers have turns: the order of the template is kept, and those it lets sign
 * side by side go by the earliest turn of their people. Without any turn nothing is changed. All people of a role
 * keep one place, since one of them signs.
 */
export function byTurns<R extends { readonly id: string; readonly order: number }>(
  roles: readonly R[],
  signers: readonly { readonly role: string; readonly turn?: number | undefined }[],
): R[] {
  if (signers.every(({ turn }) => turn === undefined)) return [...roles]
  const places = roles.map(({ id, order }) => ({
    order,
    turn: Math.min(...signers.flatMap(({ role, turn }) => (role === id && turn !== undefined ? [turn] : []))),
  }))
  return roles.map((role, at) => {
    const mine = places[at]!
    const before = places.filter(
      ({ order, turn }) => order < mine.order || (order === mine.order && turn < mine.turn),
    )
    return { ...role, order: new Set(before.map(({ order, turn }) => `${order}/${turn}`)).size + 1 }
  })
}

export interface Step {
  /** Those whose turn begins. */
  readonly opens: readonly string[]
  /** Those who need not sign any more: another of their role did. */
  readonly spares: readonly string[]
  readonly state: 'going' | 'complete' | 'declined'
}

const isLive = ({ state }: FlowSigner): boolean => state === 'waiting' || state === 'open'

/**
 * What follows from how the signers stand. A role without a signature and without anybody left who could give
 * it ends the paper: it was declined.
 */
export function step(signers: readonly FlowSigner[]): Step {
  const byRole = rolesOf(signers.filter(({ state }) => state !== 'delegated'))
  const isSigned = (role: string) => byRole.get(role)!.some(({ state }) => state === 'signed')
  const spares: string[] = []
  let lowest = Number.POSITIVE_INFINITY
  for (const [role, people] of byRole) {
    if (isSigned(role)) spares.push(...people.filter(isLive).map(({ id }) => id))
    else if (!people.some(isLive))
      return { opens: [], spares: signers.filter(isLive).map(({ id }) => id), state: 'declined' }
    else lowest = Math.min(lowest, ...people.map(({ order }) => order))
  }
  if (lowest === Number.POSITIVE_INFINITY) return { opens: [], spares, state: 'complete' }
  const opens = signers
    .filter(({ id, order, state }) => state === 'waiting' && order === lowest && !spares.includes(id))
    .map(({ id }) => id)
  return { opens, spares, state: 'going' }
}

function rolesOf(signers: readonly FlowSigner[]): Map<string, FlowSigner[]> {
  const found = new Map<string, FlowSigner[]>()
  for (const one of signers) found.set(one.role, [...(found.get(one.role) ?? []), one])
  return found
}
