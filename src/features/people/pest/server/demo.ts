import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { newId, type Ctx } from '#kit/server/context.ts'

/**
 * Pest control of a demo business: two places, two licences of which one has ended, and what was done. The
 * area itself stays off.
 */
export async function showPest(ctx: Ctx, customerIds: readonly string[]): Promise<void> {
  const licence = async (worker: string, number: string, until: string) => {
    const id = newId()
    await sql`insert into pest_licences (company_id, id, worker, number, valid_until, folded)
      values (${ctx.companyId}, ${id}, ${worker}, ${number}, ${until},
        ${fold(`${worker} ${number}`)})`.execute(ctx.tx)
    return id
  }
  const holder = await licence('אבי מלכה', '2841', addDays(ctx.today, 210))
  await licence('רן ששון', '1977', addDays(ctx.today, -20))
  const places: [string, string][] = [
    ['המטבח והמחסן', 'רחוב הגפן 4, רמלה'],
    ['הגינה', 'שדרות האורן 12, לוד'],
  ]
  for (const [n, [name, address]] of places.entries()) {
    const customerId = customerIds[n]
    if (!customerId) return
    const site = newId()
    await sql`insert into pest_sites (company_id, id, customer_id, name, address, folded)
      values (${ctx.companyId}, ${site}, ${customerId}, ${name}, ${address},
        ${fold(`${name} ${address}`)})`.execute(ctx.tx)
    for (const ago of [95, 5])
      await sql`insert into pest_treatments (company_id, id, number, site_id, licence_id, day, pest,
          substance, registration, amount, unit, area, warnings, reentry_hours, next_day, folded)
        values (${ctx.companyId}, ${newId()}, 0, ${site}, ${holder}, ${addDays(ctx.today, -ago)},
          ${n ? 'נמלי אש' : 'תיקנים'}, ${n ? 'ביפנתרין' : 'ג׳ל אימידקלופריד'}, ${n ? '1453/יג' : '1208/יב'},
          ${n ? '250' : '30'}, ${n ? 'ml' : 'g'}, ${name}, 'להרחיק ילדים וחיות מחמד עד לייבוש', ${n ? 4 : 0},
          ${addDays(ctx.today, 90 - ago)}, ${fold(n ? 'נמלי אש' : 'תיקנים')})`.execute(ctx.tx)
  }
}
