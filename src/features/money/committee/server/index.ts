import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { registerBell } from '#features/people/bell/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { buildings, flats, people } from '../committee.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import {
  charge,
  chargeMonth,
  dropLevy,
  dueHouses,
  levyShares,
  makeLevy,
  openingDebt,
  setRate,
} from './dues.ts'
import { gridOf } from './grid.ts'
import {
  handOver,
  handOverFile,
  handOverLogo,
  handOverPage,
  handOversOf,
  packageOf,
  setHandOverPage,
  takeHandOver,
} from './handOver.ts'
import { seesHouses } from './house.ts'
import { logo, page, paper, setPage } from './page.ts'
import { orderForTenant, ordersOf, takeTurns } from './orders.ts'
import { cancelTaken, take, transfersOf } from './payments.ts'
import { askLevy, dueReminders, mailJob, remind, setReminders } from './remind.ts'
import { committeeYear } from './reports/committeeYear.ts'
import { tenantPayments } from './reports/tenantPayments.ts'
import { spend } from './spend.ts'
import { payByTenant, setTenantPage, takeRequests, tenantLogo, tenantPage } from './tenant.ts'

export { showCommittee } from './demo.ts'
export { takeTurns } from './orders.ts'
export { takeRequests } from './tenant.ts'

// More payers of one flat on one day than the whole: the database would not say whose field it is.
databaseFailures.PK333 = () => failField('fromDay', 'committee.twoPayers')
registerBell('committee.refused', 'committee.change')
registerBell('committee.reminded', 'committee.change')
registerAttachable('committeelevies', {
  table: 'committee_levies',
  see: 'committee.see',
  change: 'committee.decide',
})

