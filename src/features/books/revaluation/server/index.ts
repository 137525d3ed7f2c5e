import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { credit, debit, entryOf, reverse } from '#domain/ledger/entry.ts'
import { sum } from '#domain/money.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { accountIds, ensureAccount, post } from '#features/base/ledger/server/index.ts'
import * as calls from '../endpoints.ts'
import type { RevaluationLine } from '../endpoints.ts'
import '../rules.ts'
import { heldAccounts, otherCards, positionsAt, type BankBalance } from './positions.ts'

/*
 * A customer's or supplier's balance always equals the open items, so a revaluation never touches the control
 * accounts: its difference is on an account beside each, and the balance sheet adds the two. The same holds for
 * banks, whose cards are matched with statements in their own currency. Any other card, a loan or a deposit, bears
 * its difference itself, on its line of every form.
 */
const beside = {
  customers: {
    number: '1109',
    key: 'customersRevaluation',
    kind: 'asset',
    sortCode: '100',
    code6111: '7320',
  },
  suppliers: {
    number: '2009',
    key: 'suppliersRevaluation',
    kind: 'liability',
    sortCode: '300',
    code6111: '9220',
  },
  bank: { number: '1019', key: 'bankRevaluation', kind: 'asset', sortCode: '110', code6111: '7120' },
} as const

function refusePartSight(ctx: Ctx): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

const missingOf = (rows: readonly RevaluationLine[]): string[] => [
  ...new Set(rows.filter((row) => row.rate === null).map((row) => row.currency)),
]
const totalOf = (rows: readonly RevaluationLine[]): number =>
  sum(rows.map((row) => row.differenceAgorot ?? 0))

interface Asked {
  day: Day
  banks: BankBalance[]
  without: readonly RevaluationLine['what'][]
}

const takingPart = (rows: readonly RevaluationLine[], without: Asked['without']): RevaluationLine[] =>
  rows.filter(({ what }) => !without.includes(what))

async function preview(ctx: Ctx, { day, banks, cards, without }: Asked & { cards: string[] }) {
  refusePartSight(ctx)
  const all = await positionsAt(ctx, day, banks)
  const rows = takingPart(all, without)
  const known = await heldAccounts(ctx, day, [...cards, ...banks.map(({ accountId }) => accountId)])
  return {
    rows,
    totalAgorot: totalOf(rows),
    parties: calls.revaluedParties.filter((what) => all.some((row) => row.what === what)),
    bankAccounts: known,
    otherCards: await otherCards(ctx, known),
    missingRates: missingOf(rows),
  }
}

