import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { planOn } from '#domain/commission/commission.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { say } from '#kit/server/words.ts'
import { verifiedEmail } from '#features/base/session/server/index.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { countCommissions } from './count.ts'
import { beOperator, plansOf } from './operator.ts'

interface Payee {
  id: string
  userId: string
  state: string
  supplierId: string | null
  taxId: string | null
  dealerKind: string | null
  language: 'he' | 'en' | 'ar' | 'ru' | 'fr'
  name: string
}

const money = (agorot: number): string =>
  `${Math.floor(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`

/** Sellers whose supplies carry no VAT. */
const withoutVat = new Set(['exempt', 'nonProfit', 'person'])

/**
 * Issues, for each affiliate, the self-billed invoice for what is due, as agreed at sign-up. It comes with its bill,
 * which any run of payments pays, Masav included, less the tax by the affiliate's certificate. What earlier payments
 * lost since is deducted; an affiliate with nothing due is refused by name.
 */
export async function payOut(ctx: Ctx, { ids }: { ids: readonly string[] }) {
  beOperator(ctx)
  await countCommissions(ctx)
  const paid: Paid[] = []
  for (const id of [...new Set(ids)].toSorted()) paid.push(await payOne(ctx, id))
  return { rows: paid }
}

interface Paid {
  id: string
  documentId: string
  number: number
  amountAgorot: number
}

/** Less than this waits for the next time. */
export const leastToPay = async (ctx: Ctx): Promise<number> =>
  planOn(await plansOf(ctx), ctx.today)?.leastAgorot ?? 0

/** Writes the invoice of one. */
export async function payOne(ctx: Ctx, id: string): Promise<Paid> {
  const { rows } = await sql<Payee>`select a.affiliate_id as id, a.user_id as "userId", a.state,
        a.supplier_id as "supplierId", p.tax_id as "taxId",
        p.dealer_kind as "dealerKind", coalesce(p.language, 'he') as language,
        coalesce(p.name, '') as name
      from affiliates a left join parties p on p.company_id = a.company_id and p.id = a.supplier_id
      where a.company_id = ${ctx.companyId} and a.affiliate_id = ${id} for no key update of a`.execute(ctx.tx)
  const payee = rows[0]
  if (!payee) throw fail('kit.notFound')
  const { name, supplierId } = payee
  const email = await asSystem(ctx.app.db, (tx) => verifiedEmail(tx, payee.userId))
  if (payee.state !== 'active' || !supplierId || email === undefined) throw fail('affiliates.notActive')
  if (!payee.taxId) throw fail('affiliates.noTaxId', { name })
  const { rows: due } = await sql<{
    document: string
    no: number
    amount: number
    day: string
  }>`select c.document_id as document, c.no, c.amount_agorot as amount, c.day from affiliate_commissions c
        join affiliate_signups s on s.company_id = c.company_id and s.client_id = c.client_id
      where c.company_id = ${ctx.companyId} and c.affiliate_id = ${id} and c.payout_id is null
        and c.due_day <= ${ctx.today} and s.state <> 'held'
      order by c.day, c.document_id, c.no for update of c`.execute(ctx.tx)
  const amountAgorot = due.reduce((sum, row) => sum + row.amount, 0)
  if (amountAgorot <= 0 || amountAgorot < (await leastToPay(ctx)))
    throw fail('affiliates.nothingDue', { name })
  const days = due.map(({ day }) => day)
  const prepared = await prepareDocument(ctx, {
    type: 12,
    customerId: supplierId,
    language: payee.language,
    subject: say(payee.language, 'affiliates.paper.subject'),
    lines: [
      {
        description: say(payee.language, 'affiliates.paper.line', {
          from: written(days[0]!),
          to: written(days.at(-1)!),
        }),
        quantity: '1',
        unitPrice: money(amountAgorot),
        vatKind: withoutVat.has(payee.dealerKind ?? '') ? 4 : 1,
      },
    ],
  } as never)
  const { id: documentId, number } = await issuePrepared(ctx, prepared)
  const payoutId = newId()
  await sql`insert into affiliate_payouts (company_id, id, affiliate_id, document_id, amount_agorot, made_by)
      values (${ctx.companyId}, ${payoutId}, ${id}, ${documentId}, ${amountAgorot}, ${byOf(ctx)})`.execute(
    ctx.tx,
  )
  await sql`update affiliate_commissions c set payout_id = ${payoutId}
    from unnest(${due.map((row) => row.document)}::uuid[], ${due.map((row) => row.no)}::smallint[]) w
      (document, no)
      where c.company_id = ${ctx.companyId} and c.document_id = w.document and c.no = w.no`.execute(ctx.tx)
  await ctx.audit('affiliates.pay', 'affiliates', id, undefined, { amountAgorot, number })
  return { id, documentId, number, amountAgorot }
}

const written = (day: string): string => day.split('-').toReversed().join('/')
