import { documentTypeById, documentTypes, vatKinds } from '#domain/documents/kinds.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { sum } from '#domain/money.ts'
import { priceOfLine } from '#domain/filings/uniform/build.ts'
import type { Ctx } from '#kit/server/context.ts'
import { loadLines, type StoredDocument } from '#features/sales/documents/server/index.ts'
import type { AllocationRequest, RequestLine } from './authority.ts'
import { toShekels } from './shekels.ts'

const cut = (text: string, length: number) => text.replace(/\s+/g, ' ').trim().slice(0, length)

/**
 * The request to the authority about a document, in shekels. It contains the whole invoice, as its buyer has it:
 * parts without VAT too, each line with its rate, in shekels after all discounts; only money held in trust is no
 * part of it. A line's amount is what is left of it after its share of the discount.
 */
export async function requestOf(
  ctx: Ctx,
  d: StoredDocument,
  invoiceKey: string,
  action: number | null,
): Promise<AllocationRequest> {
  const all = await loadLines(ctx, d.id)
  const lines = all.filter((l) => l.vat_kind !== vatKinds.trustDeposit)
  const withoutVat = action === 3
  const rate = d.currency === 'ILS' ? 1 : d.total_agorot ? d.ils_total_agorot / d.total_agorot : 1
  const inShekels = (agorot: number) => toShekels(Math.round(agorot * rate))
  // Without VAT and in shekels, with the discount that leads to the sum: a line multiplies out.
  const priced = (l: (typeof lines)[number]) => {
    const includes = l.vat_kind === 2 && l.vat_class === 'standard'
    const list = Number(l.unit_price) * 100 * rate * (includes ? 10_000 / (10_000 + d.vat_rate_bp) : 1)
    const { unitPrice, discount } = priceOfLine(
      Math.round(Number(l.quantity) * 10_000),
      list,
      Math.round(l.net_agorot * rate),
    )
    return { price_per_unit: toShekels(unitPrice), discount: toShekels(Math.abs(discount)) }
  }
  const held = sum(all.map((l) => (l.vat_kind === vatKinds.trustDeposit ? l.ils_net_agorot : 0)))
  const net = d.ils_net_agorot - held
  return {
    invoice_id: invoiceKey,
    invoice_type: documentTypes[documentTypeById(d.type)!].uniformCode ?? 305,
    vat_number: Number(d.business.taxId),
    invoice_reference_number: String(d.number),
    // The general number of one who does not deduct; customers without a number are not requested, but a document may
    // say so.
    customer_vat_number: Number(d.customer.taxId || 999_999_998),
    customer_name: cut(d.customer.name ?? '', 25),
    invoice_date: d.day,
    invoice_issuance_date: dayInJerusalem(new Date(d.issued_at ?? d.updated_at)),
    branch_id: cut(d.branch, 7),
    accounting_software_number: Number(ctx.app.settings.taxAuthority.softwareNumber) || 0,
    client_software_key: ctx.companyId,
    user_name: cut(d.business.name, 25),
    amount_before_discount: toShekels(net),
    discount: 0,
    payment_amount: toShekels(net),
    vat_amount: toShekels(d.ils_vat_agorot),
    payment_amount_including_vat: toShekels(net + d.ils_vat_agorot),
    invoice_note: cut(d.subject, 100),
    action: action ?? 0,
    items: lines.map((l, index): RequestLine => ({
      index: index + 1,
      catalog_id: cut(l.sku, 13),
      description: cut(l.description, 30),
      measure_unit_description: cut(l.unit, 20),
      quantity: Number(l.quantity),
      ...priced(l),
      total_amount: inShekels(l.net_agorot),
      vat_rate: withoutVat || l.vat_class !== 'standard' ? 0 : d.vat_rate_bp / 100,
      vat_amount: inShekels(l.vat_agorot),
    })),
  }
}
