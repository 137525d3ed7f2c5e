import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { requestKinds, RequestRow } from '../endpoints.ts'

const views = {
  open: sql`r.state in ('asked', 'seen')`,
  answered: sql`r.state = 'answered'`,
  ended: sql`r.state in ('accepted', 'dropped')`,
}

export async function list(ctx: Ctx, { view }: { view: keyof typeof views }) {
  const { rows } =
    await sql<RequestRow>`select r.id, r.kind, r.state, r.text, r.day, r.sum_agorot as "sumAgorot", r.about_path as "aboutPath",
      u.full_name as "askedBy", r.created_at as "createdAt", r.ended_at as "endedAt", r.by_itself as "byItself", r.paper_id as "paperId", r.expense_id as "expenseId",
      coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'by', wu.full_name, 'text', w.text, 'at', w.created_at) order by w.created_at, w.id)
        from client_request_words w left join users wu on wu.id = w.user_id where w.company_id = r.company_id and w.request_id = r.id), '[]') as words
    from client_requests r join users u on u.id = r.asked_by where r.company_id = ${ctx.companyId} and ${views[view]}
    order by ${view === 'ended' ? sql`r.ended_at desc` : sql`coalesce(r.day, r.created_at::date), r.created_at`}, r.id limit 300`.execute(
      ctx.tx,
    )
  const { rows: counts } = await sql<{
    open: number
    answered: number
  }>`select count(*) filter (where state in ('asked', 'seen'))::int as open,
    count(*) filter (where state = 'answered')::int as answered from client_requests where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return { rows: ctx.caller.hideTotalPrices ? rows.map(({ sumAgorot: _, ...row }) => row) : rows, counts: counts[0]! }
}

interface Made {
  kind: (typeof requestKinds)[number]
  text: string
  day?: string | null | undefined
  sumAgorot?: number | null | undefined
  aboutPath?: string
  bankLineId?: string
}

/** Asks once: of a line that was asked about nothing more is made. Answers the id, or nothing. */
export async function makeOne(ctx: Ctx, { kind, text, day, sumAgorot, aboutPath = '', bankLineId }: Made): Promise<string | undefined> {
  const id = newId()
  const { rows } = await sql`insert into client_requests (company_id, id, kind, text, bank_line_id, day, sum_agorot, about_path, asked_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${text}, ${bankLineId ?? null}, ${day ?? null}, ${sumAgorot ?? null}, ${aboutPath}, ${ctx.caller.userId})
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

/** Money that left the bank and has nothing beside it in the books. */
export async function missing(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  only?: readonly string[],
): Promise<{ rows: Missing[] }> {
  const { rows } = await sql<Missing>`select l.id, l.day, -l.amount_agorot as "sumAgorot", l.text, a.name as account
    from bank_lines l join bank_accounts a on a.company_id = l.company_id and a.id = l.bank_account_id
    where l.company_id = ${ctx.companyId} and l.amount_agorot < 0 and l.day between ${from} and ${to} ${only ? sql`and l.id = any(${[...only]}::uuid[])` : sql``}
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id)
      and not exists (select 1 from client_requests r where r.company_id = l.company_id and r.bank_line_id = l.id)
    order by l.day, l.position, l.id limit 500`.execute(ctx.tx)
  return { rows: ctx.caller.hideTotalPrices ? rows.map((row) => ({ ...row, sumAgorot: null })) : rows }
}

export async function askMissing(ctx: Ctx, { lineIds }: { lineIds: string[] }): Promise<{ count: number }> {
  // As the books are now: what was matched meanwhile is not asked for. The sum goes into the request whoever asks, for by it the paper is known.
  const { rows } = await missing(
    { ...ctx, caller: { ...ctx.caller, hideTotalPrices: false } },
    { from: '1900-01-01', to: '2999-12-31' },
    lineIds,
  )
  let count = 0
  for (const { id, day, sumAgorot, text } of rows) if (await makeOne(ctx, { kind: 'paper', text, day, sumAgorot, bankLineId: id })) count++
  return { count }
}

/** A word in a request: of the business it is an answer, of whoever asked it asks again. */
export async function say(ctx: Ctx, { id, text, byAsker }: { id: string; text: string; byAsker: boolean }): Promise<void> {
  const { rows } = await sql<{
    state: string
  }>`select state from client_requests where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].state === 'accepted' || rows[0].state === 'dropped') throw fail('requests.ended')
  await sql`insert into client_request_words (company_id, id, request_id, user_id, text)
    values (${ctx.companyId}, ${newId()}, ${id}, ${ctx.caller.sessionId ? ctx.caller.userId : null}, ${text})`.execute(ctx.tx)
  await sql`update client_requests set state = ${byAsker ? 'asked' : 'answered'}, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('requests.say', 'clientRequests', id, undefined, { text: text.slice(0, 200) })
}

export async function end(ctx: Ctx, { id, as }: { id: string; as: 'accepted' | 'dropped' | 'asked' }): Promise<{ done: true }> {
  const { rows } = await sql<{
    state: string
  }>`select state from client_requests where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await sql`update client_requests set state = ${as}, by_itself = false, ended_at = case when ${as} = 'asked' then null else now() end, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('requests.end', 'clientRequests', id, { state: rows[0].state }, { state: as })
  return { done: true }
}

/** Whoever asked does not see for the business. */
export async function seen(ctx: Ctx): Promise<{ done: true }> {
  await sql`update client_requests set state = 'seen', seen_at = now(), updated_at = now() where company_id = ${ctx.companyId} and state = 'asked'
    and (asked_by <> ${ctx.caller.userId} or ${!ctx.caller.sessionId})`.execute(ctx.tx)
  return { done: true }
}
