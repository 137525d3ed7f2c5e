import { describe, expect, test } from 'vitest'
import { bodyOf, mailHtml, type MailContent } from './mailLayout.ts'
import { directionOf, languages, say, wordsOf } from '../words.ts'

const hostile = `<script>alert("x")</script> & 'מ״מ' ${'ארוך'.repeat(60)} Ω`
const page = 'https://books.example.com/paymentdoc/k?a=1&b=2'

/** Tags that open and close in pairs, in order; what a mail program would have to guess otherwise. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  const single = new Set(['meta', 'img', 'br', '!doctype', 'w:anchorlock/'])
  // What only Outlook reads is not markup to others.
  const seen = html.replace(/<!--\[if mso\]>[\s\S]*?<!\[endif\]-->/g, '').replace(/<!--[\s\S]*?-->/g, '')
  for (const [, end, name] of seen.matchAll(/<(\/?)([a-z!][\w:/]*)[^>]*>/gi)) {
    const tag = name!.toLowerCase()
    if (single.has(tag)) continue
    if (!end) open.push(tag)
    else if (open.pop() !== tag) wrong.push(tag)
  }
  return [...wrong, ...open]
}

function isSound(html: string, content: MailContent): void {
  expect(unbalanced(html)).toEqual([])
  // Nothing a person wrote is markup, nothing is fetched, nothing runs.
  expect(html).not.toMatch(/<script|javascript:|<link|@import|url\(|onerror/i)
  for (const [, source] of html.matchAll(/<img[^>]*src="([^"]*)"/g))
    expect(source).toMatch(/^cid:(logo|brand)$/)
  for (const [, target] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^https?:\/\//)
  // No mark of direction is left unpaired, and none is in a place where it would be shown as a letter.
  expect(html.match(/<bdi>/g)?.length ?? 0).toBe(html.match(/<\/bdi>/g)?.length ?? 0)
  expect(html).not.toMatch(/[\u2066-\u2069]/)
  expect(html).toContain('prefers-color-scheme:dark')
  expect(html.length).toBeLessThan(90_000)
  if (content.language)
    expect(html).toContain(`<html dir="${directionOf(content.language as 'he')}" lang="${content.language}">`)
}

/** The keys of all texts that are sent as mail, with everything they are filled with. */
const mailKeys = Object.keys(wordsOf('he')).filter((key) =>
  /(^|\.)(mail|[a-z]+Mail|auto|wayIn)\.(?:\w+\.)*(text\w*|letter|withMessage|textToNobody)$/i.test(key),
)
const filled = (message: string) =>
  Object.fromEntries(
    [...message.matchAll(/\{(\w+)[},]/g)].map(([, name]) => [
      name!,
      /link|url/i.test(name!) ? page : /count|days/i.test(name!) ? 3 : hostile,
    ]),
  )

describe.each(languages)('every mail, in %s', (language) => {
  test('there are many of them', () => expect(mailKeys.length).toBeGreaterThan(30))
  test.each(mailKeys)('%s', (key) => {
    const text = say(language, key, filled(wordsOf(language)[key]!))
    const content: MailContent = {
      subject: hostile,
      text,
      language,
      face: { name: hostile, accent: '#ffee00', contact: [hostile] },
    }
    const html = mailHtml(content)
    isSound(html, content)
    // The words are those of the text part, and where it asks to press something there is a button.
    if (text.includes('<script>')) expect(html).toContain('&lt;script&gt;')
    if (new RegExp(`:\\s*\\n${page.replace(/[?.]/g, '\\$&')}`).test(text)) {
      expect(html.match(/class="button"/g)).toHaveLength(1)
      expect(html).toContain(`href="${page.replaceAll('&', '&amp;')}"`)
    }
    // Who does not say the language gets it by the letters.
    const plain = say(
      language,
      key,
      Object.fromEntries(Object.keys(filled(wordsOf(language)[key]!)).map((name) => [name, 1])),
    )
    expect(mailHtml({ ...content, text: plain, language: undefined })).toContain(
      `<html dir="${directionOf(language)}"`,
    )
  })
})

test.each(languages)('a card shows the amount once, its button and what is attached, in %s', (language) => {
  const content: MailContent = {
    subject: 'x',
    language,
    face: { name: 'Aluma', accent: '#12695f', logo: { bytes: Buffer.from('x'), mime: 'image/png' } },
    text: `שלום,\n\nלצפייה ולהורדה:\n${page}\n\nתודה`,
    card: {
      label: 'Due 15/01/2027',
      amount: '\u20685,369.00 ₪\u2069',
      button: { label: 'View and pay', url: page },
      note: 'Attached: x.pdf',
    },
  }
  const html = mailHtml(content)
  isSound(html, content)
  expect(html.match(/5,369\.00 ₪<\/bdi>/g)).toHaveLength(1)
  expect(html.match(/class="button"/g)).toHaveLength(1)
  expect(html).toContain('Attached: x.pdf')
  expect(html).toContain('cid:logo')
  // The way to the page is the button, and not a line below it as well.
  expect(html).not.toContain('לצפייה ולהורדה')
  expect(html).toContain('Due 15/01/2027: 5,369.00 ₪</div>')
})

test('a button takes its words from the line above the address; other addresses stay in the text', () => {
  expect(bodyOf(`Hello,\n\nPay here:\n${page}\n\nTerms: https://a.example/t`)).toEqual({
    paragraphs: ['Hello,', 'Terms: https://a.example/t'],
    button: { label: 'Pay here', url: page },
  })
  expect(bodyOf(`One:\nhttps://a.example\nTwo:\nhttps://b.example`)).toEqual({
    paragraphs: ['Two:\nhttps://b.example'],
    button: { label: 'One', url: 'https://a.example' },
  })
  // A long line stays above a button with the word for opening.
  const long = 'Everything that was agreed can be read and signed here until Friday'
  expect(bodyOf(`${long}:\n${page}`)).toEqual({ paragraphs: [`${long}.`], button: { url: page } })
  expect(mailHtml({ subject: '', text: `${long}:\n${page}`, face: { name: 'x' } })).toContain('>Open</a>')
  // A line that asks nothing is no button.
  expect(bodyOf(`${page}`)).toEqual({ paragraphs: [page] })
  expect(bodyOf('')).toEqual({ paragraphs: [] })
})

test('white words on the button can be read whatever colour the business has', () => {
  const html = mailHtml({
    subject: '',
    text: 'x',
    face: { name: 'x', accent: '#ffff00' },
    card: { label: 'x', button: { label: 'x', url: page } },
  })
  expect(html).not.toContain('background:#ffff00')
})

test('an attribute cannot be left by what somebody wrote', () => {
  const html = mailHtml({
    subject: '"><img src=x onerror=alert(1)>',
    text: `https://a.example/"onmouseover="x ${page}`,
    face: { name: '"onload="' },
  })
  expect(html).not.toMatch(/<[^>]*\son\w+=/)
  expect(html).not.toContain('<img src=x')
})
