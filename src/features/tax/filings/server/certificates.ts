import { zipSync } from 'fflate'
import { sql } from 'kysely'
import type { PayeeMonth } from '#domain/filings/withheld.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx, type Language } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { reportPdf, type ReportData, type ReportRow } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, letterhead } from '#features/base/companies/server/index.ts'
import { standsFor } from '#features/registers/parties/server/index.ts'
import { differencesOfPaidIn, refuseDifferences } from './bothWays.ts'
import { daysOf } from './form856.ts'
import { paidByPapers, payeesIn, type Payee } from './payees.ts'
import { refuseFigures } from './sight.ts'

/**
 * The certificate is a paper of Israeli law: its title and words are Hebrew, and for who reads another
 * language it can be had in that too.
 */
async function paperOf(
  ctx: Ctx,
  year: number,
  payee: Payee,
  months: readonly PayeeMonth[],
  language: Language,
): Promise<ReportData> {
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const business = await letterhead(ctx)
  const { withholdingFile, street, city } = await companyOf(ctx)
  const rows: ReportRow[] = months.map((one) => ({
    kind: 'row',
    cells: [`${one.month.slice(5)}/${one.month.slice(0, 4)}`, one.payments, one.gross, one.withheld],
  }))
  rows.push({
    kind: 'total',
    cells: [t('kit.report.total'), payee.payments, payee.grossAgorot, payee.withheldAgorot],
  })
  return {
    language,
    title: t('filings.form857.title', { year }),
    subtitle: [
      t('filings.form857.payee', { name: payee.name }),
      ...(payee.taxId ? [t('filings.form857.taxId', { number: payee.taxId })] : []),
      ...(payee.address ? [payee.address] : []),
      t('filings.form857.kind', { code: payee.kind856, name: t(`filings.codes.${payee.code}`) }),
    ],
    business: {
      ...business,
      lines: [
        ...business.lines,
        ...(withholdingFile ? [t('filings.form857.payerFile', { number: withholdingFile })] : []),
        ...([street, city].some(Boolean) ? [[street, city].filter(Boolean).join(', ')] : []),
      ],
    },
    columns: [
      { label: t('filings.form857.month'), kind: 'code' },
      { label: t('filings.form857.payments'), kind: 'number' },
      { label: t('filings.form857.gross'), kind: 'money', showZero: true },
      { label: t('filings.form857.withheld'), kind: 'money', showZero: true },
    ],
    rows,
    footer: [
      t('filings.form857.signed', { business: business.name, day: formatDay(ctx.today) }),
      formatMoment(ctx.now),
    ],
    pageWords: t('kit.report.page'),
    madeAt: ctx.now,
    accent: business.accent,
  }
}

/** The suppliers of a year with their months; all, or those that are named. */
async function certified(ctx: Ctx, year: number, only?: readonly string[]) {
  const { from, to } = daysOf(year)
  const payees = (await payeesIn(ctx, from, to, only)).filter((one) => one.grossAgorot || one.withheldAgorot)
  if (!payees.length) throw fail('filings.nothingToCertify')
  const months = await paidByPapers(ctx, from, to)
  return payees.map((payee) => ({
    payee,
    months: months.filter((one) => one.supplierId === payee.supplierId),
  }))
}

/** A certificate says what the return will say: neither leaves while papers and books part over it. */
async function refuseDisputed(ctx: Ctx, year: number, only?: readonly string[]): Promise<void> {
  const { from, to } = daysOf(year)
  refuseDifferences(await differencesOfPaidIn(ctx, from, to, only))
}

const nameOf = (year: number, payee: Payee, language?: Language) =>
  `857-${year}-${payee.taxId ?? payee.supplierId.slice(-8)}${language && language !== 'he' ? `-${language}` : ''}.pdf`

export async function certificate(
  ctx: Ctx,
  { id: of, year, language }: { id: string; year: number; language: Language },
): Promise<Later<FileAnswer>> {
  refuseFigures(ctx)
  const id = await standsFor(ctx, of)
  const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'supplier'
        and id = ${id}`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await refuseDisputed(ctx, year, [id])
  const [one] = await certified(ctx, year, [id])
  const paper = await paperOf(ctx, year, one!.payee, one!.months, language)
  return new Later(async () => ({
    bytes: await reportPdf(paper),
    mime: 'application/pdf',
    name: nameOf(year, one!.payee, language),
    inline: true,
  }))
}

export async function allCertificates(ctx: Ctx, { year }: { year: number }): Promise<Later<FileAnswer>> {
  refuseFigures(ctx)
  await refuseDisputed(ctx, year)
  const papers: [string, ReportData][] = []
  for (const { payee, months } of await certified(ctx, year))
    papers.push([nameOf(year, payee), await paperOf(ctx, year, payee, months, 'he')])
  return new Later(async () => {
    const files: Record<string, Uint8Array> = {}
    for (const [name, paper] of papers) files[name] = await reportPdf(paper)
    return { bytes: zipSync(files, { level: 1 }), mime: 'application/zip', name: `857-${year}.zip` }
  })
}

/** Queues a letter for each supplier who has an address of mail; it leaves after the commit. */
export async function send(ctx: Ctx, { year, supplierIds }: { year: number; supplierIds: string[] }) {
  refuseFigures(ctx)
  await refuseDisputed(ctx, year, supplierIds)
  const { name } = await companyOf(ctx)
  const withoutMail: string[] = []
  let sent = 0
  for (const { payee } of await certified(ctx, year, supplierIds)) {
    if (!payee.email) {
      withoutMail.push(payee.name)
      continue
    }
    const messageId = newId()
    const words = { year, business: name }
    const { language } = payee
    await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
      values (${ctx.companyId}, ${messageId}, 'form857', 'mail', ${payee.email},
        ${say(language, 'filings.form857.subject', words)},
        ${say(language, 'filings.form857.text', words)}, ${byOf(ctx)})`.execute(ctx.tx)
    await sql`insert into given_certificates (company_id, id, year, supplier_id, gross_agorot,
        withheld_agorot, recipient, message_id, created_by)
      values (${ctx.companyId}, ${newId()}, ${year}, ${payee.supplierId}, ${payee.grossAgorot},
        ${payee.withheldAgorot}, ${payee.email}, ${messageId}, ${byOf(ctx)})`.execute(ctx.tx)
    await ctx.later('filings.mail857', { messageId, supplierId: payee.supplierId, year })
    sent++
  }
  if (sent) await ctx.audit('filings.send857', 'filings', null, undefined, { year, sent })
  return { sent, withoutMail }
}

export const mailCertificate: Job = (ctx, payload, isLast) =>
  deliverQueued(ctx, String(payload.messageId), isLast, async () => {
    const year = Number(payload.year)
    const [one] = await certified(ctx, year, [await standsFor(ctx, String(payload.supplierId))])
    const attachments = []
    for (const language of new Set<Language>(['he', one!.payee.language]))
      attachments.push({
        filename: nameOf(year, one!.payee, language),
        content: Buffer.from(await reportPdf(await paperOf(ctx, year, one!.payee, one!.months, language))),
        contentType: 'application/pdf',
      })
    return { from: await companyOf(ctx), attachments }
  })
