import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import '#features/sales/documents/rules.ts'
import { openingNumber } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { lettersOf } from './due.ts'
import { changePlan, duePlans, getPlan, nextDay, planOf, remindersOfDay } from './plan.ts'

/** Reminders show amounts of every type of document: leaving some out would be wrong. */
function refusePart({ caller }: Ctx): void {
  if (caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (caller.docsAllow.length) throw forbidden({ sight: 'documents' })
}

async function checkCustomer(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${id}
        and role = 'customer'`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
}

interface SentRow {
  day: string
  days: number
  recipient: string
  state: string
  openedAt: string | null
  openAgorot: number
  documents: { id: string; type: number; number: number | null; opening: string | null }[]
}

export const implementations = [
  implement(calls.getReminders, getPlan),
  implement(calls.changeReminders, changePlan),
  implement(calls.previewReminders, async (ctx, given) => {
    refusePart(ctx)
    const now = await planOf(ctx)
    const plan = {
      hour: given.hour ?? now.hour,
      weekends: given.weekends ?? now.weekends,
      steps: given.steps ?? now.steps,
      typeIds: given.typeIds ?? now.typeIds,
      leastAgorot: given.leastAgorot ?? now.leastAgorot,
    }
    const { day } = nextDay(ctx.now, plan)
    const letters = await lettersOf(ctx, plan, day)
    return { day, rows: letters.map(({ opens: _, card: __, ...letter }) => letter) }
  }),
  implement(calls.remindersOfCustomer, async (ctx, { id }) => {
    refusePart(ctx)
    await checkCustomer(ctx, id)
    const { rows: pauses } = await sql<{ until: string | null }>`select until from reminder_pauses
      where company_id = ${ctx.companyId} and customer_id = ${id}
        and (until is null or until >= ${ctx.today})`.execute(ctx.tx)
    const { rows } =
      await sql<SentRow>`select r.day, max(r.days) as days, m.recipient, m.state, m.opened_at as "openedAt",
        sum(r.open_agorot)::bigint as "openAgorot",
        json_agg(json_build_object('id', d.id, 'type', d.type, 'number', d.number, 'opening',
        ${openingNumber('d')}) order by d.number) as documents
      from reminders r join messages m on m.company_id = r.company_id and m.id = r.message_id
        join documents d on d.company_id = r.company_id and d.id = r.document_id
      where r.company_id = ${ctx.companyId} and r.customer_id = ${id}
      group by r.day, m.id, m.company_id, m.recipient, m.state, m.opened_at order by r.day desc
      limit 100`.execute(ctx.tx)
    return {
      isOn: (await planOf(ctx)).isOn,
      paused: pauses.length > 0,
      until: pauses[0]?.until ?? null,
      rows,
    }
  }),
  implement(calls.pauseReminders, async (ctx, { id, paused, until }) => {
    await checkCustomer(ctx, id)
    if (paused && until && until < ctx.today) throw failField('until', 'fields.dayPast')
    if (paused)
      await sql`insert into reminder_pauses (company_id, customer_id, until, created_by)
        values (${ctx.companyId}, ${id}, ${until ?? null}, ${ctx.caller.userId})
        on conflict (company_id, customer_id) do update
        set until = excluded.until, created_by = excluded.created_by, updated_at = now()`.execute(ctx.tx)
    else
      await sql`delete from reminder_pauses where company_id = ${ctx.companyId}
          and customer_id = ${id}`.execute(ctx.tx)
    await ctx.audit(
      paused ? 'reminders.pause' : 'reminders.goOn',
      'customers',
      id,
      undefined,
      paused ? { until: until ?? null } : undefined,
    )
    return { done: true as const }
  }),
]

export const jobs: Record<string, Job> = { 'reminders.day': remindersOfDay }

export const start = (app: App): Promise<() => Promise<void>> => keepServing(app, duePlans)

export const machines: Machines = {
  'reminders.day': { orders: ['reminderPlans'] },
  'schedule duePlans': { orders: ['reminderPlans'] },
}
