import type { z } from 'zod'
import type { Endpoint, Method } from '#kit/describe/endpoint.ts'
import type { ReportAnswer, ReportListing } from '#kit/describe/report.ts'

type Call<I, O> = Endpoint<z.ZodType<I, I>, z.ZodType<O, O>>
const one = <I, O>(name: string, path: string, file = false): Call<I, O> =>
  ({
    name,
    method: 'GET' satisfies Method,
    path,
    access: 'member',
    summary: '',
    ...(file ? { file } : {}),
  }) as unknown as Call<I, O>

type Asked = Record<string, string | undefined>

/** The reports this person may open, with what each asks for. */
export const listReports = one<Record<string, never>, { rows: ReportListing[] }>(
  'reports.list',
  '/api4/invoice/reports',
)
export const runReport = one<Asked & { name: string }, ReportAnswer>(
  'reports.run',
  '/api4/invoice/reports/{name}',
)
/** `<name>.csv`, `.xlsx` or `.pdf`. */
export const exportReport = one<Asked & { file: string }, Blob>(
  'reports.export',
  '/api4/invoiceexport/reports/{file}',
  true,
)
