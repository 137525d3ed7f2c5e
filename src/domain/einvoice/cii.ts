import type { Day } from '../day.ts'
import {
  allocationReference,
  amountText,
  specification,
  type AllowanceOrCharge,
  type EInvoice,
  type ElectronicLine,
  type InvoiceParty,
  type VatCategory,
} from './model.ts'
import { element, xmlFile, type Element } from './xml.ts'

/**
 * UN/CEFACT Cross Industry Invoice D16B, which is also what a Factur-X file carries inside. The order is the
 * schema's.
 */
export function writeCii(invoice: EInvoice): Uint8Array {
  const root = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', specification)]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', invoice.number),
        element('ram:TypeCode', String(invoice.typeCode)),
        element('ram:IssueDateTime', [day('udt:DateTimeString', invoice.day)]),
        invoice.notes.map((note) => element('ram:IncludedNote', [element('ram:Content', note)])),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        invoice.lines.map(lineOf),
        element('ram:ApplicableHeaderTradeAgreement', [
          party('ram:SellerTradeParty', invoice.seller),
          invoice.buyer && party('ram:BuyerTradeParty', invoice.buyer),
          element('ram:BuyerOrderReferencedDocument', [element('ram:IssuerAssignedID', invoice.orderNumber)]),
          invoice.allocation &&
            element('ram:AdditionalReferencedDocument', [
              element('ram:IssuerAssignedID', invoice.allocation.number),
              element('ram:TypeCode', '916'),
              element('ram:Name', `${allocationReference} ${invoice.allocation.name}`),
            ]),
        ]),
        // The schema wants it, and we do not know the day of delivery.
        delivery(invoice) ?? { name: 'ram:ApplicableHeaderTradeDelivery', attributes: {}, content: [] },
        settlement(invoice),
      ]),
    ],
    {
      'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
      'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
      'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
    },
  )
  return xmlFile(root!)
}

/** 20251120, as format 102 says. */
const day = (tag: string, value: Day | undefined): Element | undefined =>
  element(tag, value?.replaceAll('-', ''), { format: '102' })

function settlement(invoice: EInvoice): Element | undefined {
  const { totals, currency, payment } = invoice
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:TaxCurrencyCode', invoice.vatCurrency),
    element('ram:InvoiceCurrencyCode', currency),
    payment &&
      element('ram:SpecifiedTradeSettlementPaymentMeans', [
        element('ram:TypeCode', payment.code),
        element('ram:Information', payment.text),
        element('ram:ApplicableTradeSettlementFinancialCard', [element('ram:ID', payment.card)]),
        element('ram:PayeePartyCreditorFinancialAccount', [element('ram:IBANID', payment.iban)]),
      ]),
    invoice.breakdown.map((one) =>
      element('ram:ApplicableTradeTax', [
        element('ram:CalculatedAmount', amountText(one.vat)),
        element('ram:TypeCode', 'VAT'),
        element('ram:ExemptionReason', one.reason),
        element('ram:BasisAmount', amountText(one.taxable)),
        element('ram:CategoryCode', one.category),
        rate(one.category, one.rateBp),
      ]),
    ),
    invoice.allowances.map((one) =>
      allowance(
        one,
        element('ram:CategoryTradeTax', [
          element('ram:TypeCode', 'VAT'),
          element('ram:CategoryCode', one.category),
          rate(one.category, one.rateBp),
        ]),
      ),
    ),
    element('ram:SpecifiedTradePaymentTerms', [
      element('ram:Description', invoice.terms),
      element('ram:DueDateDateTime', [day('udt:DateTimeString', invoice.dueDay)]),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', amountText(totals.lines)),
      totals.charges !== 0 && element('ram:ChargeTotalAmount', amountText(totals.charges)),
      totals.allowances !== 0 && element('ram:AllowanceTotalAmount', amountText(totals.allowances)),
      element('ram:TaxBasisTotalAmount', amountText(totals.net)),
      element('ram:TaxTotalAmount', amountText(totals.vat), { currencyID: currency }),
      invoice.vatCurrency !== undefined &&
        element('ram:TaxTotalAmount', amountText(totals.vatInVatCurrency ?? 0), {
          currencyID: invoice.vatCurrency,
        }),
      totals.rounding !== 0 && element('ram:RoundingAmount', amountText(totals.rounding)),
      element('ram:GrandTotalAmount', amountText(totals.total)),
      totals.paid !== 0 && element('ram:TotalPrepaidAmount', amountText(totals.paid)),
      element('ram:DuePayableAmount', amountText(totals.payable)),
    ]),
    element('ram:InvoiceReferencedDocument', [
      element('ram:IssuerAssignedID', invoice.preceding?.number),
      element('ram:FormattedIssueDateTime', [day('qdt:DateTimeString', invoice.preceding?.day)]),
    ]),
  ])
}

const delivery = ({ deliverTo: to }: EInvoice): Element | undefined =>
  to &&
  element('ram:ApplicableHeaderTradeDelivery', [
    element('ram:ShipToTradeParty', [
      element('ram:Name', to.name),
      element('ram:PostalTradeAddress', [
        element('ram:PostcodeCode', to.zip),
        element('ram:LineOne', to.street),
        element('ram:CityName', to.city),
        element('ram:CountryID', to.country),
      ]),
    ]),
  ])

/** What is outside VAT has no rate (BR-O-05). */
const rate = (category: VatCategory, rateBp: number): Element | undefined =>
  category === 'O' ? undefined : element('ram:RateApplicablePercent', amountText(rateBp))

function party(tag: string, of: InvoiceParty): Element | undefined {
  return element(tag, [
    element('ram:ID', of.id),
    element('ram:Name', of.name),
    element('ram:SpecifiedLegalOrganization', [element('ram:ID', of.registration)]),
    element('ram:DefinedTradeContact', [
      element('ram:PersonName', of.contact),
      element('ram:TelephoneUniversalCommunication', [element('ram:CompleteNumber', of.phone)]),
      element('ram:EmailURIUniversalCommunication', [element('ram:URIID', of.email)]),
    ]),
    element('ram:PostalTradeAddress', [
      element('ram:PostcodeCode', of.zip),
      element('ram:LineOne', of.street),
      element('ram:CityName', of.city),
      element('ram:CountryID', of.country),
    ]),
    element('ram:URIUniversalCommunication', [element('ram:URIID', of.email, { schemeID: 'EM' })]),
    element('ram:SpecifiedTaxRegistration', [element('ram:ID', of.vatId, { schemeID: 'VA' })]),
  ])
}

const allowance = (of: AllowanceOrCharge, category?: Element): Element | undefined =>
  element('ram:SpecifiedTradeAllowanceCharge', [
    element('ram:ChargeIndicator', [element('udt:Indicator', String(of.isCharge))]),
    element('ram:ActualAmount', amountText(of.amount)),
    element('ram:ReasonCode', of.reasonCode),
    element('ram:Reason', of.reason),
    category,
  ])

const lineOf = (line: ElectronicLine): Element | undefined =>
  element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', line.id)]),
    element('ram:SpecifiedTradeProduct', [
      element('ram:SellerAssignedID', line.sellersId),
      element('ram:Name', line.name),
      element('ram:Description', line.description),
    ]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [element('ram:ChargeAmount', line.price)]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [
      element('ram:BilledQuantity', line.quantity, { unitCode: line.unit }),
    ]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', line.category),
        rate(line.category, line.rateBp),
      ]),
      line.allowance && allowance(line.allowance),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        element('ram:LineTotalAmount', amountText(line.net)),
      ]),
    ]),
  ])
