import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { placeholdersOf } from '#kit/server/outside/placeholders.ts'
import { wordsOf } from '#kit/server/words.ts'
import { bookingLetters, type BookingLetter } from '../endpoints.ts'

type Letter = (typeof bookingLetters)[number]
const parts = ['subject', 'text'] as const
type Words = Record<(typeof parts)[number], string>

/** What somebody has to be told by the letter itself, whatever else the business writes. */
const must: Record<Letter, readonly string[]> = {
  booked: ['day', 'at'],
  moved: ['day', 'at'],
  cancelled: ['day'],
  offered: ['day', 'at', 'until'],
  reminder: ['day', 'at'],
}

const ready = (letter: Letter, language: Language): Words => {
  const word = (part: string) => wordsOf(language)[`bookings.mail.${letter}.${part}`] ?? ''
  return { subject: word('subject'), text: word('text') }
}

/** The business's own words of a letter; undefined: the ready ones are said. */
export async function ownWords(ctx: Ctx, letter: Letter, language: Language): Promise<Words | undefined> {
  const { rows } = await sql<Words>`select subject, body as text from booking_words
    where company_id = ${ctx.companyId} and letter = ${letter} and language = ${language}`.execute(ctx.tx)
  return rows[0]
}

export async function listWords(
  ctx: Ctx,
  { language }: { language: Language },
): Promise<{ rows: BookingLetter[] }> {
  const rows: BookingLetter[] = []
  for (const letter of bookingLetters) {
    const own = await ownWords(ctx, letter, language)
    const said = ready(letter, language)
    rows.push({
      letter,
      ...(own ?? said),
      isOwn: own !== undefined,
      gaps: placeholdersOf(`${said.subject} ${said.text}`),
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
  { letter, language, words }: { letter: Letter; language: Language; words: Words | null },
): Promise<{ rows: BookingLetter[] }> {
  const said = ready(letter, language)
  const known = placeholdersOf(`${said.subject} ${said.text}`)
  if (words === null)
    await sql`delete from booking_words where company_id = ${ctx.companyId} and letter = ${letter}
        and language = ${language}`.execute(ctx.tx)
  else {
    for (const part of parts) {
      const strange = placeholdersOf(words[part]).find((name) => !known.includes(name))
      if (strange) throw failField(`words.${part}`, 'bookings.gapUnknown', { gap: `{${strange}}` })
    }
    const missing = must[letter].find((name) => !placeholdersOf(words.text).includes(name))
    if (missing) throw failField('words.text', 'bookings.gapMissing', { gap: `{${missing}}` })
    await sql`insert into booking_words (company_id, letter, language, subject, body, updated_by)
      values (${ctx.companyId}, ${letter}, ${language}, ${words.subject}, ${words.text}, ${ctx.caller.userId})
      on conflict (company_id, letter, language) do update set subject = excluded.subject,
        body = excluded.body, updated_by = excluded.updated_by, updated_at = now()`.execute(ctx.tx)
  }
  await ctx.audit('bookings.words', 'classBookings', null, undefined, {
    letter,
    language,
    isOwn: words !== null,
  })
  return listWords(ctx, { language })
}
