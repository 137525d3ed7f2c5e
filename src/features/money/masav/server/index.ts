import { sql } from 'kysely'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { collect } from './collect.ts'
import { askMandate, saveMandate } from './mandates.ts'
import { creditProposals, debitProposals, foreignBills, workOutCredits } from './proposals.ts'
import { readReturns, returnLine } from './returns.ts'
import { fileOf, listRuns, makeCredits, makeDebits, runOf, settingsOf } from './runs.ts'
import { undo } from './undo.ts'

export { registerReceiptType } from './collect.ts'
export { registerReturned } from './returns.ts'

export const implementations = [
  implement(calls.masavSettings, async (ctx) => ({ settings: await settingsOf(ctx) })),
  implement(calls.saveMasavSettings, async (ctx, given) => {
    const before = await settingsOf(ctx)
    await sql`insert into masav_settings (company_id, institution, sender, code)
      values (${ctx.companyId}, ${given.institution}, ${given.sender}, ${given.code})
      on conflict (company_id) do update set institution = excluded.institution, sender = excluded.sender,
        code = excluded.code, updated_at = now()`.execute(ctx.tx)
    await ctx.audit('masav.settings', 'masav', null, before ?? undefined, given)
    return { settings: given }
  }),
  implement(calls.proposeCredits, async (ctx, { until, payDay }) => ({
    rows: await creditProposals(ctx, until, payDay),
    foreignBills: await foreignBills(ctx, until),
  })),
  implement(calls.workOutCredits, async (ctx, { suppliers, payDay }) => ({
    rows: await workOutCredits(ctx, suppliers, payDay),
  })),
  implement(calls.makeCredits, makeCredits),
  implement(calls.proposeDebits, async (ctx, { until }) => ({ rows: await debitProposals(ctx, { until }) })),
  implement(calls.saveMandate, saveMandate),
  implement(calls.askMandate, askMandate),
  implement(calls.makeDebits, makeDebits),
  implement(calls.listRuns, async (ctx, { direction }) => ({ rows: await listRuns(ctx, direction) })),
  implement(calls.getRun, (ctx, { id }) => runOf(ctx, id)),
  implement(calls.collectDebits, collect),
  implement(calls.undoRun, undo),
  implement(calls.returnLine, returnLine),
  implement(calls.readReturns, readReturns),
  implement(calls.creditsFile, (ctx, { id }) => fileOf(ctx, id, 'credit')),
  implement(calls.debitsFile, (ctx, { id }) => fileOf(ctx, id, 'debit')),
]
