import { sql } from 'kysely'
import { endApproval, ordered } from '#kit/server/rights/authority.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { allowByKey } from '#kit/server/http/framed.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  type Implementation,
} from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { registerHoldings } from '#features/money/paymentLinks/server/index.ts'
import { bookingPageKind } from '#features/calendar/bookings/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { appoint, bookHere, cancelHere, confirmHere, feed, health, mine, pay, show, slots } from './page.ts'
import { sendCode, verify } from './who.ts'

export { showClasses } from './demo.ts'

registerBusinessPage('/yeshfit', {
  owner: (key) => sql`select company_id from booking_pages where key = ${key} and is_on`,
  words: 'bookingPage.pageFace',
  logo: (key) => `/api2/invoice/yeshfit/${key}/logo`,
})

registerHoldings(async (ctx, customerId) => {
  const { rows } = await sql<{ title: string; when: string; key: string | null }>`select
      coalesce(nullif(c.title, ''), k.name) as title, c.starts_at::text as when,
      (select p.key from booking_pages p where p.company_id = b.company_id and p.is_on) as key
    from class_bookings b
    join classes c on c.company_id = b.company_id and c.id = b.class_id and c.state = 'planned'
    join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    where b.company_id = ${ctx.companyId} and b.customer_id = ${customerId} and c.starts_at > ${ctx.now}
      and b.state in ('booked', 'held') order by c.starts_at limit 20`.execute(ctx.tx)
  return rows.map(({ title, when, key }) => ({
    kind: 'booking' as const,
    title,
    when: new Date(when).toISOString(),
    agorot: null,
    url: key ? `/yeshfit/${key}` : '',
  }))
})

interface Row {
  key: string
  is_on: boolean
  welcome: string
  sites: string[]
  new_people: boolean
  pay_first: boolean
  remind_hours: number
}

/** Its page, made when it is first looked at; nobody sees it before it is turned on. */
async function settingsOf(ctx: Ctx): Promise<calls.BookingSettings> {
  await sql`insert into booking_pages (company_id) values (${ctx.companyId}) on conflict do nothing`.execute(
    ctx.tx,
  )
  const { rows } =
    await sql<Row>`select key, is_on, welcome, sites, new_people, pay_first, remind_hours from booking_pages
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const of = rows[0]!
  const url = `${siteOf(ctx.app)}/yeshfit/${of.key}`
  return {
    isOn: of.is_on,
    url,
    snippet: `<iframe src="${url}" style="width:100%;min-height:720px;border:0" title="booking"></iframe>`,
    welcome: of.welcome,
    sites: of.sites,
    newPeople: of.new_people,
    payFirst: of.pay_first,
    remindHours: of.remind_hours,
  }
}

// Which sites may show the page in a frame: none while it is closed.
allowByKey('/yeshfit/$key', async (app, key) => {
  const { rows } = await sql<{
    sites: string[]
  }>`select sites from booking_pages where key = ${key} and is_on`.execute(app.db.kysely)
  return rows[0]?.sites ?? []
})

export const implementations: Implementation[] = [
  implement(calls.bookingSettings, settingsOf),
  implement(
    calls.setBookingSettings,
    async (ctx, { isOn, welcome, sites, newPeople, payFirst, remindHours }) => {
      const before = await settingsOf(ctx)
      await sql`update booking_pages set is_on = ${isOn}, welcome = ${welcome}, sites = ${sites}::text[],
          new_people = ${newPeople}, pay_first = ${payFirst}, remind_hours = ${remindHours},
          updated_at = now()
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
      await ordered(ctx, bookingPageKind, ctx.companyId)
      await endApproval(ctx, bookingPageKind, ctx.companyId)
      await ctx.audit(
        'bookingPage.set',
        'companies',
        ctx.companyId,
        { isOn: before.isOn, sites: before.sites },
        { isOn, sites, newPeople, payFirst, remindHours },
      )
      return settingsOf(ctx)
    },
  ),
  implement(calls.renewBookingKey, async (ctx) => {
    await settingsOf(ctx)
    await sql`update booking_pages set key = new_door_key(), updated_at = now()
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
    await ctx.audit('bookingPage.renew', 'companies', ctx.companyId)
    return settingsOf(ctx)
  }),
  // However many come at once, none holds a connection while it waits for another.
  implementOpenOutside(calls.showBookingPage, show),
  implementOpen(calls.bookingLogo, (ctx, { key }) =>
    openPage(
      ctx,
      sql<{ company_id: string }>`select company_id from booking_pages where key = ${key} and is_on`,
      getLogo,
    ),
  ),
  implementOpenOutside(calls.sendCode, sendCode),
  implementOpenOutside(calls.verifyCode, verify),
  implementOpenOutside(calls.myBookings, mine),
  implementOpenOutside(calls.bookOnPage, bookHere),
  implementOpenOutside(calls.slotsOnPage, slots),
  implementOpenOutside(calls.appointOnPage, appoint),
  implementOpenOutside(calls.cancelOnPage, cancelHere),
  implementOpenOutside(calls.confirmOnPage, confirmHere),
  implementOpenOutside(calls.payOnPage, pay),
  implementOpenOutside(calls.healthOnPage, health),
  implementOpenOutside(calls.feedOnPage, feed),
]
