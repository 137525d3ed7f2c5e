import { call, callBytes, CallFailure, callFile, failureText, queryClient } from '#kit/web/calls/call.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { go } from '#kit/web/routes/place.ts'
import { openShareSheet } from '#kit/web/hooks/shareSheet.ts'
import { banner } from '#kit/web/shell/banner.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { editorPath } from '../../types/index.ts'
import {
  convertDocument,
  createDocument,
  deleteDocument,
  duplicateDocument,
  getDocument,
  pdfOfDocument,
  type DocumentAnswer,
  type DocumentInput,
} from '../../endpoints.ts'

/** randomUUID is missing where a page is served without TLS from another machine. */
export const newKey = (): string =>
  globalThis.crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Whatever shows documents or what follows from them is asked again; what is shown stays until then. */
export const refreshDocuments = (): Promise<unknown> =>
  Promise.all(
    [
      'documents.list',
      'documents.board',
      'documents.home',
      'documents.get',
      'documents.history',
      'documents.entries',
      'expenses.ofDocument',
      'documents.pictures',
      'documents.openItems',
      'customers.list',
      'customers.get',
      'reports.run',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

export type PdfVariant = 'original' | 'copy' | 'certified' | 'thermal'

/** Opens a sealed file in a new tab; failures are said on the page. */
export async function showPdf(t: Words, id: string, variant: PdfVariant): Promise<void> {
  try {
    await callFile(pdfOfDocument, { id, variant }, { open: true })
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/** Saves a sealed file. */
export async function savePdf(t: Words, id: string, variant: PdfVariant): Promise<void> {
  try {
    await callFile(pdfOfDocument, { id, variant })
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/**
 * Hands the original on by the device's own sheet, its page where that takes no files; the link is copied
 * where it does not open at all.
 */
export async function sharePaper(
  t: Words,
  { id, urls }: DocumentAnswer,
  title: string,
  copy: (text: string) => void,
): Promise<void> {
  try {
    const { blob, name } = await callBytes(pdfOfDocument, { id, variant: 'original' })
    await openShareSheet({ title, url: urls.page, file: new File([blob], name, { type: 'application/pdf' }) })
  } catch (e) {
    if (e instanceof CallFailure) banner.error(failureText(t, e))
    else copy(urls.page)
  }
}

/** A new draft of the same content, opened at once. */
export async function duplicate(t: Words, id: string): Promise<void> {
  try {
    const made = await call(duplicateDocument, { id })
    void refreshDocuments()
    go(editorPath(made.type, made.id))
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/**
 * A draft of a later kind, opened at once: whole, or so much of each line, or together with others of the
 * same customer.
 */
export async function convert(
  t: Words,
  what: { id: string; type: number; with?: string[]; lines?: { line: number; quantity: string }[] },
): Promise<boolean> {
  try {
    const made = await call(convertDocument, what)
    void refreshDocuments()
    go(editorPath(made.type, made.id))
    return true
  } catch (e) {
    banner.error(failureText(t, e))
    return false
  }
}

/** A draft goes at once and comes back on a word: nothing was numbered, nothing is lost. */
export async function throwDraftAway(t: Words, id: string): Promise<void> {
  try {
    const draft = await call(getDocument, { id })
    await call(deleteDocument, { id })
    void refreshDocuments()
    toast(t('documents.list.draftDropped'), () => {
      void call(createDocument, { ...contentOf(draft), draft: true })
        .then(refreshDocuments)
        .catch((e: unknown) => banner.error(failureText(t, e)))
    })
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

/** What a document says, as input again. */
const contentOf = (document: DocumentAnswer): DocumentInput => ({
  type: document.type,
  customerId: document.customerId,
  date: document.date,
  dueDate: document.dueDate,
  dueTerms: document.dueTerms ?? undefined,
  currency: document.currency,
  ...(document.currency === 'ILS' ? {} : { rate: document.rate }),
  language: document.language,
  subject: document.subject,
  notes: document.notes,
  notesBelow: document.notesBelow,
  notesInternal: document.notesInternal,
  orderNumber: document.orderNumber,
  agentId: document.agentId,
  discount: document.discount,
  rounding: document.rounding,
  sourceId: document.source?.id ?? null,
  subType: document.subType,
  pro: document.pro,
  branch: document.branch,
  validUntil: document.validUntil,
  deliverTo: document.deliverTo,
  handNumber: document.handNumber,
  ...(document.cashException ? { cashException: document.cashException } : {}),
  closes: document.closes,
  ...(document.payments.length > 0
    ? {
        payments: document.payments.map(({ id: _, line: __, state: ___, ...one }) => one),
      }
    : {}),
  lines: document.lines.map((line) => ({
    itemId: line.itemId,
    sku: line.sku,
    description: line.description,
    details: line.details,
    quantity: line.quantity,
    unit: line.unit,
    unitPrice: line.unitPrice,
    ...(line.discountBp
      ? { discount: { basisPoints: line.discountBp } }
      : line.discountAgorot
        ? { discount: { agorot: line.discountAgorot } }
        : {}),
    vatKind: line.vatKind as 1 | 2 | 3 | 4,
    ...(line.incomeKindId ? { incomeKindId: line.incomeKindId } : {}),
    ...(line.source ? { source: line.source } : {}),
  })),
})
