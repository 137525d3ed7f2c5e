import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  askedBefore,
  askForSignature,
  registerSigned,
  sheetPdf,
  signedValues,
  signingRows,
} from '#features/sales/signing/server/index.ts'
import type { AskGiven } from '#features/sales/signing/shapes.ts'

/*
 * The yearly declaration of health: questions and a hand under them, signed on the customer's own phone or on
 * a device at the desk. The person who answers yes to one needs a doctor's letter, which is brought to the desk.
 */

const questions = [1, 2, 3, 4, 5, 6, 7]

interface Customer {
  name: string
  phone: string | null
  language: Language | null
}

async function customerOf(ctx: Ctx, id: string): Promise<Customer> {
  const { rows } =
    await sql<Customer>`select name, coalesce(nullif(mobile, ''), phone) as phone, language from parties
    where company_id = ${ctx.companyId} and id = ${id} and role = 'customer'`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Sends a declaration of health to be signed; it holds from the day it was. */
export async function askHealth(
  ctx: Ctx,
  { customerId, ...given }: AskGiven & { customerId: string },
): Promise<{ id: string; url: string }> {
  const customer = await customerOf(ctx, customerId)
  const language = given.signer.language ?? customer.language ?? (await companyOf(ctx)).language
  const t = (key: string) => say(language, `bookings.health.${key}`)
  const options = [t('yes'), t('no')]
  const { pdf, fields } = await sheetPdf(ctx, {
    language,
    title: t('title'),
    text: t('text'),
    rows: [
      ...questions.map((n) => [
        { id: `q${n}`, kind: 'choice' as const, label: t(`question.${n}`), options, beside: true },
      ]),
      ...signingRows(language),
    ],
  })
  const { id, urls } = await askForSignature(ctx, {
    name: t('title'),
    paper: { pdf, fields },
    signers: [{ ...given.signer, role: 'r1' }],
    purpose: 'health',
    purposeId: customerId,
    customerId,
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  return { id, url: urls[0]! }
}

/**
 * The same for a customer on the booking page, whose phone is verified already: one document however often it is
 * requested.
 */
export async function healthHere(ctx: Ctx, customerId: string): Promise<{ url: string }> {
  const before = await askedBefore(ctx, 'health', customerId)
  if (before) return { url: before.url }
  const { name, phone } = await customerOf(ctx, customerId)
  const signer = { name: name.slice(0, 120), phone, identity: 'link' as const, channel: 'person' as const }
  return { url: (await askHealth(ctx, { customerId, signer, message: '' })).url }
}

interface Form {
  customerId: string
  signedName: string
  needsLetter: boolean
  letterUntil: string | null
  answers?: boolean[]
  requestId?: string
}

/** Writes a declaration down; of one signed paper once. */
export async function keepHealth(ctx: Ctx, given: Form): Promise<void> {
  await sql`insert into health_forms (company_id, id, customer_id, day, needs_letter, letter_until,
      signed_name, answers, address, sign_request_id)
    values (${ctx.companyId}, ${newId()}, ${given.customerId}, ${ctx.today}, ${given.needsLetter},
      ${given.letterUntil}, ${given.signedName},
      ${JSON.stringify(given.answers ?? [])}::jsonb, ${ctx.address}, ${given.requestId ?? null})
      on conflict do nothing`.execute(ctx.tx)
  await ctx.audit('entry.health', 'customers', given.customerId, undefined, {
    needsLetter: given.needsLetter,
  })
}

registerSigned('health', async (ctx, { id, customerId, fields }) => {
  if (!customerId) return
  const { values, name } = await signedValues(ctx, id)
  // The first of the two answers is yes, in whatever language it was asked.
  const answers = questions.map(
    (n) => values[`q${n}`] === fields.find((field) => field.id === `q${n}`)?.options[0],
  )
  await keepHealth(ctx, {
    customerId,
    signedName: typeof values.name === 'string' ? values.name.slice(0, 120) : name,
    needsLetter: answers.some(Boolean),
    letterUntil: null,
    answers,
    requestId: id,
  })
})

/** A doctor's letter that was brought to the desk: another line of the same declaration. */
export async function bringLetter(
  ctx: Ctx,
  { customerId, letterUntil }: { customerId: string; letterUntil: string },
): Promise<{ done: true }> {
  await customerOf(ctx, customerId)
  const { rows } = await sql<{
    needs: boolean
  }>`with newest as (select * from health_forms where company_id = ${ctx.companyId}
      and customer_id = ${customerId}
      order by day desc, id desc limit 1)
    insert into health_forms (company_id, id, customer_id, day, needs_letter, letter_until, signed_name,
      answers, address, sign_request_id)
      select company_id, ${newId()}, customer_id, day, true, ${letterUntil}::date, signed_name, answers,
        address, sign_request_id from newest where needs_letter
    returning true as needs`.execute(ctx.tx)
  if (!rows.length) throw fail('bookings.noDeclaration')
  await ctx.audit('entry.letter', 'customers', customerId, undefined, { letterUntil })
  return { done: true }
}
