import { randomInt, createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { israeliMobile } from '#domain/phone.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued, mailFace, mailAfterCommit } from '#kit/server/outside/mail.ts'
import { refuseWhereDelayed } from '#kit/server/outside/mailLimit.ts'
import { countTry } from '#kit/server/http/throttle.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { deliverSms, smsDoor } from '#features/base/sms/server/index.ts'
import {
  fileNameOf,
  loadRequest,
  sealedOf,
  signersOf,
  signerUrl,
  type StoredRequest,
  type StoredSigner,
} from './load.ts'

type Kind = 'invite' | 'remind'

interface Letter {
  channel: 'mail' | 'sms'
  to: string
  subject: string
  body: string
  signerId: string | null
  customerId: string | null
}

async function keep(ctx: Ctx, { channel, to, subject, body, signerId, customerId }: Letter): Promise<string> {
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      signer_id, created_by)
    values (${ctx.companyId}, ${id}, 'signing', ${channel}, ${to}, ${subject}, ${body}, ${customerId},
      ${signerId}, ${ctx.caller.userId})`.execute(ctx.tx)
  return id
}

const wordsFor = async (ctx: Ctx, r: StoredRequest, s: StoredSigner) => ({
  name: r.name,
  business: (await companyOf(ctx)).name,
  signer: s.name,
  sender: r.sender ?? '',
  message: r.message,
  day: formatDay(dayInJerusalem(new Date(new Date(r.expiresAt).getTime() - 1))),
  link: signerUrl(ctx, s.pageKey),
})

/**
 * Writes to a signer whose turn it is, by mail or text message; who signs here or is written to by hand gets
 * nothing. Says whether somebody was written to.
 */
export async function invite(ctx: Ctx, requestId: string, signerId: string, kind: Kind): Promise<boolean> {
  const r = await loadRequest(ctx, requestId)
  const s = (await signersOf(ctx, requestId)).find(({ id }) => id === signerId)!
  const { rows } = await sql<{
    channel: 'mail' | 'sms' | 'whatsapp' | 'person'
  }>`select channel from sign_signers
    where company_id = ${ctx.companyId} and id = ${signerId}`.execute(ctx.tx)
  const { channel } = rows[0]!
  if (channel === 'whatsapp' || channel === 'person') return false
  const words = await wordsFor(ctx, r, s)
  const subject = say(s.language, `signing.mail.${kind}.subject`, words)
  const to = channel === 'sms' ? israeliMobile(s.phone ?? '') : s.email
  if (!to) return false
  const body =
    channel === 'sms'
      ? say(s.language, `signing.sms.${kind}`, words)
      : say(s.language, `signing.mail.${kind}.${r.message ? 'withMessage' : 'text'}`, words)
  const messageId = await keep(ctx, { channel, to, subject, body, signerId, customerId: r.customerId })
  await ctx.later(channel === 'sms' ? 'signing.sms' : 'signing.mail', { messageId })
  return true
}

export const mailSigner: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))

export const smsSigner: Job = (ctx, { messageId }, isLast) => deliverSms(ctx, String(messageId), isLast)

/**
 * The sealed file to all who signed and to those who get a copy: asked only when it lies there and was looked
 * at.
 */
export async function sendSealed(ctx: Ctx, r: StoredRequest): Promise<void> {
  const company = await companyOf(ctx)
  const signers = await signersOf(ctx, r.id)
  const to = new Map<string, { name: string; language: StoredSigner['language']; signerId: string | null }>()
  for (const s of signers)
    if (s.state === 'signed' && s.email)
      to.set(s.email, { name: s.name, language: s.language, signerId: s.id })
  for (const copy of r.copies)
    if (!to.has(copy.email))
      to.set(copy.email, { name: copy.name || copy.email, language: r.language, signerId: null })
  for (const [email, { name, language, signerId }] of to) {
    const words = { name: r.name, business: company.name, signer: name }
    const messageId = await keep(ctx, {
      channel: 'mail',
      to: email,
      subject: say(language, 'signing.mail.done.subject', words),
      body: say(language, 'signing.mail.done.text', words),
      signerId,
      customerId: r.customerId,
    })
    await ctx.later('signing.mailSealed', { messageId, requestId: r.id })
  }
}

export const mailSealed: Job = (ctx, { messageId, requestId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const sealed = await sealedOf(ctx, String(requestId))
    const r = await loadRequest(ctx, String(requestId))
    return {
      from: await companyOf(ctx),
      ...(sealed
        ? {
            attachments: [
              { filename: fileNameOf(r.name), content: sealed.bytes, contentType: 'application/pdf' },
            ],
          }
        : {}),
    }
  })

const codeMinutes = 10
const codeTries = 5

const hashOf = (ctx: Ctx, signerId: string, code: string): Buffer =>
  createHmac('sha256', ctx.app.secrets.mac).update(`${signerId}:${code}`).digest()

/** The phone comes before the mail: the link itself went by mail more often. */
export const codeWay = (s: StoredSigner): { channel: 'sms' | 'mail'; to: string } | undefined => {
  const mobile = s.phone ? israeliMobile(s.phone) : undefined
  if (mobile) return { channel: 'sms', to: mobile }
  return s.email ? { channel: 'mail', to: s.email } : undefined
}

/** '050-•••-0142', 'd•••@example.com': enough to know it by, and not to learn it. */
export const hidden = ({ channel, to }: { channel: 'sms' | 'mail'; to: string }): string =>
  channel === 'sms'
    ? `${to.slice(0, 3)}-•••-${to.slice(-4)}`
    : `${to.slice(0, 1)}•••${to.slice(to.indexOf('@'))}`

/**
 * Makes a code and has it sent; the newest is the one that counts. What waits to be sent is locked: no table
 * shows a code.
 */
export async function makeCode(ctx: Ctx, s: StoredSigner): Promise<void> {
  const way = codeWay(s)
  if (way?.channel === 'mail') await refuseWhereDelayed(ctx.app, ctx.companyId, way.to)
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  await sql`update sign_codes set expires_at = ${ctx.now.toISOString()} where company_id = ${ctx.companyId}
      and signer_id = ${s.id} and expires_at > ${ctx.now.toISOString()}`.execute(ctx.tx)
  await sql`insert into sign_codes (company_id, signer_id, id, code_hash, expires_at)
    values (${ctx.companyId}, ${s.id}, ${newId()}, ${hashOf(ctx, s.id, code)},
      ${new Date(ctx.now.getTime() + codeMinutes * 60_000).toISOString()})`.execute(ctx.tx)
  await ctx.later('signing.code', {
    signerId: s.id,
    requestId: s.requestId,
    locked: encrypt(ctx.app.secrets.vault, Buffer.from(code)).toString('base64'),
  })
}

interface TriedCode {
  id: string
  hash: Buffer
  tries: number
}

/** Counts a try at the code that was sent last; undefined when it has ended or its tries are used up. */
export const countCodeTry = (
  { app, now }: Pick<Ctx, 'app' | 'now'>,
  companyId: string,
  signerId: string,
): Promise<TriedCode | undefined> =>
  countTry<TriedCode>(app, 'sign_codes', {
    where: sql`company_id = ${companyId} and id = (select id from sign_codes
      where company_id = ${companyId} and signer_id = ${signerId} and used_at is null
        and expires_at > ${now.toISOString()} order by created_at desc limit 1)`,
    most: codeTries,
    columns: sql`id, code_hash as hash, tries`,
  })

/** Whether a code is the one that was sent, after its try was counted; a right one is used up. */
export async function checkCode(
  ctx: Ctx,
  s: StoredSigner,
  code: string,
  tried: TriedCode | undefined,
): Promise<'right' | 'wrong' | 'ended'> {
  if (!tried) return 'ended'
  if (!timingSafeEqual(tried.hash, hashOf(ctx, s.id, code.replace(/\D/g, ''))))
    return tried.tries >= codeTries ? 'ended' : 'wrong'
  const { rows } = await sql`update sign_codes set used_at = ${ctx.now.toISOString()}
    where company_id = ${ctx.companyId} and signer_id = ${s.id} and id = ${tried.id}
      and used_at is null returning 1`.execute(ctx.tx)
  return rows.length ? 'right' : 'ended'
}

export const sendCode: Job = async (ctx, { signerId, requestId, locked }) => {
  const s = (await signersOf(ctx, String(requestId))).find(({ id }) => id === signerId)
  const way = s && codeWay(s)
  if (!s || !way) return
  // One that was delayed until it ended opens nothing.
  const { rows: live } = await sql`select 1 from sign_codes where company_id = ${ctx.companyId}
    and signer_id = ${s.id} and used_at is null and expires_at > ${ctx.now.toISOString()} limit 1`.execute(
    ctx.tx,
  )
  if (!live.length) return
  const code = decrypt(ctx.app.secrets.vault, Buffer.from(String(locked), 'base64')).toString()
  const company = await companyOf(ctx)
  const words = { code, business: company.name, minutes: String(codeMinutes) }
  if (way.channel === 'sms') {
    const door = await smsDoor(ctx)
    ctx.afterCommit!(async () => void (await door.send(way.to, say(s.language, 'signing.code.sms', words))))
  } else
    mailAfterCommit(ctx, {
      to: way.to,
      subject: say(s.language, 'signing.code.subject', words),
      text: say(s.language, 'signing.code.text', words),
      fromName: company.name,
      language: s.language,
      ...(await mailFace(ctx)),
    })
}
