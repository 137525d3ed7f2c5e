import { sql } from 'kysely'
import { addDays, addMonths, endOfMonth, startOfMonth, type Day } from '#domain/day.ts'
import { awaitedDays, billByRhythm, type UsualBill } from '#domain/expenses/rhythm.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say as inWords } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { MissingBill, requestKinds, RequestRow } from '../endpoints.ts'

const views = {
  open: sql`r.state in ('asked', 'seen')`,
  answered: sql`r.state = 'answered'`,
  ended: sql`r.state in ('accepted', 'dropped')`,
}

export async function list(ctx: Ctx, { view }: { view: keyof typeof views }) {
  const { rows } =
    await sql<RequestRow>`select r.id, r.kind, r.state, r.text, r.day, r.sum_agorot as "sumAgorot",
        r.about_path as "aboutPath",
      u.full_name as "askedBy", r.created_at as "createdAt", r.ended_at as "endedAt",
      r.by_itself as "byItself", r.paper_id as "paperId", r.expense_id as "expenseId",
      coalesce((select
      jsonb_agg(jsonb_build_object('id', w.id, 'by', wu.full_name, 'text', w.text, 'at', w.created_at)
      order by w.created_at, w.id)
        from client_request_words w left join users wu on wu.id = w.user_id where w.company_id = r.company_id
          and w.request_id = r.id), '[]') as words
    from client_requests r join users u on u.id = r.asked_by where r.company_id = ${ctx.companyId}
      and ${views[view]}
    order by ${
      view === 'ended'
        ? sql`r.ended_at
        desc`
        : sql`coalesce(r.day, r.created_at::date), r.created_at`
    }, r.id limit 300`.execute(ctx.tx)
  const { rows: counts } = await sql<{
    open: number
    answered: number
  }>`select count(*) filter (where state in ('asked', 'seen'))::int as open,
    count(*) filter (where state = 'answered')::int as answered from client_requests
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return {
    rows: ctx.caller.hideTotalPrices ? rows.map(({ sumAgorot: _, ...row }) => row) : rows,
    counts: counts[0]!,
  }
}

interface Made {
  kind: (typeof requestKinds)[number]
  text: string
  day?: string | null | undefined
  sumAgorot?: number | null | undefined
  aboutPath?: string
  bankLineId?: string
  /** A bill that usually comes; `month`: its first day. */
  usual?: { supplierId: string; month: Day }
}

/**
 * Asks once: of a line, or of a supplier for a month, that was asked about nothing more is made. Answers the
 * id, or nothing.
 */
export async function makeOne(
  ctx: Ctx,
  { kind, text, day, sumAgorot, aboutPath = '', bankLineId, usual }: Made,
): Promise<string | undefined> {
  const id = newId()
  const { rows } =
    await sql`insert into client_requests (company_id, id, kind, text, bank_line_id, supplier_id, month, day,
        sum_agorot, about_path, asked_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${text}, ${bankLineId ?? null}, ${usual?.supplierId ?? null},
      ${usual?.month ?? null},
      ${day ?? null}, ${sumAgorot ?? null}, ${aboutPath}, ${ctx.caller.userId})
    on conflict do nothing returning id`.execute(ctx.tx)
  if (!rows.length) return undefined
  await ctx.audit('requests.make', 'clientRequests', id, undefined, { kind, text: text.slice(0, 200), day })
  return id
}

interface Missing {
  id: string
  day: string
  sumAgorot: number | null
  text: string
  account: string
}

/**
 * Money that left the bank and has nothing beside it in the books, and bills that usually come and did not;
 * of neither was it asked.
 */
export async function missing(
  ctx: Ctx,
  { from, to }: { from: Day; to: Day },
  only?: readonly string[],
): Promise<{ rows: Missing[]; bills: MissingBill[] }> {
  const { rows } =
    await sql<Missing>`select l.id, l.day, -l.amount_agorot as "sumAgorot", l.text, a.name as account
    from bank_lines l join bank_accounts a on a.company_id = l.company_id and a.id = l.bank_account_id
    where l.company_id = ${ctx.companyId} and l.amount_agorot < 0 and l.day between ${from}
      and ${to} ${only ? sql`and l.id = any(${[...only]}::uuid[])` : sql``}
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id)
      and not exists (select 1 from client_requests r where r.company_id = l.company_id
      and r.bank_line_id = l.id)
    order by l.day, l.position, l.id limit 500`.execute(ctx.tx)
  const bills = only ? [] : await missingBills(ctx, { from, to })
  const sumOf = <T extends { sumAgorot: number | null }>(row: T): T =>
    ctx.caller.hideTotalPrices ? { ...row, sumAgorot: null } : row
  return { rows: rows.map(sumOf), bills: bills.map(sumOf) }
}

const everySoManyMonths = { monthly: 1, twoMonthly: 2, quarterly: 3, yearly: 12 } as const
/**
 * Of a long time the newest months alone: whose bill did not come half a year ago was asked then, or sends
 * none any more.
 */
const mostMonths = 6
/** So many months back shows a rhythm of quarters. */
const lookBack = 10

/**
 * Bills that were to come in a period and did not: those somebody wrote down as returning, and of suppliers
 * of whom nothing was written down those that their rhythm lets one expect. A day that is not over yet is not
 * missed. One of a supplier for a month.
 */
async function missingBills(ctx: Ctx, { from, to }: { from: Day; to: Day }): Promise<MissingBill[]> {
  const last = [to, addDays(ctx.today, -1)].toSorted()[0]!
  const first = [from, startOfMonth(addMonths(last, 1 - mostMonths))].toSorted()[1]!
  if (first > last) return []
  const { rows: returning } = await sql<{
    supplierId: string
    awaited: Day | null
    lastDay: Day | null
    cycle: keyof typeof everySoManyMonths
    totalAgorot: number
  }>`select coalesce(p.merged_into, p.id) as "supplierId", awaited_day(r) as awaited, r.last_day as "lastDay",
      r.cycle, r.total_agorot as "totalAgorot"
    from recurring_expenses r join parties p on p.company_id = r.company_id and p.id = r.supplier_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null`.execute(ctx.tx)
  const { rows: came } = await sql<
    UsualBill & { supplierId: string }
  >`select distinct on (1, date_trunc('month', e.day))
      coalesce(p.merged_into, p.id) as "supplierId", e.day, e.ils_total_agorot as "totalAgorot"
    from expenses e join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where e.company_id = ${ctx.companyId} and e.day between ${startOfMonth(addMonths(first, -lookBack))}
      and ${endOfMonth(last)} and e.ils_total_agorot > 0
      and e.state not in ('rejected', 'cancelled') and e.source <> 'opening'
    order by 1, date_trunc('month', e.day), e.day desc, e.id desc`.execute(ctx.tx)
  const found = new Map<string, { supplierId: string; month: Day; day: Day; sumAgorot: number }>()
  const find = (supplierId: string, { day, totalAgorot }: UsualBill) => {
    const month = startOfMonth(day)
    const known = found.get(`${supplierId} ${month}`)
    if (day < first || day > last) return
    found.set(`${supplierId} ${month}`, {
      supplierId,
      month,
      day: known && known.day < day ? known.day : day,
      sumAgorot: (known?.sumAgorot ?? 0) + totalAgorot,
    })
  }
  for (const { supplierId, awaited, lastDay, cycle, totalAgorot } of returning)
    if (awaited)
      for (const day of awaitedDays(
        awaited,
        everySoManyMonths[cycle],
        lastDay && lastDay < last ? lastDay : last,
      ))
        find(supplierId, { day, totalAgorot })
  const written = new Set(returning.map(({ supplierId }) => supplierId))
  const bySupplier = new Map<string, UsualBill[]>()
  for (const { supplierId, ...bill } of came)
    if (!written.has(supplierId)) bySupplier.set(supplierId, [...(bySupplier.get(supplierId) ?? []), bill])
  for (const [supplierId, bills] of bySupplier)
    for (let month = startOfMonth(first); month <= last; month = addMonths(month, 1)) {
      const bill = billByRhythm(bills, month)
      if (bill) find(supplierId, bill)
    }
  if (!found.size) return []
  const all = [...found.values()]
  const { rows } = await sql<{
    supplierId: string
    month: Day
    name: string
  }>`select p.id as "supplierId", m.month, p.name
    from unnest(${all.map(({ supplierId }) => supplierId)}::uuid[], ${all.map(({ month }) => month)}::date[])
      m (supplier_id, month)
      join parties p on p.company_id = ${ctx.companyId} and p.id = m.supplier_id
    where p.archived_at is null and not exists (select 1 from client_requests r
    where r.company_id = p.company_id and r.supplier_id = p.id and r.month = m.month)
    order by m.month, p.name, p.id limit 500`.execute(ctx.tx)
  return rows.map(({ supplierId, month, name }) => ({
    ...found.get(`${supplierId} ${month}`)!,
    month: month.slice(0, 7),
    supplier: name,
  }))
}

/** Asks for the paper of each of these payments, and for each of these bills, once. */
export async function askMissing(
  ctx: Ctx,
  {
    lineIds,
    bills,
  }: { lineIds: readonly string[]; bills: readonly Pick<MissingBill, 'supplierId' | 'month'>[] },
): Promise<{ count: number }> {
  if (!lineIds.length && !bills.length) throw failField('lineIds', 'fields.need')
  let count = 0
  if (lineIds.length) {
    // As the books are now: what was matched meanwhile is not asked for. The sum goes into the request
    // the person who asks, for by it the paper is known.
    const whole = { ...ctx, caller: { ...ctx.caller, hideTotalPrices: false } }
    const { rows } = await missing(whole, { from: '1900-01-01', to: '2999-12-31' }, lineIds)
    for (const { id, day, sumAgorot, text } of rows)
      if (await makeOne(ctx, { kind: 'paper', text, day, sumAgorot, bankLineId: id })) count++
  }
  if (bills.length) {
    const { language } = await companyOf(ctx)
    for (const month of new Set(bills.map((bill) => bill.month))) {
      const first = `${month}-01`
      for (const { supplierId, supplier, day } of await missingBills(ctx, {
        from: first,
        to: endOfMonth(first),
      })) {
        if (!bills.some((one) => one.supplierId === supplierId && one.month === month)) continue
        const text = inWords(language, 'requests.billText', {
          supplier,
          month: `${month.slice(5)}/${month.slice(0, 4)}`,
        })
        // Known by its supplier and month: what it comes to, nobody knows yet.
        if (await makeOne(ctx, { kind: 'paper', text, day, usual: { supplierId, month: first } })) count++
      }
    }
  }
  return { count }
}

/** A word in a request: of the business it is an answer, of the person who asked it asks again. */
export async function say(
  ctx: Ctx,
  { id, text, byAsker }: { id: string; text: string; byAsker: boolean },
): Promise<void> {
  const { rows } = await sql<{
    state: string
  }>`select state from client_requests where company_id = ${ctx.companyId} and id = ${id} for update`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].state === 'accepted' || rows[0].state === 'dropped') throw fail('requests.ended')
  await sql`insert into client_request_words (company_id, id, request_id, user_id, text)
    values (${ctx.companyId}, ${newId()}, ${id}, ${ctx.caller.sessionId ? ctx.caller.userId : null},
      ${text})`.execute(ctx.tx)
  await sql`update client_requests set state = ${byAsker ? 'asked' : 'answered'}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('requests.say', 'clientRequests', id, undefined, { text: text.slice(0, 200) })
}

export async function end(
  ctx: Ctx,
  { id, as }: { id: string; as: 'accepted' | 'dropped' | 'asked' },
): Promise<{ done: true }> {
  const { rows } = await sql<{
    state: string
  }>`select state from client_requests where company_id = ${ctx.companyId} and id = ${id} for update`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  await sql`update client_requests set state = ${as}, by_itself = false, ended_at = case
      when ${as} = 'asked' then null else now() end, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('requests.end', 'clientRequests', id, { state: rows[0].state }, { state: as })
  return { done: true }
}

/** The person who asked does not see for the business. */
export async function seen(ctx: Ctx): Promise<{ done: true }> {
  await sql`update client_requests set state = 'seen', seen_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and state = 'asked'
    and (asked_by <> ${ctx.caller.userId} or ${!ctx.caller.sessionId})`.execute(ctx.tx)
  return { done: true }
}