async function postIt(ctx: Ctx, { day, banks, without }: Asked) {
  refusePartSight(ctx)
  if (day > ctx.today) throw failField('day', 'rates.future')
  await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
  const { rows: twins } =
    await sql`select 1 from revaluations where company_id = ${ctx.companyId} and day = ${day}
        and undone_at is null`.execute(ctx.tx)
  if (twins.length) throw fail('revaluation.alreadyPosted')
  const rows = takingPart(await positionsAt(ctx, day, banks), without)
  const missing = missingOf(rows)
  if (missing.length) throw fail('revaluation.noRate', { currencies: missing.join(', ') })
  const lines = rows.filter((row) => row.differenceAgorot !== 0)
  if (!lines.length) throw fail('revaluation.nothingToPost')
  const { language } = await companyOf(ctx)
  const accounts = await accountIds(ctx)
  const sides = []
  for (const what of ['customers', 'suppliers', 'bank'] as const) {
    const amount = totalOf(lines.filter((row) => row.what === what))
    if (!amount) continue
    const name = say(language, `revaluation.accounts.${beside[what].key}`)
    sides.push(debit(await ensureAccount(ctx, { ...beside[what], name }), amount))
  }
  for (const row of lines) if (row.what === 'card') sides.push(debit(row.accountId, row.differenceAgorot!))
  const totalAgorot = totalOf(lines)
  // Gains of customers and losses of suppliers may cancel out to nothing in the sum and still stand on their
  // accounts.
  const postings = entryOf([...sides, credit(accounts.of('exchangeDifferences'), totalAgorot)])
  if (!postings.length) throw fail('revaluation.nothingToPost')
  const entryId = await post(ctx, { day, kind: 'revaluation', postings })
  const backEntryId = await post(ctx, {
    day: addDays(day, 1),
    kind: 'revaluationBack',
    postings: reverse(postings),
  })
  const id = newId()
  const by = byOf(ctx)
  await sql`insert into revaluations (company_id, id, day, total_agorot, entry_id, back_entry_id, created_by)
    values (${ctx.companyId}, ${id}, ${day}, ${totalAgorot}, ${entryId}, ${backEntryId}, ${by})`.execute(
    ctx.tx,
  )
  const kept = lines.map((row, i) => ({
    company_id: ctx.companyId,
    revaluation_id: id,
    line: i + 1,
    what: row.what,
    account_id: row.accountId,
    party_id: row.partyId,
    currency: row.currency,
    foreign_agorot: row.foreignAgorot,
    books_agorot: row.booksAgorot,
    rate: row.rate,
    difference_agorot: row.differenceAgorot,
  }))
  await sql`insert into revaluation_lines select *
    from jsonb_populate_recordset(null::revaluation_lines, ${JSON.stringify(kept)}::jsonb)`.execute(ctx.tx)
  await ctx.audit('revaluation.post', 'revaluations', id, undefined, { day, totalAgorot })
  return { id, entryId, totalAgorot }
}

async function list(ctx: Ctx) {
  refusePartSight(ctx)
  const { rows } = await sql<{
    id: string
    day: Day
    totalAgorot: number
    lines: number
    undone: boolean
    by: string | null
    createdAt: string
  }>`select r.id, r.day, r.total_agorot as "totalAgorot",
      (select count(*) from revaluation_lines l where l.company_id = r.company_id
      and l.revaluation_id = r.id)::int as lines,
      r.undone_at is not null as undone, u.full_name as by, r.created_at as "createdAt"
    from revaluations r left join users u on u.id = r.created_by where r.company_id = ${ctx.companyId}
    order by r.day desc, r.id desc limit 200`.execute(ctx.tx)
  return { rows }
}

async function undo(ctx: Ctx, { id }: { id: string }) {
  refusePartSight(ctx)
  const { rows } = await sql<{
    entryId: string
    backEntryId: string
    day: Day
    undone: boolean
  }>`select entry_id as "entryId", back_entry_id as "backEntryId", day,
    undone_at is not null as undone from revaluations where company_id = ${ctx.companyId} and id = ${id} for
    update`.execute(ctx.tx)
  const [known] = rows
  if (!known) throw fail('kit.notFound')
  if (known.undone) throw fail('revaluation.undone')
  const mirror = async (entryId: string, day: Day) => {
    const { rows: lines } = await sql<{
      account: string
      amount: number
    }>`select account_id as account, amount_agorot as amount from postings
      where company_id = ${ctx.companyId} and entry_id = ${entryId} order by line`.execute(ctx.tx)
    return post(ctx, {
      day,
      kind: 'reversal',
      reversesId: entryId,
      postings: reverse(lines.map((line) => debit(line.account, line.amount))),
    })
  }
  const undoEntry = await mirror(known.entryId, known.day)
  const undoBack = await mirror(known.backEntryId, addDays(known.day, 1))
  await sql`update revaluations set undone_at = ${ctx.now.toISOString()}, undo_entry_id = ${undoEntry},
      undo_back_entry_id = ${undoBack}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('revaluation.undo', 'revaluations', id, { day: known.day }, undefined)
  return { done: true as const }
}

export const implementations = [
  implement(calls.previewRevaluation, preview),
  implement(calls.postRevaluation, postIt),
  implement(calls.listRevaluations, list),
  implement(calls.undoRevaluation, undo),
]
