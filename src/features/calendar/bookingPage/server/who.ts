import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { countTry, throttle } from '#kit/server/http/throttle.ts'
import { say } from '#kit/server/words.ts'
import { smsDoor } from '#features/base/sms/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'

export interface PageRow {
  company_id: string
  key: string
  is_on: boolean
  welcome: string
  sites: string[]
  new_people: boolean
}

export const pageOfKey = (ctx: OpenCtx, key: string): Promise<PageRow> =>
  rowOfKey(
    ctx,
    sql<PageRow>`select company_id, key, is_on, welcome, sites, new_people from booking_pages
      where key = ${key} and is_on`,
  )

const minutes = 10
const tries = 5
const tokenDays = 60

registerSweep((db) => sql`delete from booking_codes where expires_at < now() - interval '1 day'`.execute(db))

const hashOf = (app: App, id: string, code: string): Buffer =>
  createHmac('sha256', app.secrets.mac).update(`bookingcode:${id}:${code}`).digest()

/** Sends a code to a phone; the answer does not reveal whether anybody here has that phone. */
export async function sendCode(
  ctx: OpenCtx,
  { key, phone, name, lang }: { key: string; phone: string; name: string; lang?: Language | undefined },
): Promise<{ codeId: string }> {
  const page = await pageOfKey(ctx, key)
  const to = israeliMobile(phone)
  if (!to) throw failField('phone', 'fields.phone')
  await throttle(ctx.app, `bookingcode:${page.company_id}:${to}`, 4)
  await throttle(ctx.app, `bookingcode:${ctx.address}`, 12)
  const id = newId()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  // The gateway is called when nothing is held any more: a slow one must not keep a connection.
  const { door, text } = await insideOf(ctx, page.company_id, async (inside) => {
    const company = await companyOf(inside)
    await sql`insert into booking_codes (company_id, id, phone, name, code_hash, expires_at)
      values (${inside.companyId}, ${id}, ${to}, ${name}, ${hashOf(ctx.app, id, code)},
        ${new Date(inside.now.getTime() + minutes * 60_000).toISOString()})`.execute(inside.tx)
    return {
      door: await smsDoor(inside),
      text: say(lang ?? (company.language as Language), 'bookingPage.sms', {
        business: company.name,
        code,
      }).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    }
  })
  await door.send(to, text)
  return { codeId: id }
}

const sign = (app: App, text: string): string =>
  createHmac('sha256', app.secrets.mac).update(`bookingtoken:${text}`).digest('base64url')

/** What a browser keeps: for whom, of which business, until when; signed. */
const tokenFor = (app: App, companyId: string, customerId: string, now: Date): string => {
  const text = `${companyId}.${customerId}.${Math.floor(now.getTime() / 1000) + tokenDays * 86_400}`
  return `${text}.${sign(app, text)}`
}

export async function verify(
  ctx: OpenCtx,
  { key, codeId, code, name }: { key: string; codeId: string; code: string; name: string },
): Promise<{ token: string; name: string }> {
  const page = await pageOfKey(ctx, key)
  await throttle(ctx.app, `bookingverify:${ctx.address}`, 40)
  const row = await countTry<{ phone: string; name: string; code_hash: Buffer }>(ctx.app, 'booking_codes', {
    where: sql`company_id = ${page.company_id} and id = ${codeId} and used_at is null
      and expires_at >= ${ctx.now}`,
    most: tries,
    columns: sql`phone, name, code_hash`,
  })
  if (!row) throw fail('bookingPage.codeEnded')
  if (!timingSafeEqual(row.code_hash, hashOf(ctx.app, codeId, code)))
    throw failField('code', 'bookingPage.wrongCode')
  return insideOf(ctx, page.company_id, async (inside) => {
    const { rows: used } =
      await sql`update booking_codes set used_at = now() where company_id = ${inside.companyId}
          and id = ${codeId} and used_at is null returning id`.execute(inside.tx)
    if (!used.length) throw fail('bookingPage.codeEnded')
    const digits = row.phone.replace(/\D/g, '')
    const { rows } = await sql<{
      id: string
      name: string
    }>`select id, name from parties where company_id = ${inside.companyId} and role = 'customer'
        and archived_at is null and merged_into is null
      and (mobile_key = phone_digits(${digits}) or phone_key = phone_digits(${digits}))
      order by created_at, id limit 1`.execute(inside.tx)
    if (rows[0]) return { token: tokenFor(ctx.app, page.company_id, rows[0].id, ctx.now), name: rows[0].name }
    if (!page.new_people) throw fail('bookingPage.unknown')
    const called = name || row.name
    if (!called) throw failField('name', 'fields.need')
    const made = await createCustomer(inside, { name: called, mobile: row.phone })
    return { token: tokenFor(ctx.app, page.company_id, made.id, ctx.now), name: called }
  })
}

/** The customer whose token it is; of another business, changed or old, it is none. */
export async function customerOf(ctx: Ctx, token: string): Promise<{ id: string; name: string }> {
  const [companyId = '', customerId = '', until = '', signature = ''] = token.split('.')
  const wanted = Buffer.from(sign(ctx.app, `${companyId}.${customerId}.${until}`))
  const given = Buffer.from(signature)
  if (
    companyId !== ctx.companyId ||
    wanted.length !== given.length ||
    !timingSafeEqual(wanted, given) ||
    Number(until) * 1000 < ctx.now.getTime()
  )
    throw fail('bookingPage.logInAgain')
  const { rows } = await sql<{
    id: string
    name: string
  }>`select w.id, w.name from parties p join parties w on w.company_id = p.company_id
      and w.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.id = ${customerId} and w.archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('bookingPage.logInAgain')
  return rows[0]
}
