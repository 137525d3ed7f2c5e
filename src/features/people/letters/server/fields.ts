import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { fieldsIn, merge, sumFields, type MergeField } from '#domain/letters/merge.ts'
import { labelOf } from '#domain/documents/kinds.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { fail, forbidden, Failure } from '#kit/describe/errors.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { Addressee } from '#features/people/correspondence/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  loadDocument,
  owedOf,
  type StoredDocument,
  typeOfPaper,
} from '#features/sales/documents/server/index.ts'

/** The customer's balance in the books, with the records merged into the customer. */
async function balanceOf(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{
    agorot: number
  }>`select coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as agorot
    from parties g join party_months m on m.company_id = g.company_id and m.party_id = g.id
    where g.company_id = ${ctx.companyId} and (g.id = ${id} or g.merged_into = ${id})`.execute(ctx.tx)
  return rows[0]!.agorot
}

const cityOf = (c: Addressee): string => [c.city, c.zip].filter(Boolean).join(' ')

/** The lines of an address, as they stand on paper. */
export const addressOf = (c: Addressee): string[] =>
  [c.street, cityOf(c), c.country].filter((line): line is string => !!line)

/** Amounts of the books need the right to see all amounts; a balance also needs the right to see debts. */
function refuseSums(ctx: Ctx, known: readonly MergeField[]): void {
  if (!known.some((field) => sumFields.includes(field))) return
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (!known.includes('customer.balance')) return
  if (!can(ctx.caller, 'reports.debts')) throw forbidden({ rule: 'reports.debts' })
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

export interface Filled {
  title: string
  body: string
  namesSums: boolean
  /** Fields that were asked for and have nothing to say of this customer. */
  empty: MergeField[]
}

/** Fills title and body for one customer in one language. Amounts are refused to people who may not see them. */
export async function filled(
  ctx: Ctx,
  letter: { title: string; body: string },
  customer: Addressee | undefined,
  language: Language,
  document: StoredDocument | undefined,
): Promise<Filled> {
  const { known } = fieldsIn(`${letter.title}\n${letter.body}`)
  refuseSums(ctx, known)
  const company = await companyOf(ctx)
  const wants = (field: MergeField) => known.includes(field)
  const money = (agorot: number, currency = 'ILS') => withCurrency(agorot, currency, language)
  const values: Partial<Record<MergeField, string>> = {
    today: formatDay(ctx.today),
    'business.name': company.name,
    'business.phone': company.phone ?? '',
    'user.name': ctx.caller.fullName,
    ...(customer
      ? {
          'customer.name': customer.nameOnDocument || customer.name,
          'customer.contact': customer.contact ?? '',
          'customer.taxId': customer.taxId ?? '',
          'customer.address': addressOf(customer).join(', '),
          ...(wants('customer.balance')
            ? { 'customer.balance': money(await balanceOf(ctx, customer.mergedInto ?? customer.id)) }
            : {}),
        }
      : {}),
    ...(document
      ? {
          'document.type': typeOfPaper(
            language,
            document.type,
            labelOf({ type: document.type, subType: document.sub_type, pro: document.pro }),
          ),
          'document.number': String(document.number),
          'document.date': formatDay(document.day),
          'document.total': money(document.total_agorot, document.currency),
          // Money on account is not asked for again.
          'document.open': money(
            document.open_in_currency_agorot > 0
              ? (await owedOf(ctx, document.id)).inCurrency
              : document.open_in_currency_agorot,
            document.currency,
          ),
        }
      : {}),
  }
  return {
    title: merge(letter.title, values)
      .replace(/\s*\n\s*/g, ' ')
      .slice(0, 200),
    body: merge(letter.body, values),
    namesSums: known.some((field) => sumFields.includes(field)),
    empty: known.filter((field) => !values[field]),
  }
}

/** The issued document a letter is about. */
export async function aboutDocument(ctx: Ctx, id: string | null): Promise<StoredDocument | undefined> {
  if (!id) return undefined
  const document = await loadDocument(ctx, id)
  if (statusFacts(document.status).isDraft) throw fail('kit.notFound')
  return document
}

/** Refuses a text that asks for what nobody knows, or for a document where there is none. */
export function refuseUnknown({ title, body }: { title: string; body: string }, hasDocument: boolean): void {
  for (const [path, text] of [
    ['title', title],
    ['body', body],
  ] as const) {
    const { known, unknown } = fieldsIn(text)
    if (unknown.length)
      throw new Failure('kit.badInput', {}, [
        { path, code: 'letters.unknownField', params: { field: unknown.join(', ') } },
      ])
    if (!hasDocument && known.some((field) => field.startsWith('document.')))
      throw new Failure('kit.badInput', {}, [{ path: 'documentId', code: 'letters.needsDocument' }])
  }
}
