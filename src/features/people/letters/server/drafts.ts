import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { addressees } from '#features/people/correspondence/server/index.ts'
import type { LetterAnswer, LetterDraft } from '../endpoints.ts'
import { aboutDocument } from './fields.ts'
import { pageUrl } from './page.ts'

databaseFailures.PK180 = () => fail('letters.isSent')

interface Stored {
  id: string
  status: 'draft' | 'sent'
  title: string
  body: string
  language: Language | null
  customerIds: string[]
  customerId: string | null
  documentId: string | null
  signed: boolean
  namesSums: boolean
  pageKey: string | null
  day: string | null
  sentAt: string | null
  updatedAt: string
}

/** A letter about a document is visible only with the document: its text names it. */
export const ofSeenDocument = sql<boolean>`(document_id is null
    or seen_document(company_id, document_id) is not null)`

async function load(ctx: Ctx, id: string, lock = false): Promise<Stored> {
  const { rows } = await sql<Stored>`select id, status, title, body, language, customer_ids as "customerIds",
        customer_id as "customerId", document_id as "documentId",
      signed, names_sums as "namesSums", page_key as "pageKey", day, sent_at as "sentAt",
      updated_at as "updatedAt"
    from letters where company_id = ${ctx.companyId}
      and id = ${id} and ${ofSeenDocument} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  const letter = rows[0]
  if (!letter || (letter.namesSums && ctx.caller.hideTotalPrices)) throw fail('kit.notFound')
  return letter
}

/** The draft of a letter; refused when it was sent. */
export async function draftOf(ctx: Ctx, id: string, lock = false): Promise<Stored> {
  const letter = await load(ctx, id, lock)
  if (letter.status !== 'draft') throw fail('letters.isSent')
  return letter
}

/** What became of a letter, by its newest message; without one it was printed. */
export const stateOf = (letter: string) =>
  sql<string>`(case when ${sql.raw(letter)}.status = 'draft' then 'draft'
      else coalesce((select case when m.opened_at is not null and m.state in ('sent', 'kept') then 'opened'
      else m.state end from messages m
    where m.company_id = ${sql.raw(letter)}.company_id and m.letter_id = ${sql.raw(letter)}.id
    order by m.created_at desc, m.id desc limit 1), 'printed') end)`

export async function answerOf(ctx: Ctx, id: string): Promise<LetterAnswer> {
  const letter = await load(ctx, id)
  const people = await addressees(ctx, letter.customerId ? [letter.customerId] : letter.customerIds)
  const document = letter.documentId ? await aboutDocument(ctx, letter.documentId) : undefined
  const { rows: states } = await sql<{
    state: LetterAnswer['state']
  }>`select ${stateOf('l')} as state from letters l
    where l.company_id = ${ctx.companyId} and l.id = ${id}`.execute(ctx.tx)
  const { rows: messages } = await sql<
    LetterAnswer['messages'][number]
  >`select id, created_at as at, recipient,
      case when opened_at is not null and state in ('sent', 'kept') then 'opened' else state end as state,
      error, opened_at as "openedAt" from messages
    where company_id = ${ctx.companyId} and letter_id = ${id} order by created_at desc, id desc
    limit 50`.execute(ctx.tx)
  const { status, title, body, language, signed, day, sentAt, updatedAt } = letter
  return {
    id,
    status,
    state: states[0]!.state,
    title,
    body,
    language,
    signed,
    day,
    sentAt,
    updatedAt,
    customers: people.map((one) => ({
      id: one.id,
      name: one.name,
      email: one.email,
      language: one.language,
    })),
    document: document ? { id: document.id, type: document.type, number: document.number! } : null,
    url: letter.pageKey && pageUrl(ctx, letter.pageKey),
    messages,
  }
}

export async function makeLetter(ctx: Ctx, given: LetterDraft): Promise<LetterAnswer> {
  await addressees(ctx, given.customerIds)
  await aboutDocument(ctx, given.documentId)
  const id = newId()
  await sql`insert into letters (company_id, id, title, body, language, customer_ids, document_id, signed,
      created_by)
    values (${ctx.companyId}, ${id}, ${given.title}, ${given.body}, ${given.language},
      ${[...new Set(given.customerIds)]}::uuid[],
      ${given.documentId}, ${given.signed}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('letters.make', 'letters', id, undefined, { title: given.title })
  return answerOf(ctx, id)
}

export async function changeLetter(
  ctx: Ctx,
  { id, ...given }: LetterDraft & { id: string },
): Promise<LetterAnswer> {
  const before = await draftOf(ctx, id, true)
  await addressees(ctx, given.customerIds)
  await aboutDocument(ctx, given.documentId)
  await sql`update letters set title = ${given.title}, body = ${given.body}, language = ${given.language},
      customer_ids = ${[...new Set(given.customerIds)]}::uuid[], document_id = ${given.documentId},
      signed = ${given.signed}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('letters.change', 'letters', id, { title: before.title }, { title: given.title })
  return answerOf(ctx, id)
}

export async function dropLetter(ctx: Ctx, { id }: { id: string }) {
  const before = await draftOf(ctx, id, true)
  await sql`delete from letters where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('letters.drop', 'letters', id, { title: before.title, body: before.body })
  return { done: true as const }
}
