import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, quantity, ref, text } from '#kit/fields/field.ts'
import { receivesGoods } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { moveKinds } from '../../endpoints.ts'
import { decimal, seesCost } from '../figures.ts'

/**
 * Every movement of stock with its paper: what came, what went, what that left, what it was worth and who
 * made it. Of one item in the order of days, with what was there before; `knownAt` says when it was known,
 * which may be later than its day.
 */
export const stockMovements = defineReport({
  name: 'stockMovements',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/storage?part=movements',
  allow: 'stock.see',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    item: ref('items'),
    place: ref('stockplaces'),
    kind: choice(moveKinds),
  },
  columns: {
    day: day(),
    kind: choice(moveKinds),
    type: { ...choice(documentTypeNames, { words: 'documents.types' }), whenFilled: true },
    number: { ...number(), whenFilled: true },
    item: { ...text(), whenFilled: true },
    party: { ...text(), whenFilled: true },
    place: text(),
    batch: { ...text(), whenFilled: true },
    in: quantity(),
    out: quantity(),
    left: { ...quantity(), main: true, whenFilled: true },
    valueAgorot: { ...money(), whenFilled: true },
    reason: { ...text(), whenFilled: true },
    by: { ...text(), whenFilled: true },
    knownAt: day(),
  },
  totals: ['valueAgorot'],
  rows: async (ctx, { from, to, item, place, kind }, most) => {
    if (item) {
      const { rows } =
        await sql`select 1 from items where company_id = ${ctx.companyId} and id = ${item}`.execute(ctx.tx)
      if (!rows.length) throw fail('kit.notFound')
    }
    const cost = seesCost(ctx)
    // The stock after a movement is that of one item in all its places.
    const whole = item && !place && !kind
    const narrow = sql`${item ? sql`and m.item_id = ${item}` : sql``}
        ${
          place
            ? sql`and m.place_id in (select p.id from stock_places p where p.company_id = m.company_id
            and (p.id = ${place} or p.parent_id = ${place}))`
            : sql``
        }
            ${kind ? sql`and m.kind = ${kind}` : sql``}`
    const { rows } = await sql<ReportRow & { typeId: number | null }>`
      with before as (select coalesce(sum(m.quantity), 0) as quantity from stock_moves m
      where m.company_id = ${ctx.companyId}
        ${whole ? sql`and m.item_id = ${item} and m.day < ${from}` : sql`and false`}),
      m as (select m.* from stock_moves m where m.company_id = ${ctx.companyId} and m.day between ${from}
      and ${to} ${narrow} order by m.day, m.at, m.item_id,
      m.seq ${whole || !most ? sql`` : sql`limit ${most}`})
      select m.day, m.kind, d.type as "typeId", d.number, ${item ? sql`null` : sql`i.name`} as item,
        d.customer->>'name' as party, p.name as place, b.number as batch,
        case when m.quantity > 0 then ${decimal(sql`m.quantity`)} end as "in", case
        when m.quantity < 0 then ${decimal(sql`-m.quantity`)} end as "out",
        ${
          whole
            ? decimal(sql`(select quantity from before) + sum(m.quantity) over
            (order by m.day, m.seq)`)
            : sql`null`
        } as "left",
            ${cost ? sql`m.value_agorot` : sql`null::bigint`} as "valueAgorot",
        nullif(m.reason, '') as reason, (select u.full_name from users u where u.id = m.user_id) as by,
        (m.at at time zone 'Asia/Jerusalem')::date as "knownAt", case
        when ${receivesGoods('d')} then '/invoice/previewex/' || d.id
        when d.id is not null then '/invoice/preview/' || d.id else '/invoice/stockproducts/' || m.item_id end
        as open
      from m join items i on i.company_id = m.company_id and i.id = m.item_id
      join stock_places p on p.company_id = m.company_id and p.id = m.place_id
        left join stock_batches b on b.company_id = m.company_id and b.id = m.batch_id left
        join documents d on d.company_id = m.company_id and d.id = m.document_id
      order by m.day, ${whole ? sql`m.seq` : sql`m.at, m.item_id, m.seq`}`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({
      ...row,
      type: typeId === null ? null : documentTypeById(typeId)!,
    }))
  },
})
