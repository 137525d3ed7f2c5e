import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, vatPeriod } from '../../../domain/day.ts'
import { convertToIls, type DocumentTotals } from '../../../domain/documents/arithmetic.ts'
import { chargesVat, documentTypes, mayIssue } from '../../../domain/documents/kinds.ts'
import { Failure, fail } from '../../../kit/describe/errors.ts'
import { canDocument } from '../../../kit/describe/session.ts'
import type { DocumentType } from '../../../kit/describe/documentType.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { companyOf } from '../../companies/server/index.ts'
import type { Company } from '../../companies/endpoints.ts'
import { createCustomer } from '../../parties/server/index.ts'
import type { documentInput } from '../endpoints.ts'
import { typeById } from '../types/index.ts'
import { dueDayOf, millionths, rateFor, workOut, type Settled } from '../workOut.ts'

export type Content = z.output<typeof documentInput>

/** The customer as he stands on the document: names and addresses of the day it was issued. */
export interface CustomerSnapshot {
  name: string
  taxId: string | null
  isDealer: boolean
  contact: string | null
  email: string | null
  phone: string | null
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
}

/** A document ready to be kept or issued: everything the input left open is settled and every sum is worked out. */
export interface Prepared {
  type: DocumentType
  content: Content
  company: Company
  day: string
  dueDay: string | null
  dueTerms: string
  currency: string
  rate: string
  language: Company['language']
  customerId: string | null
  customer: CustomerSnapshot | null
  zeroRate: boolean
  vatRateBp: number
  totals: DocumentTotals
  ils: DocumentTotals
}

export function typeFor(ctx: Ctx, id: number, company: Company): DocumentType {
  const type = typeById(id)
  if (!type) throw new Failure('kit.badInput', {}, [{ path: 'type', code: 'documents.typeNotMade' }])
  if (!canDocument(ctx.caller, id)) throw fail('documents.typeNotAllowed')
  if (!mayIssue(company.kind, type.name)) throw fail('documents.kindMayNotIssue', { type: id })
  return type
}

interface CustomerRow extends CustomerSnapshot {
  id: string
  nameOnDocument: string | null
  mobile: string | null
  language: Company['language']
  dueTerms: string | null
  zeroRate: boolean
}

async function customerOf(ctx: Ctx, content: Content): Promise<CustomerRow | null> {
  let id = content.customerId
  if (!id && content.customer) {
    const { taxId, email, phone, ...rest } = content.customer
    id = (await createCustomer(ctx, { ...rest, taxId: taxId || null, email: email || null, phone: phone || null })).id
  }
  if (!id) return null
  const { rows } =
    await sql<CustomerRow>`select id, name, name_on_document as "nameOnDocument", tax_id as "taxId", is_dealer as "isDealer", contact, email, phone, mobile, street, city, zip, country,
    language, due_terms as "dueTerms", zero_rate as "zeroRate" from parties where company_id = ${ctx.companyId} and id = ${id} and role = 'customer'`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw new Failure('kit.badInput', {}, [{ path: 'customerId', code: 'fields.ref' }])
  return rows[0]
}

/** Settles what the input left open (date, terms, language, rates) and works the document out. */
export async function prepare(ctx: Ctx, content: Content, fixed: { vatRateBp?: number } = {}): Promise<Prepared> {
  const company = await companyOf(ctx)
  const type = typeFor(ctx, content.type, company)
  const customer = await customerOf(ctx, content)
  const day = content.date ?? ctx.today
  const currency = content.currency ?? 'ILS'
  if (currency !== 'ILS' && !content.rate) throw new Failure('kit.badInput', {}, [{ path: 'rate', code: 'documents.noRate' }])
  const rate = currency === 'ILS' ? '1' : content.rate!
  if (millionths(rate) <= 0) throw new Failure('kit.badInput', {}, [{ path: 'rate', code: 'fields.range' }])
  const dueTerms = content.dueTerms ?? customer?.dueTerms ?? company.dueTerms
  const vatRateBp = chargesVat(company.kind) ? (fixed.vatRateBp ?? rateFor(company.kind, day)) : 0
  const zeroRate = customer?.zeroRate ?? false
  const totals = workOutOrRefuse(content, {
    kind: company.kind,
    zeroRate,
    vatRateBp,
    defaultVatKind: company.defaultVatKind,
    rounding: company.rounding,
  })
  return {
    type,
    content,
    company,
    day,
    currency,
    rate,
    dueTerms,
    zeroRate,
    vatRateBp,
    totals,
    dueDay: type.debt === 1 ? (content.dueDate ?? dueDayOf(day, dueTerms)) : null,
    language: content.language ?? customer?.language ?? company.language,
    customerId: customer?.id ?? null,
    customer: customer && {
      name: customer.nameOnDocument || customer.name,
      taxId: customer.taxId,
      isDealer: customer.isDealer,
      contact: customer.contact,
      email: customer.email,
      phone: customer.mobile || customer.phone,
      street: customer.street,
      city: customer.city,
      zip: customer.zip,
      country: customer.country,
    },
    ils: currency === 'ILS' ? totals : convertToIls(totals, millionths(rate)),
  }
}

function workOutOrRefuse(content: Content, settled: Settled): DocumentTotals {
  try {
    return workOut(content, settled)
  } catch (e) {
    // Sums beyond what is exact, or a discount above the sum.
    if (e instanceof RangeError) throw new Failure('kit.badInput', {}, [{ path: 'lines', code: 'fields.range' }])
    throw e
  }
}

/** The VAT period a day falls in, and the day its return is due. */
export function vatDue(company: Company, day: string): { from: string; to: string; dueDay: string } {
  const period = vatPeriod(day, company.vatPeriodMonths === 1 ? 1 : 2)
  // Reported online by the 15th of the month after the period.
  return { ...period, dueDay: addDays(period.to, 15) }
}

export const isTaxDocument = (type: DocumentType): boolean => documentTypes[type.name].isTaxDocument
