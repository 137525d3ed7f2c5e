import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { dayCursor, packed, unpacked } from '#kit/server/data/cursors.ts'
import { reversibleKinds } from '../entries.ts'
import type { getEntry, listEntries as listCall } from '../endpoints.ts'
import { batchOf, openOf } from './entryWords.ts'

type Listed = z.input<typeof listCall.output>

/** Entries of a period, the newest first; by kind, account, reference or words. */
export async function listEntries(ctx: Ctx, q: z.output<typeof listCall.input>): Promise<Listed> {
  const at = q.cursor === undefined ? undefined : dayCursor(unpacked(q.cursor), ' ')
  const pattern = `%${(q.q ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Listed['rows'][number]>`
    select e.id, e.day, e.value_day as "valueDay", e.kind, e.reference, e.details,
      e.reverses_id as "reversesId", ${batchOf} as batch, ${openOf} as open,
      (select r.id from entries r where r.company_id = e.company_id and r.reverses_id = e.id) as
      "reversedById",
      (select coalesce(sum(p.amount_agorot), 0)::bigint from postings p where p.company_id = e.company_id
      and p.entry_id = e.id and p.amount_agorot > 0) as "totalAgorot",
      (select count(*)::int from postings p where p.company_id = e.company_id and p.entry_id = e.id) as lines
    from entries e where e.company_id = ${ctx.companyId} and e.day between ${q.from} and ${q.to}
      ${q.kind ? sql`and e.kind = ${q.kind}` : sql``}
      ${
        q.account
          ? sql`and exists (select 1 from postings p where p.company_id = e.company_id
          and p.entry_id = e.id and p.account_id = ${q.account})`
          : sql``
      }
      ${
        q.batch
          ? sql`and exists (select 1 from batch_entries x where x.company_id = e.company_id
          and x.entry_id = e.id and x.batch_id = ${q.batch})`
          : sql``
      }
      ${q.q ? sql`and (e.reference ilike ${pattern} or e.details ilike ${pattern})` : sql``}
      ${at ? sql`and (e.day, e.id) < (${at[0]}::date, ${at[1]}::uuid)` : sql``}
    order by e.day desc, e.id desc limit ${q.size + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, q.size)
  const end = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > q.size && end ? packed(`${end.day} ${end.id}`) : null }
}

/** One entry with its lines, and what it undoes or is undone by. */
export async function entryOf(ctx: Ctx, id: string): Promise<z.input<typeof getEntry.output>> {
  const { rows } = await sql<Omit<z.input<typeof getEntry.output>, 'lines' | 'reversible'>>`
    select e.id, e.day, e.value_day as "valueDay", e.kind, e.reference, e.details,
      e.reverses_id as "reversesId", ${batchOf} as batch,
      (select x.batch_id from batch_entries x where x.company_id = e.company_id and x.entry_id = e.id) as
      "batchId", ${openOf} as open,
      (select r.id from entries r where r.company_id = e.company_id and r.reverses_id = e.id) as
      "reversedById",
      (select u.full_name from users u where u.id = e.created_by) as "by", e.created_at as at
    from entries e where e.company_id = ${ctx.companyId} and e.id = ${id}`.execute(ctx.tx)
  const entry = rows[0]
  if (!entry) throw fail('kit.notFound')
  const { rows: lines } = await sql<z.input<typeof getEntry.output>['lines'][number]>`
    select a.id as "accountId", a.number, a.name as account, pa.name as party,
      greatest(p.amount_agorot, 0)::bigint as "debitAgorot",
      greatest(-p.amount_agorot, 0)::bigint as "creditAgorot",
      nullif(p.currency, 'ILS') as currency, case when p.currency <> 'ILS' then p.foreign_amount end as
      "foreignAgorot"
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id left
    join parties pa on pa.company_id = p.company_id and pa.id = p.party_id
    where p.company_id = ${ctx.companyId} and p.entry_id = ${id} order by p.line`.execute(ctx.tx)
  return {
    ...entry,
    // Its own page leads nowhere.
    open: entry.open === `/invoice/entries/${id}` ? null : entry.open,
    reversible: reversibleKinds.includes(entry.kind) && entry.reversedById === null,
    lines,
  }
}
