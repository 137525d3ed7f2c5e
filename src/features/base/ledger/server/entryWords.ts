import { sql } from 'kysely'
import { systemAccounts } from '#domain/ledger/chart.ts'

/* Parts of queries over `postings p join entries e`: the text of a ledger line on a card. */

/**
 * The accounts on the other side of an entry; customers and suppliers, who share one account, each by name.
 */
export const counterOf = sql<string>`coalesce((select string_agg(distinct coalesce(o_p.name, o_a.name), ', ')
  from postings o
  join accounts o_a on o_a.company_id = o.company_id and o_a.id = o.account_id
  left join parties o_p on o_p.company_id = o.company_id and o_p.id = o.party_id
    and o_a.number in (${systemAccounts.customers}, ${systemAccounts.suppliers})
  where o.company_id = p.company_id and o.entry_id = p.entry_id
    and (o.amount_agorot > 0) <> (p.amount_agorot > 0)), '')`

/** The page of the paper an entry came of, or of the entry itself. */
export const openOf = sql<string>`case when e.document_id is not null then '/invoice/preview/' ||
    e.document_id
  else coalesce((select '/invoice/Expenses/all/' || x.expense_id from expense_entries x
  where x.company_id = e.company_id and x.entry_id = e.id),
    (select '/invoice/supplierpayment/' || x.id from supplier_payments x where x.company_id = e.company_id
    and x.entry_id in (e.id, e.reverses_id)),
    (select '/invoice/deposits/' || x.id from deposits x where x.company_id = e.company_id
    and x.entry_id in (e.id, e.reverses_id)),
    '/invoice/entries/' || e.id) end`

/** The number of the batch it was posted with. */
export const batchOf = sql<
  number | null
>`(select b.number from batch_entries x join journal_batches b on b.company_id = x.company_id
    and b.id = x.batch_id
  where x.company_id = e.company_id and x.entry_id = e.id)`
