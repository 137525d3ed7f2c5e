import { sql, type RawBuilder } from 'kysely'
import { fold } from '../../../domain/fold.ts'
import { parseMoney } from '../../../domain/money.ts'
import type { ListSource } from '../../../kit/server/lists.ts'
import { documents } from '../documents.ts'

/** A credit stands in lists with the sign it has for the customer. */
const signed = (column: string): RawBuilder<unknown> => sql`case when t.type = 10 then -t.${sql.ref(column)} else t.${sql.ref(column)} end`

export const documentList: ListSource = {
  resource: documents,
  noArchive: true,
  compute: {
    netAgorot: sql`(case when t.type = 10 then -1 else 1 end * (t.net_taxable_agorot + t.net_exempt_agorot + t.net_zero_agorot))`,
    vatAgorot: signed('vat_agorot'),
    totalAgorot: signed('total_agorot'),
  },
  refNames: { customerId: sql`t.customer->>'name'` },
  only: (ctx) => (ctx.caller.docsAllow.length ? [sql<boolean>`t.type = any(${ctx.caller.docsAllow}::int[])`] : []),
  // By number, by sum, or by part of the customer's name.
  search: (q) => {
    const parts: RawBuilder<boolean>[] = [
      sql`t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')}))`,
      sql`t.subject ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`,
    ]
    if (/^\d{1,15}$/.test(q)) parts.push(sql`t.number = ${q}::bigint`)
    const agorot = /\d/.test(q) ? parseMoney(q) : undefined
    if (agorot) parts.push(sql`t.total_agorot = ${agorot}`)
    return sql`(${sql.join(parts, sql` or `)})`
  },
}