registerFollower('customer', async (ctx, keepId, gone) => {
  const of = sql`${[...gone]}::uuid[]`
  await sql`update committee_people set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
  await sql`update committee_dues set payer_id = ${keepId} where company_id = ${ctx.companyId}
      and payer_id = any(${of})`.execute(ctx.tx)
  await sql`update committee_payments set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
  await sql`update committee_orders set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
  await sql`update committee_requests set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
  await sql`insert into committee_levy_asks (company_id, levy_id, customer_id, message_id)
    select company_id, levy_id, ${keepId}, message_id from committee_levy_asks
    where company_id = ${ctx.companyId} and customer_id = any(${of}) on conflict do nothing`.execute(ctx.tx)
  await sql`delete from committee_levy_asks where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
  // The old address opens nothing any more.
  await sql`delete from committee_tenant_pages where company_id = ${ctx.companyId}
      and customer_id = any(${of})`.execute(ctx.tx)
})

const there = async (ctx: Ctx, field: string, found: ReturnType<typeof sql>): Promise<void> => {
  if (!(await found.execute(ctx.tx)).rows.length) throw failField(field, 'fields.ref')
}

const range = (values: Record<string, unknown>, field: string, least: number, most: number) => {
  const value = values[field]
  if (value !== null && value !== undefined && (Number(value) < least || Number(value) > most))
    throw failField(field, 'fields.range')
}

export const implementations = [
  ...serveResource({
    resource: buildings,
    compute: {
      flatCount: sql`(select count(*) from committee_flats f where f.company_id = t.company_id
          and f.building_id = t.id and f.archived_at is null)::int`,
    },
    beforeSave: async (_ctx, values) => {
      range(values, 'reserveAgorot', 0, 100_000_000_000)
      range(values, 'openingAgorot', -100_000_000_000, 100_000_000_000)
      range(values, 'ownerCopyDays', 1, 365)
      return values
    },
  }),
  ...serveResource({
    resource: flats,
    refNames: {
      buildingId: sql`(select b.name from committee_buildings b where b.company_id = t.company_id
          and b.id = t.building_id)`,
    },
    compute: {
      payer: sql`(select c.name from committee_people p join parties c on c.company_id = p.company_id
          and c.id = p.customer_id where p.company_id = t.company_id and p.flat_id = t.id and p.pays
        and p.archived_at is null and p.from_day <= current_date
        and (p.to_day is null or p.to_day >= current_date) limit 1)`,
    },
    beforeSave: async (ctx, values, before) => {
      seesHouses(ctx)
      range(values, 'floor', -20, 200)
      range(values, 'shareBp', 0, 10_000)
      range(values, 'ownAgorot', 0, 1_000_000_000)
      if (
        values.area !== undefined &&
        values.area !== null &&
        !(Number(values.area) > 0 && Number(values.area) < 100_000)
      )
        throw failField('area', 'fields.range')
      if (values.buildingId)
        await there(
          ctx,
          'buildingId',
          sql`select 1 from committee_buildings where company_id = ${ctx.companyId}
              and id = ${values.buildingId} and archived_at is null`,
        )
      const [building, entrance, number] = [
        values.buildingId ?? before?.buildingId,
        values.entrance ?? before?.entrance ?? '',
        values.number ?? before?.number,
      ]
      const { rows } = await sql`select 1 from committee_flats where company_id = ${ctx.companyId}
            and building_id = ${building} and entrance = ${entrance} and number = ${number}
        and archived_at is null and id is distinct from ${before?.id ?? null}::uuid`.execute(ctx.tx)
      if (rows.length) throw failField('number', 'fields.taken', { name: String(number) })
      return values
    },
  }),
  ...serveResource({
    resource: people,
    refNames: {
      flatId: sql`(select concat_ws('/', nullif(f.entrance, ''), f.number) from committee_flats f
        where f.company_id = t.company_id and f.id = t.flat_id)`,
      customerId: sql`(select p.name from parties p where p.company_id = t.company_id
          and p.id = t.customer_id)`,
    },
    compute: {
      building: sql`(select b.name from committee_flats f
        join committee_buildings b on b.company_id = f.company_id and b.id = f.building_id
        where f.company_id = t.company_id and f.id = t.flat_id)`,
    },
    beforeSave: async (ctx, values, before) => {
      seesHouses(ctx)
      range(values, 'splitBp', 1, 9999)
      const [flatId, from, to] = [
        values.flatId ?? before?.flatId,
        values.fromDay ?? before?.fromDay,
        values.toDay === undefined ? before?.toDay : values.toDay,
      ]
      if (values.customerId)
        await there(
          ctx,
          'customerId',
          sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${values.customerId}
              and role = 'customer'`,
        )
      const { rows } = await sql<{
        opened: string
      }>`select b.opened_on as opened from committee_flats f
        join committee_buildings b on b.company_id = f.company_id and b.id = f.building_id
        where f.company_id = ${ctx.companyId} and f.id = ${flatId} and f.archived_at is null`.execute(ctx.tx)
      if (!rows[0]) throw failField('flatId', 'fields.ref')
      if (to && String(to) < String(from)) throw failField('toDay', 'fields.range')
      if (to && String(to) < rows[0].opened)
        throw failField('toDay', 'committee.beforeBuilding', { day: rows[0].opened })
      return values
    },
    refuses: ['committee.twoPayers', 'committee.beforeBuilding'],
  }),
  implement(calls.grid, gridOf),
  implement(calls.setRate, setRate),
  implement(calls.charge, charge),
  implement(calls.openingDebt, openingDebt),
  implement(calls.takePayments, take),
  implement(calls.transfers, transfersOf),
  implement(calls.cancelTaken, cancelTaken),
  implement(calls.levyShares, levyShares),
  implement(calls.makeLevy, makeLevy),
  implement(calls.dropLevy, dropLevy),
  implement(calls.addExpense, spend),
  implement(calls.askLevy, askLevy),
  implement(calls.remindTenants, remind),
  implement(calls.setReminders, setReminders),
  implement(calls.setPage, setPage),
  implement(calls.handOver, handOver),
  implement(calls.listHandOvers, handOversOf),
  implement(calls.handOverPackage, packageOf),
  implement(calls.setHandOverPage, setHandOverPage),
  implement(calls.setTenantPage, setTenantPage),
  implement(calls.tenantOrders, ordersOf),
  implement(calls.orderForTenant, orderForTenant),
  implementOpen(calls.housePage, page),
  implementOpen(calls.housePaper, paper),
  implementOpen(calls.houseLogo, logo),
  implementOpen(calls.handOverPage, handOverPage),
  implementOpen(calls.handOverFile, handOverFile),
  implementOpen(calls.handOverLogo, handOverLogo),
  implementOpen(calls.takeHandOver, takeHandOver),
  implementOpen(calls.tenantPage, tenantPage),
  implementOpen(calls.payByTenant, payByTenant),
  implementOpen(calls.tenantLogo, tenantLogo),
]

export const reports: Report[] = [tenantPayments, committeeYear]

export const jobs: Record<string, Job> = { 'committee.month': chargeMonth, 'committee.mail': mailJob }

const minute = 60_000

export async function start(app: App): Promise<() => Promise<void>> {
  const stops = [
    everyRound(app, 'requests of tenants', minute, (isOver) =>
      eachOf(
        () => takeRequests(app, isOver),
        () => takeTurns(app, isOver),
      ),
    ),
    await keepServing(app, dueHouses),
    await keepServing(app, dueReminders),
  ]
  return async () => {
    for (const stop of stops) await stop()
  }
}

export const machines: Machines = {
  'committee.month': {
    inside: 'dues are rows of the house; a tenant is asked for them within committeePages',
  },
  'committee.mail': { completes: 'a letter that a person or committeeReminders queued' },
  'schedule dueHouses': {
    inside: 'dues are rows of the house; a tenant is asked for them within committeePages',
  },
  'schedule dueReminders': { orders: ['committeeReminders'] },
  'timer index.ts': { inside: 'what was paid becomes payments of the tenants' },
}
