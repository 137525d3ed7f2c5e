import { sql } from 'kysely'
import { judge } from '#domain/leads/spam.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { challengeFor, isProved, readChallenge, usualBits } from '#kit/server/http/challenge.ts'
import type { Ctx, Language, OpenCtx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { registerMailbox } from '#kit/server/outside/mailboxes.ts'
import { insideOf, openPage, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { writerOf } from '#features/people/contacts/server/index.ts'
import type { LeadIntake } from '../endpoints.ts'
import type { KindField } from '../leads.ts'
import { facebookDoor } from './facebook/index.ts'
import { script } from './formScript.ts'
import { makeOrAdd, takeIn, ways, type Given, type Source } from './intake.ts'
import { kindsOf } from './stages.ts'

/** While many come by one source, each is asked for more. */
const busyBits = 15
const busy = 60

type SourceRow = Source & { company_id: string; thanks: string; is_on: boolean }

const questionOf = (
  key: string,
) => sql<SourceRow>`select company_id, id, name, channel, campaign, kind_id, owner_id, thanks, is_on
  from lead_sources
  where key = ${key} and is_on and archived_at is null`

const pageKinds = ['form', 'link']

async function openSource(ctx: OpenCtx, key: string, channels: readonly string[]): Promise<SourceRow> {
  const source = await rowOfKey(ctx, questionOf(key))
  if (!channels.includes(source.channel)) throw fail('kit.notFound')
  return source
}

const pageOf = (key: string) => `leadform:${key}`

const formWords = [
  'name',
  'phone',
  'email',
  'message',
  'send',
  'sending',
  'failed',
  'needName',
  'needReach',
] as const

/** What a form shows, in the language it asks for. */
export async function formPage(ctx: OpenCtx, { key, lang }: { key: string; lang?: string | undefined }) {
  const source = await openSource(ctx, key, pageKinds)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from lead_intakes where company_id = ${source.company_id}
      and source_id = ${source.id} and at > now() - interval '1 hour'`.execute(ctx.tx)
  const bits = rows[0]!.n > busy ? busyBits : usualBits
  return insideOf(ctx, source.company_id, async (inside) => {
    const company = await companyOf(inside)
    const language =
      (['he', 'en', 'ar', 'ru', 'fr'] as const).find((one) => one === lang) ?? (company.language as Language)
    const fields = source.kind_id
      ? ((await kindsOf(inside)).find(({ id }) => id === source.kind_id)?.fields ?? [])
      : []
    return {
      ...faceOf(company),
      language,
      fields: fields as (KindField & { id: string })[],
      challenge: challengeFor(ctx.app, pageOf(key), ctx.now, bits),
      bits,
      words: Object.fromEntries(formWords.map((word) => [word, say(language, `leads.form.${word}`)])),
    }
  })
}

interface Sent extends Given {
  key: string
  website: string
  challenge: string
  proof: string
}

/**
 * Accepts a submitted form. A suspicious sender gets the same answer as everybody else, so that the answer does not
 * reveal what was suspicious.
 */
export async function sendForm(
  ctx: OpenCtx,
  { key, website, challenge, proof, ...given }: Sent,
): Promise<{ thanks: string }> {
  const source = await openSource(ctx, key, pageKinds)
  await throttle(ctx.app, `leadsource:${source.id}`, 600)
  const reach = ways(given)
  if (!reach.phone && !reach.email) throw failField('phone', 'fields.phone')
  return insideOf(ctx, source.company_id, async (inside) => {
    const shown = readChallenge(ctx.app, pageOf(key), challenge, ctx.now)
    const { rows } = await sql`select 1 from lead_intakes where company_id = ${source.company_id}
          and at > now() - interval '1 day' and length(given->>'message') > 30
      and given->>'message' = ${given.message} and (given->>'email') is distinct from ${given.email}
      limit 1`.execute(inside.tx)
    const { verdict, doubts } = judge(given, {
      isTrapped: website !== '',
      seconds: shown?.seconds,
      isProved: isProved(shown, challenge, proof),
      isRepeated: rows.length > 0,
    })
    await takeIn(inside, source, given, {
      externalId: shown?.nonce,
      address: ctx.address,
      state: verdict,
      doubts,
    })
    const { language } = await companyOf(inside)
    return { thanks: source.thanks || say(language, 'leads.form.thanks') }
  })
}

export async function formScript(ctx: OpenCtx, { key }: { key: string }) {
  await openSource(ctx, key, pageKinds)
  return {
    bytes: Buffer.from(script(`${ctx.app.publicUrl()}/api2/invoice/leadform/${key}`)),
    mime: 'text/javascript; charset=utf-8',
    name: 'form.js',
    inline: true,
  }
}

export const formLogo = (ctx: OpenCtx, { key }: { key: string }) => openPage(ctx, questionOf(key), getLogo)

export async function bring(
  ctx: OpenCtx,
  { key, externalId, ...given }: Given & { key: string; externalId?: string | undefined },
) {
  const source = await openSource(ctx, key, ['api'])
  const reach = ways(given)
  if (given.phone && !reach.phone) throw failField('phone', 'fields.phone')
  if (given.email && !reach.email) throw failField('email', 'fields.email')
  if (!reach.phone && !reach.email) throw failField('phone', 'fields.need')
  return insideOf(ctx, source.company_id, async (inside) => {
    const { leadId, isNew } = await takeIn(inside, source, given, {
      externalId,
      address: ctx.address,
      state: 'taken',
      doubts: [],
    })
    return { leadId, isNew }
  })
}

export async function door(ctx: Ctx, { id }: { id: string }) {
  const { rows } = await sql<{
    channel: Source['channel']
    key: string
    facebook: Buffer | null
  }>`select channel, key, facebook_sealed as facebook from lead_sources where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  const [of] = rows
  if (!of) throw fail('kit.notFound')
  const site = ctx.app.publicUrl()
  const { mailIn } = ctx.app.settings
  return {
    channel: of.channel,
    key: of.key,
    pageUrl: `${site}/leadform/${of.key}`,
    scriptUrl: `${site}/api2/invoice/leadform/${of.key}/form.js`,
    apiUrl: `${site}/api2/invoice/leadintake/${of.key}`,
    mail: of.channel === 'mail' ? `${of.key}@${mailIn.domain}` : null,
    receiving: mailIn.port !== undefined,
    facebook: of.channel === 'facebook' ? facebookDoor(ctx.app, of.key, of.facebook) : null,
  }
}

export async function renewDoor(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`update lead_sources set key = new_door_key(), updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id} returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('leadSources.renew', 'leadSources', id)
}

registerMailbox({
  companyOf: async (app, token) => {
    const { rows } = await sql<{
      id: string
    }>`select company_id as id from lead_sources where key = ${token} and channel = 'mail' and is_on
        and archived_at is null`.execute(app.db.kysely)
    return rows[0]?.id
  },
  take: async (ctx, token, letter) => {
    const { rows } = await questionOf(token).execute(ctx.tx)
    const writer = await writerOf(ctx, letter)
    if (!rows[0]) return
    const given: Given = {
      name: writer.name || writer.address,
      phone: /(?:\+972|0)[\d\s-]{8,13}\d/.exec(letter.text)?.[0] ?? '',
      email: writer.address,
      company: '',
      city: '',
      message: [letter.subject, letter.text].filter(Boolean).join('\n\n'),
      campaign: '',
      own: {},
    }
    // A letter has no trap and does no work; what its words give away is weighed all the same.
    const { verdict, doubts } = judge(given, {
      isTrapped: false,
      seconds: 60,
      isProved: true,
      isRepeated: false,
    })
    await takeIn(ctx, rows[0], given, {
      externalId: letter.messageId?.slice(0, 200),
      address: letter.from.address.slice(0, 100),
      state: verdict === 'taken' ? 'taken' : 'toCheck',
      doubts,
    })
  },
})

registerBusinessPage('/leadform', {
  owner: (key) =>
    sql`select company_id from lead_sources where key = ${key} and is_on and archived_at is null
        and channel in ('form', 'link')`,
  words: 'leads.pageFace',
  logo: (key) => `/api2/invoice/leadform/${key}/logo`,
})

const page = 40

export async function intakes(
  ctx: Ctx,
  { state, cursor }: { state: LeadIntake['state']; cursor?: string | undefined },
) {
  const [at, last] = momentCursor(cursor)
  const { rows } = await sql<LeadIntake>`select i.id, i.at, s.name as source, i.given->>'name' as name,
        i.given->>'phone' as phone, i.given->>'email' as email, left(i.given->>'message', 1000) as message,
      i.doubts, i.state, i.lead_id as "leadId" from lead_intakes i
      join lead_sources s on s.company_id = i.company_id and s.id = i.source_id
    where i.company_id = ${ctx.companyId} and i.state = ${state}
      and (i.at, i.id) < (${at}::timestamptz, ${last}::uuid) order by i.at desc, i.id desc
      limit ${page + 1}`.execute(ctx.tx)
  const { rows: counts } = await sql<{
    n: number
  }>`select count(*)::int as n from lead_intakes where company_id = ${ctx.companyId}
      and state = 'toCheck'`.execute(ctx.tx)
  const end = rows.slice(0, page).at(-1)
  return {
    rows: rows.slice(0, page),
    nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null,
    toCheck: counts[0]!.n,
  }
}

/**
 * A person decided whether the submission is a lead. One that was dropped automatically may be restored as well.
 */
export async function decide(
  ctx: Ctx,
  { id, take }: { id: string; take: boolean },
): Promise<{ leadId: string | null }> {
  const { rows } = await sql<{
    state: string
    given: Given
    source_id: string
  }>`select state, given, source_id from lead_intakes where company_id = ${ctx.companyId} and id = ${id} for
    update`.execute(ctx.tx)
  const [of] = rows
  if (!of) throw fail('kit.notFound')
  if (of.state === 'taken' || (of.state === 'dropped' && !take)) throw fail('leads.decided')
  await ctx.audit('leads.decide', 'leadIntakes', id, undefined, { take })
  if (!take) {
    await sql`update lead_intakes set state = 'dropped' where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
    return { leadId: null }
  }
  const { rows: sources } =
    await sql<Source>`select id, name, channel, campaign, kind_id, owner_id from lead_sources
      where company_id = ${ctx.companyId} and id = ${of.source_id}`.execute(ctx.tx)
  const { leadId } = await makeOrAdd(ctx, sources[0]!, of.given, id)
  return { leadId }
}
