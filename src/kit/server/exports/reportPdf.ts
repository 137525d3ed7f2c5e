import { fail } from '../../describe/errors.ts'
import type { ReportAnswer } from '../../describe/report.ts'
import type { Ctx } from '../context.ts'
import type { FileAnswer } from '../implement.ts'
import type { Report } from '../reports.ts'

export async function reportPdf(_ctx: Ctx, _report: Report, _answer: ReportAnswer, _query: Record<string, unknown>): Promise<FileAnswer> {
  throw fail('kit.notFound')
}
