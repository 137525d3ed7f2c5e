import type { Ctx } from '#kit/server/context.ts'

export type ClassTurn = 'made' | 'moved' | 'cancelled' | 'seats'
type Listener = (ctx: Ctx, turn: ClassTurn, classId: string, reason: string) => Promise<number>

const listeners: Listener[] = []

/**
 * Lets the feature that keeps bookings follow what becomes of a class, in the same transaction; it answers
 * how many people it told.
 */
export const registerClassListener = (listener: Listener): void => void listeners.push(listener)

export async function tellClass(ctx: Ctx, turn: ClassTurn, classId: string, reason = ''): Promise<number> {
  let told = 0
  for (const listener of listeners) told += await listener(ctx, turn, classId, reason)
  return told
}
