import { sql } from 'kysely'
import { withCurrency } from '#domain/format.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { moneyCard, statementPdf } from '#features/sales/documents/server/index.ts'
import type { StatementKind } from '../endpoints.ts'
import { addressee } from './addressees.ts'
import { addressesOf, statementOf, type Which } from './statement.ts'

interface Outcome {
  queued: number
  without: { id: string; name: string }[]
}

interface Letter {
  kind: 'letter' | 'statement'
  partyId: string
  to: string
  subject: string
  body: string
}

/** Listed among the messages at once, sent after the commit. */
async function keep(ctx: Ctx, { kind, partyId, to, subject, body }: Letter): Promise<string> {
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by)
    values (${ctx.companyId}, ${id}, ${kind}, 'mail', ${to}, ${subject}, ${body}, ${partyId},
      ${ctx.caller.userId})`.execute(ctx.tx)
  return id
}

const once = (ids: string[]): string[] => [...new Set(ids)]

/**
 * Statements of account, each in its customer's language. Customers without an email address are reported; the
 * others are sent theirs.
 */
export async function sendStatements(
  ctx: Ctx,
  { ids, recipient, text, ...which }: Which & { ids: string[]; recipient?: string | undefined; text: string },
): Promise<Outcome> {
  // A statement shows amounts of documents of every type: a person who may not read them may not send it, to themselves
  // or to anybody else.
  if (!can(ctx.caller, 'reports.debts')) throw forbidden({ rule: 'reports.debts' })
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (ctx.caller.docsAllow.length) throw forbidden({ sight: 'documents' })
  if (recipient && once(ids).length > 1) throw failField('recipient', 'fields.unknown', { keys: 'recipient' })
  if (which.from && which.from > (which.to ?? ctx.today))
    throw which.to ? failField('to', 'fields.dayOrder') : failField('from', 'expenses.dateInFuture')
  const company = await companyOf(ctx)
  const outcome: Outcome = { queued: 0, without: [] }
  for (const id of once(ids)) {
    const customer = await addressee(ctx, id)
    const addresses = recipient ? [recipient] : await addressesOf(ctx, customer)
    if (addresses.length === 0) outcome.without.push({ id, name: customer.name })
    const words = { business: company.name, customer: customer.name, day: which.to ?? ctx.today }
    const { language } = customer
    const subject = say(language, 'correspondence.mail.subject', words)
    // The business's own words are as it wrote them; the ready ones are in the customer's language.
    const body = text ? fill(text, customer.name) : say(language, 'correspondence.mail.text', words)
    for (const to of addresses) {
      const messageId = await keep(ctx, { kind: 'statement', partyId: id, to, subject, body })
      await ctx.later('statements.mail', {
        messageId,
        customerId: id,
        kind: which.kind,
        from: which.from ?? null,
        to: which.to ?? ctx.today,
      })
      outcome.queued++
    }
    if (addresses.length > 0)
      await ctx.audit('customers.sendStatement', 'customers', id, undefined, {
        to: addresses.join(', '),
        kind: which.kind,
      })
  }
  return outcome
}

/** One message to each customer; [customer] is replaced by the customer's name. */
export async function sendLetters(
  ctx: Ctx,
  { ids, subject, text }: { ids: string[]; subject: string; text: string },
): Promise<Outcome> {
  const outcome: Outcome = { queued: 0, without: [] }
  for (const id of once(ids)) {
    const customer = await addressee(ctx, id)
    const to = customer.email ?? (await addressesOf(ctx, customer))[0]
    if (!to) {
      outcome.without.push({ id, name: customer.name })
      continue
    }
    const messageId = await keep(ctx, {
      kind: 'letter',
      partyId: id,
      to,
      subject: fill(subject, customer.name),
      body: fill(text, customer.name),
    })
    await ctx.later('letters.mail', { messageId })
    await ctx.audit('customers.sendLetter', 'customers', id, undefined, { to })
    outcome.queued++
  }
  return outcome
}

const fill = (text: string, customer: string): string => text.replaceAll('[customer]', customer)

export const statementName = (to: string): string => `statement-${to}.pdf`

export const mailStatement: Job = (ctx, { messageId, customerId, kind, from, to }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const { source } = await statementOf(ctx, String(customerId), {
      kind: kind as StatementKind,
      ...(from ? { from: String(from) } : {}),
      to: String(to),
    })
    const content = Buffer.from(await statementPdf(source))
    const filename = statementName(String(to))
    const { balance, currency, language } = source
    return {
      from: await companyOf(ctx),
      attachments: [{ filename, content, contentType: 'application/pdf' }],
      language,
      ...(balance > 0
        ? {
            card: moneyCard(language, {
              amount: withCurrency(balance, currency, language),
              attached: filename,
            }),
          }
        : {}),
    }
  })

export const mailLetter: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))
