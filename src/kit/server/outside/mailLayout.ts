import type { Language } from '../context.ts'
import { scriptOf } from '#domain/script.ts'
import { accentOf } from '../paper/accent.ts'
import { say } from '../words.ts'

/** How the sender of a mail shows itself. */
export interface MailFace {
  name: string
  /** '#rrggbb'. */
  accent?: string
  logo?: { bytes: Buffer; mime: 'image/png' | 'image/jpeg' }
  /** How to reach the sender, a line each. */
  contact?: readonly string[]
}

/** What a mail is about, above its text: an amount, and the one thing to press. */
export interface MailCard {
  /** 'To pay by 15/01/2027'. */
  label: string
  amount?: string
  button?: { label: string; url: string }
  /** Below the button: what is attached. */
  note?: string
}

export interface MailContent {
  subject: string
  /** The text part; the layout shows the same words. */
  text: string
  face: MailFace
  card?: MailCard | undefined
  /** Of its words; from the letters of the text where nobody says. */
  language?: Language | undefined
  /** The mark of the sender's brand of the product is in the footer. */
  hasBrandMark?: boolean | undefined
}

/** Names under which the layout refers to attached pictures. */
export const logoCid = 'logo'
export const brandCid = 'brand'

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!,
  )

const opening = /[\u2066-\u2068]/g
const closing = /\u2069/g
/** Marks that isolate a name become elements that do, which more programs know; unpaired ones go. */
function isolated(html: string): string {
  const pairs = html.match(opening)?.length ?? 0
  const isPaired = pairs === (html.match(closing)?.length ?? 0)
  return html.replace(opening, isPaired ? '<bdi>' : '').replace(closing, isPaired ? '</bdi>' : '')
}

const address = /https?:\/\/[^\s<>"\u2066-\u2069]*[^\s<>"\u2066-\u2069.,;:!?)]/g

/** Text as HTML: escaped, isolated, addresses pressable, lines kept. */
function inline(text: string, colour: string): string {
  let html = ''
  let from = 0
  for (const { 0: url, index } of text.matchAll(address)) {
    html += escaped(text.slice(from, index))
    html += `<a href="${escaped(url)}" style="color:${colour};text-decoration:underline" class="ink"><bdi>${escaped(url)}</bdi></a>`
    from = index + url.length
  }
  return isolated(html + escaped(text.slice(from))).replaceAll('\n', '<br>')
}

const bare = (line: string): string | undefined => {
  const plain = line.replace(/[\u2066-\u2069]/g, '').trim()
  return /^https?:\/\/\S+$/.test(plain) ? plain : undefined
}

interface Body {
  paragraphs: string[]
  /** Without its own words, the language's word for opening is on it. */
  button?: { label?: string; url: string }
}

const mostOnButton = 40

/**
 * The paragraphs of a text. An address alone on its line, below a line that ends with a colon, is what the mail
 * asks to press: a short line becomes the button's words, a long one stays above it. The address of the card's
 * button is not shown twice.
 */
export function bodyOf(text: string, cardUrl?: string): Body {
  const found: Body = { paragraphs: [] }
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n+/)) {
    const lines: string[] = []
    for (const line of block.split('\n')) {
      const url = bare(line)
      const before = lines.at(-1)
      const label = before?.trim().replace(/\s*:$/u, '')
      const leads = url !== undefined && before !== undefined && /:\s*$/u.test(before)
      const isShort = leads && label!.length <= mostOnButton
      if (url !== undefined && url === cardUrl) {
        if (leads) lines.pop()
      } else if (leads && !found.button && cardUrl === undefined) {
        lines.pop()
        if (!isShort) lines.push(`${label!}.`)
        found.button = isShort ? { label: label!, url } : { url }
      } else lines.push(line)
    }
    const paragraph = lines.join('\n').trim()
    if (paragraph) found.paragraphs.push(paragraph)
  }
  return found
}

/** The language of a text by its letters, and French by its commonest words. */
function languageOf(text: string): Language {
  const plain = text.replace(address, '')
  const script = scriptOf(plain) ?? 'Latin'
  if (script === 'Latin') return /\b(bonjour|vous|votre|pour|vos)\b/i.test(plain) ? 'fr' : 'en'
  return script === 'Hebrew' ? 'he' : script === 'Arabic' ? 'ar' : 'ru'
}

