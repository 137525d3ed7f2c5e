import { sql } from 'kysely'
import type { z } from 'zod'
import { addMonths } from '#domain/day.ts'
import { instalmentsOf, payOldest } from '#domain/committee/split.ts'
import { flatOfTransfer } from '#domain/committee/transfers.ts'
import { documentTypes, paymentMeans, paymentMeansById, vatKinds } from '#domain/documents/kinds.ts'
import { ownDetails } from '#domain/documents/paymentDetails.ts'
import { numberAfter } from '#domain/documents/payments.ts'
import { formatMoney } from '#domain/format.ts'
import { sum } from '#domain/money.ts'
import { fail, failField, Failure } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { documentInput } from '#features/sales/documents/endpoints.ts'
import {
  cancelDocument,
  issuePrepared,
  neededDocument,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import type * as calls from '../endpoints.ts'
import { keepPaid, openFor } from './dues.ts'
import { houseOf } from './house.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>
type Taken = z.output<typeof calls.takePayments.output>
type Given = In<typeof calls.takePayments>['payments'][number]

/** Who pays for a flat on a day, or who owed last where nobody pays now. */
async function payerOf(ctx: Ctx, flatId: string, day: string): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
  }>`(select customer_id as id, 0 as rank, from_day as at from committee_people
    where company_id = ${ctx.companyId} and flat_id = ${flatId} and pays and archived_at is null
      and from_day <= ${day} and (to_day is null or to_day >= ${day}))
    union all (select payer_id, 1, month from committee_dues where company_id = ${ctx.companyId}
      and flat_id = ${flatId} and payer_id is not null and paid_agorot < agorot order by month desc limit 1)
    order by rank, at desc limit 1`.execute(ctx.tx)
  return rows[0]?.id
}

/**
 * Money of tenants, flat by flat: the oldest dues of the payer are paid first and the rest pays coming ones. Each
 * payer gets one receipt for all flats, of the day of payment.
 */
