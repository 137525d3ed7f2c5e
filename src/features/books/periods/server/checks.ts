import { sql, type RawBuilder } from 'kysely'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDraft, isIssued, isTaxDocument, isVatDocument } from '#kit/server/data/documentFacts.ts'
import { companyOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { missingEntries } from '#features/sales/documents/server/index.ts'
import {
  billsWithoutAllocation,
  broughtUntil,
  reportedUntil,
  turnoverNotices,
  workOutVat,
} from '#features/tax/vat/server/index.ts'
import { isolatedIn } from '#kit/server/work/isolated.ts'
import type { PeriodCheck } from '../endpoints.ts'

/** Where documents without their entry stand, and are posted. */
const missingPage = '/invoice/booksproof'

const count = async (ctx: Ctx, of: RawBuilder<unknown>): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n ${of}`.execute(ctx.tx)).rows[0]!.n

/**
 * The list before closing. What stops is wrong whatever anybody says; what asks to be looked at may be left
 * knowingly.
 */
export async function checksOf(
  ctx: Ctx,
  kind: 'month' | 'year',
  { from, to }: Period,
): Promise<PeriodCheck[]> {
  const company = await companyOf(ctx)
  const days = sql`between ${from} and ${to}`
  const look = (name: PeriodCheck['name'], n: number, open: string | null): PeriodCheck => ({
    name,
    state: n ? 'look' : 'ok',
    count: n,
    open,
  })
  const stop = (name: PeriodCheck['name'], n: number, open: string | null): PeriodCheck => ({
    name,
    state: n ? 'stop' : 'ok',
    count: n,
    open,
  })
  const query = `from=${from}&to=${to}`
  const checks = [
    look(
      'batches',
      await count(
        ctx,
        sql`from journal_batches b where b.company_id = ${ctx.companyId} and b.state in ('open', 'checked')
            and exists (select 1 from journal_lines l
          where l.company_id = b.company_id and l.batch_id = b.id and l.archived_at is null
            and l.day ${days})`,
      ),
      '/invoice/manotlist',
    ),
    look(
      'drafts',
      await count(
        ctx,
        sql`from documents where company_id = ${ctx.companyId} and ${isDraft()}
            and ${isTaxDocument()} and day ${days}`,
      ),
      `/invoice/documents?status=draft&day.gte=${from}&day.lte=${to}`,
    ),
    look(
      'expenses',
      await count(
        ctx,
        sql`from expenses where company_id = ${ctx.companyId} and state in ('draft', 'waiting')
            and day ${days}`,
      ),
      `/invoice/Expenses?state=waiting&day.gte=${from}&day.lte=${to}`,
    ),
    look(
      'allocation',
      await count(
        ctx,
        sql`from documents where company_id = ${ctx.companyId} and allocation_state in ('waiting', 'away')
            and ${isIssued()} and day ${days}`,
      ),
      '/invoice/missingisraeltax',
    ),
  ]
  if (chargesVat(company.kind)) {
    checks.push(
      look(
        'vatFiled',
        await unfiledDays(ctx, { from, to }, await vatPeriodsOf(ctx)),
        `/invoice/reportpcn?period=${to.slice(0, 7)}`,
      ),
    )
    // Said only where there is something to say.
    const unnumbered = await billsWithoutAllocation(ctx, { from, to })
    if (unnumbered)
      checks.push(look('inputAllocation', unnumbered, `/invoice/vatgate?period=${to.slice(0, 7)}`))
    // A period that cannot be worked out stops, as one whose two ways differ; the rest of the list is shown.
    const worked = await isolatedIn(ctx, 'the VAT of a period', () => workOutVat(ctx, { from, to }))
    checks.push(
      stop('twoWays', worked.failed ? 1 : worked.value.differences.length, `/invoice/reportvat?${query}`),
    )
  }
  // Said only where there is something to say: what was issued and is not in the books is posted on another page.
  const unposted = (await missingEntries(ctx)).filter(({ day }) => from <= day && day <= to).length
  if (unposted) checks.push(stop('missingEntries', unposted, missingPage))
  // Both the lines themselves and the monthly totals that every report reads.
  const { rows } = await sql<{ off: number; apart: number }>`select
      (select coalesce(sum(amount_agorot), 0) <> 0 from postings where company_id = ${ctx.companyId}
      and day <= ${to})::int as off,
      (select count(*)::int
      from (select account_id, sum(amount_agorot) as amount from postings where company_id = ${ctx.companyId}
        and day ${days} group by 1) p
        full join (select account_id, sum(debit_agorot - credit_agorot) as amount from account_months
        where company_id = ${ctx.companyId} and month ${days} group by 1) m
          on m.account_id = p.account_id where coalesce(p.amount, 0) <> coalesce(m.amount, 0)) as
          apart`.execute(ctx.tx)
  checks.push(stop('trialBalance', rows[0]!.off + rows[0]!.apart, `/invoice/maazanbohan?${query}`))
  // Said only where there is something to say: for most businesses no limit is near.
  const [notice, ...more] = await turnoverNotices(ctx, to)
  if (notice) checks.push(look('turnover', more.length + 1, notice.open))
  checks.push(look('earlier', await openBefore(ctx, kind, from), null))
  return checks
}

/** How many VAT periods that end inside this time were not reported although they have papers. */
async function unfiledDays(ctx: Ctx, { from, to }: Period, periodOn: (day: Day) => Period): Promise<number> {
  let missing = 0
  const until = await broughtUntil(ctx)
  const reported = until && reportedUntil(until, periodOn)
  for (let period = periodOn(from); period.to <= to; period = periodOn(addDays(period.to, 1))) {
    // The program the books came from reported it.
    if (reported && period.to <= reported) continue
    const { rows } = await sql<{
      waits: boolean
    }>`select not exists (select 1 from vat_filings f where f.company_id = ${ctx.companyId}
        and f.reopened_at is null
        and f.from_day <= ${period.to} and f.to_day >= ${period.from})
      and (exists (select 1 from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')}
      and ${isVatDocument('d')} and d.day between ${period.from} and ${period.to})
        or exists (select 1 from expenses e where e.company_id = ${ctx.companyId}
        and e.state in ('approved', 'cancelled') and e.recognised_vat_agorot <> 0
          and e.vat_day between ${period.from} and ${period.to})) as waits`.execute(ctx.tx)
    if (rows[0]!.waits) missing++
  }
  return missing
}

/** Months with entries before this time, this year, that are still open. */
async function openBefore(ctx: Ctx, kind: 'month' | 'year', from: Day): Promise<number> {
  const since = kind === 'month' ? `${from.slice(0, 4)}-01-01` : '1900-01-01'
  return count(
    ctx,
    sql`from (select distinct date_trunc('month', m.month)::date as month from account_months m
      where m.company_id = ${ctx.companyId} and m.month >= ${since} and m.month < ${from}) x
      where not exists (select 1 from locked_periods p where p.company_id = ${ctx.companyId}
        and p.reopened_at is null and p.kind in ('month', 'year')
        and x.month between p.from_day and p.to_day)`,
  )
}
