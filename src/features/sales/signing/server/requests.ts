import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import type { RequestAnswer } from '../endpoints.ts'
import { act, actsOf } from './acts.ts'
import { invite } from './invite.ts'
import { fileNameOf, requestFor, sealedOf, signersOf, signerUrl } from './load.ts'
import { end } from './sign.ts'

const going = (state: string): boolean => state === 'sent' || state === 'inProgress'

export async function wholeRequest(ctx: Ctx, { id }: { id: string }): Promise<RequestAnswer> {
  const r = await requestFor(ctx, id)
  const signers = await signersOf(ctx, id)
  const acts = await actsOf(ctx, id)
  const { rows } = await sql<{
    sha256: Buffer
    stamped: boolean
  }>`select sha256, stamped from sign_sealed where company_id = ${ctx.companyId} and request_id = ${id}
    order by no desc limit 1`.execute(ctx.tx)
  const { rows: customers } = await sql<{
    id: string
    name: string
  }>`select id, name from parties where company_id = ${ctx.companyId} and id = ${r.customerId}`.execute(
    ctx.tx,
  )
  const names = new Map(signers.map((one) => [one.id, one.name]))
  // Who has a link signs as its owner: it is for those who may send, and of a code or log-in no more than the
  // way to it.
  const mayLink = can(ctx.caller, 'signing.send') && going(r.state) && !ctx.caller.hideTotalPrices
  return {
    id,
    name: r.name,
    state: r.state,
    mode: r.mode,
    message: r.message,
    templateId: r.templateId,
    version: r.version,
    customer: customers[0] ?? null,
    sender: r.sender,
    sentAt: r.sentAt,
    expiresAt: r.expiresAt,
    endedAt: r.endedAt,
    reason: r.reason,
    isLate: going(r.state) && r.reminded > 0,
    hasFile: r.state === 'done' && rows.length > 0 && !ctx.caller.hideTotalPrices,
    sha256: rows[0]?.sha256.toString('hex') ?? null,
    stamped: rows[0]?.stamped ?? false,
    signers: signers.map((s) => ({
      id: s.id,
      role: s.role,
      roleName: s.roleName,
      order: s.order,
      name: s.name,
      email: s.email,
      phone: s.phone,
      identity: s.identity,
      state: s.state,
      sentAt: s.sentAt,
      openedAt: s.openedAt,
      signedAt: s.signedAt,
      url: mayLink && s.state === 'open' ? signerUrl(ctx, s.pageKey) : null,
    })),
    copies: r.copies,
    acts: acts.map((one) => ({
      no: one.no,
      kind: one.kind,
      who: one.signerId ? (names.get(one.signerId) ?? null) : null,
      at: one.at,
      address: one.address,
      hash: one.hash.toString('hex'),
    })),
  }
}

export async function recall(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<{ done: true }> {
  const r = await requestFor(ctx, id, true)
  if (!going(r.state)) throw fail('signing.hasEnded')
  await act(ctx, r, { kind: 'recalled', detail: { reason, by: ctx.caller.fullName } })
  await end(ctx, r, 'recalled', reason)
  await ctx.audit('signRequests.recall', 'signRequests', id, undefined, { name: r.name, reason })
  return { done: true }
}

export async function remind(ctx: Ctx, { id }: { id: string }): Promise<{ reminded: number }> {
  const r = await requestFor(ctx, id, true)
  if (!going(r.state)) throw fail('signing.hasEnded')
  let reminded = 0
  for (const s of await signersOf(ctx, id))
    if (s.state === 'open' && (await invite(ctx, id, s.id, 'remind'))) {
      await act(ctx, r, { kind: 'reminded', signerId: s.id })
      reminded++
    }
  if (!reminded) throw fail('signing.noWay')
  await ctx.audit('signRequests.remind', 'signRequests', id, undefined, { reminded })
  return { reminded }
}

export async function requestPdf(ctx: Ctx, { id }: { id: string }): Promise<FileAnswer> {
  // A signed paper is nothing but what it says, its figures too.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const r = await requestFor(ctx, id)
  const sealed = r.state === 'done' ? await sealedOf(ctx, id) : undefined
  if (!sealed) throw fail('signing.notSealed')
  return { bytes: sealed.bytes, mime: 'application/pdf', name: fileNameOf(r.name), inline: true }
}

/** What the tile of the first page says. */
export async function home(
  ctx: Ctx,
): Promise<{ waiting: number; late: number; declined: number; done: number }> {
  const mine = can(ctx.caller, 'signing.all') ? sql`true` : sql`sent_by = ${ctx.caller.userId}`
  const { rows } = await sql<{ waiting: number; late: number; declined: number; done: number }>`select
      count(*) filter (where state in ('sent', 'inProgress'))::int as waiting,
      count(*) filter (where state in ('sent', 'inProgress') and reminded > 0)::int as late,
      count(*) filter (where state = 'declined' and ended_at > ${ctx.now.toISOString()}::timestamptz -
      interval '30 days')::int as declined,
      count(*) filter
      (where state = 'done' and (ended_at at time zone 'Asia/Jerusalem')::date > ${ctx.today}::date - 7)::int
      as done
    from sign_requests where company_id = ${ctx.companyId} and ${mine}`.execute(ctx.tx)
  return rows[0]!
}
