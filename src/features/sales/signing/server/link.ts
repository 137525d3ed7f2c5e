import { sql } from 'kysely'
import { judge } from '#domain/leads/spam.ts'
import { fail } from '#kit/describe/errors.ts'
import { challengeFor, isProved, readChallenge, usualBits } from '#kit/server/http/challenge.ts'
import type { App, Ctx, Language, OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { loadTemplate, type StoredTemplate } from './load.ts'
import { ask } from './send.ts'

registerBusinessPage('/signpage', {
  owner: (key) => sql`select company_id from sign_templates where page_key = ${key} and archived_at is null`,
  words: 'signing.pageFace',
  logo: (key) => `/api2/invoice/signpage/${key}/logo`,
})

const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, t: StoredTemplate) => Promise<T>,
  lock = false,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from sign_templates where page_key = ${key} and archived_at is null`,
    async (inside, { id }) => work(inside, await loadTemplate(inside, id, lock)),
  )

async function usedBy(ctx: Ctx, templateId: string, email?: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from sign_requests r where r.company_id = ${ctx.companyId}
      and r.template_id = ${templateId}
    and r.from_open and r.state not in ('recalled', 'expired')
    and (${email ?? null}::text is null or exists (select 1 from sign_signers s
      where s.company_id = r.company_id and s.request_id = r.id and s.email = ${email ?? null}))`.execute(
    ctx.tx,
  )
  return rows[0]!.n
}

async function stateOf(ctx: Ctx, t: StoredTemplate): Promise<'open' | 'closed' | 'full'> {
  if (!t.isOpen || (t.until && t.until < ctx.today)) return 'closed'
  return t.most !== null && (await usedBy(ctx, t.id)) >= t.most ? 'full' : 'open'
}

const roleOf = (t: StoredTemplate) => t.roles.find(({ id }) => t.fields.some(({ role }) => role === id))

const pageOf = (key: string) => `signpage:${key}`

/** A browser has the hash on a safe page alone; where the installation has none, no work is asked. */
function bitsFor(app: App): number {
  const { protocol, hostname } = new URL(app.publicUrl())
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' ? usualBits : 0
}

export const link = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, t) => {
    const company = await companyOf(inside)
    const state = await stateOf(inside, t)
    const isShown = state !== 'closed'
    return {
      ...faceOf(company),
      language: company.language,
      name: isShown ? t.name : '',
      state,
      pages: isShown ? Math.max(1, ...t.fields.map(({ page }) => page)) : 0,
      role: isShown ? (roleOf(t)?.name ?? '') : '',
      needsCode: t.identity === 'code',
      challenge: challengeFor(ctx.app, pageOf(key), ctx.now, bitsFor(ctx.app)),
      bits: bitsFor(ctx.app),
    }
  })

export const linkLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

interface Beginner {
  key: string
  name: string
  email: string
  language: Language
  website: string
  challenge: string
  proof: string
}

/**
 * Refuses programs: submissions that fill hidden fields, are faster than a person, lack the proof of work, or look
 * like spam. The answer does not say which; a real person loses nothing, reads it and presses again.
 */
async function checkPerson(
  ctx: OpenCtx,
  { key, name, email, website, challenge, proof }: Beginner,
): Promise<void> {
  await throttle(ctx.app, pageOf(key), 300)
  const shown = readChallenge(ctx.app, pageOf(key), challenge, ctx.now)
  const { verdict } = judge(
    { name, email, phone: '', message: '', company: '' },
    {
      isTrapped: website !== '',
      seconds: shown?.seconds,
      isProved: isProved(shown, challenge, proof),
      isRepeated: false,
    },
  )
  if (verdict !== 'taken' || !shown) throw fail('signing.notPerson')
  await throttle(ctx.app, `${pageOf(key)}:${shown.nonce}`, 1)
}

/**
 * Creates a separate document: the limits are counted under the lock of the template, so that two at once cannot
 * both be the last.
 */
export async function begin(ctx: OpenCtx, given: Beginner): Promise<{ key: string }> {
  await checkPerson(ctx, given)
  const { key, name, email, language } = given
  return byKey(
    ctx,
    key,
    async (inside, t) => {
      const state = await stateOf(inside, t)
      const role = roleOf(t)
      if (state === 'closed' || !role) throw fail('signing.closed')
      if (state === 'full' || (await usedBy(inside, t.id, email)) >= t.each) throw fail('signing.full')
      const { keys } = await ask(inside, {
        name: t.name,
        fileId: t.fileId,
        roles: t.roles,
        fields: t.fields,
        template: { id: t.id, version: t.version },
        // The signer is on the page already: the link is emailed only with a reminder.
        signers: [{ role: role.id, name, email, language, identity: t.identity, channel: 'person' }],
        language,
        remindDays: [],
        fromOpen: true,
      })
      return { key: keys[0]! }
    },
    true,
  )
}
