import { formatDay, formatMoment } from '#domain/format.ts'
import { forbidden } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { reportPdf, type ReportData, type ReportRow } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { letterhead } from '#features/base/companies/server/index.ts'
import { loadDeposit } from './deposit.ts'

/** The slip that goes with the cheques to the bank. */
export async function slip(ctx: Ctx, id: string): Promise<Later<FileAnswer>> {
  // Nothing but figures.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const deposit = await loadDeposit(ctx, id)
  const { language } = ctx.caller
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const business = await letterhead(ctx)
  const rows: ReportRow[] = deposit.cheques.map((one, i) => ({
    kind: 'row',
    cells: [
      i + 1,
      one.customerName,
      one.bank,
      one.branch,
      one.account,
      one.chequeNumber,
      one.dueDay,
      one.sumAgorot,
    ],
  }))
  const sumRow = (kind: 'row' | 'subtotal' | 'total', label: string, agorot: number): ReportRow => ({
    kind,
    cells: [null, label, null, null, null, null, null, agorot],
  })
  if (deposit.cashAgorot && deposit.cheques.length)
    rows.push(sumRow('subtotal', t('deposits.fields.chequesAgorot'), deposit.chequesAgorot))
  if (deposit.cashAgorot) rows.push(sumRow('row', t('deposits.fields.cashAgorot'), deposit.cashAgorot))
  rows.push(sumRow('total', t('deposits.fields.totalAgorot'), deposit.totalAgorot))
  const data: ReportData = {
    language,
    title: t('deposits.slip.title', { number: deposit.number }),
    subtitle: [
      formatDay(deposit.day),
      deposit.accountName,
      ...(deposit.reference ? [deposit.reference] : []),
      ...(deposit.undone ? [t('deposits.state.undone')] : []),
    ],
    business,
    columns: [
      { label: t('deposits.slip.row'), kind: 'number', quiet: true },
      { label: t('payments.fields.customerId'), kind: 'text' },
      { label: t('payments.fields.bank'), kind: 'code' },
      { label: t('payments.fields.branch'), kind: 'code' },
      { label: t('payments.fields.account'), kind: 'code' },
      { label: t('payments.fields.chequeNumber'), kind: 'code' },
      { label: t('payments.fields.dueDay'), kind: 'day' },
      { label: t('payments.fields.sumAgorot'), kind: 'money' },
    ],
    rows,
    footer: [t('kit.report.made', { who: ctx.caller.fullName, when: formatMoment(ctx.now) })],
    pageWords: t('kit.report.page'),
    madeAt: ctx.now,
    accent: business.accent,
  }
  return new Later(async () => ({
    bytes: await reportPdf(data),
    mime: 'application/pdf',
    name: `deposit-${deposit.number}.pdf`,
    inline: true,
  }))
}
