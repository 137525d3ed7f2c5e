import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { termsOn } from '#domain/hours/hours.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { allRules, can } from '#kit/describe/session.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { invite, settleRights } from '#features/base/team/server/index.ts'
import { allTerms, personOf, seesPay, type Agreed } from './sheets.ts'

const done = { done: true as const }

interface Terms {
  personId: string
  from: Day
  days: 5 | 6
  shortDay: number
  restDay: 0 | 5 | 6
  dayMinutes: number | null
  overtime: boolean
  hourAgorot: number | null
  born: Day | null
}

/** What is agreed from a day on; a month that both signed stays by what was agreed when they signed. */
export async function keepTerms(
  ctx: Ctx,
  { personId, from, days, shortDay, restDay, dayMinutes, overtime, hourAgorot: hour, born }: Terms,
) {
  const pay = seesPay(ctx)
  if (hour !== null && !pay)
    throw forbidden(can(ctx.caller, 'time.pay') ? { sight: 'figures' } : { rule: 'time.pay' })
  if (born && born >= from) throw failField('born', 'time.bornAfter')
  const person = await personOf(ctx, personId)
  const { rows } =
    await sql`select 1 from time_sheets where company_id = ${ctx.companyId} and person_id = ${personId}
        and approved_at is not null
    and month + interval '1 month' > ${from}::date`.execute(ctx.tx)
  if (rows.length) throw fail('time.signed')
  // The person who does not see the wage leaves it as it was agreed until that day.
  const hourAgorot = pay
    ? hour
    : ((termsOn((await allTerms(ctx)).get(personId) ?? [], from) as Agreed | undefined)?.hourAgorot ?? null)
  await sql`insert into work_terms (company_id, person_id, from_day, days, short_day, rest_day, day_minutes,
      overtime, hour_agorot, born, set_by)
    values (${ctx.companyId}, ${personId}, ${from}, ${days}, ${shortDay}, ${restDay}, ${dayMinutes},
      ${overtime}, ${hourAgorot}, ${born}, ${ctx.caller.userId})
    on conflict (company_id, person_id, from_day) do update
    set days = excluded.days, short_day = excluded.short_day, rest_day = excluded.rest_day,
      day_minutes = excluded.day_minutes, overtime = excluded.overtime, hour_agorot = excluded.hour_agorot,
      born = excluded.born, set_by = excluded.set_by`.execute(ctx.tx)
  await ctx.audit('time.terms', 'workers', personId, undefined, {
    person: person.name,
    from,
    days,
    shortDay,
    restDay,
    dayMinutes,
    overtime,
  })
  return done
}

export async function keepSettings(ctx: Ctx, { asksPlace }: { asksPlace: boolean }) {
  await sql`insert into time_settings (company_id, asks_place) values (${ctx.companyId}, ${asksPlace})
    on conflict (company_id) do update set asks_place = excluded.asks_place, updated_at = now()`.execute(
    ctx.tx,
  )
  await ctx.audit('time.settings', 'companies', ctx.companyId, undefined, { asksPlace })
  return done
}

export async function agreePlace(ctx: Ctx, { agrees }: { agrees: boolean }) {
  await sql`insert into time_consents (company_id, person_id, place)
    values (${ctx.companyId}, ${ctx.caller.userId}, ${agrees})
    on conflict (company_id, person_id) do update set place = excluded.place, at = now()`.execute(ctx.tx)
  await ctx.audit('time.place', 'workers', ctx.caller.userId, undefined, { agrees })
  return done
}

/** Somebody who clocks here and sees nothing else. */
export async function inviteClocker(
  ctx: Ctx,
  { email, fullName, language }: { email: string; fullName: string; language?: Language | undefined },
) {
  const rights = await settleRights(ctx, { rules: [allRules().get('time.clock')!] }, undefined)
  await invite(ctx, { email, fullName, language, typeId: 8, subTypeId: 0 }, rights)
  return done
}
