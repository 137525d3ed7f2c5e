import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { documentTypeById, paymentMeansById } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { plainDecimal } from './load.ts'

type Row = Record<string, unknown>

/** A draft as its rows are, about to be written or stored. */
export interface DraftRows {
  document: object
  lines: readonly object[]
  payments: readonly object[]
}

const decimal = (value: unknown): string => plainDecimal(String(value ?? ''))
const given = (values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== '' && value !== 0),
  )

/**
 * What a draft says, as the log tells it: what somebody wrote and what it comes to, and nothing that follows
 * from that.
 */
export function saidBy({ document, lines, payments }: DraftRows): Row {
  const d = document as Row
  return {
    type: documentTypeById(Number(d.type)),
    customer: (d.customer as { name?: string } | null)?.name ?? '',
    day: d.day,
    dueDay: d.due_day,
    validUntil: d.valid_until,
    currency: d.currency,
    rate: d.currency === 'ILS' ? null : decimal(d.rate),
    language: d.language,
    zeroGround: d.zero_ground,
    exemptGround: d.exempt_ground,
    branch: d.branch,
    orderNumber: d.order_number,
    subject: d.subject,
    notes: d.notes,
    notesBelow: d.notes_below,
    notesInternal: d.notes_internal,
    discountBp: d.discount_bp,
    discountAgorot: d.discount_sum_agorot,
    lines: (lines as readonly Row[]).map((line) =>
      given({
        description: line.description,
        details: line.details,
        quantity: decimal(line.quantity),
        unitPrice: decimal(line.unit_price),
        discountBp: line.discount_bp,
        discountAgorot: line.discount_sum_agorot,
      }),
    ),
    payments: (payments as readonly Row[]).map((one) =>
      given({
        means: paymentMeansById(Number(one.means)),
        amountAgorot: one.amount_agorot,
        day: one.day,
        reference: one.reference,
      }),
    ),
    totalAgorot: d.total_agorot,
  }
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0)

/** The fields that have a value: a new draft is logged by what was written. */
export const written = (said: Row): Row =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => !isNothing(value)))

/** What is otherwise than before, and what it was; undefined where nothing is. */
export function changeOf(before: Row, after: Row): { before: Row; after: Row } | undefined {
  const names = Object.keys(after).filter(
    (name) =>
      !(isNothing(before[name]) && isNothing(after[name])) && !isDeepStrictEqual(before[name], after[name]),
  )
  if (!names.length) return undefined
  const of = (said: Row) => Object.fromEntries(names.map((name) => [name, said[name] ?? null]))
  return { before: of(before), after: of(after) }
}

/**
 * An editor keeps a draft with every pause of the hand: what one person does within so many minutes is one
 * line of the log.
 */
const sittingMinutes = 10

interface Logged {
  after: Row | null
  mine: boolean
  fresh: boolean
}

/**
 * Logs that a draft was created or changed. Saving it unchanged logs nothing. What the same person wrote since the
 * last line waits for the next, which has the state before all of it; a change by another person is logged at once,
 * with the state that person found.
 */
export async function logDraft(ctx: Ctx, id: string, stored: Row | undefined, now: Row): Promise<void> {
  if (!stored) return ctx.audit('documents.makeDraft', 'documents', id, undefined, written(now))
  const { rows } = await sql<Logged>`select after, user_id is not distinct from ${ctx.caller.userId} as mine,
        at > now() - make_interval(mins => ${sittingMinutes}) as fresh
    from audit_log where company_id = ${ctx.companyId} and entity_id = ${id}
      and action in ('documents.makeDraft', 'documents.changeDraft') order by at, id`.execute(ctx.tx)
  const last = rows.at(-1)
  if (last?.mine && last.fresh) return
  const told = last?.mine ? Object.assign({}, ...rows.map(({ after }) => after)) : stored
  const change = changeOf(told, now)
  if (change) await ctx.audit('documents.changeDraft', 'documents', id, change.before, change.after)
}
