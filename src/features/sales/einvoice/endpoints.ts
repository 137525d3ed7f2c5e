import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { mendable } from './rules.ts'

const base = '/api4/invoice/documents/{id}/einvoice'

/** UBL 2.1, UN/CEFACT CII, and a PDF/A-3 that holds the CII file (Factur-X, ZUGFeRD). */
export const formats = ['ubl', 'cii', 'facturx'] as const
export type Format = (typeof formats)[number]

export const electronicInvoice = defineEndpoint({
  name: 'einvoice.file',
  method: 'GET',
  path: base,
  access: { rule: 'documents.see' },
  file: true,
  input: z.object({ id: z.uuid(), format: z.enum(formats).default('ubl') }),
  output: z.any(),
  summary:
    'An issued invoice, invoice receipt, credit or self-billed invoice as an electronic invoice of EN 16931; refused when a rule would be broken',
  errors: ['kit.notFound', 'documents.stillDraft', 'einvoice.notThisType', 'einvoice.incomplete'],
})

export const checkElectronicInvoice = defineEndpoint({
  name: 'einvoice.check',
  method: 'GET',
  path: `${base}/check`,
  access: { rule: 'documents.see' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    /** Empty when the file can be had. */
    faults: z.array(z.object({ rule: z.string(), place: z.enum(mendable), line: z.string().nullable() })),
    /** Where a missing fact of the customer is filled in. */
    customerId: z.string().nullable(),
  }),
  summary: 'What a document lacks for its electronic form, by rule of EN 16931',
  errors: ['kit.notFound', 'documents.stillDraft', 'einvoice.notThisType'],
})
