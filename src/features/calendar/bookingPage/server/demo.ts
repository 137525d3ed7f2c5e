import { sql } from 'kysely'
import { addDays, weekday, type Day } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { addBlock, createClass, showOutside } from '#features/calendar/timetable/server/index.ts'
import { sellPass, showRenewals } from '#features/calendar/passes/server/index.ts'
import {
  bookingPageKind,
  cancelBooking,
  enterBooking,
  keepHealth,
  markBooking,
} from '#features/calendar/bookings/server/index.ts'

/**
 * A studio beside the demo business's trade: three trainers, two rooms, a week that fills, passes, a waiting
 * list and somebody who may not come in.
 */
export async function showClasses(ctx: Ctx, people: readonly string[], userId: string): Promise<void> {
  const put = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const id = newId()
    const all = { company_id: ctx.companyId, id, ...row, folded: fold(String(row.name)) }
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(all).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(all))})`.execute(ctx.tx)
    return id
  }
  const big = await put('class_places', {
    name: 'הסטודיו הגדול',
    room: 'קומה 1',
    address: 'רחוב הנמל 7, חיפה',
    seats: 20,
    opens: '07:00',
    closes: '21:00',
  })
  const small = await put('class_places', {
    name: 'הסטודיו הקטן',
    room: 'קומה 2',
    address: 'רחוב הנמל 7, חיפה',
    seats: 10,
    opens: '07:00',
    closes: '21:00',
  })
  const kind = (name: string, color: string, more: object) =>
    put('class_kinds', {
      name,
      color,
      minutes: 60,
      seats: 8,
      price_agorot: 7000,
      cancel_hours: 12,
      late_fee_agorot: 2500,
      no_show_fee_agorot: 3500,
      ...more,
    })
  const pilates = await kind('פילאטיס מכשירים', '#0b7a6b', { needs_health: true })
  const yoga = await kind('יוגה', '#2f6db3', { seats: 16, price_agorot: 6000 })
  const kids = await kind('קפוארה ילדים', '#a8611d', {
    seats: 14,
    minutes: 45,
    price_agorot: 4500,
    is_public: false,
  })
  const talk = await kind('אימון אישי', '#7d4b92', {
    is_appointment: true,
    seats: 1,
    minutes: 50,
    price_agorot: 22000,
    buffer_after: 10,
  })
  const hours = JSON.stringify([
    [['09:00', '13:00']],
    [
      ['09:00', '13:00'],
      ['16:00', '19:00'],
    ],
    [],
    [['09:00', '13:00']],
    [['16:00', '20:00']],
    [],
    [],
  ])
  const trainer = (name: string, more: object) =>
    put('class_trainers', { name, phone: '052-7654321', hours, ...more })
  const michal = await trainer('מיכל ברק', {
    user_id: userId,
    color: '#0b7a6b',
    pay_by: 'hour',
    pay_agorot: 14000,
  })
  const naama = await trainer('נעמה לוי', { color: '#2f6db3', pay_by: 'class', pay_agorot: 16000 })
  const ron = await trainer('רון אזולאי', { color: '#a8611d', pay_by: 'head', pay_agorot: 1800 })
  const ten = await put('pass_kinds', {
    name: 'כרטיסייה 10 כניסות',
    visits: 10,
    days: 120,
    price_agorot: 60000,
    freeze_days: 14,
    about: 'לכל השיעורים',
  })
  const month = await put('pass_kinds', { name: 'מנוי חודשי', days: 30, price_agorot: 39000, freeze_days: 7 })
  await put('pass_kinds', { name: 'שיעור היכרות', visits: 1, days: 14, price_agorot: 3000, is_trial: true })
  const plan = { name: 'מנוי מתחדש', price_agorot: 32000 }
  const renewed = await put('pass_kinds', {
    ...plan,
    days: 31,
    freeze_days: 7,
    renews: 'month',
    about: 'כל השיעורים, חודש אחר חודש',
  })
  await showRenewals(ctx, { id: renewed, name: plan.name, agorot: plan.price_agorot }, people.slice(5, 9))
  await showOutside(ctx, { trainerId: michal, placeId: big })
  for (const [n, customerId] of people.slice(0, 5).entries())
    await sellPass(ctx, {
      kindId: n % 3 === 2 ? month : ten,
      customerId,
      fromDay: addDays(ctx.today, -20 + n),
      people: [],
      paper: false,
    })
  // Some whose month is over: they wait to be asked whether they go on.
  for (const [n, customerId] of people.slice(9, 12).entries())
    await sellPass(ctx, {
      kindId: month,
      customerId,
      fromDay: addDays(ctx.today, -45 - 9 * n),
      people: [],
      paper: false,
    })
  for (const customerId of people.slice(0, 10))
    await keepHealth(ctx, { customerId, signedName: 'חתימה בקבלה', needsLetter: false, letterUntil: null })
  const shared = { groupId: null, title: '', notes: '', anyway: true }
  const sunday = addDays(ctx.today, -weekday(ctx.today) - 7)
  const series = (kindId: string, trainerId: string, placeId: string, at: string, days: number[]) =>
    createClass(ctx, {
      ...shared,
      kindId,
      trainerId,
      placeId,
      day: sunday,
      at,
      repeat: { unit: 'week', every: 1, days, untilDay: null, times: null },
    })
  await series(pilates, michal, small, '08:00', [0, 2, 4])
  await series(yoga, naama, big, '09:30', [1, 3])
  await series(yoga, naama, big, '18:00', [0, 2, 4])
  await series(kids, ron, big, '16:30', [1, 3])
  await series(pilates, michal, small, '19:00', [1, 3])
  // One that was put where another is already.
  await createClass(ctx, {
    ...shared,
    kindId: yoga,
    trainerId: ron,
    placeId: big,
    title: 'סדנת נשימה',
    day: next(ctx.today, 2),
    at: '18:30',
  })
  const appointment = await createClass(ctx, {
    ...shared,
    kindId: talk,
    trainerId: michal,
    placeId: null,
    day: next(ctx.today, 1),
    at: '10:00',
  })
  await booked(ctx, appointment.row.id, people[3]!)
  const { rows: classes } = await sql<{
    id: string
    day: Day
    seats: number
    past: boolean
    today: boolean
  }>`select id, day, seats, ends_at <= ${ctx.now.toISOString()} as past, day = ${ctx.today}::date as today
    from classes
    where company_id = ${ctx.companyId} and day < ${addDays(ctx.today, 8)} and kind_id <> ${talk}
    order by starts_at`.execute(ctx.tx)
  for (const [n, one] of classes.entries())
    for (const [i, customerId] of people.entries()) {
      // So that some are full, some half empty, and always the same ones.
      if ((i * 7 + n * 5) % 11 >= (one.seats > 8 ? 8 : 6)) continue
      const id = await booked(ctx, one.id, customerId, one.past)
      if (!id || !one.past) continue
      if ((i + n) % 9 === 4) await markBooking(ctx, { id, state: 'missed', override: '' })
    }
  // The next class of eight is full, and two wait for it.
  const { rows: ahead } = await sql<{
    id: string
  }>`select id from classes where company_id = ${ctx.companyId} and kind_id = ${pilates}
      and starts_at > ${ctx.now.toISOString()} order by starts_at limit 2`.execute(ctx.tx)
  if (ahead[1])
    for (const customerId of people.slice(0, 10)) await booked(ctx, ahead[1].id, customerId, false, true)
  if (ahead[0]) {
    const { rows } = await sql<{
      id: string
    }>`select id from class_bookings where company_id = ${ctx.companyId} and class_id = ${ahead[0].id}
        and state = 'booked' order by id limit 1`.execute(ctx.tx)
    if (rows[0]) await cancelBooking(ctx, { id: rows[0].id, waive: true })
  }
  // Two whose visits are used up have bought another.
  for (const customerId of people.slice(0, 2))
    await sellPass(ctx, { kindId: ten, customerId, fromDay: ctx.today, people: [], paper: false })
  await sql`insert into entry_bans (company_id, customer_id, why, by_user)
    values (${ctx.companyId}, ${people[11] ?? people[5]!}, 'הפרת תקנון הסטודיו', ${userId})`.execute(ctx.tx)
  const group = await put('class_groups', {
    name: 'קפוארה כיתות א–ב',
    kind_id: kids,
    from_day: addDays(ctx.today, -60),
    to_day: addDays(ctx.today, 150),
    price_agorot: 190000,
  })
  for (const customerId of people.slice(4, 9))
    await sql`insert into class_group_people (company_id, group_id, customer_id, from_day)
      values (${ctx.companyId}, ${group}, ${customerId}, ${addDays(ctx.today, -60)})`.execute(ctx.tx)
  await addBlock(ctx, {
    trainerId: naama,
    placeId: null,
    fromDay: addDays(ctx.today, 9),
    from: '00:00',
    toDay: addDays(ctx.today, 11),
    to: '00:00',
    why: 'חופשה',
  })
  await sql`insert into class_swaps (company_id, id, class_id, from_trainer, to_trainer, note)
    select company_id, ${newId()}, id, ${naama}, ${michal}, 'יום הורים בגן' from classes
    where company_id = ${ctx.companyId} and trainer_id = ${naama} and starts_at > ${ctx.now.toISOString()}
    order by starts_at limit 1`.execute(ctx.tx)
  await sql`insert into booking_pages (company_id, is_on, welcome, remind_hours)
    values (${ctx.companyId}, true, 'כאן מזמינים מקום, ואפשר לבטל עד 12 שעות לפני השיעור.', 24)
    on conflict (company_id) do nothing`.execute(ctx.tx)
  await ordered(ctx, bookingPageKind, ctx.companyId)
}

/** The first such day of the week after today. */
function next(today: Day, of: number): Day {
  let day = addDays(today, 1)
  while (weekday(day) !== of) day = addDays(day, 1)
  return day
}

/** Books somebody who may be booked; of the person who may not, nothing. */
async function booked(
  ctx: Ctx,
  classId: string,
  customerId: string,
  came = false,
  wait = false,
): Promise<string | undefined> {
  await sql`savepoint one`.execute(ctx.tx)
  try {
    const id = await enterBooking(ctx, {
      classId,
      customerId,
      pays: 'auto',
      wait,
      came,
      override: '',
      byWay: 'desk',
    })
    await sql`release savepoint one`.execute(ctx.tx)
    return id
  } catch {
    await sql`rollback to savepoint one`.execute(ctx.tx)
    return undefined
  }
}
