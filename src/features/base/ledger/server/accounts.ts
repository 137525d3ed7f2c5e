import { sql } from 'kysely'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { accounts } from '../accounts.ts'
import { balanceToday, sideThisYear } from './sums.ts'

const thisYear = sql`date_trunc('year', ${todayThere})::date`
const isProfitOf = (alias: string) => sql`${sql.ref(`${alias}.kind`)} in ('income', 'expense')`

const isSystem = (number: unknown): boolean => (Object.values(systemAccounts) as unknown[]).includes(number)

/**
 * The chart: postings look for some accounts by number, and what was posted stays in the statement it was
 * posted to.
 */
export const servedAccounts: ServedResource = {
  refuses: ['ledger.hasBalance', 'ledger.systemAccount'],
  resource: accounts,
  compute: {
    debitAgorot: sideThisYear(sql`t.id`, 'debit'),
    creditAgorot: sideThisYear(sql`t.id`, 'credit'),
    balanceAgorot: balanceToday(sql`t.id`, isProfitOf('t')),
  },
  refNames: {
    cardKindId: sql`(select k.name from card_kinds k where k.company_id = t.company_id
        and k.id = t.card_kind_id)`,
  },
  keptFrom: (ctx) => (seesWhole(ctx.caller) ? [] : ['debitAgorot', 'creditAgorot', 'balanceAgorot']),
  beforeSave: async (ctx, values, before) => {
    await checkRef(ctx, 'cardKindId', 'card_kinds', values.cardKindId)
    if (before && isSystem(before.number))
      for (const name of ['number', 'kind'])
        if (values[name] !== undefined && values[name] !== before[name])
          throw failField(name, 'ledger.systemAccount')
    if (before && values.kind !== undefined && values.kind !== before.kind) {
      const { rows } = await sql`select 1 from account_months where company_id = ${ctx.companyId}
            and account_id = ${before.id} limit 1`.execute(ctx.tx)
      if (rows.length) throw failField('kind', 'ledger.kindPosted')
    }
    const number = String(values.number ?? before?.number ?? '')
    const kindId = values.cardKindId === undefined ? before?.cardKindId : values.cardKindId
    const numbered = values.number !== undefined || values.cardKindId !== undefined
    if (numbered && kindId && /^\d+$/.test(number)) {
      const { rows } = await sql<{
        from: string
        to: string
      }>`select from_number as "from", to_number as "to" from card_kinds
        where company_id = ${ctx.companyId} and id = ${kindId} and not ${number}::numeric between
          from_number::numeric and to_number::numeric`.execute(ctx.tx)
      if (rows[0]) throw failField('number', 'ledger.outOfRange', rows[0])
    }
    if (!before && kindId === undefined && /^\d{1,15}$/.test(number)) {
      const { rows } = await sql<{
        id: string
      }>`select id from card_kinds where company_id = ${ctx.companyId} and archived_at is null
        and ${number}::numeric between from_number::numeric and to_number::numeric
        order by from_number::numeric desc limit 1`.execute(ctx.tx)
      if (rows[0]) return { ...values, cardKindId: rows[0].id }
    }
    return values
  },
  beforeMove: async (ctx: Ctx, row, to) => {
    if (to !== 'archive') return
    if (isSystem(row.number)) throw fail('ledger.systemAccount')
    // Not by the row: its balance is kept from the person who sees a part, and what is dated ahead is no part of it.
    // Income and expense of former years are the profit of those years, and nobody can bring them to zero.
    const { rows } = await sql`select 1 from account_months m join accounts a on a.company_id = m.company_id
          and a.id = m.account_id
      where m.company_id = ${ctx.companyId} and m.account_id = ${row.id}
        and (not ${isProfitOf('a')} or m.month >= ${thisYear})
      group by m.account_id having sum(m.debit_agorot - m.credit_agorot) <> 0`.execute(ctx.tx)
    if (rows.length) throw fail('ledger.hasBalance', { number: String(row.number) })
  },
}
