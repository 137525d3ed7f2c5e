import { sql } from 'kysely'
import { documentTypes } from '#domain/documents/kinds.ts'
import { isWithin, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'

/**
 * What the booking page of a business is called where it is kept who ordered it: payment requests for what customers
 * choose on it, and reminders before their classes. Its subject is the business.
 */
export const bookingPageKind = 'bookingPages'

/** Whether who set the page up may still have it remind; the reminders wait for approval where not. */
export async function mayRemind(ctx: Ctx): Promise<boolean> {
  // Reminders are on before anybody sets them: then they are the business's own.
  await ordered(ctx, bookingPageKind, ctx.companyId)
  return isWithin(ctx, bookingPageKind, ctx.companyId, 'send', { agorot: 0 })
}

registerOrders(bookingPageKind, {
  rule: 'calendar.setUp',
  describe: (ctx, ids) =>
    Promise.resolve(
      ids.map((id) => ({
        id,
        title: say(ctx.caller.language, 'screens.bookingPage'),
        href: '/invoice/calanderclasses',
      })),
    ),
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select company_id as id from booking_pages
      where company_id = ${ctx.companyId} and company_id = any (${ids}::uuid[]) and is_on`.execute(ctx.tx)
    return rows.map(({ id }) => ({
      id,
      does: [
        { effect: 'issue', agorot: 0, documentType: documentTypes.paymentRequest.id },
        { effect: 'send', agorot: 0 },
      ],
    }))
  },
  // The person who opens the page from now on can pay, and the next round reminds.
  goOn: async () => {},
})
