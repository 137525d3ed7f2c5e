import { XMLParser } from 'fast-xml-parser'
import { strictText } from '#kit/server/http/strictText.ts'
import { isDay, type Day } from '#domain/day.ts'
import { divideRounded, sum as totalOf } from '#domain/money.ts'
import { allocationReference } from '#domain/einvoice/model.ts'
import { shareBreakdown, type BreakdownPart, type InvoiceLine } from '#domain/papers/breakdown.ts'
import type { Guess, PaperKind, Proposal } from '#domain/papers/proposal.ts'
import { normaliseTaxId, isTaxId } from '#domain/taxId.ts'

/** An electronic invoice, read as it is written. */
export interface ElectronicInvoice {
  proposal: Proposal
  lines: InvoiceLine[]
}

/** Longer than any invoice; a file that grows when it is opened is refused with its declarations. */
const mostBytes = 5_000_000
const mostDepth = 40
const mostLines = 500

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // The five of XML itself and numbers are mended below; those that a file declares are never looked at.
  processEntities: false,
  maxNestedTags: mostDepth,
})

type Node = { [name: string]: Node | Node[] | string }

/**
 * Reads UBL 2.1 (Invoice, CreditNote) and UN/CEFACT CII (CrossIndustryInvoice, as in Factur-X and ZUGFeRD);
 * undefined for any other file. A document type declaration is refused: it is what entity attacks are made
 * of, and no such invoice has one.
 */
export function readElectronicInvoice(bytes: Uint8Array): ElectronicInvoice | undefined {
  if (bytes.length > mostBytes) return undefined
  const text = decoded(bytes)
  if (text === undefined || /<!(DOCTYPE|ENTITY)/i.test(text)) return undefined
  let root: Node
  try {
    root = parser.parse(text) as Node
  } catch {
    return undefined
  }
  const ubl = child(root, 'Invoice') ?? child(root, 'CreditNote')
  if (ubl) return fromUbl(ubl, child(root, 'CreditNote') !== undefined)
  const cii = child(root, 'CrossIndustryInvoice')
  return cii && fromCii(cii)
}

/** By its mark, else by the encoding that its declaration names, else UTF-8. Undefined where the bytes are not that. */
function decoded(bytes: Uint8Array): string | undefined {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const named = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    Buffer.from(bytes.subarray(0, 200))
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, ''),
  )?.[1]
  const wide = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be'
  try {
    return strictText(bytes, isWide ? wide : /^utf-?16/i.test(named ?? '') ? 'utf-8' : (named ?? 'utf-8'))
  } catch {
    return undefined
  }
}

function fromUbl(invoice: Node, isCredit: boolean): ElectronicInvoice | undefined {
  const supplier = child(child(invoice, 'AccountingSupplierParty'), 'Party')
  const buyer = child(child(invoice, 'AccountingCustomerParty'), 'Party')
  const totals = child(invoice, 'LegalMonetaryTotal')
  const currency = text(invoice, 'DocumentCurrencyCode') ?? 'ILS'
  // A second TaxTotal in the currency of the tax authority is left out.
  const taxes = children(invoice, 'TaxTotal').find((one) => {
    const of = one.TaxAmount
    return (
      typeof of !== 'object' ||
      (of as Node)['@currencyID'] === undefined ||
      (of as Node)['@currencyID'] === currency
    )
  })
  const net = sum(totals, 'TaxExclusiveAmount')
  const whole = sum(totals, 'TaxInclusiveAmount') ?? sum(totals, 'PayableAmount')
  const vat = sum(taxes, 'TaxAmount') ?? (net !== undefined && whole !== undefined ? whole - net : undefined)
  const day = dayOf(text(invoice, 'IssueDate'))
  if (whole === undefined || !day) return undefined
  const breakdown = children(taxes, 'TaxSubtotal').map((one): BreakdownPart => ({
    ...categoryOf(child(one, 'TaxCategory'), 'ID', 'Percent'),
    netAgorot: sum(one, 'TaxableAmount') ?? 0,
    vatAgorot: sum(one, 'TaxAmount') ?? 0,
  }))
  const ids = [
    ...children(supplier, 'PartyTaxScheme').map((one) => text(one, 'CompanyID')),
    ...children(supplier, 'PartyLegalEntity').map((one) => text(one, 'CompanyID')),
  ]
  const line = isCredit ? 'CreditNoteLine' : 'InvoiceLine'
  return {
    proposal: exactly({
      supplierName:
        text(child(supplier, 'PartyLegalEntity'), 'RegistrationName') ??
        text(child(supplier, 'PartyName'), 'Name'),
      supplierTaxId: taxIdOf(ids),
      buyerTaxId: taxIdOf([
        ...children(buyer, 'PartyTaxScheme').map((one) => text(one, 'CompanyID')),
        ...children(buyer, 'PartyLegalEntity').map((one) => text(one, 'CompanyID')),
      ]),
      prepaid: sum(totals, 'PrepaidAmount') || undefined,
      number: text(invoice, 'ID'),
      day,
      dueDay: dayOf(text(invoice, 'DueDate') ?? text(child(invoice, 'PaymentMeans'), 'PaymentDueDate')),
      net: net ?? whole - (vat ?? 0),
      vat: vat ?? 0,
      whole,
      rounding: sum(totals, 'PayableRoundingAmount') ?? 0,
      currency,
      allocationNumber: allocationIn(
        children(invoice, 'AdditionalDocumentReference'),
        'ID',
        'DocumentDescription',
      ),
      documentKind: isCredit || text(invoice, 'InvoiceTypeCode') === '381' ? 'credit' : 'taxInvoice',
    }),
    lines: shareBreakdown(
      children(invoice, line).map((one) => ({
        description: (
          text(child(one, 'Item'), 'Name') ??
          text(child(one, 'Item'), 'Description') ??
          ''
        ).slice(0, 200),
        quantity: text(one, isCredit ? 'CreditedQuantity' : 'InvoicedQuantity') ?? '1',
        netAgorot: sum(one, 'LineExtensionAmount') ?? 0,
        ...categoryOf(child(child(one, 'Item'), 'ClassifiedTaxCategory'), 'ID', 'Percent'),
      })),
      breakdown,
    ).slice(0, mostLines),
  }
}