/** What lists of mail show beside the subject: the amount, else the first words that are no greeting. */
function previewOf(body: Body, card: MailCard | undefined): string {
  const words = (text: string) =>
    text
      .replace(/[\u2066-\u2069]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  if (card?.amount) return words(`${card.label}: ${card.amount}`)
  const lines = body.paragraphs.flatMap((one) => one.split('\n')).map(words)
  return (lines.find((line) => !/[,،.]?$/u.test(line) || line.length > 30) ?? lines[0] ?? '').slice(0, 120)
}

const fonts = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function buttonOf({ label, url }: { label: string; url: string }, colour: string): string {
  const words = isolated(escaped(label))
  // Outlook draws no rounded link with padding; it gets a separate shape.
  return `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${escaped(url)}" style="height:48px;v-text-anchor:middle;width:320px" arcsize="17%" stroke="f" fillcolor="${colour}"><w:anchorlock/><center style="color:#ffffff;font-family:Arial,sans-serif;font-size:16px;font-weight:bold">${words}</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="${escaped(url)}" class="button" style="display:block;background:${colour};color:#ffffff;text-decoration:none;border-radius:8px;padding:14px 20px;${fonts};font-size:16px;line-height:20px;font-weight:600;text-align:center">${words}</a><!--<![endif]-->`
}

/**
 * The HTML part of every mail the system sends. Tables and inline styles, because mail programs know little else;
 * pictures are attached and nothing is fetched from outside; programs in the dark turn it by the style sheet.
 */
export function mailHtml({ subject, text, face, card, language, hasBrandMark }: MailContent): string {
  const lang = language ?? languageOf(text)
  const dir = lang === 'he' || lang === 'ar' ? 'rtl' : 'ltr'
  const start = dir === 'rtl' ? 'right' : 'left'
  const { text: colour } = accentOf(face.accent)
  const body = bodyOf(text, card?.button?.url)
  const cell = `align="${start}" style="text-align:${start};${fonts};overflow-wrap:anywhere;word-break:break-word`
  const mark = face.logo
    ? `<img src="cid:${logoCid}" alt="" height="44" style="display:block;max-width:180px;height:44px;width:auto;border:0;background:#ffffff;border-radius:6px">`
    : `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="44" height="44" align="center" valign="middle" bgcolor="${colour}" style="width:44px;height:44px;border-radius:8px;background:${colour};color:#ffffff;${fonts};font-size:20px;line-height:44px;font-weight:600;text-align:center">${escaped([...face.name.trim()][0] ?? '')}</td></tr></table>`
  const row = (inside: string, padding = '0 0 16px', more = '') =>
    `<tr><td dir="${dir}" class="text" ${cell};padding:${padding};font-size:16px;line-height:25px;color:#1d2624;${more}">${inside}</td></tr>`
  const box =
    card &&
    `<tr><td style="padding:4px 0 20px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="box" style="background:#f5f7f6;border:1px solid #dfe5e2;border-radius:10px"><tr><td dir="${dir}" class="quiet" ${cell};padding:18px 20px 0;font-size:14px;line-height:20px;color:#52605b">${isolated(escaped(card.label))}</td></tr>${
      card.amount === undefined
        ? ''
        : `<tr><td dir="${dir}" class="text" ${cell};padding:2px 20px 0;font-size:34px;line-height:42px;font-weight:700;color:#14201c">${isolated(escaped(card.amount))}</td></tr>`
    }${
      card.button
        ? `<tr><td align="center" style="padding:16px 20px 18px">${buttonOf(card.button, colour)}</td></tr>`
        : `<tr><td height="16" style="height:16px;font-size:0;line-height:0">&nbsp;</td></tr>`
    }${
      card.note
        ? `<tr><td dir="${dir}" class="quiet" ${cell};padding:0 20px 16px;font-size:13px;line-height:19px;color:#52605b">${isolated(escaped(card.note))}</td></tr>`
        : ''
    }</table></td></tr>`
  const [first, ...others] = body.paragraphs
  const paragraphs = (all: readonly string[]) => all.map((one) => row(inline(one, colour))).join('')
  const contact = face.contact?.filter(Boolean) ?? []
  return `<!doctype html>
<html dir="${dir}" lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject.replace(/[\u2066-\u2069]/g, ''))}</title>
<style>
:root{color-scheme:light dark}
@media (max-width:620px){.wide{width:100%!important}.inside{padding:24px 18px!important}}
@media (prefers-color-scheme:dark){.page{background:#121715!important}.card{background:#1b2220!important;border-color:#2c3532!important}.box{background:#232c29!important;border-color:#34403c!important}.text{color:#e9efec!important}.quiet{color:#a9b5b0!important}.ink{color:#8fd0c3!important}}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1f3f2;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:transparent">${escaped(previewOf(body, card))}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f1f3f2"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" class="wide" style="width:600px;max-width:100%">
<tr><td dir="${dir}" style="padding:0 4px 16px"><table role="presentation" cellpadding="0" cellspacing="0" border="0" dir="${dir}"><tr><td valign="middle">${mark}</td><td valign="middle" class="text" dir="${dir}" ${cell};padding:0 12px;font-size:18px;line-height:24px;font-weight:600;color:#1d2624"><bdi>${escaped(face.name)}</bdi></td></tr></table></td></tr>
<tr><td class="card inside" style="background:#ffffff;border:1px solid #dfe5e2;border-top:4px solid ${colour};border-radius:12px;padding:32px 36px 16px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${
    first === undefined ? '' : paragraphs([first])
  }${box ?? ''}${paragraphs(others)}${
    body.button
      ? `<tr><td align="center" style="padding:4px 0 20px">${buttonOf({ label: say(lang, 'mail.open'), ...body.button }, colour)}</td></tr>`
      : ''
  }</table></td></tr>
${
  contact.length || hasBrandMark
    ? `<tr><td dir="${dir}" align="center" class="quiet" style="padding:18px 8px 0;${fonts};font-size:13px;line-height:20px;color:#52605b;text-align:center;overflow-wrap:anywhere;word-break:break-word">${contact.map((line) => `<bdi>${escaped(line)}</bdi>`).join('<br>')}${
        hasBrandMark
          ? `<br><img src="cid:${brandCid}" alt="" height="24" style="display:inline-block;height:24px;width:auto;border:0;margin-top:10px">`
          : ''
      }</td></tr>`
    : ''
}
</table>
</td></tr></table>
</body>
</html>
`
}
