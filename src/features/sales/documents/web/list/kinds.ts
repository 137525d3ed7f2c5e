import { addDays, dayInJerusalem } from '#domain/day.ts'
import { statusesThat } from '#domain/documents/facts.ts'
import { documentTypeById, type BusinessKind } from '#domain/documents/kinds.ts'
import type { ListScreenProps } from '#kit/web/screens/ListScreen.tsx'
import type { BuiltView } from '#kit/web/screens/dress.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { isIncomeItself, isPurchase, typeById } from '../../types/index.ts'

type Kind = NonNullable<ListScreenProps['kind']>

const columnsOf: Record<string, readonly string[]> = {
  priceQuote: ['number', 'day', 'customerId', 'subject', 'validUntil', 'totalAgorot', 'hasLeft', 'status'],
  order: ['number', 'day', 'customerId', 'subject', 'orderNumber', 'totalAgorot', 'hasLeft', 'status'],
  deliveryNote: ['number', 'day', 'customerId', 'subject', 'orderNumber', 'totalAgorot', 'hasLeft', 'status'],
  returnNote: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'status'],
  paymentRequest: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'hasLeft', 'status'],
  receipt: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'openAgorot', 'status'],
  taxInvoiceReceipt: [
    'number',
    'day',
    'customerId',
    'subject',
    'netAgorot',
    'vatAgorot',
    'totalAgorot',
    'status',
  ],
  creditInvoice: [
    'number',
    'day',
    'customerId',
    'netAgorot',
    'vatAgorot',
    'totalAgorot',
    'openAgorot',
    'status',
  ],
  donationReceipt: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'status'],
  depositReceipt: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'status'],
  purchaseOrder: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'hasLeft', 'status'],
  goodsReceived: ['number', 'day', 'customerId', 'subject', 'totalAgorot', 'hasLeft', 'status'],
  selfBilledInvoice: [
    'number',
    'day',
    'customerId',
    'subject',
    'netAgorot',
    'vatAgorot',
    'totalAgorot',
    'status',
  ],
}

/**
 * How a list of one type of documents begins: the columns and tabs that say something of it. Invoices have
 * those of the whole list. Where a receipt is income, none of it stays on account, and nothing is said of that.
 */
export function kindOf(t: Words, id: number, businessKind: BusinessKind | undefined): Kind | undefined {
  const name = documentTypeById(id)
  const type = typeById(id)
  const usual = name && columnsOf[name]
  if (!name || !type || !usual) return undefined
  const leavesCredit =
    name === 'creditInvoice' || (name === 'receipt' && !(businessKind && isIncomeItself(type, businessKind)))
  const columns = leavesCredit ? usual : usual.filter((column) => column !== 'openAgorot')
  const today = dayInJerusalem(new Date())
  const drafts: BuiltView = {
    key: 'drafts',
    label: t('documents.views.drafts'),
    query: { 'status.in': statusesThat('isDraft').join(',') },
  }
  // Only where something of a paper is left to be done has it a word.
  const leftWord = columns.includes('hasLeft') ? t(`documents.left.${name}`) : ''
  const views: BuiltView[] = [
    ...(name === 'creditInvoice' ? [] : [drafts]),
    ...(leftWord ? [{ key: 'left', label: leftWord, query: { hasLeft: 'true' } }] : []),
    ...(name === 'priceQuote'
      ? [
          {
            key: 'lapsed',
            label: t('documents.views.lapsed'),
            query: { hasLeft: 'true', 'validUntil.lte': addDays(today, -1) },
          },
        ]
      : []),
    ...(leavesCredit
      ? [{ key: 'onAccount', label: t('documents.views.onAccount'), query: { 'openAgorot.lte': '-1' } }]
      : []),
  ]
  return {
    key: name,
    columns,
    dress: {
      columns: {
        ...(leftWord ? { hasLeft: { title: leftWord, width: 'fit' as const } } : {}),
        ...(isPurchase(type)
          ? { customerId: { title: t('documents.fields.supplierId'), width: '11rem', phone: 'title' } }
          : {}),
        ...(leavesCredit ? { openAgorot: { title: t('documents.fields.onAccount') } } : {}),
      },
      views: () => views,
    },
  }
}
