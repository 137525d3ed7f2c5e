import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say as words } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { addPaper } from '#features/purchases/capture/server/index.ts'
import type { requestKinds } from '../endpoints.ts'
import { say, seen } from './requests.ts'

const daysOfLink = 60

registerBusinessPage('/clientrequests', {
  owner: (key) => sql`select company_id from client_request_links where key = ${key} and ends_at > now()`,
  words: 'requests.pageFace',
  logo: (key) => `/api2/invoice/clientrequests/${key}/logo`,
})

const byKey = <T>(ctx: OpenCtx, key: string, work: (inside: Ctx) => Promise<T>): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
    }>`select company_id from client_request_links where key = ${key} and ends_at > ${ctx.now.toISOString()}`,
    (inside) => work(inside),
  )

/** The page of the business: the same link while it holds; mailed to the person who answers. */
export async function link(
  ctx: Ctx,
  { to, renew }: { to?: string | null | undefined; renew: boolean },
): Promise<{ url: string; endsAt: string }> {
  const { rows: open } = await sql`select 1 from client_requests where company_id = ${ctx.companyId}
        and state in ('asked', 'seen', 'answered') limit 1`.execute(ctx.tx)
  if (!open.length) throw fail('requests.nothingOpen')
  const endsAt = new Date(ctx.now.getTime() + daysOfLink * 86_400_000).toISOString()
  const { rows } = await sql<{
    key: string
    ends_at: string
  }>`insert into client_request_links as l (company_id, key, ends_at, made_by)
    values (${ctx.companyId}, ${newToken()}, ${endsAt}, ${ctx.caller.userId})
    on conflict (company_id) do update set ends_at = excluded.ends_at, made_by = excluded.made_by,
      key = case when ${renew} or l.ends_at <= ${ctx.now.toISOString()} then excluded.key else l.key end
      returning key, ends_at`.execute(ctx.tx)
  const url = `${siteOf(ctx.app)}/clientrequests/${rows[0]!.key}`
  if (to) {
    const company = await companyOf(ctx)
    const said = { business: company.name, name: ctx.caller.fullName, link: url }
    const messageId = newId()
    await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
      values (${ctx.companyId}, ${messageId}, 'accountant', 'mail', ${to},
        ${words(company.language, 'requests.mail.subject', said)},
        ${words(company.language, 'requests.mail.text', said)},
        ${ctx.caller.userId})`.execute(ctx.tx)
    await ctx.later('requests.mail', { messageId })
  }
  await ctx.audit('requests.link', 'companies', ctx.companyId, undefined, { to: to ?? null, renew })
  return { url, endsAt: rows[0]!.ends_at }
}

export const mailJob: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))

export async function dropLink(ctx: Ctx): Promise<{ done: true }> {
  await sql`delete from client_request_links where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('requests.dropLink', 'companies', ctx.companyId)
  return { done: true }
}

interface PageRow {
  id: string
  kind: (typeof requestKinds)[number]
  text: string
  day: string | null
  sumAgorot: number | null
  isAnswered: boolean
  answer: string | null
}

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside) => {
    await seen(inside)
    const company = await companyOf(inside)
    const { rows } = await sql<PageRow>`select r.id, r.kind, r.text, r.day, r.sum_agorot as "sumAgorot",
          r.state = 'answered' as "isAnswered",
        (select w.text from client_request_words w where w.company_id = r.company_id and w.request_id = r.id
        and w.user_id is null order by w.created_at desc, w.id desc limit 1) as answer
      from client_requests r where r.company_id = ${inside.companyId}
        and r.state in ('asked', 'seen', 'answered') and r.kind <> 'file'
      order by r.state = 'answered', coalesce(r.day, r.created_at::date), r.id limit 200`.execute(inside.tx)
    const { rows: by } = await sql<{
      name: string
    }>`select u.full_name as name from client_request_links l join users u on u.id = l.made_by
      where l.company_id = ${inside.companyId}`.execute(inside.tx)
    return { ...faceOf(company), language: company.language, askedBy: by[0]?.name ?? '', rows }
  })

export const answer = (ctx: OpenCtx, { key, id, text }: { key: string; id: string; text: string }) =>
  byKey(ctx, key, async (inside) => {
    await say(inside, { id, text, byAsker: false })
    return { done: true as const }
  })

/** The photograph of a telephone: a paper of the inbox, tied to what asked for it. */
export const paper = (
  ctx: OpenCtx,
  { key, id, name, bytes }: { key: string; id: string; name: string; bytes: Uint8Array },
) =>
  byKey(ctx, key, async (inside) => {
    const { rows } = await sql<{
      state: string
      text: string
    }>`select state, text from client_requests where company_id = ${inside.companyId} and id = ${id} for
      update`.execute(inside.tx)
    if (!rows[0]) throw fail('kit.notFound')
    if (rows[0].state === 'accepted' || rows[0].state === 'dropped') throw fail('requests.ended')
    const made = await addPaper(inside, { name, bytes, source: 'phone', note: rows[0].text })
    await sql`update client_requests set state = 'answered', paper_id = ${made.id}, updated_at = now()
      where company_id = ${inside.companyId} and id = ${id}`.execute(inside.tx)
    return { done: true as const }
  })

export const logo = (ctx: OpenCtx, { key }: { key: string }) => byKey(ctx, key, getLogo)
