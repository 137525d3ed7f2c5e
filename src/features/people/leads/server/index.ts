import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  listed,
  type Implementation,
} from '#kit/server/contract/implement.ts'
import type { Job, SystemJob } from '#kit/server/work/jobs.ts'
import { oneRow, seesRow } from '#kit/server/data/lists.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerBell } from '#features/people/bell/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { board } from './cards.ts'
import { history, move, twins, win, quote, message } from './actions.ts'
import { bring, decide, door, formLogo, formPage, formScript, intakes, renewDoor, sendForm } from './doors.ts'
import {
  askFacebookJob,
  askUnread,
  facebookHello,
  facebookJob,
  facebookNotice,
  setFacebook,
} from './facebook/index.ts'
import { leadsReport } from './report.ts'
import { seen, served, settle, sorts } from './served.ts'
import { kindsOf, setKindFields, stagesOf } from './stages.ts'
import { morningKind, morningLetter, tellMorning } from './morning.ts'
import { tellStale } from './stale.ts'
import { dropRule, handovers, preview, rulesAndLoads, saveRule, setAbsence, transfer } from './transfer.ts'

export { showLeads } from './demo.ts'

for (const kind of ['lead.new', 'lead.given', 'lead.stale']) registerBell(kind, 'leads.see')
registerBell(morningKind, 'leads.see', { hasLetter: true })

registerAttachable('leads', {
  see: 'leads.see',
  change: 'leads.change',
  table: 'leads',
  may: seesRow(served),
})

// Who a merged customer came from is who the one who stays came from.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update leads set customer_id = ${keepId}, updated_at = now() where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

// What was nobody is kept long enough to be looked at again.
registerSweep((db) =>
  sql`delete from lead_intakes where state = 'dropped' and at < now() - interval '60 days'`.execute(db),
)

const done = { done: true as const }
const described = serveResource(served).map((one): Implementation => {
  const { name } = one.endpoint
  // Deleting them needs a separate right.
  if (name === 'leads.export')
    return { ...one, endpoint: { ...one.endpoint, access: { rule: 'leads.export' } } }
  if (name !== 'leads.create' && name !== 'leads.change') return one
  return {
    ...one,
    inside: async (ctx, input: { id?: string }) => {
      const before = input.id ? await oneRow<Record<string, unknown>>(ctx, served, input.id) : undefined
      const row = (await one.inside!(ctx, input as never)) as Record<string, unknown>
      await settle(ctx, row, before)
      return oneRow(ctx, served, String(row.id))
    },
  }
})

export const implementations: Implementation[] = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.listStages, async (ctx) => ({ rows: await stagesOf(ctx) })),
  implement(calls.leadBoard, board),
  implement(calls.leadTwins, async (ctx, given) => ({ rows: await twins(ctx, given) })),
  implement(calls.leadReasons, async (ctx) => {
    const where = sql.join(
      [sql`t.company_id = ${ctx.companyId} and t.lost_reason <> ''`, ...seen(ctx)],
      sql` and `,
    )
    const { rows } = await sql<{
      reason: string
    }>`select t.lost_reason as reason from leads t where ${where} group by 1 order by count(*) desc, 1
      limit 20`.execute(ctx.tx)
    return { rows: rows.map(({ reason }) => reason) }
  }),
  implement(calls.listKinds, async (ctx) => ({ rows: await kindsOf(ctx) })),
  implement(calls.setKindFields, setKindFields),
  implement(calls.orderStages, async (ctx, { ids }) => {
    await sql`update lead_stages t
      set position = coalesce(array_position(${ids}::uuid[], t.id), ${ids.length + 1})
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
    await ctx.audit('leadStages.order', 'leadStages', null)
    return done
  }),
  implement(calls.sourceDoor, door),
  implement(calls.renewDoor, async (ctx, { id }) => {
    await renewDoor(ctx, id)
    return done
  }),
  implement(calls.setFacebook, async (ctx, given) => {
    await setFacebook(ctx, given)
    return done
  }),
  implement(calls.listIntakes, intakes),
  implement(calls.decideIntake, decide),
  implement(calls.listRules, rulesAndLoads),
  implement(calls.saveRule, saveRule),
  implement(calls.dropRule, async (ctx, { id }) => {
    await dropRule(ctx, id)
    return done
  }),
  implement(calls.setAbsence, async (ctx, given) => {
    await setAbsence(ctx, given)
    return done
  }),
  implement(calls.previewTransfer, preview),
  implement(calls.transferLeads, transfer),
  implement(calls.listHandovers, handovers),
  ...listed(described),
  ...sorts.flatMap(serveResource),
  implement(calls.moveLead, move),
  implement(calls.winLead, win),
  implement(calls.quoteLead, quote),
  implement(calls.leadMessage, message),
  implement(calls.leadHistory, history),
  // However many come at once, none holds a connection while it waits for another.
  implementOpenOutside(calls.formPage, formPage),
  implementOpenOutside(calls.sendForm, sendForm),
  implementOpen(calls.formScript, formScript),
  implementOpen(calls.formLogo, formLogo),
  implementOpenOutside(calls.bringLead, bring),
  implementOpen(calls.facebookHello, facebookHello),
  implementOpenOutside(calls.facebookNotice, facebookNotice),
]

export const jobs: Record<string, Job> = {
  'leads.morning': morningLetter,
  'leads.askFacebook': askFacebookJob,
}

/** Of versions before `leads.askFacebook`. */
export const systemJobs: Record<string, SystemJob> = { 'leads.facebook': facebookJob }

export const reports = [leadsReport]

const hour = 3_600_000

export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, 'leads', hour, (isOver) =>
      eachOf(
        () => tellStale(app, isOver),
        () => tellMorning(app, isOver),
        () => askUnread(app, isOver),
      ),
    ),
  )

export const machines: Machines = {
  'leads.morning': { person: 'whose leads they are, with what they see today' },
  'leads.askFacebook': { inside: 'leads of a form that the business connected' },
  'leads.facebook': { inside: 'leads of a form that the business connected' },
  'timer index.ts': { inside: 'notifies of leads that wait' },
}
