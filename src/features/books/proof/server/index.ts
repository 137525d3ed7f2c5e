import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { authorize } from '#kit/server/rights/authority.ts'
import { companyOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { missingEntries, postMissingEntries } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { checkEnds, checkSome, joinAll, startJoining, type Broken } from './chain.ts'

export { joinAll } from './chain.ts'
export { verifyBooks } from './verify.ts'

/** The chain holds the whole of the business, so the person who sees a part of it is shown none of it. */
const whole = (ctx: Ctx) => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

async function show(ctx: Ctx): Promise<calls.Proof> {
  whole(ctx)
  await joinAll(ctx.app, ctx.companyId)
  const { rows: months } = await sql<
    calls.Proof['months'][number]
  >`select m.month, m.records, encode(l.link, 'hex') as root
    from (select to_char(at at time zone 'Asia/Jerusalem', 'YYYY-MM') as month, count(*) as records,
      max(seq) as seq from chain_links
      where company_id = ${ctx.companyId} group by 1) m
    join chain_links l on l.company_id = ${ctx.companyId} and l.seq = m.seq order by m.month desc`.execute(
    ctx.tx,
  )
  const { rows } = await sql<{
    waiting: number
    seq: number
    at: string | null
    checked: number | null
    broken: number | null
  }>`select
      (select count(*) from chain_waiting where company_id = ${ctx.companyId}) as waiting,
      coalesce(h.seq, 0) as seq, h.checked_at as at,
      h.checked_seq as checked, h.broken_seq as broken
    from (select 1) one left join chain_heads h on h.company_id = ${ctx.companyId}`.execute(ctx.tx)
  const { waiting, seq, at, checked, broken } = rows[0]!
  return {
    records: seq,
    waiting,
    months,
    checked: at ? { at, records: checked ?? 0, ok: broken === null } : null,
  }
}

/** How a broken record is called, from what is left of it. */
async function named(tx: Tx, companyId: string, broken: Broken): Promise<calls.Checked['broken']> {
  const none = { type: null, number: null, day: null, reference: '' }
  if (!broken.recordId) return { ...broken, ...none }
  const { rows } =
    broken.kind === 'document'
      ? await sql<
          Partial<typeof none>
        >`select type, number, day from documents where company_id = ${companyId}
            and id = ${broken.recordId}`.execute(tx)
      : await sql<Partial<typeof none>>`select day, reference from entries where company_id = ${companyId}
            and id = ${broken.recordId}`.execute(tx)
  return { ...broken, ...none, ...rows[0] }
}

async function check(ctx: Ctx, { from }: { from: number }): Promise<calls.Checked> {
  whole(ctx)
  const { app, companyId } = ctx
  if (from === 0) await joinAll(app, companyId)
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      seq: number
    }>`select seq from chain_heads where company_id = ${companyId}`.execute(tx)
    const total = rows[0]?.seq ?? 0
    const stretch = await checkSome(tx, companyId, Math.min(from, total))
    const isEnd = !stretch.broken && (stretch.to >= total || stretch.to === from)
    const broken = stretch.broken ?? (isEnd ? await checkEnds(tx, companyId) : undefined)
    const done = isEnd || broken !== undefined
    if (done)
      await sql`update chain_heads set checked_at = now(), checked_seq = ${stretch.to},
          broken_seq = ${broken?.seq ?? null}
        where company_id = ${companyId}`.execute(tx)
    return { to: stretch.to, total, done, broken: broken ? await named(tx, companyId, broken) : null }
  })
}

async function send(ctx: Ctx, { month, recipient }: { month: string; recipient: string }) {
  const proof = await show(ctx)
  const one = proof.months.find((m) => m.month === month)
  if (!one) throw fail('proof.noMonth')
  const company = await companyOf(ctx)
  const words = {
    business: company.name,
    month: `${month.slice(5)}/${month.slice(0, 4)}`,
    records: one.records,
    root: one.root,
  }
  const { language } = ctx.caller
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
    values (${ctx.companyId}, ${messageId}, 'proof', 'mail', ${recipient},
      ${say(language, 'proof.mail.subject', words)},
      ${say(language, 'proof.mail.text', words)}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.later('proof.mail', { messageId })
  await ctx.audit('proof.send', 'proof', null, undefined, { month, recipient, root: one.root })
  return { messageId }
}

const mailRoot: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))

/** Issued documents without their entry, and whether the days they belong to are open. */
async function missing(ctx: Ctx): Promise<{ rows: calls.MissingRow[] }> {
  whole(ctx)
  const found = await missingEntries(ctx)
  if (!found.length) return { rows: [] }
  const periodOn = await vatPeriodsOf(ctx)
  const { rows: accounts } = await sql<{ id: string; number: string; name: string }>`select id, number, name
    from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const named = new Map(accounts.map((account) => [account.id, account]))
  const { rows: locked } = await sql<{ from: string; to: string }>`select from_day as from, to_day as to
    from locked_periods where company_id = ${ctx.companyId} and reopened_at is null`.execute(ctx.tx)
  return {
    rows: found.map(({ entries, ...one }) => ({
      ...one,
      period: periodOn(one.day),
      isLocked: locked.some(({ from, to }) => from <= one.day && one.day <= to),
      lines: entries
        .flatMap(({ postings }) => postings)
        .map(({ account, debit, credit }) => ({
          number: named.get(account)?.number ?? '',
          account: named.get(account)?.name ?? '',
          amountAgorot: debit - credit,
        })),
    })),
  }
}

async function postThem(
  ctx: Ctx,
  { documentIds, reason }: { documentIds: string[]; reason: string },
): Promise<{ posted: number }> {
  whole(ctx)
  await authorize(ctx, 'post', { agorot: 0 })
  return { posted: (await postMissingEntries(ctx, documentIds, reason)).length }
}

export const implementations = [
  implement(calls.listMissing, missing),
  implement(calls.postMissing, postThem),
  implement(calls.showProof, show),
  implement(calls.checkProof, check),
  implement(calls.sendRoot, send),
]

export const jobs: Record<string, Job> = { 'proof.mail': mailRoot }

export const start = (app: App): Promise<() => Promise<void>> => Promise.resolve(startJoining(app))

export const machines: Machines = {
  'proof.mail': { completes: 'a letter that a call queued within the rights of its caller' },
  'timer chain.ts': { inside: 'joins what was issued to the chain' },
}
