import { sql } from 'kysely'
import { addDays, endOfMonth, type Day } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { openSince, wasInBooks } from '#features/sales/documents/server/index.ts'
import type { InBooks } from '../endpoints.ts'
import type { Plan } from './plan.ts'

type Difference = InBooks['differences'][number]

/** The most differences that a report lists; all are counted. */
const mostListed = 500
/** The month ends on which debts are compared, the latest first. */
const mostDays = 36

/** The ends of the months of the file and its last day, the latest first. */
function daysOf({ from, to }: Pick<Plan, 'from' | 'to'>): Day[] {
  const days = new Set<Day>([to])
  for (let day = endOfMonth(from); day < to; day = endOfMonth(addDays(day, 1))) days.add(day)
  return [...days].toSorted().toReversed().slice(0, mostDays)
}

const add = <K>(sums: Map<K, number>, key: K, agorot: number) => sums.set(key, (sums.get(key) ?? 0) + agorot)

/** The balance of each account and party in the file; where it has none, the total of its lines. */
function saidBy(plan: Plan, accounts: Map<string, string>, parties: Map<string, string>) {
  const [byAccount, byParty] = [new Map<string, number>(), new Map<string, number>()]
  for (const card of plan.cards.values()) {
    const party = parties.get(card.key)
    if (party) add(byParty, party, card.said ?? card.found)
    else if (accounts.has(card.key)) add(byAccount, accounts.get(card.key)!, card.said ?? card.found)
  }
  return { byAccount, byParty }
}

/** What customers owed at the end of each of these days by the opening balances and the journal of the file. */
function owedByFile(
  plan: Plan,
  parties: Map<string, string>,
  days: readonly Day[],
): Map<Day, Map<string, number>> {
  const customers = new Map(
    [...plan.cards.values()].flatMap(({ key, role, opening }) =>
      role === 'customers' && parties.has(key) ? [[key, { party: parties.get(key)!, opening }] as const] : [],
    ),
  )
  const owed = new Map<string, number>()
  for (const { party, opening } of customers.values()) add(owed, party, opening)
  const entries = plan.entries.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  const found = new Map<Day, Map<string, number>>()
  let at = 0
  for (const day of days.toReversed()) {
    for (; at < entries.length && entries[at]!.day <= day; at++)
      for (const { key, amount } of entries[at]!.lines) {
        const customer = customers.get(key)
        if (customer) add(owed, customer.party, amount)
      }
    found.set(day, new Map(owed))
  }
  return found
}

/** What is open of the documents of each customer at the end of a day, as the ageing of that day has it. */
async function openOn(ctx: Ctx, day: Day): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; open: number }>`
    select d.customer_id as id, sum(d.open_agorot + coalesce(b.back, 0))::bigint as open
    from documents d left join (${openSince(ctx, day)}) b on b.id = d.id
    where d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${wasInBooks(day)}
      and d.customer_id is not null
    group by d.customer_id having sum(d.open_agorot + coalesce(b.back, 0)) <> 0`.execute(ctx.tx)
  return new Map(rows.map(({ id, open }) => [id, open]))
}

/**
 * The books after the import against the file, each worked out on its own: the balance of every account and of every
 * customer and supplier as the file states it (B110), what is open of them by their documents, and what every customer
 * owed at the end of each month, by the journal of the file and by the ageing of the books.
 */
export async function compareBooks(
  ctx: Ctx,
  plan: Plan,
  accounts: Map<string, string>,
  parties: Map<string, string>,
): Promise<InBooks> {
  const { byAccount, byParty } = saidBy(plan, accounts, parties)
  const period = `from=${plan.from}&to=${plan.to}`
  const differences: Difference[] = []
  const differs = (of: Difference) => of.fileAgorot !== of.booksAgorot && differences.push(of)

  const { rows: own } = await sql<{ id: string; number: string; name: string | null; balance: number }>`
    select a.id, a.number, a.name, coalesce(sum(p.amount_agorot), 0)::bigint as balance
    from accounts a left join postings p on p.company_id = a.company_id and p.account_id = a.id
    where a.company_id = ${ctx.companyId}
      and a.number not in (${systemAccounts.customers}, ${systemAccounts.suppliers})
    group by a.company_id, a.id`.execute(ctx.tx)
  for (const { id, number, name, balance } of own)
    differs({
      part: 'account',
      key: number,
      name: name ?? '',
      day: plan.to,
      fileAgorot: byAccount.get(id) ?? 0,
      booksAgorot: balance,
      open: `/invoice/cardskarteset/${id}?${period}`,
    })

  const { rows: cards } = await sql<{
    id: string
    role: 'customer' | 'supplier'
    name: string
    balance: number
    open: number
  }>`select p.id, p.role, p.name,
      coalesce((select sum(m.debit_agorot - m.credit_agorot) from party_months m
        where m.company_id = p.company_id and m.party_id = p.id), 0)::bigint as balance,
      (case p.role when 'customer' then coalesce((select sum(d.open_agorot) from documents d
          where d.company_id = p.company_id and d.customer_id = p.id and ${isIssued('d')}), 0)
        else -coalesce((select sum(e.open_agorot) from expenses e
          where e.company_id = p.company_id and e.supplier_id = p.id), 0) end)::bigint as open
    from parties p where p.company_id = ${ctx.companyId}`.execute(ctx.tx)
  const named = new Map(cards.map((card) => [card.id, card]))
  const cardPath = (id: string, role: 'customer' | 'supplier') =>
    `/invoice/${role === 'customer' ? 'reportcustomercard' : 'reportprovidercard'}?party=${id}`
  for (const { id, role, name, balance, open } of cards) {
    const at = { key: '', name, day: plan.to, fileAgorot: byParty.get(id) ?? 0, open: cardPath(id, role) }
    differs({ ...at, part: role, booksAgorot: balance })
    differs({ ...at, part: 'openItems', booksAgorot: open })
  }

  const days = daysOf(plan)
  const owed = owedByFile(plan, parties, days)
  for (const day of days) {
    const [file, books] = [owed.get(day)!, await openOn(ctx, day)]
    for (const id of new Set([...file.keys(), ...books.keys()]))
      differs({
        part: 'ageing',
        key: '',
        name: named.get(id)?.name ?? '',
        day,
        fileAgorot: file.get(id) ?? 0,
        booksAgorot: books.get(id) ?? 0,
        open: `/invoice/reportgiol?day=${day}&customer=${id}`,
      })
  }
  return {
    accounts: own.length,
    parties: cards.length,
    days: days.length,
    found: differences.length,
    differences: differences.slice(0, mostListed),
  }
}
