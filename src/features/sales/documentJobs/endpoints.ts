import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const base = '/api4/invoice/documents/jobs'
const most = 300
const ids = z.array(z.uuid()).min(1, { error: 'fields.need' }).max(most, { error: 'fields.range' })
const started = z.object({ jobId: z.string() })

export const issueMany = defineEndpoint({
  name: 'documentJobs.issue',
  method: 'POST',
  path: `${base}/issue`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({ ids }),
  output: started,
  summary:
    'Issues drafts one after another in the order of their days, as long work; one that is refused does not hold up the others',
  errors: ['kit.notFound'],
})
export const sendMany = defineEndpoint({
  name: 'documentJobs.send',
  method: 'POST',
  path: `${base}/send`,
  access: { rule: 'documents.send' },
  input: z.strictObject({ ids, attach: z.boolean().default(true) }),
  output: started,
  summary: 'Mails issued documents, each to its customer in his language, as long work',
  errors: ['kit.notFound'],
})
export const bundleMany = defineEndpoint({
  name: 'documentJobs.bundle',
  method: 'POST',
  path: `${base}/bundle`,
  access: { rule: 'documents.see' },
  input: z.strictObject({
    ids,
    /** zip: every document its own sealed file. one: all pages in one file, for the printer. */
    as: z.enum(['zip', 'one']),
    variant: z.enum(['original', 'copy']).default('copy'),
  }),
  output: started,
  summary:
    'Makes the PDFs of issued documents into an archive or into one file, as long work; the job’s result names the bundle',
  errors: ['kit.notFound'],
})
export const issueForCustomers = defineEndpoint({
  name: 'documentJobs.forCustomers',
  method: 'POST',
  path: `${base}/customers`,
  access: { rule: 'documents.draft' },
  input: z.strictObject({
    /** The document whose content each gets; a draft or an issued one. */
    templateId: z.uuid(),
    customerIds: ids,
    /** false: drafts to look at first. */
    issue: z.boolean().default(false),
  }),
  output: started,
  summary:
    'Makes one document for each customer by the pattern of another, as drafts or issued, as long work',
  errors: ['kit.notFound'],
})
export const bundleFile = defineEndpoint({
  name: 'documentJobs.file',
  method: 'GET',
  path: `${base}/bundles/{id}`,
  access: { rule: 'documents.see' },
  file: true,
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  summary: 'The file long work made, for a week, for whoever asked for it',
  errors: ['kit.notFound'],
})

/** What the result of such a job holds. */
export interface Outcome {
  made: number
  refused: { name: string; code: string; params: Record<string, string | number> }[]
  bundleId?: string
}
