import { sql, type RawBuilder } from 'kysely'
import { fold } from '#domain/fold.ts'
import { parseMoney } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ListSource } from '#kit/server/lists.ts'
import { documents } from '../../documents.ts'
import type { DeliverTo } from '../../endpoints.ts'
import { paperLabel } from '../content/opening.ts'

/** A credit stands in lists with the sign it has for the customer. */
const signed = (column: string): RawBuilder<unknown> => sql`case when t.type = 10 then -t.${sql.ref(column)}
    else t.${sql.ref(column)} end`

/** A part of the place where the goods go; null when nothing was written there. */
const said = (part: keyof DeliverTo): RawBuilder<unknown> => sql`nullif(t.deliver_to->>${sql.lit(part)}, '')`

/** Papers whose nets are income: invoices, their credits, and money papers that are the income themselves. `alias` as in 'd.'. */
export const countsAsIncome = (alias: '' | 'd.'): RawBuilder<boolean> =>
  sql.raw(`(${alias}type in (8, 9, 10) or (${alias}type in (6, 11) and ${alias}ils_net_agorot <> 0))`)

/** The condition that keeps a query to the types of documents the caller may see; nothing for whoever may see all. */
export const onlyAllowed = ({ caller }: Pick<Ctx, 'caller'>, column: string): RawBuilder<unknown> =>
  caller.docsAllow.length ? sql` and ${sql.ref(column)} = any(${caller.docsAllow}::int[])` : sql``

export const documentList: ListSource = {
  resource: documents,
  noArchive: true,
  compute: {
    netAgorot: sql`(case when t.type = 10 then -1
        else 1 end * (t.net_taxable_agorot + t.net_exempt_agorot + t.net_zero_agorot))`,
    vatAgorot: signed('vat_agorot'),
    totalAgorot: signed('total_agorot'),
    deliverTo: sql`nullif(concat_ws(', ', ${said('name')}, ${said('street')},
        nullif(concat_ws(' ', ${said('city')}, ${said('zip')}), ''),
      ${said('country')}, ${said('contact')}, ${said('phone')}, ${said('notes')}), '')`,
    unpaidAgorot: sql`(case when t.status in ('draft', 'cancelled') then 0 when t.type = 5 then t.asked_agorot
        else greatest(t.open_in_currency_agorot, 0) end)`,
    hasLeft: sql`(case when t.status in ('draft', 'cancelled') then false when t.type = 5 then t.asked_agorot
        <> 0
      when t.type in (1, 2, 3, 7, 13) then t.status <> 'closed' else false end)`,
  },
  refNames: {
    customerId: sql`t.customer->>'name'`,
    agentId: sql`(select u.full_name from users u where u.id = t.agent_id)`,
    projectId: sql`(select p.name from projects p where p.company_id = t.company_id and p.id = t.project_id)`,
  },
  extra: { label: paperLabel('t') },
  // What was owed before the books began here is no paper of this business: it stands on the card, in the ages and among what is open.
  only: (ctx) => [
    sql<boolean>`t.series not like '%#opening'`,
    ...(ctx.caller.docsAllow.length ? [sql<boolean>`t.type = any(${ctx.caller.docsAllow}::int[])`] : []),
  ],
  // By number, by the customer's order or the authority's number, by sum, or by part of the customer's name.
  search: (q, { caller }) => {
    const parts: RawBuilder<boolean>[] = [
      sql`t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')}))`,
      sql`t.subject ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`,
      sql`t.order_number = ${q}`,
    ]
    if (/^\d{1,15}$/.test(q)) parts.push(sql`t.number = ${q}::bigint`)
    // The authority's number as it stands on the paper: nine digits, or those of the whole of it.
    if (/^\d{9,40}$/.test(q)) parts.push(sql`t.allocation_number like ${`%${q}`}`)
    const agorot = /\d/.test(q) && !caller.hideTotalPrices ? parseMoney(q) : undefined
    if (agorot) parts.push(sql`t.total_agorot = ${agorot}`)
    return sql`(${sql.join(parts, sql` or `)})`
  },
}