export async function take(ctx: Ctx, input: In<typeof calls.takePayments>): Promise<Taken> {
  const house = await houseOf(ctx, input.id, true)
  if (input.clientKey) {
    const before = await alreadyTaken(ctx, input.clientKey)
    if (before) return before
  }
  const { rows: flats } = await sql<{
    id: string
    name: string
  }>`select id, concat_ws('/', nullif(entrance, ''), number) as name from committee_flats
    where company_id = ${ctx.companyId} and building_id = ${input.id}
      and id = any(${input.payments.map((one) => one.flatId)}::uuid[])`.execute(ctx.tx)
  const company = await companyOf(ctx)
  const groups = new Map<
    string,
    { customerId: string; day: string; of: { at: number; given: Given; flat: string }[] }
  >()
  for (const [at, given] of input.payments.entries()) {
    const flat = flats.find((one) => one.id === given.flatId)
    if (!flat) throw failField(`payments.${at}.flatId`, 'fields.ref')
    const day = given.day ?? ctx.today
    if (day > ctx.today)
      throw failField(`payments.${at}.day`, 'documents.dateInFuture', { day, today: ctx.today })
    const customerId = given.customerId ?? (await payerOf(ctx, given.flatId, day))
    if (!customerId) throw failField(`payments.${at}.flatId`, 'committee.nobodyPays', { flat: flat.name })
    if (given.customerId) {
      const { rows } =
        await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${given.customerId}
            and role = 'customer'`.execute(ctx.tx)
      if (!rows.length) throw failField(`payments.${at}.customerId`, 'fields.ref')
    }
    if (given.bankLineId) {
      // Of two who enter one line at the same moment the second loses the unique key, is run again, and finds
      // it taken.
      const { rows } = await sql<{
        taken: boolean
      }>`select exists (select 1 from committee_payments y where y.company_id = l.company_id
          and y.bank_line_id = l.id and y.cancelled_at is null) as taken
        from bank_lines l where l.company_id = ${ctx.companyId} and l.id = ${given.bankLineId}
          and l.amount_agorot > 0`.execute(ctx.tx)
      if (!rows[0]) throw failField(`payments.${at}.bankLineId`, 'fields.ref')
      if (rows[0].taken) throw fail('committee.lineTaken')
    }
    if (given.cheques && given.means !== paymentMeans.cheque)
      throw failField(`payments.${at}.cheques`, 'fields.choice')
    const key = `${day} ${customerId}`
    const group = groups.get(key) ?? { customerId, day, of: [] }
    group.of.push({ at, given, flat: flat.name })
    groups.set(key, group)
  }
  const receipts: Taken['receipts'] = []
  let aheadAgorot = 0
  // In the order of days: a series of receipts runs forward.
  for (const { customerId, day, of } of [...groups.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const subject = say(company.language, 'committee.receiptFor', {
      house: house.name,
      flats: of.map((one) => one.flat).join(', '),
    })
    const money = of.flatMap(({ at, given }) => moneyOf(given, day).map((payment) => ({ at, payment })))
    const needed =
      (await neededDocument(ctx, {
        day,
        for: 'sale',
        pays: 'nothing',
        means: of.map(({ given }) => paymentMeansById(given.means) ?? 'other'),
      })) ?? 'receipt'
    const content = documentInput.parse({
      type: documentTypes[needed].id,
      customerId,
      date: day,
      subject: subject.slice(0, 200),
      rounding: 'none',
      // Dues of a house bear no VAT.
      lines: of.map(({ given, flat }) => ({
        description: say(company.language, 'committee.receiptFor', { house: house.name, flats: flat }).slice(
          0,
          500,
        ),
        quantity: '1',
        unitPrice: formatMoney(given.agorot).replaceAll(',', ''),
        vatKind: vatKinds.withoutVat,
      })),
      payments: money.map(({ payment }) => payment),
    })
    const places = money.map(({ at }) => at)
    const issued = await naming(places, async () => issuePrepared(ctx, await prepareDocument(ctx, content)))
    for (const { at, given } of of) {
      const id = newId()
      const { paid, ahead } = payOldest(await openFor(ctx, given.flatId, customerId), given.agorot)
      aheadAgorot += ahead
      const by = byOf(ctx)
      await sql`insert into committee_payments (company_id, id, flat_id, customer_id, day, means, agorot,
          ahead_agorot, reference, bank_line_id, document_id, client_key, user_id)
        values (${ctx.companyId}, ${id}, ${given.flatId}, ${customerId}, ${day}, ${given.means},
          ${given.agorot}, ${ahead}, ${given.reference}, ${given.bankLineId ?? null}, ${issued.id},
          ${input.clientKey ? `${input.clientKey} ${at}` : null}, ${by})`.execute(ctx.tx)
      await keepPaid(ctx, id, paid)
    }
    const { rows } = await sql<{
      name: string
    }>`select name from parties where company_id = ${ctx.companyId} and id = ${customerId}`.execute(ctx.tx)
    receipts.push({ documentId: issued.id, number: issued.number, customer: rows[0]?.name ?? '' })
  }
  await ctx.audit('committee.pay', 'committeebuildings', input.id, undefined, {
    payments: input.payments.length,
    agorot: sum(input.payments.map((one) => one.agorot)),
  })
  return { receipts, aheadAgorot }
}

/** What came to the bank in the last months, is matched with nothing and is no payment of a tenant yet. */
export async function transfersOf(ctx: Ctx, { id }: { id: string }) {
  const house = await houseOf(ctx, id)
  const { rows: flats } = await sql<{
    id: string
    entrance: string
    number: string
    payers: string[]
  }>`select f.id, f.entrance, f.number,
      coalesce((select array_agg(c.name order by p.from_day) from committee_people p
      join parties c on c.company_id = p.company_id and c.id = p.customer_id
      where p.company_id = f.company_id and p.flat_id = f.id and p.pays and p.archived_at is null
        and p.from_day <= ${ctx.today} and (p.to_day is null or p.to_day >= ${ctx.today})), '{}') as payers
    from committee_flats f where f.company_id = ${ctx.companyId} and f.building_id = ${house.id}
      and f.archived_at is null`.execute(ctx.tx)
  const { rows } = await sql<{
    lineId: string
    day: string
    agorot: number
    text: string
    details: string
    reference: string
  }>`select l.id as "lineId", l.day, l.amount_agorot as agorot, l.text, l.details, l.reference
    from bank_lines l
    where l.company_id = ${ctx.companyId} and l.amount_agorot > 0 and l.day >= ${addMonths(ctx.today, -4)}
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id)
      and not exists (select 1 from committee_payments y where y.company_id = l.company_id
      and y.bank_line_id = l.id and y.cancelled_at is null)
    order by l.day desc, l.position, l.id limit 200`.execute(ctx.tx)
  return {
    rows: rows.map(({ details, ...one }) => {
      const text = [one.text, details].filter(Boolean).join(' ')
      const found = flatOfTransfer(text, flats)
      return { ...one, text, flatId: found?.id ?? null, by: found?.by ?? null }
    }),
  }
}

async function alreadyTaken(ctx: Ctx, clientKey: string): Promise<Taken | undefined> {
  const { rows } = await sql<{
    documentId: string
    number: number
    customer: string
    ahead: number
  }>`select y.document_id as "documentId", d.number, p.name as customer, y.ahead_agorot as ahead
    from committee_payments y join documents d on d.company_id = y.company_id and d.id = y.document_id
    join parties p on p.company_id = y.company_id and p.id = y.customer_id
    where y.company_id = ${ctx.companyId} and y.client_key like ${`${clientKey.replace(/[\\%_]/g, '\\$&')} %`}
    order by y.client_key`.execute(ctx.tx)
  if (!rows.length) return undefined
  const receipts = [...new Map(rows.map(({ ahead: _, ...one }) => [one.documentId, one])).values()]
  return { receipts, aheadAgorot: sum(rows.map((one) => one.ahead)) }
}

/** One payment as the receipt says it, or a cheque for each month: the numbers of a series follow its first. */
function moneyOf({ bank, branch, account, number = '', ...given }: Given, day: string) {
  const details = {
    ...ownDetails(paymentMeansById(given.means) ?? 'other', { bank, branch, account, number }),
    ...(given.reference ? { reference: given.reference } : {}),
  }
  if (!given.cheques || given.cheques === 1)
    return [
      {
        means: given.means,
        amountAgorot: given.agorot,
        date: day,
        ...(given.firstCheque ? { dueDate: given.firstCheque } : {}),
        ...details,
      },
    ]
  const first = given.firstCheque ?? day
  return instalmentsOf(given.agorot, given.cheques).map((amountAgorot, n) => ({
    means: given.means,
    amountAgorot,
    date: day,
    dueDate: addMonths(first, n),
    ...details,
    number: numberAfter(number, n),
  }))
}

/**
 * A refusal of the document is said at the payment that it is of; the payments of the document are at `places` of what
 * was given.
 */
async function naming<T>(places: readonly number[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (e) {
    if (!(e instanceof Failure) || !e.errors.length) throw e
    throw new Failure(
      'kit.badInput',
      {},
      e.errors.map((one) => {
        const [, at, detail] = /^payments\.(\d+)\.(\w+)$/.exec(one.path) ?? []
        const place = places[Number(at ?? 0)] ?? places[0]!
        return { ...one, path: `payments.${place}.${detail ?? (one.path === 'date' ? 'day' : 'agorot')}` }
      }),
    )
  }
}

/** The receipt is cancelled by a separate document; what it paid is owed again, for all flats it was for. */
export async function cancelTaken(
  ctx: Ctx,
  { id, reason }: In<typeof calls.cancelTaken>,
): Promise<{ done: true }> {
  const { rows } = await sql<{
    documentId: string | null
    cancelled: string | null
    buildingId: string
  }>`select y.document_id as "documentId", y.cancelled_at as cancelled, f.building_id as "buildingId"
    from committee_payments y
    join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
    where y.company_id = ${ctx.companyId} and y.id = ${id} for update of y`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await houseOf(ctx, rows[0].buildingId)
  if (rows[0].cancelled) throw fail('committee.alreadyCancelled')
  if (rows[0].documentId) await cancelDocument(ctx, { id: rows[0].documentId, reason })
  // What was paid before the house issued receipts here is reversed directly.
  else await sql`select committee_payment_goes(${ctx.companyId}, ${id})`.execute(ctx.tx)
  await ctx.audit('committee.cancelPayment', 'committeebuildings', rows[0].buildingId, undefined, {
    paymentId: id,
    reason,
  })
  return { done: true }
}
