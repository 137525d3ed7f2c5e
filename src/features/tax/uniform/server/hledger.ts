import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { cardKey, cardTurnovers } from './cards.ts'
import { inPages } from './rows.ts'
import type { Range } from './uniformFile.ts'

/** Names may not hold what parts an account from its parts, from its sum and from a remark. */
const name = (text: string): string =>
  text
    .replace(/[:;|\r\n\t]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

const shekels = (agorot: number): string => {
  const size = Math.abs(agorot)
  return `${agorot < 0 ? '-' : ''}${Math.trunc(size / 100)}.${String(size % 100).padStart(2, '0')} ILS`
}

interface Line {
  number: string
  account: string
  key: string
  party: string | null
  amount: number
}

const accountOf = ({ number, account, key, party }: Omit<Line, 'amount'>): string =>
  `${name(`${number} ${account}`)}${party && key !== number ? `:${name(`${key} ${party}`)}` : ''}`

/**
 * The books of a range as an hledger journal: ISO days, accounts by number and name, customers and suppliers
 * below their control account.
 */
export async function writeHledger(
  ctx: Ctx,
  { from, to }: Range,
  write: (text: string) => void,
  tell: (entries: number) => Promise<void>,
): Promise<number> {
  const company = await companyOf(ctx)
  const cards = await cardTurnovers(ctx, from, to)
  const { rows: accounts } = await sql<{
    number: string
    name: string
    kind: string
  }>`select number, name, kind from accounts
    where company_id = ${ctx.companyId} order by number`.execute(ctx.tx)
  const named = new Map(accounts.map((account) => [account.number, account.name]))
  const { language } = ctx.caller
  write(`; ${name(company.name)} ${company.taxId}, ${from} - ${to}\ncommodity 1000.00 ILS\n\n`)
  const letter: Record<string, string> = {
    asset: 'A',
    liability: 'L',
    equity: 'E',
    income: 'R',
    expense: 'X',
  }
  for (const { number, name: title, kind } of accounts)
    write(`account ${name(`${number} ${title}`)}  ; type: ${letter[kind]}\n`)
  // Customers and suppliers too, so that `hledger check --strict` finds every account declared.
  for (const { parent, key, name: party } of cards)
    if (parent)
      write(`account ${accountOf({ number: parent, account: named.get(parent) ?? '', key, party })}\n`)
  const opening = cards.filter((card) => card.openingAgorot !== 0)
  if (opening.length) {
    write(`\n${from} * ${name(say(language, 'uniform.openingEntry'))}\n`)
    for (const card of opening) {
      const number = card.parent || card.key
      write(
        `    ${accountOf({ number, account: named.get(number) ?? '', key: card.key, party: card.parent ? card.name : null })}  ${shekels(card.openingAgorot)}\n`,
      )
    }
  }
  let count = 0
  const pages = inPages(
    ctx,
    sql<{
      day: string
      reference: string
      details: string
      kind: string
      lines: Line[]
    }>`select e.day, e.reference, e.details, e.kind,
        (select jsonb_agg(jsonb_build_object('number', a.number, 'account', a.name, 'key', ${cardKey},
        'party', q.name, 'amount', p.amount_agorot) order by p.line)
          from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
          left join parties q on q.company_id = p.company_id and q.id = p.party_id
          left join uniform_cards c on c.company_id = p.company_id and c.party_id = p.party_id
          where p.company_id = e.company_id and p.entry_id = e.id) as lines
      from entries e where e.company_id = ${ctx.companyId} and e.day between ${from} and ${to}
      order by e.day, e.id`,
  )
  for await (const rows of pages) {
    for (const { day, reference, details, kind, lines } of rows) {
      count++
      write(
        `\n${day} * ${reference ? `(${name(reference).replace(/[()]/g, ' ')}) ` : ''}${name(details || kind)}  ; kind: ${name(kind)}\n`,
      )
      for (const line of lines ?? []) write(`    ${accountOf(line)}  ${shekels(line.amount)}\n`)
    }
    await tell(count)
  }
  return count
}
