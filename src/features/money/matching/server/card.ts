import { sql } from 'kysely'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { proposeZero } from '#domain/matching/zero.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued, isNotCancelled } from '#kit/server/data/documentFacts.ts'
import type { CardRow } from '../endpoints.ts'
import { keepMatch, type Part } from './match.ts'
import { partsOf, postingColumns, restIn, takesBack, unmatchedPosting } from './open.ts'

const rowsShown = 2000

/**
 * An account whose card is matched by hand: no control account, whose cards are people, and none of the bank,
 * which has statements.
 */
async function cardAccount(ctx: Ctx, id: string): Promise<{ name: string }> {
  const { rows } = await sql<{
    name: string
    number: string
    ofBank: boolean
  }>`select a.number || ' ' || a.name as name, a.number,
      exists (select 1 from bank_accounts b where b.company_id = a.company_id and b.account_id = a.id
      and b.archived_at is null) as "ofBank"
    from accounts a where a.company_id = ${ctx.companyId} and a.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].ofBank) throw fail('matching.cardOfBank')
  if ([systemAccounts.customers, systemAccounts.suppliers].includes(rows[0].number as never))
    throw fail('matching.cardOfDocuments')
  return rows[0]
}

/** The matches a posting is in, the oldest first. `p` is the posting. */
const matchesIn = sql`coalesce((select
    jsonb_agg(jsonb_build_object('id', m.id, 'number', m.number, 'amountAgorot',
    coalesce(x.amount_agorot, p.amount_agorot)) order by m.number)
  from match_postings x join matches m on m.company_id = x.company_id and m.id = x.match_id
  where x.company_id = p.company_id and x.entry_id = p.entry_id and x.line = p.line), '[]'::jsonb)`

export async function cardOf(ctx: Ctx, { accountId, all }: { accountId: string; all: boolean }) {
  const { name } = await cardAccount(ctx, accountId)
  // A match of a card comes to zero, so what is open is the balance; but for what the bank's lines took while
  // the account was one of the bank.
  const { rows: sums } = await sql<{ open: number; matched: number }>`select
      (coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
      where m.company_id = ${ctx.companyId} and m.account_id = ${accountId}), 0)
        - coalesce((select sum(coalesce(x.amount_agorot, p.amount_agorot)) from matches m
          join match_postings x on x.company_id = m.company_id and x.match_id = m.id
          join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
          where m.company_id = ${ctx.companyId} and m.account_id = ${accountId} and m.kind = 'bank'),
            0))::bigint as open,
      (select count(*)::int from matches m where m.company_id = ${ctx.companyId}
      and m.account_id = ${accountId}) as matched`.execute(ctx.tx)
  // Of a card that is mostly matched, what is left is found of all lines at once; of one that is not, line by
  // line from the newest, until the page is full.
  const atOnce = !all && sums[0]!.matched > rowsShown / 2
  const { rows } = await sql<CardRow & { reversesId: string | null }>`with ${
    !atOnce
      ? sql``
      : sql`left_ as materialized (select p.entry_id, p.line from postings p
    where p.company_id = ${ctx.companyId} and p.account_id = ${accountId} and ${unmatchedPosting}),`
  }
    page as materialized
    (select p.* from postings p ${!atOnce ? sql`` : sql`join left_ using (entry_id, line)`}
    where p.company_id = ${ctx.companyId} and p.account_id = ${accountId}
      and ${all || atOnce ? sql`true` : unmatchedPosting}
      order by p.day desc, p.entry_id desc, p.line limit ${rowsShown + 1})
    select ${postingColumns}, ${takesBack} as "reversesId", ${matchesIn} as matches,
      '' as "closedBy", ${restIn('ILS')} as "openAgorot", null as "applyPath"
    from page p join entries e on e.company_id = p.company_id and e.id = p.entry_id
    order by p.day desc, p.entry_id desc, p.line`.execute(ctx.tx)
  const shown = rows.slice(0, rowsShown).toReversed()
  const open = shown.filter((row) => row.openAgorot !== 0)
  const amounts = new Map(open.map((row) => [row.key, row.openAgorot]))
  const lines = open.map((row) => ({
    key: row.key,
    entryId: partsOf(row.key).entryId,
    day: row.day,
    amount: row.openAgorot,
    reference: row.reference,
    reversesId: row.reversesId,
  }))
  return {
    name,
    byDocuments: null,
    rows: shown.map(({ reversesId: _, ...row }) => row),
    proposals: proposeZero(lines).map(({ keys, reason, certain, partly }) => ({
      keys: [...keys],
      reason,
      certain,
      amountAgorot: keys.reduce(
        (sum, key) => sum + Math.max(0, (partly?.key === key ? partly.amount : amounts.get(key)) ?? 0),
        0,
      ),
      partly: partly ? { key: partly.key, amountAgorot: partly.amount } : null,
    })),
    openAgorot: sums[0]!.open,
    matched: sums[0]!.matched,
    more: rows.length > rowsShown,
  }
}

/** What closed a document, or was closed by it, by number. `d` is the document. */
const closers = sql`coalesce((select string_agg(distinct o.number::text, ', ') from settlements s
  join documents o on o.company_id = s.company_id and o.id = case when s.from_id = d.id then s.to_id
    else s.from_id end
  where s.company_id = d.company_id and (s.from_id = d.id or s.to_id = d.id) and s.reverses_id is null
    and not exists (select 1 from settlements r where r.company_id = s.company_id and r.reverses_id = s.id)),
    '')`

/** A party with those who turned out to be it. */
const group = (ctx: Ctx, id: string) =>
  sql`(select g.id from parties g where g.company_id = ${ctx.companyId}
      and (g.id = ${id} or g.merged_into = ${id}))`

/**
 * Moved from one card to another that turned out to be the same, which moves nothing of both together. `p` is
 * the posting.
 */
const notOfMerge = sql`not exists (select 1 from entries e where e.company_id = p.company_id
    and e.id = p.entry_id and e.kind = 'merge')`

/**
 * The card of a customer or a supplier: what its documents have closed is its matching, and there is no
 * other.
 */
export async function partyCardOf(ctx: Ctx, { partyId, all }: { partyId: string; all: boolean }) {
  const { rows: found } = await sql<{
    name: string
    role: 'customer' | 'supplier'
  }>`select name, role from parties
    where company_id = ${ctx.companyId} and id = ${partyId}`.execute(ctx.tx)
  const [party] = found
  if (!party) throw fail('kit.notFound')
  const sign = party.role === 'customer' ? 1 : -1
  // What is open is found by the papers that are, which are few; all of a card is one page of it.
  const ofOpen = sql`p.entry_id =
      any(array(select e.id from documents d join entries e on e.company_id = d.company_id
      and e.document_id = d.id
      where d.company_id = ${ctx.companyId} and d.customer_id in ${group(ctx, partyId)} and d.open_agorot <> 0
        and ${isIssued('d')}
    union all select n.entry_id from expenses x join expense_entries n on n.company_id = x.company_id
      and n.expense_id = x.id
      where x.company_id = ${ctx.companyId} and x.supplier_id in ${group(ctx, partyId)}
        and x.open_agorot <> 0))`
  const { rows } = await sql<CardRow & { entry: string; n: number }>`with page as materialized
      (select p.* from postings p
      where p.company_id = ${ctx.companyId}
      and p.party_id in ${group(ctx, partyId)} and ${all ? notOfMerge : ofOpen}
      order by p.day desc, p.entry_id desc, p.line limit ${rowsShown + 1})
    select * from (select ${postingColumns}, '[]'::jsonb as matches, e.id as entry, p.line as n,
      case when d.id is not null then ${closers}
      else coalesce((select string_agg(distinct b.supplier_number, ', ') from supplier_payments s
        join expense_payments y on y.company_id = s.company_id and y.supplier_payment_id = s.id
        join expenses b on b.company_id = y.company_id and b.id = y.expense_id
        where s.company_id = e.company_id and s.entry_id = e.id), '') end as "closedBy",
      case when d.id is not null and ${isNotCancelled('d')} then d.open_agorot
        when x.id is not null and x.state = 'approved' then -x.open_agorot else 0 end as "openAgorot",
      case when d.open_agorot < 0 then '/invoice/applymoney/' || d.id
      when d.open_agorot > 0 then '/invoice/preview/' || d.id
        when x.open_agorot <> 0 and x.state = 'approved' then '/invoice/supplierpayments/' || x.supplier_id
        end as "applyPath"
    from page p join entries e on e.company_id = p.company_id and e.id = p.entry_id
      left join documents d on d.company_id = e.company_id and d.id = e.document_id
      left join expense_entries n on n.company_id = e.company_id and n.entry_id = e.id
      left join expenses x on x.company_id = n.company_id and x.id = n.expense_id
    where e.kind <> 'merge') rows where ${all ? sql`true` : sql`"openAgorot" <> 0`}
    order by day desc, entry desc, n`.execute(ctx.tx)
  const { rows: sums } = await sql<{
    open: number
  }>`select coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as open from party_months m
    where m.company_id = ${ctx.companyId} and m.party_id in ${group(ctx, partyId)}`.execute(ctx.tx)
  return {
    name: party.name,
    byDocuments: party.role,
    rows: rows
      .slice(0, rowsShown)
      .toReversed()
      .map(({ entry: _, n: __, ...row }) => row),
    proposals: [],
    openAgorot: sign * sums[0]!.open,
    matched: 0,
    more: rows.length > rowsShown,
  }
}

export async function matchCard(
  ctx: Ctx,
  { accountId, groups, partly }: { accountId: string; groups: string[][]; partly: Part[] },
) {
  await cardAccount(ctx, accountId)
  const rows: { id: string; number: number }[] = []
  for (const postings of groups)
    rows.push(await keepMatch(ctx, { kind: 'card', accountId, lines: [], postings, partly }))
  await ctx.audit('matches.create', 'accounts', accountId, undefined, {
    numbers: rows.map((row) => row.number),
  })
  return { rows }
}
