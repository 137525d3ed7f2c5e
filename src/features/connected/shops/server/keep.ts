import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { encrypt, newToken } from '#kit/server/rights/vault.ts'
import type { FieldMapping } from '#domain/shops/fields.ts'
import type { Shop } from '../endpoints.ts'
import { startSettings, type ShopKind, type ShopSettings } from '../shops.ts'
import { shopKind, shopOf, type ShopRow } from './engine/rows.ts'

const mostShops = 30

export async function shops(ctx: Ctx, id?: string): Promise<Shop[]> {
  const mayConnect = can(ctx.caller, 'shops.connect')
  const { rows } = await sql<
    ShopRow & { issued: number; trouble: number; waiting: number }
  >`select s.*, c.* from shops s, lateral (
      select count(*) filter (where o.state = 'issued')::int as issued,
        count(*) filter
        (where o.state = 'trouble'
        or exists (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
        and r.state = 'trouble'))::int as trouble,
        count(*) filter (where o.state in ('new', 'mapped'))::int as waiting
      from shop_orders o where o.company_id = s.company_id and o.shop_id = s.id) c
    where s.company_id = ${ctx.companyId} and s.archived_at is null
      and (${id ?? null}::uuid is null or s.id = ${id ?? null}) order by s.created_at, s.id`.execute(ctx.tx)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    outsideId: row.outside_id,
    state: row.state,
    settings: { ...startSettings, ...row.settings },
    mapping: row.mapping,
    address:
      mayConnect && row.kind === 'generic'
        ? `${ctx.app.publicUrl()}/api2/invoice/shop/${row.notice_key}`
        : '',
    isSigned: row.secret_sealed !== null,
    heardAt: row.heard_at,
    lastError: row.last_error,
    createdAt: row.created_at,
    counts: { issued: row.issued, trouble: row.trouble, waiting: row.waiting },
  }))
}

export async function shopShown(ctx: Ctx, id: string): Promise<Shop> {
  const [found] = await shops(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

interface NewShop {
  kind: ShopKind
  name: string
  settings?: Partial<ShopSettings>
  outsideId?: string
  token?: string
}

export async function createShop(
  ctx: Ctx,
  { kind, name, settings = {}, outsideId = '', token }: NewShop,
): Promise<Shop> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from shops where company_id = ${ctx.companyId}
      and archived_at is null`.execute(ctx.tx)
  if (rows[0]!.n >= mostShops) throw fail('shops.tooMany', { most: mostShops })
  const id = newId()
  // What was paid before it was connected has its documents elsewhere.
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const whole = { ...startSettings, fromDay: ctx.today, ...given }
  await sql`insert into shops (company_id, id, kind, name, outside_id, notice_key, token_sealed, settings,
      created_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${name}, ${outsideId}, ${newToken()},
      ${token === undefined ? null : encrypt(ctx.app.secrets.vault, Buffer.from(token))},
      ${JSON.stringify(whole)}::jsonb, ${ctx.caller.userId})`.execute(ctx.tx)
  await ordered(ctx, shopKind, id)
  await ctx.audit('shops.create', 'shops', id, undefined, { kind, name, outsideId })
  return shopShown(ctx, id)
}

interface Changes {
  id: string
  name?: string | undefined
  on?: boolean | undefined
  settings?: Partial<ShopSettings> | undefined
  mapping?: FieldMapping | undefined
}

export async function changeShop(ctx: Ctx, { id, name, on, settings, mapping }: Changes): Promise<Shop> {
  const before = await shopOf(ctx, id)
  // Who was taken out at the shop's side is connected again.
  if (on && before.state === 'gone') throw fail('shops.isOff')
  const given = Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined))
  const whole = { ...startSettings, ...before.settings, ...given }
  const now = {
    name: name ?? before.name,
    state: on === undefined ? before.state : on ? 'on' : 'off',
    settings: whole,
    mapping: mapping ?? before.mapping,
  }
  await sql`update shops set name = ${now.name}, state = ${now.state},
      settings = ${JSON.stringify(now.settings)}::jsonb, mapping = ${JSON.stringify(now.mapping)}::jsonb,
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ordered(ctx, shopKind, id)
  await ctx.audit(
    'shops.change',
    'shops',
    id,
    { name: before.name, state: before.state, settings: before.settings, mapping: before.mapping },
    now,
  )
  return shopShown(ctx, id)
}

export async function dropShop(ctx: Ctx, id: string): Promise<void> {
  const { name } = await shopOf(ctx, id)
  await sql`update shops set archived_at = now(), state = 'off', token_sealed = null, secret_sealed = null
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('shops.drop', 'shops', id, { name })
}

export async function signShop(
  ctx: Ctx,
  { id, off }: { id: string; off: boolean },
): Promise<{ shop: Shop; secret: string | null }> {
  const { kind } = await shopOf(ctx, id)
  if (kind !== 'generic') throw fail('shops.otherKind')
  const secret = off ? null : randomBytes(24).toString('base64url')
  await sql`update shops
    set secret_sealed = ${secret === null ? null : encrypt(ctx.app.secrets.vault, Buffer.from(secret))},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('shops.sign', 'shops', id, undefined, { off })
  return { shop: await shopShown(ctx, id), secret }
}
