import { sql } from 'kysely'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { registerMailbox, type Letter } from '#kit/server/outside/mailboxes.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say as words } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { answerByAsker, daysToEnd, daysToWarning, say, setState, type StoredTicket } from './tickets.ts'

type Whole = StoredTicket & { email: string; language: Language; full_name: string }

const load = async (ctx: Ctx, where: ReturnType<typeof sql>, lock = false): Promise<Whole | undefined> => {
  const { rows } = await sql<Whole>`select t.*, u.email, u.language, u.full_name from tickets t
      join users u on u.id = t.asker_id
    where t.company_id = ${ctx.companyId} and ${where} ${lock ? sql`for update of t` : sql``}`.execute(ctx.tx)
  return rows[0]
}

const addressOf = (ctx: Ctx, token: string): string | undefined =>
  ctx.app.settings.mailIn.port === undefined ? undefined : `${token}@${ctx.app.settings.mailIn.domain}`

/**
 * The person to answer, in that person's language, of whatever business; English for people who have not logged in
 * yet.
 */
async function operatorsOf(ctx: Ctx): Promise<{ to: string; language: Language }[]> {
  const named = ctx.app.settings.support.operators.filter((one) => one !== '*')
  const { rows } = await sql<{
    to: string
    language: Language
  }>`select o.mail as "to", coalesce(u.language, 'en') as language
    from unnest(${named}::text[]) with ordinality o (mail, n) left join users u on u.email = o.mail
    order by o.n`.execute(ctx.app.db.kysely)
  return rows
}

/**
 * A word of the thread, mailed to the other side; an answer to the letter comes back into it. A second run
 * mails nothing.
 */
export const mailJob: Job = async (ctx, payload) => {
  const { rows } = await sql<{
    id: string
    ticket_id: string
    author: string
    text: string
    held: boolean
    mailed_at: string | null
  }>`
    select * from ticket_messages where company_id = ${ctx.companyId} and id = ${String(payload.id)} for
    update`.execute(ctx.tx)
  const [message] = rows
  if (!message || message.mailed_at) return
  const ticket = await load(ctx, sql`t.id = ${message.ticket_id}`)
  if (!ticket) return
  const said = {
    number: String(ticket.number),
    subject: ticket.subject,
    text: message.text,
    name: ticket.full_name,
    business: (await companyOf(ctx)).name,
  }
  if (message.author === 'asker') {
    const replyTo = addressOf(ctx, ticket.desk_token)
    for (const { to, language } of await operatorsOf(ctx))
      mailAfterCommit(
        ctx,
        {
          to,
          subject: words(language, 'support.mail.deskSubject', said),
          text: words(language, message.held ? 'support.mail.deskHeld' : 'support.mail.deskText', {
            ...said,
            link: `${ctx.app.publicUrl()}/invoice/support?desk=${ticket.number}`,
          }),
          ...(replyTo ? { replyTo } : {}),
        },
        'installation',
      )
  } else {
    const replyTo = addressOf(ctx, ticket.asker_token)
    const link = `${siteOf(ctx.app)}/invoice/support/${ticket.id}`
    const key =
      message.author === 'system'
        ? message.text
        : replyTo
          ? 'support.mail.answer'
          : 'support.mail.answerOnPage'
    mailAfterCommit(ctx, {
      to: ticket.email,
      subject: words(ticket.language, 'support.mail.subject', said),
      text: words(ticket.language, key, { ...said, link, days: daysToEnd - daysToWarning }),
      ...(replyTo ? { replyTo } : {}),
    })
  }
  // Once all of it has left; a letter that fails brings the job back.
  const { app, companyId } = ctx
  ctx.afterCommit!(
    async () =>
      void (await sql`update ticket_messages set mailed_at = now() where company_id = ${companyId}
        and id = ${message.id}`.execute(app.db.kysely)),
  )
}

/**
 * A ticket that waits for its asker is warned of once, and ends; one that went on meanwhile stays as it is.
 */
export const lapseJob: Job = async (ctx, payload) => {
  const ticket = await load(ctx, sql`t.id = ${String(payload.id)}`, true)
  if (!ticket || new Date(ticket.state_at).getTime() !== new Date(String(payload.since)).getTime()) return
  if (ticket.state === 'solved' || (ticket.state === 'waiting' && payload.warned)) {
    await setState(ctx, ticket.id, 'closed')
    return
  }
  if (ticket.state !== 'waiting') return
  await say(ctx, ticket.id, {
    author: 'system',
    text: 'support.mail.warning',
    messageRef: `warning ${ticket.state_at}`,
  })
  await sql`update tickets set warned_at = now() where company_id = ${ctx.companyId}
      and id = ${ticket.id}`.execute(ctx.tx)
  await ctx.later(
    'support.lapse',
    { ...payload, warned: true },
    new Date(ctx.now.getTime() + (daysToEnd - daysToWarning) * 86_400_000),
  )
}

/**
 * What was written now, without the letter it answers: mail programs hang that below, behind a line of their
 * own.
 */
export function withoutQuote(text: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (line, n) =>
      n > 0 &&
      (/^\s*-{2,}\s*(original message|הודעה מקורית|исходное сообщение|message d’origine|الرسالة الأصلية)/i.test(
        line,
      ) ||
        /^(on|ב|le|в|في).{5,200}(wrote|כתב|כתבה|a écrit|пишет|написал|كتب).{0,40}:\s*$/i.test(line.trim()) ||
        (line.startsWith('>') && lines.slice(n).every((rest) => rest.trim() === '' || rest.startsWith('>')))),
  )
  const own = (at < 0 ? lines : lines.slice(0, at)).join('\n').trim()
  return own || text.trim()
}

async function take(ctx: Ctx, token: string, letter: Letter): Promise<void> {
  const ticket = await load(ctx, sql`(t.asker_token = ${token} or t.desk_token = ${token})`, true)
  if (!ticket) return
  const { address } = letter.from
  const text = withoutQuote(letter.text).slice(0, 8000) || letter.subject || '…'
  const sender = (letter.from.name ? `${letter.from.name} <${address}>` : address).slice(0, 300)
  // Without a number of its own a letter that is brought twice would stand twice.
  const messageRef = (letter.messageId ?? `${address} ${text}`).slice(0, 400)
  if (token === ticket.desk_token) {
    const isOurs = ctx.app.settings.support.operators.includes(address)
    if (
      !(await say(ctx, ticket.id, {
        author: isOurs ? 'desk' : 'asker',
        sender,
        text,
        messageRef,
        held: !isOurs,
      })) ||
      !isOurs
    )
      return
    await setState(ctx, ticket.id, 'waiting')
    return
  }
  if (address === ticket.email)
    await answerByAsker(ctx, ticket.id, { userId: ticket.asker_id, sender, text, messageRef })
  // Who a letter says it is from proves nothing, and a strange address proves even less: it waits for a
  // person.
  else await say(ctx, ticket.id, { author: 'asker', sender, text, messageRef, held: true })
}

registerMailbox({
  companyOf: async (app, token) => {
    const { rows } = await sql<{
      id: string
    }>`select company_id as id from tickets where asker_token = ${token} or desk_token = ${token}`.execute(
      app.db.kysely,
    )
    return rows[0]?.id
  },
  take,
})
