import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement, implementOutside } from '#kit/server/contract/implement.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { terminalById } from '#features/money/acquirers/server/index.ts'
import { dispute } from '#features/money/paymentLinks/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { addDeposit, bookDeposit } from './deposits.ts'
import { dealList, depositList } from './lists.ts'
import { owedRows } from './owed.ts'
import { keepInvoice } from './fees.ts'
import { acquirerFees } from './reports/acquirerFees.ts'
import { acquirersOwe } from './reports/acquirersOwe.ts'
import { take, takeFile } from './take.ts'

export { start } from './night.ts'
export { showSettlements } from './demo.ts'

async function facts(ctx: Ctx) {
  const { rows } = await sql<{
    id: string
    name: string
    gateway: string
    lastDay: string | null
  }>`select t.id, t.name, t.gateway,
      (select max(d.day)::text from acquirer_days d where d.company_id = t.company_id
      and d.terminal_id = t.id) as "lastDay"
    from terminals t where t.company_id = ${ctx.companyId} order by t.position, t.id`.execute(ctx.tx)
  const terminals = []
  for (const row of rows) {
    const { acquirer } = await terminalById(ctx, row.id)
    terminals.push({ ...row, lists: acquirer.day !== undefined, deposits: acquirer.deposits !== undefined })
  }
  const { rows: bankAccounts } = await sql<{ id: string; name: string }>`select id, name from bank_accounts
    where company_id = ${ctx.companyId} and archived_at is null and currency = 'ILS' order by name`.execute(
    ctx.tx,
  )
  const { rows: counts } = await sql<{ n: number }>`select count(*)::int as n from acquirer_deals
    where company_id = ${ctx.companyId} and state not in ('matched', 'explained')`.execute(ctx.tx)
  return {
    terminals,
    bankAccounts,
    differences: counts[0]!.n,
    owedAgorot: (await owedRows(ctx)).reduce((sum, { owed }) => sum + owed, 0),
  }
}

export const implementations = [
  ...serveResource({ ...dealList, verbs: ['list', 'export'] }),
  ...serveResource({ ...depositList, verbs: ['list', 'export'] }),
  implement(calls.settlementFacts, facts),
  implementOutside(calls.takeDays, take),
  implement(calls.takeFile, takeFile),
  implement(calls.explainDeal, async (ctx, { id, note }) => {
    const { rows } = await sql<{
      state: string
    }>`select state from acquirer_deals where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
    if (!rows[0]) throw fail('kit.notFound')
    if (rows[0].state === 'matched') throw fail('settlements.notDifferent')
    await sql`update acquirer_deals set state = 'explained', note = ${note},
        explained_by = ${ctx.caller.userId}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('settlements.explain', 'acquirerDeals', id, undefined, { note })
    return { done: true as const }
  }),
  implement(calls.denyDeal, async (ctx, { id, reason, answerBy }) => {
    const { rows } = await sql<{
      state: string
      chargeId: string | null
      day: string
      told: number
    }>`select state, charge_id as "chargeId", day::text,
        told_agorot as told from acquirer_deals where company_id = ${ctx.companyId} and id = ${id} for
        update`.execute(ctx.tx)
    const [deal] = rows
    if (!deal) throw fail('kit.notFound')
    if (deal.state !== 'takenBack' || !deal.chargeId) throw fail('settlements.notTakenBack')
    await dispute(ctx, { id: deal.chargeId, reason, amountAgorot: -deal.told, toldOn: deal.day, answerBy })
    await sql`update acquirer_deals set state = 'matched', own_agorot = told_agorot, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    return { done: true as const }
  }),
  implement(calls.addDeposit, addDeposit),
  implement(calls.bookDeposit, bookDeposit),
  implement(calls.keepAcquirerInvoice, keepInvoice),
]

export const reports: Report[] = [acquirersOwe, acquirerFees]

export const machines: Machines = {
  'timer night.ts': { inside: 'the list of a day is held against our charges' },
}
