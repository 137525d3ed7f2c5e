import { callFile, failureText, queryClient } from '../../../kit/web/call.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import type { Words } from '../../../kit/web/words.tsx'
import { pdfOfDocument } from '../endpoints.ts'

/** randomUUID is missing where a page is served without TLS from another machine. */
export const newKey = (): string => globalThis.crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Whatever shows documents or what follows from them is asked again; what is shown stays until then. */
export const refreshDocuments = (): Promise<unknown> =>
  Promise.all(['documents.list', 'documents.home', 'documents.get', 'customers.list', 'customers.get', 'reports.run'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })))

export type PdfVariant = 'original' | 'copy' | 'certified' | 'thermal'

/** Opens a sealed file in a new tab, or saves it; failures are said on the page. */
export async function showPdf(t: Words, id: string, variant: PdfVariant, save?: { name: string }): Promise<void> {
  try {
    await callFile(pdfOfDocument, { id, variant }, save ? { name: save.name } : { open: true })
  } catch (e) {
    banner.error(failureText(t, e))
  }
}
