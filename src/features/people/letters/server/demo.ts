import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import { dispatch } from './dispatch.ts'
import { makeLetter } from './drafts.ts'

const templates = [
  {
    name: 'אישור יתרה',
    title: 'אישור יתרה ליום {today}',
    body: 'לכבוד {customer.name},\n\nלפי ספרינו, יתרתכם ליום {today} היא {customer.balance}.\nנבקש לאשר את היתרה בתשובה למכתב זה.\n\nבברכה,\n{user.name}',
  },
  {
    name: 'שינוי תעריפים',
    title: 'עדכון תעריפים',
    body: 'שלום {customer.name},\n\nהחל מהחודש הבא יתעדכנו תעריפי העבודה שלנו. הצעות מחיר פתוחות נשארות בתוקפן.\n\nלכל שאלה אפשר לפנות בטלפון {business.phone}.\n\nבברכה,\n{business.name}',
  },
]

/**
 * What a demo business has of letters: two templates, one letter that was sent, one that is still being
 * written.
 */
export async function showLetters(ctx: Ctx, customerIds: readonly string[]): Promise<void> {
  for (const { name, title, body } of templates)
    await sql`insert into letter_templates (company_id, id, name, language, title, body, folded)
      values (${ctx.companyId}, ${newId()}, ${name}, 'he', ${title}, ${body},
        ${`${name} ${title}`.toLowerCase()})`.execute(ctx.tx)
  const [balance, prices] = templates as [(typeof templates)[0], (typeof templates)[0]]
  const [first, ...others] = customerIds
  if (!first) return
  const draft = { language: null, documentId: null, signed: true }
  const { id } = await makeLetter(ctx, {
    ...draft,
    title: balance.title,
    body: balance.body,
    customerIds: [first],
  })
  await dispatch(ctx, { id, way: 'mail', to: 'office@example.com' })
  await makeLetter(ctx, { ...draft, title: prices.title, body: prices.body, customerIds: others.slice(0, 3) })
}
