import type { Ctx } from '#kit/server/context.ts'
import { askMissing, end, makeOne, missing, say } from './requests.ts'

/**
 * What the accountant of a demo business asks: papers of a few payments, a question that was answered, and
 * one that is over.
 */
export async function showRequests(ctx: Ctx): Promise<void> {
  const { rows } = await missing(ctx, { from: '1900-01-01', to: ctx.today })
  await askMissing(ctx, {
    lineIds: rows
      .filter(({ sumAgorot }) => (sumAgorot ?? 0) > 20_000)
      .slice(-4)
      .map(({ id }) => id),
    bills: [],
  })
  const question = await makeOne(ctx, {
    kind: 'question',
    text: 'ההעברה ללאה כהן ב־12 לחודש: משיכת בעלים או תשלום לספק?',
    day: ctx.today,
  })
  await makeOne(ctx, {
    kind: 'approve',
    text: 'לאשר את דוח הפחת לשנה שעברה לפני ההגשה',
    aboutPath: '/invoice/reportfixedassets',
  })
  const past = await makeOne(ctx, { kind: 'question', text: 'מה הק״מ של הרכב בסוף השנה?' })
  if (question)
    await say(ctx, { id: question, text: 'משיכת בעלים. בחודש הבא זה יהיה אותו סכום.', byAsker: false })
  if (past) {
    await say(ctx, { id: past, text: '84,200', byAsker: false })
    await end(ctx, { id: past, as: 'accepted' })
  }
}
