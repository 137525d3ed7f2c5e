import { sql } from 'kysely'
import { addDays, addMonths, startOfMonth } from '#domain/day.ts'
import { payOldest } from '#domain/committee/split.ts'
import { fold } from '#domain/fold.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { charge, keepPaid, makeLevy, openFor, setRate } from './dues.ts'
import { handOver } from './handOver.ts'

/**
 * A house of a demo business: eight flats, a year of dues of which most was paid, a new roof in instalments.
 * The area itself stays off.
 */
export async function showCommittee(ctx: Ctx, customerIds: readonly string[]): Promise<void> {
  const tenants = customerIds.slice(0, 7)
  if (tenants.length < 7) return
  const first = startOfMonth(addMonths(ctx.today, -10))
  const building = newId()
  await sql`insert into committee_buildings (company_id, id, name, address, treasurer, opening_agorot,
      reserve_agorot, opened_on, page_key, folded)
    values (${ctx.companyId}, ${building}, 'האלה 14', 'רחוב האלה 14, לוד', 'אבי לוי', 820000, 1800000,
      ${first}, ${newToken()}, ${fold('האלה 14 רחוב האלה 14, לוד')})`.execute(ctx.tx)
  const flats: string[] = []
  for (let n = 1; n <= 8; n++) {
    const id = newId()
    flats.push(id)
    await sql`insert into committee_flats (company_id, id, building_id, number, floor, area, share_bp,
        is_exempt, folded)
      values (${ctx.companyId}, ${id}, ${building}, ${String(n)}, ${Math.ceil(n / 2)}, ${n % 2 ? 82 : 104.5},
        1250, ${n === 5}, ${fold(String(n))})`.execute(ctx.tx)
    const tenant = tenants[n - 1]
    if (tenant)
      await sql`insert into committee_people (company_id, id, flat_id, customer_id, role, pays, from_day)
        values (${ctx.companyId}, ${newId()}, ${id}, ${tenant}, ${n === 6 ? 'renter' : 'owner'}, true,
          ${addMonths(first, -1)})`.execute(ctx.tx)
  }
  await setRate(ctx, { id: building, fromMonth: first.slice(0, 7), rule: 'equal', agorot: 7 * 28_000 })
  await charge(ctx, { id: building, from: first.slice(0, 7), to: ctx.today.slice(0, 7) })
  const roof = await makeLevy(ctx, {
    id: building,
    name: 'שיפוץ הגג',
    purpose: 'איטום והחלפת מרזבים',
    rule: 'area',
    agorot: 4_200_000,
    instalments: 6,
    firstMonth: addMonths(startOfMonth(ctx.today), -1).slice(0, 7),
    decidedOn: addDays(ctx.today, -60),
    votesFor: 6,
    votesAgainst: 1,
    fileIds: [],
  })
  // Who pays how, and until which month.
  const habits: readonly (readonly [means: number, monthsBehind: number])[] = [
    [3, 0],
    [3, 1],
    [2, -1],
    [3, 0],
    [3, 0],
    [5, 2],
    [1, 0],
  ]
  for (const [n, [means, behind]] of habits.entries()) {
    const [flatId, customerId] = [flats[n]!, tenants[n]!]
    if (n === 4) continue
    for (
      let month = first;
      month <= addMonths(ctx.today, -Math.max(0, behind));
      month = addMonths(month, 1)
    ) {
      const last = addMonths(month, 1) > addMonths(ctx.today, -Math.max(0, behind))
      const agorot = last && behind === 2 ? 14_000 : last && behind < 0 ? 56_000 : 28_000
      const day = addDays(month, 3 + n)
      if (day > ctx.today) break
      const id = newId()
      const { paid, ahead } = payOldest(await openFor(ctx, flatId, customerId), agorot)
      await sql`insert into committee_payments (company_id, id, flat_id, customer_id, day, means, agorot,
          ahead_agorot)
        values (${ctx.companyId}, ${id}, ${flatId}, ${customerId}, ${day}, ${means}, ${agorot},
          ${ahead})`.execute(ctx.tx)
      await keepPaid(ctx, id, paid)
    }
  }
  // What the house spent is of bills that are in the books.
  const { rows: bills } = await sql<{
    id: string
  }>`select id from expenses where company_id = ${ctx.companyId} and state = 'approved' and currency = 'ILS'
      and day >= ${first} and ils_total_agorot between 5000 and 90000
    order by day desc, id limit 6`.execute(ctx.tx)
  const said = [
    'ניקיון חדר המדרגות',
    'חשמל לרכוש המשותף',
    'תחזוקת המעלית',
    'גינון',
    'נורות ותיקונים',
    'ביטוח מבנה',
  ]
  for (const [n, { id }] of bills.entries())
    await sql`insert into committee_expenses (company_id, expense_id, building_id, levy_id, said)
      values (${ctx.companyId}, ${id}, ${building}, ${n === 4 ? roof.id : null}, ${said[n]!})`.execute(ctx.tx)
  await handOver(ctx, {
    id: building,
    to: 'רונית אשל',
    email: '',
    things: 'שני צרורות מפתחות, פנקס שיקים, חוזה הניקיון וחוזה המעלית',
    joins: 'none',
    ends: [],
    confirmed: true,
  })
}
