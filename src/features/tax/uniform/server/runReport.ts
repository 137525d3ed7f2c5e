import { dataCodes } from '#domain/filings/uniform/layout.ts'
import { formatDay } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { reportPdf, type ReportData } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { exportMade, madeBy } from './exports.ts'
import { softwareFields } from './software.ts'

/**
 * The report of a run (Instructions 1.31, appendix 5.4): whom the files are of, that it ended, where they
 * lie, the range, the records by their codes, and by which program. Its words are those of the Instructions,
 * so it is in Hebrew for everybody.
 */
export async function runReportPdf(ctx: Ctx, id: string): Promise<Later<FileAnswer>> {
  const file = await exportMade(ctx, id)
  if (file.kind !== 'uniform') throw fail('kit.notFound')
  const company = await companyOf(ctx)
  const t = (key: string, params?: Record<string, string | number>) => say('he', `uniform.run.${key}`, params)
  const paper: ReportData = {
    language: 'he',
    title: t('title'),
    subtitle: [t('range', { from: formatDay(file.from), to: formatDay(file.to) })],
    business: { name: company.name, lines: [t('dealer', { number: company.taxId })] },
    columns: [
      { label: t('code'), kind: 'code' },
      { label: t('description'), kind: 'text' },
      { label: t('total'), kind: 'number' },
    ],
    rows: dataCodes
      .filter((code) => file.counts[code])
      .map((code) => ({ kind: 'row', cells: [code, t(`records.${code}`), file.counts[code]!] })),
    checks: [t('ended'), `${t('saved')} ${file.path}`],
    footer: [madeBy(file, softwareFields(ctx.app.settings.software).softwareRegistrationNumber)],
    pageWords: say('he', 'kit.report.page'),
    madeAt: new Date(file.madeAt),
  }
  const name = `OPENFRMT-${file.from}-${file.to}.pdf`
  return new Later(async () => ({
    bytes: await reportPdf(paper),
    name,
    mime: 'application/pdf',
    inline: true,
  }))
}
