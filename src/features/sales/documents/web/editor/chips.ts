import { documentTypeById, type DocumentTypeName } from '#domain/documents/kinds.ts'

/** What a draft may say beside its lines. `lines` and `files` open more than a field. */
export const extras = [
  'discount',
  'notes',
  'notesBelow',
  'notesInternal',
  'orderNumber',
  'project',
  'agent',
  'currency',
  'language',
  'zeroGround',
  'exemptGround',
  'rounding',
  'billing',
  'pro',
  'branch',
  'deliverTo',
] as const
export type Extra = (typeof extras)[number]
export type EditorChip = Extra | 'lines' | 'files'

const sale: readonly EditorChip[] = ['discount', 'notes', 'orderNumber', 'project']
const goods: readonly EditorChip[] = ['deliverTo', 'orderNumber', 'notes', 'project']
const money: readonly EditorChip[] = ['lines', 'discount', 'notes', 'files']

/** The four that people use most on a document of a type. */
const first: Partial<Record<DocumentTypeName, readonly EditorChip[]>> = {
  priceQuote: ['discount', 'notes', 'files', 'project'],
  order: ['discount', 'deliverTo', 'orderNumber', 'notes'],
  deliveryNote: goods,
  returnNote: goods,
  purchaseOrder: ['discount', 'deliverTo', 'notes', 'project'],
  goodsReceived: ['discount', 'deliverTo', 'notes', 'project'],
  receipt: money,
  donationReceipt: money,
  depositReceipt: money,
  creditInvoice: money,
}

/** The more often this person used one, the earlier; the usual four have a start over the others. */
const start = 3

/**
 * The chips of a document in their order: the first four are shown, the rest are behind "More details". `often` counts
 * how many times this person used each.
 */
export function chipsInOrder(
  type: number,
  offered: readonly EditorChip[],
  often: Partial<Record<EditorChip, number>>,
): EditorChip[] {
  const name = documentTypeById(type)
  const usual = (name && first[name]) ?? sale
  const place = (chip: EditorChip) => (usual.includes(chip) ? usual.indexOf(chip) : usual.length)
  const worth = (chip: EditorChip) => (often[chip] ?? 0) + (usual.includes(chip) ? start : 0)
  return offered.toSorted((a, b) => worth(b) - worth(a) || place(a) - place(b))
}
