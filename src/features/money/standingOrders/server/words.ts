import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { messageOf } from '#kit/server/words.ts'
import { placeholdersOf } from '#kit/server/outside/placeholders.ts'
import type { OrderLetter } from '../endpoints.ts'
import { cardLetters, letters } from '../standingOrders.ts'

const parts = ['subject', 'text', 'sms'] as const
type Words = Record<(typeof parts)[number], string>

/**
 * Notices the law requires contain every fact of it; for the others the link to the customer's page is enough.
 */
const lawful: ReadonlySet<string> = new Set(['benefit', 'raise', 'end', 'endShort', 'cancelled'])

const ready = (letter: string, language: Language): Words => {
  // Those about cards are spelled where they are sent: cardAsk is savedCards.mail.ask.
  const place = cardLetters.has(letter)
    ? `savedCards.mail.${letter.slice(4).toLowerCase()}`
    : `standingOrders.mail.${letter}`
  const word = (part: string) => messageOf(language, `${place}.${part}`) ?? ''
  return { subject: word('subject'), text: word('text'), sms: word('sms') }
}

/** The business's own words of a letter; undefined: the ready ones are said. */
export async function ownWords(ctx: Ctx, letter: string, language: Language): Promise<Words | undefined> {
  const { rows } = await sql<Words>`select subject, body as text, sms from standing_words
    where company_id = ${ctx.companyId} and letter = ${letter} and language = ${language}`.execute(ctx.tx)
  return rows[0]
}

export async function listWords(
  ctx: Ctx,
  { language }: { language: Language },
): Promise<{ rows: OrderLetter[] }> {
  const rows: OrderLetter[] = []
  for (const letter of letters) {
    const own = await ownWords(ctx, letter, language)
    const said = ready(letter, language)
    rows.push({
      letter,
      ...(own ?? said),
      isOwn: own !== undefined,
      gaps: placeholdersOf(`${said.subject} ${said.text} ${said.sms}`),
    })
  }
  return { rows }
}

/**
 * Keeps own words of a letter, or goes back to the ready ones. A gap that the letter does not know, and a
 * fact that it has to tell, is refused at its field.
 */
export async function keepWords(
  ctx: Ctx,
  { letter, language, words }: { letter: OrderLetter['letter']; language: Language; words: Words | null },
): Promise<{ rows: OrderLetter[] }> {
  const said = ready(letter, language)
  const known = placeholdersOf(`${said.subject} ${said.text} ${said.sms}`)
  if (words === null)
    await sql`delete from standing_words where company_id = ${ctx.companyId} and letter = ${letter}
        and language = ${language}`.execute(ctx.tx)
  else {
    if (words.sms === '' && said.sms !== '') throw failField('words.sms', 'fields.need')
    if (words.sms !== '' && said.sms === '') throw failField('words.sms', 'standingOrders.onlyMail')
    for (const part of parts) {
      const strange = placeholdersOf(words[part]).find((name) => !known.includes(name))
      if (strange) throw failField(`words.${part}`, 'standingOrders.gapUnknown', { gap: `{${strange}}` })
    }
    for (const part of ['text', 'sms'] as const) {
      const must = lawful.has(letter)
        ? placeholdersOf(said[part]).filter((name) => name !== 'customer' && name !== 'business')
        : ['link']
      const missing = must.find(
        (name) => placeholdersOf(said[part]).includes(name) && !placeholdersOf(words[part]).includes(name),
      )
      if (missing) throw failField(`words.${part}`, 'standingOrders.gapMissing', { gap: `{${missing}}` })
    }
    await sql`insert into standing_words (company_id, letter, language, subject, body, sms, updated_by)
      values (${ctx.companyId}, ${letter}, ${language}, ${words.subject}, ${words.text}, ${words.sms},
        ${ctx.caller.userId})
      on conflict (company_id, letter, language) do update set subject = excluded.subject,
        body = excluded.body, sms = excluded.sms,
        updated_by = excluded.updated_by, updated_at = now()`.execute(ctx.tx)
  }
  await ctx.audit('standingOrders.words', 'standingOrders', null, undefined, {
    letter,
    language,
    isOwn: words !== null,
  })
  return listWords(ctx, { language })
}
