import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { Channel } from '../contacts.ts'
import { hear } from './served.ts'

const said: [
  customer: number,
  daysAgo: number,
  channel: Channel,
  direction: 'in' | 'out',
  text: string,
  outcome: string,
][] = [
  [0, 12, 'call', 'in', 'ביקש הצעת מחיר להחלפת לוח חשמל', 'לשלוח הצעה'],
  [0, 5, 'meeting', 'out', 'סיור בבית, 4 חדרים, לוח ישן בלי פחת', 'הצעה נשלחת'],
  [0, 1, 'call', 'out', 'קיבלו את ההצעה, מתלבטים על התאריך', 'לחזור מחר'],
  [1, 8, 'mail', 'in', 'שלום, מצורפת תוכנית החשמל של הקומה. מתי תוכלו להתחיל?', ''],
  [1, 7, 'whatsApp', 'out', 'אפשר להתחיל ביום ראשון, צוות של שניים', 'אושר'],
  [2, 3, 'note', 'out', 'החניה מאחורי הבניין, הקוד אצל השומר', ''],
  [3, 2, 'call', 'in', 'התלוננו על נורה מהבהבת בכניסה', 'ביקור אחריות בלי חיוב'],
]

/** What a demo business wrote down of its talks. */
export async function showContacts(ctx: Ctx, customerIds: readonly string[]): Promise<void> {
  for (const [customer, days, channel, direction, text, outcome] of said) {
    const id = await hear(ctx, {
      customerId: customerIds[customer] ?? null,
      channel,
      direction,
      text,
      at: new Date(ctx.now.getTime() - days * 86_400_000 - 3_600_000 * (customer + 1)),
    })
    if (id && outcome)
      await sql`update interactions set outcome = ${outcome} where company_id = ${ctx.companyId}
          and id = ${id}`.execute(ctx.tx)
  }
}
