import type { Ctx } from '#kit/server/context.ts'
import { ask, say, setState } from './tickets.ts'

/**
 * What a demo business asked: one that was answered, one that waits, a fault that was mended. Nothing is
 * mailed: the person who opens the demo takes it off the queue.
 */
export async function showTickets(ctx: Ctx, version: string): Promise<void> {
  const of = { page: '/invoice/reportvat', browser: 'Chrome 146, Windows', article: '' }
  const vat = await ask(
    ctx,
    {
      ...of,
      kind: 'question',
      severity: 'normal',
      subject: 'איך מדווחים חשבונית מהחודש הקודם?',
      text: 'קיבלתי היום חשבונית של ספק מהחודש שעבר, והתקופה כבר דווחה. מה עושים?',
    },
    version,
  )
  await say(ctx, vat.id, {
    author: 'desk',
    sender: 'תמיכה',
    text: 'רושמים אותה בתאריך שלה. המע״מ נכנס לתקופה הפתוחה הראשונה, ואפשר לנכות אותו עד שישה חודשים מהתאריך שבחשבונית.',
  })
  await setState(ctx, vat.id, 'waiting')
  await ask(
    ctx,
    {
      ...of,
      page: '/invoice/documents',
      kind: 'fault',
      severity: 'high',
      subject: 'הכפתור לשליחה לא מגיב בטלפון',
      text: 'בעמוד המסמך, לחיצה על ״שליחה״ לא עושה כלום. קורה רק בטלפון, במחשב הכול עובד.',
    },
    version,
  )
  const mended = await ask(
    ctx,
    {
      ...of,
      page: '/invoice/items',
      kind: 'fault',
      severity: 'low',
      subject: 'מק״ט עם רווח בסוף נחשב אחר',
      text: 'ייבאתי פריטים מאקסל, וחלק נכנסו פעמיים בגלל רווח.',
    },
    version,
  )
  await say(ctx, mended.id, {
    author: 'desk',
    sender: 'תמיכה',
    text: 'תודה. תוקן: רווחים בקצוות מוסרים בייבוא. את הכפולים אפשר להעביר לארכיון.',
  })
  await setState(ctx, mended.id, 'solved')
}
