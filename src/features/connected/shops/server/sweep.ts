import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import { addDays, momentInJerusalem } from '#domain/day.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { hearerOf } from '#features/base/team/server/index.ts'
import { shopDays } from './days.ts'
import { doorOf } from './doors/door.ts'
import type { ShopRow } from './engine/rows.ts'
import { workOrder } from './engine/work.ts'
import { hear } from './orders.ts'

/** Orders of so many days are checked: notices that never arrived, refunds that were not reported. */
const sweptDays = 3
const everyMs = 20 * 3_600_000
const atOnce = 5

/** Shops whose night it is: each is one process's for a quarter of an hour. */
const claim = (app: App): Promise<ShopRow[]> =>
  asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } =
      await sql<ShopRow>`update shops s set swept_at = ${now} from (select company_id, id from shops
        where state = 'on' and archived_at is null
          and (swept_at is null and created_at < ${new Date(now.getTime() - everyMs)}
          or swept_at < ${new Date(now.getTime() - everyMs)})
        order by swept_at nulls first limit ${atOnce} for update skip locked) due
      where s.company_id = due.company_id and s.id = due.id returning s.*`.execute(tx)
    return rows
  })

/** Goes over every shop that is due; answers how many. */
export async function sweep(app: App, isOver: () => boolean = () => false): Promise<number> {
  let done = 0
  while (!isOver()) {
    const shops = await claim(app)
    if (!shops.length) return done
    for (const shop of shops) {
      await attempt(app, 'shops.sweep', { companyId: shop.company_id, key: shop.id }, () =>
        sweepShop(app, shop),
      )
      done++
    }
  }
  return done
}

/** Reads the last days from the shop, retries whatever waits or failed, then reports the differences. */
export async function sweepShop(app: App, shop: ShopRow): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(shop.company_id), '', work)
  const door = doorOf(app, shop)
  if (door) {
    const since = addDays(momentInJerusalem(app.now()).day, -sweptDays)
    try {
      for await (const raw of door.since(since)) {
        const { orderId, isNews } = await inside((ctx) => hear(ctx, shop, raw, { topic: 'sweep' }))
        if (isNews) await inside((ctx) => workOrder(ctx, orderId))
      }
    } catch (e) {
      await inside((ctx) =>
        sql`update shops set last_error = ${(e as Error).message.slice(0, 200)}
          where company_id = ${ctx.companyId} and id = ${shop.id}`.execute(ctx.tx),
      )
    }
  }
  const waiting = await inside(async (ctx) => {
    const { rows } = await sql<{
      id: string
    }>`select o.id from shop_orders o where o.company_id = ${ctx.companyId} and o.shop_id = ${shop.id}
      and o.updated_at > ${new Date(ctx.now.getTime() - 14 * 86_400_000)}
      and (o.state in ('mapped', 'trouble') or o.state = 'new' and o.is_paid or exists
        (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
        and r.state in ('new', 'trouble'))) order by o.id limit 2000`.execute(ctx.tx)
    await sql`delete from shop_notices where company_id = ${ctx.companyId} and shop_id = ${shop.id}
        and at < ${new Date(ctx.now.getTime() - 30 * 86_400_000)}`.execute(ctx.tx)
    return rows
  })
  // One order that breaks stops no other.
  await eachOf(
    ...waiting.map(
      ({ id }) =>
        () =>
          inside((ctx) => workOrder(ctx, id)),
    ),
  )
  await inside((ctx) => tellDifferences(ctx, shop))
}

/**
 * Notifies the person who connected the shop, or an owner when that person left, of differences up to yesterday,
 * once a day and only when there are some.
 */
export async function tellDifferences(ctx: Ctx, shop: ShopRow): Promise<void> {
  const { rows: told } =
    await sql`update shops set told_day = ${ctx.today} where company_id = ${ctx.companyId} and id = ${shop.id}
    and (told_day is null or told_day < ${ctx.today}) returning 1`.execute(ctx.tx)
  if (!told.length || shop.settings.daily === false) return
  if ((await differencesOf(ctx, shop.id)).length) await ctx.later('shops.mail', { id: shop.id })
}

/** Days up to yesterday on which shop and books differ. */
const differencesOf = async (ctx: Ctx, shopId: string) =>
  (
    await shopDays(
      ctx,
      sql`o.shop_id = ${shopId} and o.paid_day between ${addDays(ctx.today, -30)}
        and ${addDays(ctx.today, -1)}`,
    ).execute(ctx.tx)
  ).rows.filter((row) => row.differenceAgorot !== 0 || row.trouble > 0)

/** The letter about them; nothing when they agree meanwhile. */
export const tellJob: Job = async (ctx, payload) => {
  const { rows } = await sql<{ id: string; name: string; created_by: string }>`select id, name, created_by
    from shops where company_id = ${ctx.companyId} and id = ${String(payload.id)}
      and archived_at is null`.execute(ctx.tx)
  const [shop] = rows
  const apart = shop ? await differencesOf(ctx, shop.id) : []
  const to = shop && apart.length ? await hearerOf(ctx, shop.created_by) : undefined
  if (!to) return
  const said = {
    name: to.fullName,
    shop: shop!.name,
    business: (await companyOf(ctx)).name,
    link: `${siteOf(ctx.app)}/invoice/shops/${shop!.id}`,
  }
  const lines = apart.map((row) =>
    say(to.language, 'shops.mail.line', {
      day: row.day.split('-').reverse().join('/'),
      shop: formatMoney(row.shopAgorot),
      books: formatMoney(row.booksAgorot),
      difference: formatMoney(row.differenceAgorot),
      currency: row.currency,
    }),
  )
  mailAfterCommit(ctx, {
    to: to.email,
    subject: say(to.language, 'shops.mail.subject', said),
    text: say(to.language, 'shops.mail.text', { ...said, lines: lines.join('\n') }),
  })
}

/** Looks every five minutes for a shop whose turn it is. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'going over shops', 5 * 60_000, (isOver) => sweep(app, isOver)))
