import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

export const lastBackup = defineEndpoint({
  name: 'backup.last',
  method: 'GET',
  path: '/api4/invoice/backup',
  access: { rule: 'backup' },
  input: z.object({}),
  output: z.object({
    last: z.object({ at: z.string(), by: z.string().nullable() }).nullable(),
    /**
     * The law wants one in the first week of each quarter (income tax bookkeeping instructions, section
     * 25(f)).
     */
    dueSince: z.string().nullable(),
  }),
  summary: 'When a backup was taken last, and whether the one of this quarter is still missing',
})

export const downloadBackup = defineEndpoint({
  name: 'backup.download',
  method: 'GET',
  path: '/api4/invoiceexport/backup',
  access: { rule: 'backup' },
  file: true,
  input: z.object({}),
  output: z.any(),
  summary: 'Everything of the business as one archive, from which it can be set up again elsewhere',
  errors: ['backup.notWhole'],
})
