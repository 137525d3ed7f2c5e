import { momentInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import { choice, money, number, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import { cellText, type ExportColumn } from '#kit/server/described/exports/table.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { reportPdf, type ReportData } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { letterhead } from '#features/base/companies/server/index.ts'
import type { Parity } from '../endpoints.ts'
import { wholeImport } from './imports.ts'

const parts = ['records', 'documents', 'series', 'balances', 'inBooks', 'faults'] as const

interface ParityRow {
  part: (typeof parts)[number]
  key: string
  name: string
  /** In the file, and what became of it here. */
  countSaid: number | null
  countFound: number | null
  saidAgorot: number | null
  foundAgorot: number | null
  differenceAgorot: number | null
  [more: string]: unknown
}

const none = {
  countSaid: null,
  countFound: null,
  saidAgorot: null,
  foundAgorot: null,
  differenceAgorot: null,
}
const sums = (saidAgorot: number, foundAgorot: number) => ({
  saidAgorot,
  foundAgorot,
  differenceAgorot: foundAgorot - saidAgorot || null,
})

/**
 * The parity report as one table: records, documents by month, ranges of numbers, the balance of every card,
 * every difference with its line.
 */
function rowsOf(
  parity: Parity,
  t: (key: string, params?: Record<string, string | number>) => string,
): ParityRow[] {
  return [
    ...parity.records.map(({ code, found, said }) => ({
      ...none,
      part: 'records' as const,
      key: code,
      name: t(`uniform.run.records.${code}`),
      countSaid: said,
      countFound: found,
    })),
    ...parity.documents.map((one) => ({
      part: 'documents' as const,
      key: `${one.month.slice(5)}/${one.month.slice(0, 4)}`,
      name: t(`uniform.codes.${one.code}`),
      countSaid: one.count,
      countFound: one.kept,
      ...sums(one.totalAgorot, one.keptAgorot),
    })),
    ...parity.series.map((one) => ({
      ...none,
      part: 'series' as const,
      key: `${one.first} – ${one.last}`,
      name: t(`uniform.codes.${one.code}`),
      countSaid: one.count + one.missing,
      countFound: one.count,
    })),
    ...parity.balances.map((one) => ({
      ...none,
      part: 'balances' as const,
      key: one.key,
      name: one.name,
      ...sums(one.saidAgorot, one.foundAgorot),
    })),
    ...(parity.inBooks?.differences ?? []).map((one) => ({
      ...none,
      part: 'inBooks' as const,
      key: [one.key, formatDay(one.day)].filter(Boolean).join(' · '),
      name: `${t(`uniform.inBooks.part.${one.part}`)}: ${one.name}`,
      ...sums(one.fileAgorot, one.booksAgorot),
    })),
    ...[...parity.identities.rows, ...parity.writing.rows].map(({ line, code, params }) => ({
      ...none,
      part: 'faults' as const,
      key: line ? String(line) : '',
      name: t(`uniform.faults.${code}`, params),
      differenceAgorot:
        params.differenceAgorot !== undefined
          ? Number(params.differenceAgorot)
          : params.saidAgorot === undefined
            ? null
            : Number(params.foundAgorot) - Number(params.saidAgorot),
    })),
  ]
}

const columns: ExportColumn[] = (
  [
    ['part', choice(parts)],
    ['key', text()],
    ['name', text()],
    ['countSaid', number()],
    ['countFound', number()],
    ['saidAgorot', money()],
    ['foundAgorot', money()],
    ['differenceAgorot', money()],
  ] as const
).map(([name, field]) => ({
  name,
  field,
  title: `uniform.parity.columns.${name}`,
  words: `uniform.parity.${name}`,
}))

/** The parity report of an import, for the accountant's file. */
export async function parityFile(
  ctx: Ctx,
  { id, format }: { id: string; format: 'csv' | 'xlsx' | 'pdf' },
): Promise<Later<FileAnswer>> {
  const one = await wholeImport(ctx, id)
  if (!one.report) throw fail('uniform.wrongState')
  const { language } = ctx.caller
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const rows = rowsOf(one.report, t)
  const { program } = one.report
  const name = `uniform-parity-${momentInJerusalem(new Date(one.createdAt)).day}`
  if (format !== 'pdf')
    return new Later(() =>
      exportTable({ format, language, name, title: 'uniform.parity.title', columns, rows }),
    )
  const business = await letterhead(ctx)
  const paper: ReportData = {
    language,
    title: t('uniform.parity.title'),
    subtitle: [
      [program.business, program.name, program.version].filter(Boolean).join(' · '),
      `${formatDay(program.from)} – ${formatDay(program.to)}`,
    ],
    business,
    columns: columns.map(({ title, field }) => ({
      label: t(title),
      kind:
        field.kind === 'money'
          ? ('money' as const)
          : field.kind === 'number'
            ? ('number' as const)
            : ('text' as const),
    })),
    rows: rows.map((row) => ({
      kind: 'row' as const,
      cells: columns.map((column) =>
        column.field.kind === 'money' || column.field.kind === 'number'
          ? ((row[column.name] as number | null) ?? '')
          : cellText(language, column, row),
      ),
    })),
    footer: [formatMoment(ctx.now)],
    pageWords: t('kit.report.page'),
    madeAt: ctx.now,
    accent: business.accent,
  }
  return new Later(async () => ({
    bytes: await reportPdf(paper),
    name: `${name}.pdf`,
    mime: 'application/pdf',
    inline: true,
  }))
}
