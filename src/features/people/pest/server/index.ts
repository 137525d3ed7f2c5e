import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import '#features/registers/parties/rules.ts'
import * as calls from '../endpoints.ts'
import { pestLicences, pestSites, pestTreatments } from '../pest.ts'
import '../rules.ts'
import { certificate } from './certificate.ts'
import { keepsAddresses } from './receiver.ts'
import { mailReminder, remindByMail, remindByWhatsApp, remindingOf } from './remind.ts'
import { pestCustomers } from './reports/pestCustomers.ts'
import { mailCertificate, openCertificate, sendCertificate, sendingOf, whatsAppCertificate } from './send.ts'

export { showPest } from './demo.ts'
export const reports: Report[] = [pestCustomers]
export const jobs: Record<string, Job> = { 'pest.mail': mailCertificate, 'pest.remind': mailReminder }

databaseFailures.PK233 = () => fail('pest.stays')

// The places of a merged customer go to the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update pest_sites set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

const there = async (ctx: Ctx, field: string, found: ReturnType<typeof sql>): Promise<void> => {
  if (!(await found.execute(ctx.tx)).rows.length) throw failField(field, 'fields.ref')
}

/**
 * The person who treats has a licence that holds on the day; otherwise nothing is certified, and it is said until
 * when it held.
 */
export async function checkTreatment(
  ctx: Ctx,
  values: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const day = String(values.day)
  if (day > ctx.today) throw failField('day', 'pest.notYet')
  if (values.nextDay && String(values.nextDay) <= day) throw failField('nextDay', 'pest.nextTooEarly')
  checkWithin('reentryHours', values.reentryHours, { min: 0, max: 720 })
  if (!(Number(values.amount) > 0)) throw failField('amount', 'fields.range')
  await there(
    ctx,
    'siteId',
    sql`select 1 from pest_sites where company_id = ${ctx.companyId} and id = ${values.siteId}
        and archived_at is null`,
  )
  const { rows } = await sql<{
    worker: string
    until: string
  }>`select worker, valid_until as until from pest_licences
    where company_id = ${ctx.companyId} and id = ${values.licenceId} and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw failField('licenceId', 'fields.ref')
  if (rows[0].until < day)
    throw failField('licenceId', 'pest.licenceExpired', { worker: rows[0].worker, day: rows[0].until })
  return values
}

/** Of the newest treatment at a site. */
const newest = (what: ReturnType<typeof sql>) =>
  sql`(select ${what} from pest_treatments x where x.company_id = t.company_id and x.site_id = t.id
      and x.archived_at is null
    order by x.day desc, x.number desc limit 1)`
const ofCustomer = (what: ReturnType<typeof sql>) =>
  sql`(select ${what} from parties p where p.company_id = t.company_id and p.id = t.customer_id)`

export const implementations = [
  ...serveResource({
    resource: pestSites,
    compute: {
      lastPest: newest(sql`x.pest`),
      lastLicence: newest(sql`x.worker || ' · ' || x.licence_number`),
      remindedAt: sql`(case when t.reminded_for = t.next_day then t.reminded_at end)`,
      customerPhone: ofCustomer(sql`coalesce(p.mobile, p.phone)`),
      customerMail: ofCustomer(sql`p.email`),
    },
    keptFrom: (ctx) => (keepsAddresses(ctx) ? ['customerPhone', 'customerMail'] : []),
    refNames: {
      customerId: sql`(select p.name from parties p where p.company_id = t.company_id
          and p.id = t.customer_id)`,
    },
    beforeSave: async (ctx, values) => {
      if (values.customerId)
        await there(
          ctx,
          'customerId',
          sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${values.customerId}
              and role = 'customer'`,
        )
      return values
    },
  }),
  ...serveResource({ resource: pestLicences }),
  ...serveResource({
    resource: pestTreatments,
    verbs: ['list', 'get', 'create', 'archive', 'restore', 'export'],
    compute: {
      isSealed: sql`exists (select 1 from pest_certificates c where c.company_id = t.company_id
          and c.treatment_id = t.id)`,
    },
    refNames: {
      siteId: sql`(select s.name from pest_sites s where s.company_id = t.company_id and s.id = t.site_id)`,
      licenceId: sql`(select l.worker from pest_licences l where l.company_id = t.company_id
          and l.id = t.licence_id)`,
    },
    beforeSave: checkTreatment,
  }),
  implement(calls.pestCertificate, certificate),
  implement(calls.pestSending, sendingOf),
  implement(calls.sendPest, sendCertificate),
  implement(calls.whatsAppPest, whatsAppCertificate),
  implement(calls.pestReminding, remindingOf),
  implement(calls.remindPest, remindByMail),
  implement(calls.whatsAppRemindPest, remindByWhatsApp),
  implementOpen(calls.openPest, openCertificate),
]

export const machines: Machines = {
  'pest.mail': { completes: 'a letter that a call queued within the rights of its caller' },
  'pest.remind': { completes: 'a message that a person sent' },
}
