/** What somebody wrote into a form for strangers. */
export interface FormText {
  name: string
  phone: string
  email: string
  message: string
  company: string
}

/** What is known of how it came. */
export interface FormFacts {
  /** The field no person sees was filled. */
  isTrapped: boolean
  /** Seconds from the form being shown; undefined where that cannot be told. */
  seconds: number | undefined
  /** A proof of work was sent, as pages do automatically. */
  isProved: boolean
  /** The same words came with another address a short while ago. */
  isRepeated: boolean
}

export const doubts = [
  'trap',
  'fast',
  'old',
  'unproved',
  'links',
  'markup',
  'phrases',
  'gibberish',
  'repeated',
  'unreachable',
] as const
export type Doubt = (typeof doubts)[number]

export interface Judgement {
  verdict: 'taken' | 'toCheck' | 'dropped'
  doubts: Doubt[]
}

/**
 * What nobody asks a plumber for, in the languages it comes in. Whole phrases: a single word such as "credit"
 * is honest.
 */
const phrases = new RegExp(
  [
    'back ?links?',
    'seo (?:service|expert|agency|package|audit)s?',
    '(?:first|1st) page (?:of|on) google',
    'rank(?:ing)? (?:your|higher|#?1)',
    'guest post',
    'link building',
    'domain authority',
    'web ?(?:site)? (?:re)?design (?:service|compan)',
    'increase (?:your )?(?:traffic|sales|visitors)',
    'buy (?:followers|likes|traffic)',
    'casino',
    'viagra|cialis',
    'crypto ?(?:invest|trading|currency offer)',
    'bitcoin (?:invest|profit|doubl)',
    'forex',
    'passive income',
    'earn \\$?\\d',
    'make money (?:online|fast)',
    'business loan',
    'loan offer|quick loan',
    'adult dating|sexy|hot girls|porn',
    'replica watch',
    'unsubscribe',
    'dear (?:sir|madam|webmaster|site owner|website owner)',
    'congratulations you',
    'you have won',
    'inherit(?:ance|ed)',
    'million (?:dollars|usd|euros)',
    'whats ?app (?:marketing|bulk)',
    'email list|leads database|bulk email',
    'ai (?:chatbot|automation) (?:agency|service)',
    'קידום אתרים במחיר|קידום בגוגל|לינקים לאתר|הלוואה מיידית|הלוואות חוץ בנקאיות|הימורים|רווח מהיר|השקעה בביטקוין|הגדל(?:ת|ו) מכירות באתר',
    'продвижение сайт|раскрутка сайт|заработок в интернете|казино|кредит без отказа|ставки на спорт|база email',
    'référencement (?:de votre|naturel pour)|gagnez de l.argent|prêt entre particulier',
    'تحسين محركات البحث|اربح المال|كازينو|قرض فوري',
  ].join('|'),
  'iu',
)
const link =
  /(?:https?:\/\/|www\.)\S+|\b[a-z0-9-]{2,}\.(?:com|net|org|ru|info|biz|xyz|top|club|online|site|shop|icu|click|link|pro|store|cn|tk)\b(?!@)/giu
const markup = /<\s*(?:a|img|script|iframe|div|b|br)\b|\[(?:url|link|img)\b|&lt;a/iu

/** Letters thrown together: long, with no vowel, or capitals in the middle of what is no name. */
const isGibberish = (word: string): boolean =>
  /^[a-z]{8,}$/i.test(word) &&
  (!/[aeiouy]/i.test(word) ||
    (/[a-z][A-Z]/.test(word) && (word.match(/[A-Z]/g) ?? []).length >= 4) ||
    /[bcdfghjklmnpqrstvwxz]{6,}/i.test(word))

/** An address is no link in a message. */
const linksIn = (text: string): number => (text.replace(/\S+@\S+/g, ' ').match(link) ?? []).length

/**
 * Whether what came through a form is somebody who asks. Nothing is thrown away for one doubt alone that an
 * honest person could give cause for: such a one is looked at by a person.
 */
export function judge(text: FormText, facts: FormFacts): Judgement {
  const found: [Doubt, number][] = []
  const doubt = (what: Doubt, weight: number) => void found.push([what, weight])
  if (facts.isTrapped) doubt('trap', 5)
  if (facts.seconds !== undefined && facts.seconds < 3) doubt('fast', 3)
  if (facts.seconds !== undefined && facts.seconds > 86_400) doubt('old', 2)
  if (facts.seconds === undefined || !facts.isProved) doubt('unproved', 3)
  if (facts.isRepeated) doubt('repeated', 3)
  const heads = `${text.name} ${text.company}`
  const inHeads = linksIn(heads)
  const inMessage = linksIn(text.message)
  if (inHeads > 0) doubt('links', 4)
  else if (inMessage >= 2) doubt('links', 4)
  else if (inMessage === 1) doubt('links', 1)
  if (markup.test(`${heads} ${text.message}`)) doubt('markup', 5)
  if (phrases.test(`${heads} ${text.message}`)) doubt('phrases', 4)
  if (`${heads} ${text.message}`.split(/\s+/).some(isGibberish)) doubt('gibberish', 3)
  if (text.phone.replace(/\D/g, '').length < 7 && !text.email) doubt('unreachable', 2)
  const score = found.reduce((sum, [, weight]) => sum + weight, 0)
  return {
    verdict: score >= 5 ? 'dropped' : score >= 3 ? 'toCheck' : 'taken',
    doubts: found.map(([what]) => what),
  }
}
