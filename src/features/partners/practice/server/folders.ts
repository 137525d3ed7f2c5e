import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { endOfMonth, type Day } from '#domain/day.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { allReports, reportAs } from '#kit/server/described/serveReports.ts'
import { harmless } from '#kit/server/described/exports/table.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { form6111Of } from '#features/tax/filings/server/index.ts'
import { engagementsOf, inClient, officeOf, type Who } from './office.ts'

type Files = Record<string, Uint8Array>

const safe = (name: string): string =>
  name
    .replace(/[\\/:*?"<>|\u0000-\u001f]+/g, '-')
    .trim()
    .slice(0, 60) || '-'

/** A report into the folder, when the person may see it; one that refuses to leave says why in its place. */
async function put(
  ctx: Ctx,
  files: Files,
  name: string,
  at: string,
  filters: Record<string, unknown>,
  format: 'xlsx' | 'pdf' = 'xlsx',
): Promise<void> {
  const report = allReports().find((each) => each.name === name)
  if (!report || !can(ctx.caller, report.allow)) return
  try {
    files[`${at}.${format}`] = (await reportAs(ctx, name, format, filters)).bytes
  } catch (e) {
    if (!(e instanceof Failure)) throw e
    files[`${at}.txt`] = Buffer.from(`${name}: ${e.code}`)
  }
}

/** The month of several clients in one archive, a folder each. */
export async function files(
  who: Who,
  { month, clientIds }: { month: string; clientIds: string },
): Promise<FileAnswer> {
  const office = await officeOf(who)
  const from = `${month}-01`
  const to = endOfMonth(from)
  const found = await engagementsOf(who, office, clientIds.split(','))
  if (!found.length) throw fail('kit.notFound')
  const all: Files = {}
  const taken = new Set<string>()
  for (const { clientId, name } of found) {
    let folder = safe(name)
    for (let n = 2; taken.has(folder); n++) folder = `${safe(name)} ${n}`
    taken.add(folder)
    await inClient(who, clientId, async (ctx) => {
      for (const report of ['trialBalance', 'profitLoss', 'income', 'expenseList'])
        await put(ctx, all, report, `${folder}/${report}-${month}`, { from, to })
      const { rows } = await sql<{
        file: Buffer | null
      }>`select file from vat_filings where company_id = ${ctx.companyId} and reopened_at is null
          and to_day = ${to}`.execute(ctx.tx)
      if (rows[0]?.file) all[`${folder}/PCN874.TXT`] = rows[0].file
    })
  }
  return { bytes: zipSync(all, { level: 0 }), mime: 'application/zip', name: `office-${month}.zip` }
}

interface Lead {
  number: string
  name: string
  kind: string
  openingAgorot: number
  closingAgorot: number
}

const csv = (rows: readonly (readonly (string | number)[])[]): Uint8Array =>
  Buffer.from(
    `\ufeff${rows
      .map((row) =>
        row
          .map((cell) =>
            typeof cell === 'number' ? (cell / 100).toFixed(2) : `"${harmless(cell).replace(/"/g, '""')}"`,
          )
          .join(','),
      )
      .join('\r\n')}\r\n`,
  )

/**
 * The year-end folder of a client: the trial balance as adjusted, a lead schedule for each kind of account
 * with the year before beside it, form 6111, depreciation for form 11 (yod-alef), the ledger, and what is
 * still open before the year can be signed.
 */
export async function yearFolder(
  who: Who,
  { clientId, year }: { clientId: string; year: number },
): Promise<FileAnswer> {
  return inClient(who, clientId, async (ctx, { name }) => {
    const from = `${year}-01-01`
    const to: Day = `${year}-12-31`
    const all: Files = {}
    await put(ctx, all, 'trialBalance', `1-trial-balance-${year}`, { from, to })
    await put(ctx, all, 'trialBalance', `1-trial-balance-${year}`, { from, to }, 'pdf')
    for (const [kind, rows] of await leadsOf(ctx, from, to))
      all[`2-lead-schedules/${kind}-${year}.csv`] = csv([
        ['account', 'name', String(year - 1), String(year), 'change'],
        ...rows.map((row) => [
          row.number,
          row.name,
          row.openingAgorot,
          row.closingAgorot,
          row.closingAgorot - row.openingAgorot,
        ]),
      ])
    if (can(ctx.caller, 'filings.see')) all[`3-form-6111-${year}.csv`] = await form6111Csv(ctx, year)
    await put(ctx, all, 'formYodAlef', `4-form-11-${year}`, { from, to })
    await put(ctx, all, 'assetsInBooks', `4-form-11-against-books-${year}`, { from, to })
    for (const [report, at] of [
      ['balanceSheet', '5-balance-sheet'],
      ['profitLoss', '6-profit-and-loss'],
      ['generalLedger', '7-ledger'],
      ['ageing', '8-customers-by-age'],
      ['supplierBalances', '9-suppliers'],
    ] as const)
      await put(
        ctx,
        all,
        report,
        `${at}-${year}`,
        report === 'ageing' ? { day: to } : report === 'supplierBalances' ? {} : { from, to },
      )
    all[`0-left-open-${year}.csv`] = await leftOpen(ctx, year)
    const { taxId } = await companyOf(ctx)
    await ctx.audit('practice.yearFolder', 'companies', ctx.companyId, undefined, { year })
    return {
      bytes: zipSync(all, { level: 1 }),
      mime: 'application/zip',
      name: `${safe(name)}-${taxId}-${year}.zip`,
    }
  })
}

/**
 * Balances at the end of the year and of the one before, by kind of account: accounts of the balance sheet as
 * they stand, the others what the year brought.
 */
async function leadsOf(ctx: Ctx, from: Day, to: Day): Promise<Map<string, Lead[]>> {
  const before = `${Number(from.slice(0, 4)) - 1}-01-01`
  const { rows } = await sql<Lead>`select a.number, a.name, a.kind,
      coalesce(sum(m.debit_agorot - m.credit_agorot) filter
      (where m.month < ${from} and (a.kind not in ('income', 'expense') or m.month >= ${before})), 0)::bigint
      as "openingAgorot",
      coalesce(sum(m.debit_agorot - m.credit_agorot) filter
      (where m.month <= ${to} and (a.kind not in ('income', 'expense') or m.month >= ${from})), 0)::bigint as
      "closingAgorot"
    from accounts a left join account_months m on m.company_id = a.company_id and m.account_id = a.id
    where a.company_id = ${ctx.companyId} group by a.id, a.number, a.name, a.kind
    order by a.kind, a.number`.execute(ctx.tx)
  const kinds = new Map<string, Lead[]>()
  for (const row of rows)
    if (row.openingAgorot !== 0 || row.closingAgorot !== 0)
      kinds.set(row.kind, [...(kinds.get(row.kind) ?? []), row])
  return kinds
}

async function form6111Csv(ctx: Ctx, year: number): Promise<Uint8Array> {
  try {
    const form = await form6111Of(ctx, { year })
    return csv([
      ['part', 'code', 'name', 'amount'],
      ...(['profitAndLoss', 'taxAdjustment', 'balanceSheet'] as const).flatMap((part) =>
        form[part].map(({ code, name, amountAgorot }) => [part, String(code), name, amountAgorot]),
      ),
      ...form.problems.map(({ code, account, amountAgorot }) => [
        'problem',
        code,
        account ?? '',
        amountAgorot,
      ]),
    ])
  } catch (e) {
    if (!(e instanceof Failure)) throw e
    return csv([['refused', e.code]])
  }
}

/**
 * What prevents signing the year: months that are open, documents that are not in the books, unmatched lines of the
 * bank.
 */
async function leftOpen(ctx: Ctx, year: number): Promise<Uint8Array> {
  const from = `${year}-01-01`
  const to = `${year}-12-31`
  const { rows } = await sql<{ what: string; count: number }>`
    select 'open months' as what, count(*)::int as count
    from generate_series(${from}::date, ${to}::date, interval '1 month') g
    where not exists (select 1 from locked_periods p
      where p.company_id = ${ctx.companyId} and p.reopened_at is null and p.kind in ('month', 'year')
        and g::date between p.from_day and p.to_day)
    union all select 'expenses not approved', count(*)::int from expenses where company_id = ${ctx.companyId}
      and state in ('draft', 'waiting') and day between ${from} and ${to}
    union all select 'bank lines matched to nothing', count(*)::int from bank_lines l
    where l.company_id = ${ctx.companyId} and l.day between ${from} and ${to}
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id)
    union all select 'batches not posted', count(distinct b.id)::int from journal_batches b
    join journal_lines l on l.company_id = b.company_id and l.batch_id = b.id
      where b.company_id = ${ctx.companyId} and b.state in ('open', 'checked') and l.archived_at is null
        and l.day between ${from} and ${to}
    union all select 'requests not answered', count(*)::int from client_requests
    where company_id = ${ctx.companyId} and state in ('asked', 'seen')`.execute(ctx.tx)
  return csv([['what', 'count'], ...rows.map(({ what, count }) => [what, String(count)])])
}
