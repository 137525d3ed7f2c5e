import { sql, type RawBuilder } from 'kysely'
import { fold } from '#domain/fold.ts'
import { paymentMeans, type PaymentMeans } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { ListSource } from '#kit/server/data/lists.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import type { PaymentAnswer } from '../endpoints.ts'
import { deposits, meansNames, payments } from '../payments.ts'
import { deedsOf } from './bounce.ts'
import { loadPayment, stateOf } from './money.ts'

const ofDocument = (what: RawBuilder<unknown>) =>
  sql`(select ${what} from documents d where d.company_id = t.company_id and d.id = t.document_id)`
const ofDeposit = (what: RawBuilder<unknown>) =>
  sql`(select ${what} from deposits s where s.company_id = t.company_id and s.id = t.deposit_id)`

const cases = sql.join(
  meansNames.map((name) => sql`when ${sql.lit(paymentMeans[name])} then ${sql.lit(name)}`),
  sql` `,
)
/** The name of a means of payment by its number. */
export const meansName = (column: string): RawBuilder<unknown> => sql`case ${sql.ref(column)} ${cases} end`

/** What a payment is known by: the number of a cheque, the last digits of a card, a reference. */
const knownBy = sql`coalesce(nullif(t.number, ''), nullif(t.card_last4, ''), t.reference)`

export const paymentList: ListSource = {
  alsoCalled: { customerName: 'customerIdName' },
  resource: payments,
  noArchive: true,
  compute: {
    customerId: ofDocument(sql`d.customer_id`),
    means: meansName('t.means'),
    sumAgorot: sql`t.ils_agorot`,
    documentNumber: ofDocument(sql`d.number`),
    reference: knownBy,
    state: ofDocument(stateOf),
    depositNumber: ofDeposit(sql`s.number`),
    depositDay: ofDeposit(sql`s.day`),
  },
  refNames: { customerId: ofDocument(sql`d.customer->>'name'`) },
  extra: { documentId: sql`t.document_id`, documentType: ofDocument(sql`d.type`) },
  // The column itself, so that its index serves.
  filters: { means: (name) => sql`t.means = ${paymentMeans[name as PaymentMeans]}` },
  only: (ctx) => [
    sql<boolean>`exists (select 1 from documents d where d.company_id = t.company_id and d.id = t.document_id
        and ${isIssued('d')}${onlyAllowed(ctx, 'd.type')})`,
  ],
  // By the number of the cheque or the paper, a reference, or part of the customer's name.
  search: (q) => {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    const parts: RawBuilder<boolean>[] = [
      sql`${ofDocument(sql`d.customer_id`)} in
          (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')}))`,
      sql`t.number ilike ${pattern}`,
      sql`t.reference ilike ${pattern}`,
    ]
    if (/^\d{1,15}$/.test(q)) parts.push(sql`${ofDocument(sql`d.number`)} = ${q}::bigint`)
    return sql`(${sql.join(parts, sql` or `)})`
  },
}

export const depositList: ListSource = {
  alsoCalled: { accountName: 'accountIdName' },
  resource: deposits,
  noArchive: true,
  compute: {
    cheques: sql`(select count(*)::int from deposit_payments x where x.company_id = t.company_id
        and x.deposit_id = t.id)`,
    totalAgorot: sql`(t.cheques_agorot + t.cash_agorot)`,
    state: sql`case when t.cancelled_at is null then 'deposited' else 'undone' end`,
  },
  refNames: {
    accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)`,
  },
  search: (q) => {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(t.number::text = ${q} or t.reference ilike ${pattern})`
  },
}

export async function paymentOf(ctx: Ctx, id: string): Promise<PaymentAnswer> {
  const stored = await loadPayment(ctx, id)
  const { rows } = await sql<
    Omit<PaymentAnswer, 'document' | 'deposit' | 'returns' | 'may'> & {
      documentId: string
      documentType: number
      documentNumber: number
      depositId: string | null
      depositNumber: number
      depositDay: string
    }
  >`select t.id, t.day, t.due_day as "dueDay", ${meansName('t.means')} as means, ${stateOf} as state,
      d.currency, t.amount_agorot as "amountAgorot", t.ils_agorot as "sumAgorot",
      t.bank, t.branch, t.account, t.number as "chequeNumber", t.card_brand as "cardBrand",
      t.card_last4 as "cardLast4", t.instalments, t.reference,
      d.customer_id as "customerId", coalesce(d.customer->>'name', '') as "customerName",
      d.id as "documentId", d.type as "documentType", d.number as "documentNumber",
      s.id as "depositId", s.number as "depositNumber", s.day as "depositDay"
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    left join deposits s on s.company_id = t.company_id and s.id = t.deposit_id
    where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { documentId, documentType, documentNumber, depositId, depositNumber, depositDay, ...rest } = rows[0]
  const { rows: returns } = await sql<
    PaymentAnswer['returns'][number]
  >`select id, kind, day, reason, fee_agorot as "feeAgorot", undone_at is not null as undone
    from payment_returns
    where company_id = ${ctx.companyId} and payment_id = ${id} order by created_at, id`.execute(ctx.tx)
  return {
    ...rest,
    document: { id: documentId, type: documentType, number: documentNumber },
    deposit: depositId ? { id: depositId, number: depositNumber, day: depositDay } : null,
    returns,
    may: deedsOf(stored),
  }
}
