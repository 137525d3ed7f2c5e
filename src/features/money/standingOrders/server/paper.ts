import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  loadDocument,
  mailsOfDocument,
  sendDocument,
  sendDocumentSms,
} from '#features/sales/documents/server/index.ts'
import { typeById } from '#features/sales/documents/types/index.ts'
import { tellStep, type StoredOrder } from './order.ts'
import type { WorkedTurn } from './turns.ts'

/**
 * What the paper of a charge says, as it was worked out; kept with the charge, so that nothing that changes
 * later changes it.
 */
export type TurnContent = Pick<WorkedTurn, 'lines' | 'discount' | 'notes' | 'notesBelow'>

export const contentOf = ({ lines, discount, notes, notesBelow }: WorkedTurn): TurnContent => ({
  lines,
  discount,
  notes,
  notesBelow,
})

/**
 * A charge as a document of a type and a day. What the business collects itself is due on the day it is collected: the
 * credit terms of the customer are for what the customer pays.
 */
export const paperOf = (
  order: StoredOrder,
  { lines, discount, notes, notesBelow }: TurnContent,
  type: number,
  day: Day,
) => ({
  type,
  customerId: order.customer_id,
  date: day,
  ...(order.means === 'bill' ? {} : { dueDate: day }),
  currency: order.currency,
  ...(order.language ? { language: order.language } : {}),
  ...(order.agent_id ? { agentId: order.agent_id } : {}),
  projectId: order.project_id,
  subject: order.title,
  notes,
  notesBelow,
  lines: lines.map(({ vatKind, ...line }) => ({ ...line, ...(vatKind ? { vatKind: vatKind as 1 } : {}) })),
  ...(discount ? { discount } : {}),
})

/** Sends a paper as the order says; where there is no address the timeline says so and nothing stops. */
export async function sendPaper(ctx: Ctx, order: StoredOrder, documentId: string, start: Day): Promise<void> {
  if (order.send === 'none') return
  const document = await loadDocument(ctx, documentId)
  if (order.send === 'sms') {
    const to = order.send_to || document.customer.phone || ''
    const sent = to && (await sendDocumentSms(ctx, { id: documentId, to }).catch(() => undefined))
    return tellStep(ctx, order.id, sent ? 'sent' : 'noAddress', sent ? { to } : {}, start)
  }
  const [to, ...also] = order.send_to ? [order.send_to] : await mailsOfDocument(ctx, document)
  if (!to) return tellStep(ctx, order.id, 'noAddress', {}, start)
  await sendDocument(ctx, { id: documentId, to, also, attach: true })
  await tellStep(ctx, order.id, 'sent', { to }, start)
}

/**
 * The day a paper bears: the day of its charge as far as its series and the books let it, else the nearest
 * that is open; never a day to come. A charge that was made up for after days of being off so keeps its day.
 */
export async function paperDay(ctx: Ctx, type: number, wished: Day): Promise<Day> {
  if (wished >= ctx.today) return ctx.today
  const series = typeById(type)?.series ?? ''
  const { rows } = await sql<{ last: Day | null; locked: boolean }>`select
      (select s.last_day from number_series s where s.company_id = ${ctx.companyId} and s.series = ${series})
      as last,
      exists (select 1 from locked_periods p where p.company_id = ${ctx.companyId} and p.reopened_at is null
      and ${wished} between p.from_day and p.to_day) as locked`.execute(ctx.tx)
  const { last, locked } = rows[0]!
  if (locked) return ctx.today
  return last && last > wished ? last : wished
}
