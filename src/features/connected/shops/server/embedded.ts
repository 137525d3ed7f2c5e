import { createHash } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type OpenCtx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { ShopCheck } from '../endpoints.ts'
import { startSettings, type ShopSettings } from '../shops.ts'
import { readWixInstance } from './doors/wix.ts'
import { shopifySession } from './doors/shopify.ts'
import { changeShop } from './keep.ts'
import { probeShop } from './probe.ts'
import { shopOf, type ShopRow } from './engine/rows.ts'

const instanceLives = 24 * 3_600_000

const passKey = ({ secrets }: App): Uint8Array =>
  createHash('sha256').update('pass of an embedded page').update(secrets.mac).digest()

/** The shop that Shopify or Wix says this person owns; nothing is believed that they did not sign. */
export async function openEmbedded(
  ctx: OpenCtx,
  { kind, token }: { kind: 'shopify' | 'wix'; token: string },
) {
  const app = ctx.app.settings[kind]
  const outsideId =
    app &&
    (kind === 'shopify'
      ? await shopifySession(app, token, ctx.now)
      : siteOf(app.clientSecret, token, ctx.now))
  if (!outsideId) throw fail('shops.badToken')
  const { rows } = await sql<ShopRow>`select * from shops where kind = ${kind} and outside_id = ${outsideId}
        and archived_at is null`.execute(ctx.app.db.kysely)
  if (!rows[0]) throw fail('kit.notFound')
  return shown(ctx, rows[0].company_id, rows[0].id)
}

/** Only the site's owner sets, by a frame that was opened within the day. */
function siteOf(secret: string, instance: string, now: Date): string | undefined {
  const read = readWixInstance(secret, instance)
  if (!read?.isOwner || Math.abs(now.getTime() - read.signedAt.getTime()) > instanceLives) return undefined
  return read.instanceId
}

async function shown(ctx: OpenCtx, companyId: string, id: string) {
  const pass = await new SignJWT({ shop: id, company: companyId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(ctx.now)
    .setExpirationTime(new Date(ctx.now.getTime() + 3_600_000))
    .sign(passKey(ctx.app))
  return asCaller(ctx.app, systemCaller(companyId), ctx.address, async (own) => {
    const shop = await shopOf(own, id)
    return {
      name: shop.name,
      business: (await companyOf(own)).name,
      settings: { ...startSettings, ...shop.settings },
      pass,
    }
  })
}

export async function saveEmbedded(
  ctx: OpenCtx,
  { pass, settings }: { pass: string; settings: Partial<ShopSettings> },
) {
  const { company, shop } = await passOf(ctx, pass)
  await asCaller(ctx.app, systemCaller(company), ctx.address, (own) =>
    changeShop(own, { id: shop, settings }),
  )
  return shown(ctx, company, shop)
}

/** Whether shop and business reach one another, checked on request of the person in the frame. */
export async function testEmbedded(
  ctx: OpenCtx,
  { pass }: { pass: string },
): Promise<{ checks: ShopCheck[] }> {
  const { company, shop } = await passOf(ctx, pass)
  return { checks: await probeShop(ctx.app, company, shop) }
}

async function passOf(ctx: OpenCtx, pass: string): Promise<{ company: string; shop: string }> {
  try {
    const { payload } = await jwtVerify<{ company: string; shop: string }>(pass, passKey(ctx.app), {
      algorithms: ['HS256'],
      currentDate: ctx.now,
    })
    return { company: String(payload.company), shop: String(payload.shop) }
  } catch {
    throw fail('shops.badToken')
  }
}
