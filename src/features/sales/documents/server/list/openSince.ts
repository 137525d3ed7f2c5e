import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { partiesNet } from '#features/base/ledger/server/index.ts'

/**
 * What changed the open amounts of documents after a day, as `id` and `back`: what is added to the open amount of now to
 * have that of then. Settlements, and money that was lost or regained, each by its own day.
 */
export const openSince = (ctx: Ctx, day: Day): RawBuilder<unknown> => sql`
  select x.id, sum(x.back) as back from (
    select s.to_id as id, s.to_ils_agorot as back from settlements s where s.company_id = ${ctx.companyId}
      and s.day > ${day}
    union all select s.from_id, -s.from_ils_agorot from settlements s
      where s.company_id = ${ctx.companyId} and s.day > ${day}
    union all select o.document_id, -o.ils_agorot from open_changes o
      where o.company_id = ${ctx.companyId} and o.day > ${day}) x group by x.id`

/** What the cards of customers stand at in the books at the end of a day: it is what all open items come to. */
export const receivablesOn = (ctx: Ctx, day: Day): Promise<number> =>
  partiesNet(ctx, sql`select id from parties where company_id = ${ctx.companyId} and role = 'customer'`, day)

/** A part of the debts is compared with nothing. */
export const isWholeOfDebts = ({ caller }: Ctx, narrow: Record<string, unknown>): boolean =>
  seesWhole(caller) && Object.values(narrow).every((one) => one === undefined || one === null)

/**
 * Whether a document \`d\` was in the books on a day: one of before the books came with their opening entry, whatever
 * its own day.
 */
export const wasInBooks = (day: Day): RawBuilder<boolean> => sql<boolean>`(d.day <= ${day}
  and (d.series not like '%#opening' or not exists (select 1 from opening_items i join journal_batches b
      on b.company_id = i.company_id and b.id = i.batch_id
    where i.company_id = d.company_id and i.document_id = d.id and b.opening_day > ${day})))`
