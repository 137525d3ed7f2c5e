import { join } from 'node:path'
import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { implement, implementOpenOutside } from '#kit/server/contract/implement.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import type { Feed } from '../endpoints.ts'
import { takeFile, type FeedRow } from './take.ts'

export { start } from './folder.ts'

const mostFeeds = 20

async function feeds(ctx: Ctx, id?: string): Promise<Feed[]> {
  // What the bank knows is of the whole business.
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  const { rows } = await sql<
    Omit<Feed, 'address' | 'folder'> & { key: string }
  >`select f.id, f.name, f.bank_account_id as "bankAccountId", a.name as "bankAccount", f.state,
      f.drop_key as key,
      f.last_at as "lastAt",
      (select count(*)::int from bank_feed_files x join bank_statements s on s.company_id = x.company_id
      and s.id = x.statement_id
        where x.company_id = f.company_id and x.feed_id = f.id and x.outcome = 'waits' and s.state = 'read')
          as waits
    from bank_feeds f join bank_accounts a on a.company_id = f.company_id and a.id = f.bank_account_id
    where f.company_id = ${ctx.companyId} and f.archived_at is null
      and (${id ?? null}::uuid is null or f.id = ${id ?? null}) order by f.created_at, f.id`.execute(ctx.tx)
  return rows.map(({ key, ...row }) => ({
    ...row,
    address: `${ctx.app.publicUrl()}/api2/invoice/bankdrop/${key}`,
    folder: join('bankfeeds', key),
  }))
}

async function feedOf(ctx: Ctx, id: string): Promise<Feed> {
  const [found] = await feeds(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

async function create(
  ctx: Ctx,
  { name, bankAccountId }: { name: string; bankAccountId: string },
): Promise<Feed> {
  const known = await feeds(ctx)
  if (known.length >= mostFeeds) throw fail('bankFeeds.tooMany', { most: mostFeeds })
  const { rows } = await sql`select 1 from bank_accounts where company_id = ${ctx.companyId}
        and id = ${bankAccountId}`.execute(ctx.tx)
  if (!rows.length) throw failField('bankAccountId', 'fields.ref')
  const id = newId()
  await sql`insert into bank_feeds (company_id, id, bank_account_id, name, drop_key, created_by)
    values (${ctx.companyId}, ${id}, ${bankAccountId}, ${name}, ${newToken()}, ${ctx.caller.userId})`.execute(
    ctx.tx,
  )
  await ctx.audit('bankFeeds.create', 'bankFeeds', id, undefined, { name, bankAccountId })
  return feedOf(ctx, id)
}

async function change(ctx: Ctx, { id, on }: { id: string; on: boolean }): Promise<Feed> {
  await feedOf(ctx, id)
  await sql`update bank_feeds set state = ${on ? 'on' : 'off'} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('bankFeeds.change', 'bankFeeds', id, undefined, { on })
  return feedOf(ctx, id)
}

async function drop(ctx: Ctx, id: string): Promise<{ done: true }> {
  const { name } = await feedOf(ctx, id)
  await sql`update bank_feeds set archived_at = now(), state = 'off' where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('bankFeeds.drop', 'bankFeeds', id, { name })
  return { done: true }
}

async function files(ctx: Ctx, id: string) {
  await feedOf(ctx, id)
  const { rows } = await sql<{
    id: string
    name: string
    at: string
    sizeBytes: number
    outcome: 'taken' | 'nothing' | 'waits' | 'refused'
    code: string
    lines: number
  }>`
    select encode(sha256, 'hex') as id, name, at, size_bytes as "sizeBytes", outcome, code, lines
    from bank_feed_files
    where company_id = ${ctx.companyId} and feed_id = ${id} order by at desc, sha256 limit 100`.execute(
    ctx.tx,
  )
  return { rows }
}

async function put(ctx: OpenCtx, { key, name, bytes }: { key: string; name: string; bytes: FileOnDisk }) {
  const { rows } = await sql<FeedRow>`select company_id, id, bank_account_id, drop_key, state from bank_feeds
      where drop_key = ${key} and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return takeFile(ctx.app, rows[0], name, bytes)
}

export const implementations = [
  implement(calls.listFeeds, async (ctx) => ({ rows: await feeds(ctx) })),
  implement(calls.createFeed, create),
  implement(calls.changeFeed, change),
  implement(calls.dropFeed, (ctx, { id }) => drop(ctx, id)),
  implement(calls.listFeedFiles, (ctx, { id }) => files(ctx, id)),
  implementOpenOutside(calls.putFile, put as never),
]

export const machines: Machines = {
  'timer folder.ts': { inside: 'statements of the bank become lines that wait to be matched' },
}
