import { sql } from 'kysely'
import { typeFacts } from '#domain/documents/facts.ts'
import { writeCii } from '#domain/einvoice/cii.ts'
import { faultsOf, type Fault } from '#domain/einvoice/faults.ts'
import type { EInvoice } from '#domain/einvoice/model.ts'
import { writeUbl } from '#domain/einvoice/ubl.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement, type FileAnswer } from '#kit/server/contract/implement.ts'
import { attachXml } from '#kit/server/seal/attachXml.ts'
import { documentFileName, extendedPaper, registerCompanion } from '#features/sales/documents/server/index.ts'
import { checkElectronicInvoice, electronicInvoice, type Format } from '../endpoints.ts'
import { invoiceOf } from './invoice.ts'

/** What breaks a rule, and where a person finds it: who sells on a self-billed invoice is the supplier. */
const faultsIn = (invoice: EInvoice): (Omit<Fault, 'place'> & { place: Fault['place'] | 'supplier' })[] =>
  faultsOf(invoice).map((one) =>
    invoice.typeCode === 389 && one.place === 'seller' ? { ...one, place: 'supplier' } : one,
  )

/**
 * The file, after the rules of the standard were kept: what would be refused elsewhere is refused here, with
 * what is missing.
 */
async function fileOf(ctx: Ctx, { id, format }: { id: string; format: Format }): Promise<FileAnswer> {
  const { invoice, document } = await invoiceOf(ctx, id)
  const faults = faultsIn(invoice)
  if (faults.length)
    throw new Failure(
      'einvoice.incomplete',
      {},
      faults.map(({ place, rule, line }) => ({
        path: line === undefined ? place : `lines.${Number(line) - 1}`,
        code: `einvoice.missing.${place}`,
        params: { rule },
      })),
    )
  const name = documentFileName(document).replace(/\.pdf$/, '')
  if (format === 'ubl') return { bytes: writeUbl(invoice), mime: 'application/xml', name: `${name}-ubl.xml` }
  const cii = writeCii(invoice)
  if (format === 'cii') return { bytes: cii, mime: 'application/xml', name: `${name}-cii.xml` }
  const bytes = await extendedPaper(ctx, id, (pdf) =>
    attachXml(pdf, {
      // The name is the standard's: readers look for it.
      name: 'factur-x.xml',
      bytes: cii,
      description: 'Factur-X',
      at: ctx.now,
      facturX: { documentType: 'INVOICE', version: '1.0', level: 'EN 16931' },
    }),
  )
  return { bytes, mime: 'application/pdf', name: `${name}-factur-x.pdf` }
}

// It is attached to emails of customers who want it; what the standard would refuse is left out, and the sender is
// notified.
registerCompanion(async (ctx, document) => {
  if (!typeFacts(document.type).isVatDocument || !document.customer_id) return undefined
  const { rows } = await sql<{ wants: boolean }>`select einvoice_xml as wants from parties
    where company_id = ${ctx.companyId} and id = ${document.customer_id}`.execute(ctx.tx)
  if (!rows[0]?.wants) return undefined
  const { invoice } = await invoiceOf(ctx, document.id)
  if (faultsIn(invoice).length) return { word: 'einvoice.title', file: undefined }
  const filename = `${documentFileName(document).replace(/\.pdf$/, '')}-ubl.xml`
  return {
    word: 'einvoice.title',
    file: { filename, content: Buffer.from(writeUbl(invoice)), contentType: 'application/xml' },
  }
})

export const implementations = [
  implement(electronicInvoice, fileOf),
  implement(checkElectronicInvoice, async (ctx, { id }) => {
    const { invoice, document } = await invoiceOf(ctx, id)
    return {
      faults: faultsIn(invoice).map((one) => ({ ...one, line: one.line ?? null })),
      customerId: document.customer_id,
    }
  }),
]