function fromCii(invoice: Node): ElectronicInvoice | undefined {
  const head = child(invoice, 'ExchangedDocument')
  const deal = child(invoice, 'SupplyChainTradeTransaction')
  const seller = child(child(deal, 'ApplicableHeaderTradeAgreement'), 'SellerTradeParty')
  const buyer = child(child(deal, 'ApplicableHeaderTradeAgreement'), 'BuyerTradeParty')
  const settlement = child(deal, 'ApplicableHeaderTradeSettlement')
  const totals = child(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const day = dayOf(text(child(head, 'IssueDateTime'), 'DateTimeString'))
  const whole = sum(totals, 'GrandTotalAmount')
  const net = sum(totals, 'TaxBasisTotalAmount')
  const currency = text(settlement, 'InvoiceCurrencyCode') ?? 'ILS'
  const taxTotals = children(totals, 'TaxTotalAmount')
  const vat =
    agorot(valueOf(taxTotals.find((one) => one['@currencyID'] === currency) ?? taxTotals[0])) ??
    sum(totals, 'TaxTotalAmount')
  if (whole === undefined || !day) return undefined
  const breakdown = children(settlement, 'ApplicableTradeTax').map((one): BreakdownPart => ({
    ...categoryOf(one, 'CategoryCode', 'RateApplicablePercent'),
    netAgorot: sum(one, 'BasisAmount') ?? 0,
    vatAgorot: sum(one, 'CalculatedAmount') ?? 0,
  }))
  const ids = children(seller, 'SpecifiedTaxRegistration').map((one) => text(one, 'ID'))
  return {
    proposal: exactly({
      supplierName: text(seller, 'Name'),
      buyerTaxId: taxIdOf([
        ...children(buyer, 'SpecifiedTaxRegistration').map((one) => text(one, 'ID')),
        text(child(buyer, 'SpecifiedLegalOrganization'), 'ID'),
      ]),
      prepaid: sum(totals, 'TotalPrepaidAmount') || undefined,
      supplierTaxId: taxIdOf([...ids, text(child(seller, 'SpecifiedLegalOrganization'), 'ID')]),
      number: text(head, 'ID'),
      day,
      dueDay: dayOf(
        text(child(child(settlement, 'SpecifiedTradePaymentTerms'), 'DueDateDateTime'), 'DateTimeString'),
      ),
      net: net ?? whole - (vat ?? 0),
      vat: vat ?? whole - (net ?? whole),
      whole,
      rounding: sum(totals, 'RoundingAmount') ?? 0,
      currency,
      allocationNumber: allocationIn(
        children(child(deal, 'ApplicableHeaderTradeAgreement'), 'AdditionalReferencedDocument'),
        'IssuerAssignedID',
        'Name',
      ),
      documentKind: text(head, 'TypeCode') === '381' ? 'credit' : 'taxInvoice',
    }),
    lines: shareBreakdown(
      children(deal, 'IncludedSupplyChainTradeLineItem').map((one) => {
        const settled = child(one, 'SpecifiedLineTradeSettlement')
        return {
          description: (text(child(one, 'SpecifiedTradeProduct'), 'Name') ?? '').slice(0, 200),
          quantity: text(child(one, 'SpecifiedLineTradeDelivery'), 'BilledQuantity') ?? '1',
          netAgorot:
            sum(child(settled, 'SpecifiedTradeSettlementLineMonetarySummation'), 'LineTotalAmount') ?? 0,
          ...categoryOf(child(settled, 'ApplicableTradeTax'), 'CategoryCode', 'RateApplicablePercent'),
        }
      }),
      breakdown,
    ).slice(0, mostLines),
  }
}

/**
 * Marks every value as certain. Amounts of a credit are shown without their sign, as on the document. A rounding of
 * the total belongs to the net: it is paid, and carries no VAT.
 */
function exactly(facts: {
  supplierName: string | undefined
  supplierTaxId: string | undefined
  buyerTaxId: string | undefined
  prepaid: number | undefined
  number: string | undefined
  day: Day
  dueDay: Day | undefined
  net: number
  vat: number
  /** With VAT, before rounding. */
  whole: number
  rounding: number
  currency: string
  allocationNumber: string | undefined
  documentKind: PaperKind
}): Proposal {
  const { whole, rounding, ...rest } = facts
  const sums = { net: facts.net + rounding, total: totalOf([whole, rounding]) }
  const isNegative = sums.total < 0
  const turned = isNegative
    ? { net: -sums.net, vat: -facts.vat, total: -sums.total, documentKind: 'credit' as const }
    : sums
  const entries = Object.entries({ ...rest, ...turned }).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return Object.fromEntries(
    entries.map(([name, value]): [string, Guess<unknown>] => [
      name,
      { value, confidence: 1, reason: 'exact', spots: [] },
    ]),
  ) as Proposal
}

function child(node: Node | undefined, name: string): Node | undefined {
  const found = node?.[name]
  const first = Array.isArray(found) ? found[0] : found
  return typeof first === 'object' ? first : undefined
}

/** Also those that hold nothing but text. */
function children(node: Node | undefined, name: string): Node[] {
  const found = node?.[name]
  const list = Array.isArray(found) ? found : found === undefined ? [] : [found]
  return list.map((one) => (typeof one === 'object' ? one : { '#text': one })) as Node[]
}

const valueOf = (node: Node | string | undefined): string | undefined =>
  typeof node === 'string' ? node : typeof node?.['#text'] === 'string' ? node['#text'] : undefined

function text(node: Node | undefined, name: string): string | undefined {
  const found = node?.[name]
  const value = valueOf((Array.isArray(found) ? found[0] : found) as Node | string | undefined)
  return value === undefined ? undefined : unescaped(value).trim().slice(0, 500) || undefined
}

const unescaped = (value: string): string =>
  value.replace(/&(lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (whole, name: string) => {
    const plain: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
    if (!name.startsWith('#')) return plain[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

const sum = (node: Node | undefined, name: string): number | undefined => agorot(text(node, name))

/** '1234.5' in hundredths, half away from zero beyond them; undefined for anything else. */
function agorot(value: string | undefined): number | undefined {
  const found = /^([+-]?)(\d{1,13})(?:\.(\d{1,10}))?$/.exec(value ?? '')
  if (!found) return undefined
  const decimals = (found[3] ?? '').padEnd(2, '0')
  const whole = divideRounded(BigInt(found[2]! + decimals), 10n ** BigInt(decimals.length - 2))
  return Number(whole) * (found[1] === '-' ? -1 : 1)
}

/** '2025-11-20', also with a zone after it, and CII's 20251120. */
function dayOf(value: string | undefined): Day | undefined {
  const found = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(value ?? '')
  const day = found ? `${found[1]}-${found[2]}-${found[3]}` : ''
  return isDay(day) ? day : undefined
}

function taxIdOf(values: readonly (string | undefined)[]): string | undefined {
  for (const value of values) {
    const plain = value?.replace(/^IL/i, '')
    if (plain && isTaxId(plain)) return normaliseTaxId(plain)
  }
  return undefined
}

/** The number that our own invoices carry in a reference of a known name. */
function allocationIn(references: readonly Node[], number: string, name: string): string | undefined {
  const found = references.find((one) => text(one, name)?.startsWith(allocationReference))
  const digits = text(found, number)
  return digits && /^\d{9,26}$/.test(digits) ? digits : undefined
}

const categoryOf = (node: Node | undefined, code: string, percent: string) => ({
  category: text(node, code) ?? null,
  vatRateBp: rateOf(text(node, percent)),
})

function rateOf(percent: string | undefined): number | null {
  const rate = agorot(percent)
  return rate === undefined ? null : rate
}
