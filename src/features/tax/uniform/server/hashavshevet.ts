import { sql } from 'kysely'
import {
  cardFields,
  moveFields,
  movementsOf,
  numberOf,
  parametersOf,
  recordOf,
  shekelsOf,
  writtenDay,
  type MoveLine,
} from '#domain/filings/hashavshevet/movein.ts'
import { encode, inCodePage } from '#domain/filings/uniform/charset.ts'
import type { Ctx } from '#kit/server/context.ts'
import { cardKey, cardTurnovers } from './cards.ts'
import { inPages } from './rows.ts'
import type { Range } from './uniformFile.ts'

/** The letters of ISO 8859-8 have the same bytes in Windows-1255. */
const bytesOf = (text: string): Uint8Array => encode(text, 'iso-8859-8')

type Opened = { write: (bytes: Uint8Array) => void; end: () => void }

/**
 * The movements of a range and the cards they move, for Hashavshevet. What stood before the range is not in
 * it: the person who takes over a month after another would have it every time.
 */
export async function writeHashavshevet(
  ctx: Ctx,
  { from, to }: Range,
  open: (name: string) => Opened,
  tell: (entries: number) => Promise<void>,
): Promise<Record<string, number>> {
  const cards = (await cardTurnovers(ctx, from, to)).filter(
    (card) => card.debitAgorot !== 0 || card.creditAgorot !== 0,
  )
  const whole = (name: string, text: string) => {
    const file = open(name)
    file.write(bytesOf(text))
    file.end()
  }
  whole('HESHIN.PRM', parametersOf(cardFields))
  whole(
    'HESHIN.DAT',
    cards
      .map((card) =>
        recordOf(cardFields, {
          key: card.key,
          name: inCodePage(card.name),
          sortCode: numberOf(card.sortCode),
        }),
      )
      .join(''),
  )
  whole('MOVEIN.PRM', parametersOf(moveFields))
  const file = open('MOVEIN.DOC')
  const counts = { cards: cards.length, movements: 0 }
  let entries = 0
  const pages = inPages(
    ctx,
    sql<{
      day: string
      valueDay: string
      reference: string
      details: string
      lines: MoveLine[] | null
    }>`select e.day,
        coalesce(e.value_day, e.day) as "valueDay", e.reference, e.details,
        (select jsonb_agg(jsonb_build_object('key', ${cardKey}, 'amount', p.amount_agorot) order by p.line)
          from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
          left join uniform_cards c on c.company_id = p.company_id and c.party_id = p.party_id
          where p.company_id = e.company_id and p.entry_id = e.id) as lines
      from entries e where e.company_id = ${ctx.companyId} and e.day between ${from} and ${to}
      order by e.day, e.id`,
  )
  for await (const rows of pages) {
    for (const { day, valueDay, reference, details, lines } of rows) {
      entries++
      for (const { debits, credits } of movementsOf(lines ?? [])) {
        counts.movements++
        const side = (name: 'debit' | 'credit', ones: readonly MoveLine[]) =>
          Object.fromEntries(
            ones.flatMap((one, i) => [
              [`${name}${i + 1}`, one.key],
              [`${name}Sum${i + 1}`, shekelsOf(one.amount)],
            ]),
          )
        file.write(
          bytesOf(
            recordOf(moveFields, {
              reference: numberOf(reference),
              day: writtenDay(day),
              valueDay: writtenDay(valueDay),
              details: inCodePage(details),
              ...side('debit', debits),
              ...side('credit', credits),
            }),
          ),
        )
      }
    }
    await tell(entries)
  }
  file.end()
  return counts
}
