import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import {
  nameOfPaper,
  openingNumber,
  owedOf,
  paperLabel,
  type NamedPaper,
} from '#features/sales/documents/server/index.ts'
import { debtOf, typeById } from '#features/sales/documents/types/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Charge } from '#features/money/acquirers/server/index.ts'
import type { linkPapers } from '../paymentLinks.ts'

/** What payment links are called where it is kept who ordered them. */
export const linkKind = 'paymentLinks'

export interface Link {
  id: string
  page_key: string
  description: string
  amount_agorot: number | null
  document_id: string | null
  customer_id: string | null
  email: string | null
  paper: (typeof linkPapers)[number]
  mails_paper: boolean
  reference: string | null
  key_id: string | null
  metadata: Record<string, unknown>
  success_url: string
  error_url: string
  most_instalments: number
  expires_on: string | null
  remind_days: string
  reminded: number[]
  language: Charge['language']
  state: 'open' | 'paid' | 'cancelled'
  charge_id: string | null
  created_by: string | null
  created_at: string
}

export interface Payable {
  id: string
  type: number
  /** What it is called, in its language. */
  name: string
  currency: string
  customerId: string | null
  /** What is open of it, in shekels: money that comes closes so much of it. */
  openAgorot: number
  /** What the customer owes now: less what money on account covers. */
  dueAgorot: number
  language: Charge['language']
}

/**
 * What a document asks to be paid now: an open debt, or what a payment request still asks. Other papers ask
 * nothing.
 */
export async function payableOf(ctx: Ctx, documentId: string, lock = false): Promise<Payable> {
  const { rows } = await sql<
    NamedPaper & {
      id: string
      status: string
      currency: string
      customer_id: string | null
      open: number
      asked: number
      language: Charge['language']
    }
  >`select id, type, number, ${paperLabel('documents')} as label, ${openingNumber('documents')} as opening,
      status, currency, customer_id, open_in_currency_agorot as open, asked_agorot as asked, language
      from documents
    where company_id = ${ctx.companyId} and id = ${documentId}
      and ${isIssued()} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  const [d] = rows
  if (!d) throw fail('kit.notFound')
  const type = typeById(d.type)
  const isDebt = d.opening !== null || (type && debtOf(type, (await companyOf(ctx)).kind) > 0)
  const owed = isDebt ? Math.max(0, d.open) : type?.asks ? d.asked : 0
  const { id, currency, language } = d
  const openAgorot = statusFacts(d.status).isCancelled || currency !== 'ILS' ? 0 : owed
  return {
    id,
    type: d.type,
    name: nameOfPaper(language, d),
    currency,
    customerId: d.customer_id,
    language,
    openAgorot,
    dueAgorot: openAgorot ? Math.min(openAgorot, (await owedOf(ctx, id)).inCurrency) : 0,
  }
}

export const isRequest = (type: number): boolean => type === documentTypes.paymentRequest.id
