import { sql } from 'kysely'
import { documentTypes, mayIssue, type BusinessKind } from '#domain/documents/kinds.ts'
import { divideRounded } from '#domain/money.ts'
import { toText } from '#domain/quantity.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { parse } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import type { HourView } from '../endpoints.ts'

interface Asked {
  customerId: string
  from: string
  to: string
}

const most = 60

/** Appointments of a customer that were held and stand on no paper yet. */
async function unbilled(ctx: Ctx, { customerId, from, to }: Asked): Promise<HourView[]> {
  if (to < from) throw failField('to', 'fields.dayOrder')
  const { rows } =
    await sql<HourView>`select b.id, c.day, to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as
        at, to_char(c.ends_at at time zone 'Asia/Jerusalem', 'HH24:MI') as "endsAt",
      coalesce(nullif(c.title, ''), k.name) as name, (extract(epoch from c.ends_at - c.starts_at) / 60)::int
      as minutes, ${ctx.caller.hideTotalPrices ? sql`null::bigint` : sql`b.price_agorot`} as "priceAgorot"
    from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
    join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    where b.company_id = ${ctx.companyId} and b.customer_id = ${customerId} and k.is_appointment
      and c.state <> 'cancelled' and c.ends_at <= ${ctx.now.toISOString()}
      and b.state in ('booked', 'came') and b.pays in ('price', 'free') and c.day between ${from} and ${to}
      and not exists (select 1 from documents d where d.company_id = b.company_id and d.id = b.document_id
      and ${isNotCancelled('d')})
    order by c.starts_at, b.id limit ${most}`.execute(ctx.tx)
  return rows
}

export async function listHours(ctx: Ctx, asked: Asked): Promise<{ rows: HourView[]; minutes: number }> {
  const rows = await unbilled(ctx, asked)
  return { rows, minutes: rows.reduce((sum, { minutes }) => sum + minutes, 0) }
}

/** Hours to four decimals, as quantities of lines are written. */
const hoursOf = (minutes: number): string => toText(Number(divideRounded(BigInt(minutes) * 10_000n, 60n)))

/** Leaves the draft of an invoice over them: so many hours at a price, or each appointment at its own. */
export async function billHours(
  ctx: Ctx,
  { hourPriceAgorot, withVat, ...asked }: Asked & { hourPriceAgorot: number | null; withVat: boolean },
): Promise<{ documentId: string; type: number; appointments: number; minutes: number }> {
  if (!can(ctx.caller, 'documents.draft')) throw forbidden({ rule: 'documents.draft' })
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  // The person who bills the same customer waits here, and then finds that it was done.
  await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${asked.customerId} for no key
    update`.execute(ctx.tx)
  const rows = (await unbilled(ctx, asked)).filter(
    ({ priceAgorot }) => hourPriceAgorot !== null || (priceAgorot ?? 0) > 0,
  )
  if (!rows.length) throw fail('bookings.nothingToPay')
  const { kind } = await companyOf(ctx)
  const type =
    documentTypes[mayIssue(kind as BusinessKind, 'taxInvoice') ? 'taxInvoice' : 'paymentRequest'].id
  const price = (agorot: number) => `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`
  const { draft: _, ...content } = parse(createDocument.input, {
    type,
    customerId: asked.customerId,
    draft: true,
    lines: rows.map((row) => ({
      description:
        `${row.name} ${row.day.slice(8)}/${row.day.slice(5, 7)}/${row.day.slice(0, 4)} ${row.at}–${row.endsAt}`.slice(
          0,
          500,
        ),
      quantity: hourPriceAgorot === null ? '1' : hoursOf(row.minutes),
      unitPrice: price(hourPriceAgorot ?? row.priceAgorot!),
      vatKind: withVat ? 2 : 1,
    })),
  })
  const documentId = await keepPrepared(ctx, await prepareDocument(ctx, content as never))
  await sql`update class_bookings set document_id = ${documentId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
  await ctx.audit('bookings.bill', 'classBookings', null, undefined, {
    documentId,
    appointments: rows.length,
  })
  return {
    documentId,
    type,
    appointments: rows.length,
    minutes: rows.reduce((sum, { minutes }) => sum + minutes, 0),
  }
}
