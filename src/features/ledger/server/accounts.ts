import { sql } from 'kysely'
import { systemAccounts } from '../../../domain/ledger/chart.ts'
import { fail, failField } from '../../../kit/describe/errors.ts'
import { seesWhole } from '../../../kit/describe/session.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { checkRef } from '../../../kit/server/refs.ts'
import type { ServedResource } from '../../../kit/server/resources.ts'
import { accounts } from '../accounts.ts'

/** What an account stands at today, from its monthly sums. */
const balance = sql`coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m where m.company_id = t.company_id and m.account_id = t.id), 0)::bigint`

const isSystem = (number: unknown): boolean => (Object.values(systemAccounts) as unknown[]).includes(number)

/** The chart: postings look for some accounts by number, and what was posted stays in the statement it was posted to. */
export const servedAccounts: ServedResource = {
  resource: accounts,
  compute: { balanceAgorot: balance },
  refNames: { cardKindId: sql`(select k.name from card_kinds k where k.company_id = t.company_id and k.id = t.card_kind_id)` },
  keptFrom: (ctx) => (seesWhole(ctx.caller) ? [] : ['balanceAgorot']),
  beforeSave: async (ctx, values, before) => {
    await checkRef(ctx, 'cardKindId', 'card_kinds', values.cardKindId)
    if (before && isSystem(before.number))
      for (const name of ['number', 'kind'])
        if (values[name] !== undefined && values[name] !== before[name]) throw failField(name, 'ledger.systemAccount')
    if (before && values.kind !== undefined && values.kind !== before.kind) {
      const { rows } =
        await sql`select 1 from account_months where company_id = ${ctx.companyId} and account_id = ${before.id} limit 1`.execute(ctx.tx)
      if (rows.length) throw failField('kind', 'ledger.kindPosted')
    }
    const number = String(values.number ?? before?.number ?? '')
    const kindId = values.cardKindId === undefined ? before?.cardKindId : values.cardKindId
    const numbered = values.number !== undefined || values.cardKindId !== undefined
    if (numbered && kindId && /^\d+$/.test(number)) {
      const { rows } = await sql<{ from: string; to: string }>`select from_number as "from", to_number as "to" from card_kinds
        where company_id = ${ctx.companyId} and id = ${kindId} and not ${number}::numeric between from_number::numeric and to_number::numeric`.execute(
        ctx.tx,
      )
      if (rows[0]) throw failField('number', 'ledger.outOfRange', rows[0])
    }
    if (!before && kindId === undefined && /^\d{1,15}$/.test(number)) {
      const { rows } = await sql<{ id: string }>`select id from card_kinds where company_id = ${ctx.companyId} and archived_at is null
        and ${number}::numeric between from_number::numeric and to_number::numeric order by from_number::numeric desc limit 1`.execute(
        ctx.tx,
      )
      if (rows[0]) return { ...values, cardKindId: rows[0].id }
    }
    return values
  },
  beforeMove: async (ctx: Ctx, row, to) => {
    if (to !== 'archive') return
    if (isSystem(row.number)) throw fail('ledger.systemAccount')
    // Not by the row: its balance is kept from whoever sees a part.
    const { rows } = await sql`select 1 from account_months where company_id = ${ctx.companyId} and account_id = ${row.id}
      group by account_id having sum(debit_agorot - credit_agorot) <> 0`.execute(ctx.tx)
    if (rows.length) throw fail('ledger.hasBalance', { number: String(row.number) })
  },
}
