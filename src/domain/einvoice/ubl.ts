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

/** UBL 2.1: an Invoice, or a CreditNote with its own names of elements. The order is the schema's. */
export function writeUbl(invoice: EInvoice): Uint8Array {
  const isCredit = invoice.typeCode === 381
  const name = isCredit ? 'CreditNote' : 'Invoice'
  const { totals, currency } = invoice
  const money = (tag: string, agorot: number, of = currency) =>
    element(tag, amountText(agorot), { currencyID: of })
  const root = element(
    name,
    [
      element('cbc:CustomizationID', specification),
      element('cbc:ID', invoice.number),
      element('cbc:IssueDate', invoice.day),
      !isCredit && element('cbc:DueDate', invoice.dueDay),
      element(`cbc:${name}TypeCode`, String(invoice.typeCode)),
      invoice.notes.length > 0 && element('cbc:Note', invoice.notes.join('\n')),
      element('cbc:DocumentCurrencyCode', currency),
      element('cbc:TaxCurrencyCode', invoice.vatCurrency),
      element('cac:OrderReference', [element('cbc:ID', invoice.orderNumber)]),
      element('cac:BillingReference', [
        element('cac:InvoiceDocumentReference', [
          element('cbc:ID', invoice.preceding?.number),
          element('cbc:IssueDate', invoice.preceding?.day),
        ]),
      ]),
      element('cac:AdditionalDocumentReference', [
        element('cbc:ID', invoice.allocation?.number),
        invoice.allocation &&
          element('cbc:DocumentDescription', `${allocationReference} ${invoice.allocation.name}`),
      ]),
      element('cac:AccountingSupplierParty', [party(invoice.seller)]),
      invoice.buyer && element('cac:AccountingCustomerParty', [party(invoice.buyer)]),
      delivery(invoice),
      paymentMeans(invoice, isCredit),
      element('cac:PaymentTerms', [element('cbc:Note', invoice.terms)]),
      invoice.allowances.map((one) =>
        allowance(one, currency, taxCategory('cac:TaxCategory', one.category, one.rateBp)),
      ),
      element('cac:TaxTotal', [
        money('cbc:TaxAmount', totals.vat),
        invoice.breakdown.map((one) =>
          element('cac:TaxSubtotal', [
            money('cbc:TaxableAmount', one.taxable),
            money('cbc:TaxAmount', one.vat),
            taxCategory('cac:TaxCategory', one.category, one.rateBp, one.reason),
          ]),
        ),
      ]),
      invoice.vatCurrency !== undefined &&
        element('cac:TaxTotal', [money('cbc:TaxAmount', totals.vatInVatCurrency ?? 0, invoice.vatCurrency)]),
      element('cac:LegalMonetaryTotal', [
        money('cbc:LineExtensionAmount', totals.lines),
        money('cbc:TaxExclusiveAmount', totals.net),
        money('cbc:TaxInclusiveAmount', totals.total),
        totals.allowances !== 0 && money('cbc:AllowanceTotalAmount', totals.allowances),
        totals.charges !== 0 && money('cbc:ChargeTotalAmount', totals.charges),
        totals.paid !== 0 && money('cbc:PrepaidAmount', totals.paid),
        totals.rounding !== 0 && money('cbc:PayableRoundingAmount', totals.rounding),
        money('cbc:PayableAmount', totals.payable),
      ]),
      invoice.lines.map((line) => lineOf(line, isCredit, currency)),
    ],
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
      'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    },
  )
  return xmlFile(root!)
}

const vatScheme = () => element('cac:TaxScheme', [element('cbc:ID', 'VAT')])

const taxCategory = (
  tag: string,
  category: VatCategory,
  rateBp: number,
  reason?: string,
): Element | undefined =>
  element(tag, [
    element('cbc:ID', category),
    // What is outside VAT has no rate (BR-O-05).
    category !== 'O' && element('cbc:Percent', amountText(rateBp)),
    element('cbc:TaxExemptionReason', reason),
    vatScheme(),
  ])

function party(of: InvoiceParty): Element | undefined {
  return element('cac:Party', [
    element('cbc:EndpointID', of.email, { schemeID: 'EM' }),
    element('cac:PartyIdentification', [element('cbc:ID', of.id)]),
    element('cac:PostalAddress', [
      element('cbc:StreetName', of.street),
      element('cbc:CityName', of.city),
      element('cbc:PostalZone', of.zip),
      element('cac:Country', [element('cbc:IdentificationCode', of.country)]),
    ]),
    of.vatId !== undefined &&
      element('cac:PartyTaxScheme', [element('cbc:CompanyID', of.vatId), vatScheme()]),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', of.name),
      element('cbc:CompanyID', of.registration),
    ]),
    element('cac:Contact', [
      element('cbc:Name', of.contact),
      element('cbc:Telephone', of.phone),
      element('cbc:ElectronicMail', of.email),
    ]),
  ])
}

const delivery = ({ deliverTo: to }: EInvoice): Element | undefined =>
  to &&
  element('cac:Delivery', [
    element('cac:DeliveryLocation', [
      element('cac:Address', [
        element('cbc:StreetName', to.street),
        element('cbc:CityName', to.city),
        element('cbc:PostalZone', to.zip),
        element('cac:Country', [element('cbc:IdentificationCode', to.country)]),
      ]),
    ]),
    element('cac:DeliveryParty', [element('cac:PartyName', [element('cbc:Name', to.name)])]),
  ])

function paymentMeans({ payment, dueDay }: EInvoice, isCredit: boolean): Element | undefined {
  if (!payment) return undefined
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', payment.code, payment.text ? { name: payment.text } : {}),
    // A credit note has no due date.
    isCredit && element('cbc:PaymentDueDate', dueDay),
    payment.card !== undefined &&
      element('cac:CardAccount', [
        element('cbc:PrimaryAccountNumberID', payment.card),
        element('cbc:NetworkID', 'card'),
      ]),
    element('cac:PayeeFinancialAccount', [element('cbc:ID', payment.iban)]),
  ])
}

const allowance = (of: AllowanceOrCharge, currency: string, category?: Element): Element | undefined =>
  element('cac:AllowanceCharge', [
    element('cbc:ChargeIndicator', String(of.isCharge)),
    element('cbc:AllowanceChargeReasonCode', of.reasonCode),
    element('cbc:AllowanceChargeReason', of.reason),
    element('cbc:Amount', amountText(of.amount), { currencyID: currency }),
    category,
  ])

const lineOf = (line: ElectronicLine, isCredit: boolean, currency: string): Element | undefined =>
  element(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    element('cbc:ID', line.id),
    element(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', line.quantity, {
      unitCode: line.unit,
    }),
    element('cbc:LineExtensionAmount', amountText(line.net), { currencyID: currency }),
    line.allowance && allowance(line.allowance, currency),
    element('cac:Item', [
      element('cbc:Description', line.description),
      element('cbc:Name', line.name),
      element('cac:SellersItemIdentification', [element('cbc:ID', line.sellersId)]),
      taxCategory('cac:ClassifiedTaxCategory', line.category, line.rateBp),
    ]),
    element('cac:Price', [element('cbc:PriceAmount', line.price, { currencyID: currency })]),
  ])
