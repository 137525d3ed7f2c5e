import { createHmac, timingSafeEqual } from 'node:crypto'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import type { BookingView } from '../endpoints.ts'
import { markBooking } from './actions.ts'

const step = 30_000
const at = (app: App, bookingId: string, turn: number): string =>
  createHmac('sha256', app.secrets.mac).update(`booking:${bookingId}:${turn}`).digest('hex').slice(0, 12)

/**
 * What a customer shows at the desk: it changes every half minute, so that a picture of it is of no use to
 * anybody else.
 */
export const doorCode = (app: App, bookingId: string, now: Date): string =>
  `PB:${bookingId}:${at(app, bookingId, Math.floor(now.getTime() / step))}`

const shape = /^PB:([0-9a-f-]{36}):([0-9a-f]{12})$/

/** Whose code it says it is, before it is proved. */
export const bookingOfCode = (text: string): string | undefined => shape.exec(text.trim())?.[1]

/** How long after it was read a code may come from a desk that had no network. */
const kept = 24 * 3_600_000

/**
 * Checks in the holder of a scanned code: the code of the moment it was scanned, or of the half minute before or
 * after.
 */
export async function checkInByCode(
  ctx: Ctx,
  { text, at: read, override }: { text: string; at?: string | undefined; override: string },
): Promise<BookingView> {
  const [, id, code] = shape.exec(text.trim()) ?? []
  if (!id || !code) throw fail('bookings.unknownCode')
  const now = ctx.now.getTime()
  const moment = read ? Math.min(now, Math.max(Date.parse(read), now - kept)) : now
  const turn = Math.floor(moment / step)
  const isRight = [-1, 0, 1].some((by) =>
    timingSafeEqual(Buffer.from(at(ctx.app, id, turn + by)), Buffer.from(code)),
  )
  if (!isRight) throw fail('bookings.oldCode')
  return markBooking(ctx, { id, state: 'came', at: read, override })
}
