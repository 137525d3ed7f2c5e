import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  isCancelled,
  isCredit,
  isInvoice,
  isLive,
  isType,
  movesGoods,
} from '#kit/server/data/documentFacts.ts'

/**
 * The papers that move goods, line by line: `moved` is what came (plus) or went (minus) in the item's own
 * unit, nothing where another paper of the same goods says it already. Goods go once: with the delivery note,
 * or with the invoice when none came before it; a note written after its invoice moves nothing more. A credit
 * brings back what its invoice took out. What a cancelled note moved it did not.
 */
export const moves = (
  ctx: Ctx,
  { from, to, documents }: { from?: Day; to?: Day; documents?: readonly string[] },
  items?: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select d.id, d.day, d.type, d.number, d.customer, d.currency, l.line, l.item_id, l.description,
    l.unit_price, l.source_document_id, l.source_line,
    case when ${isCredit('d')} then -l.ils_net_agorot else l.ils_net_agorot end as net,
    round(coalesce(u.times, 1)::numeric / coalesce(u.per, 1) * case when ${isType('d', 'deliveryNote')} then
    case
    when ${isInvoice('s')} then 0 else -l.quantity end
      when ${isType('d', 'returnNote')} then l.quantity
      when ${isInvoice('d')} then case when ${isType('s', 'deliveryNote')} or ${isType('ss', 'deliveryNote')}
      then 0 else -l.quantity end
      when ${isCredit('d')} then case when ${isType('ss', 'deliveryNote')} or ${isType('sss', 'deliveryNote')}
      then 0 else l.quantity end
      when ${isType('d', 'goodsReceived')} then l.quantity
      when ${isType('s', 'goodsReceived')} then 0 else l.quantity end, 4) as moved, l.quantity
  from document_lines l join documents d on d.company_id = l.company_id and d.id = l.document_id
    left join documents s on s.company_id = l.company_id and s.id = l.source_document_id
    left join document_lines sl on sl.company_id = l.company_id and sl.document_id = l.source_document_id
      and sl.line = l.source_line
    left join documents ss on ss.company_id = l.company_id and ss.id = sl.source_document_id
    left join document_lines ssl on ssl.company_id = l.company_id and ssl.document_id = sl.source_document_id
      and ssl.line = sl.source_line
    left join documents sss on sss.company_id = l.company_id and sss.id = ssl.source_document_id
    left join item_units u on u.company_id = l.company_id and u.item_id = l.item_id and u.unit = l.unit
  where l.company_id = ${ctx.companyId}
    ${documents ? sql`and l.document_id = any(${[...documents]}::uuid[])` : sql``}
    and l.item_id ${items ? sql`in ${items}` : sql`is not null`}
    and ${movesGoods('d')} ${from ? sql`and d.day >= ${from}` : sql``}
    ${to ? sql`and d.day <= ${to}` : sql``}
    and (${isLive('d')} or (${isCancelled('d')} and ${isInvoice('d')}))`

/**
 * What the ledger says came and went of what is kept in stock, in the order of days: columns `id` (of its
 * paper, where there is one), `day`, `seq`, `kind`, `item_id`, `moved`, `value` and those of the paper's
 * line. What only changed its place is no movement of the item; a note that was cancelled on its own day
 * never was.
 */
export const ledgerMoves = (
  ctx: Ctx,
  { from, to }: { from?: Day; to?: Day },
  items?: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select m.document_id as id, m.day, m.seq, m.item_id, m.quantity as moved, m.value_agorot as value, m.reason,
    d.type, d.number, d.customer, d.currency, l.description, l.unit_price, l.line,
    case when ${isCredit('d')} then -l.ils_net_agorot else l.ils_net_agorot end as net, case
    when m.kind = 'cancel' then r.kind else m.kind end as kind
  from stock_moves m left join stock_moves r on m.kind = 'cancel' and r.company_id = m.company_id
    and r.id = m.reverses_id
    left join documents d on d.company_id = m.company_id and d.id = m.document_id
    left join document_lines l on l.company_id = m.company_id and l.document_id = m.document_id
      and l.line = m.line
  where m.company_id = ${ctx.companyId} ${items ? sql`and m.item_id in ${items}` : sql``}
    ${from ? sql`and m.day >= ${from}` : sql``} ${to ? sql`and m.day <= ${to}` : sql``}
    and m.quantity <> 0 and m.kind <> 'transfer' and r.day is distinct from m.day
    and not exists (select 1 from stock_moves c where c.company_id = m.company_id and c.reverses_id = m.id
    and c.kind = 'cancel' and c.day = m.day)`
