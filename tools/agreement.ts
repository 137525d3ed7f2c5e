import { genderOf } from '#kit/describe/noun.ts'
import type { Language } from '#kit/server/context.ts'

/*
 * Sentences about documents whose words agree with the document's name. 'Tax invoice 1 was issued' has a
 * feminine verb in Hebrew and a receipt a masculine one in French, so that a text with one fixed form is wrong
 * for some of the types. Such a text chooses by the noun's gender (`{documentGender, select, …}`) or puts a
 * separate noun before the name ('the document {name}').
 */

type InflectedLanguage = Exclude<Language, 'en'>

/** Gaps that hold the name or type of a document wherever they occur, or a title whose gender nobody knows. */
const nouns = ['document', 'paper', 'type', 'credit', 'title']
/** Texts of these features whose `{name}` is a document or a signed file. */
const namesDocuments =
  /^(documents|corrections|payments|paymentLinks|allocation|einvoice|donations|signing|signRequests|outside|documentJobs)\./

interface Grammar {
  /** A word directly after a name that takes a form by its gender. */
  after: RegExp
  /** A word directly before it. */
  before: RegExp
  /** How the word after such a word begins where a colon is between it and the name. */
  preposition: RegExp
  /** Words that stand between the name and such a word, and do not inflect. */
  between: RegExp
  /** Words after which a new sentence begins: what precedes them is no head of the name. */
  joins: RegExp
  /** Words of these shapes that have one form. */
  constant: RegExp
}

const grammars: Record<InflectedLanguage, Grammar> = {
  he: {
    after:
      /^[וש]?(הו\p{L}{2,3}|נ\p{L}{3}|נ\p{L}{3}[הת]|[ית]י?\p{L}{3,4}|\p{L}[ו]\p{L}{1,2}|\p{L}ו\p{L}{2}ה|מ\p{L}{3,5}|חסרה?|ריקה?|פתוחה?|סגורה?|קיימת?|תקפה?|הוא|היא)$/u,
    before:
      /^ו?(הו\p{L}{2,3}(?<!ת)|נ\p{L}{3}[הת]?|[ית]י?\p{L}{3,4}|בוטלה?|סומנה?|תוקנה?|צורפה?|שולמה?|מצורפת?|ממתינה?)$/u,
    preposition: /^([בלכ]|(עד|על|אל|עם)$|מ־)/u,
    between: /^(לא|כבר|עדיין|עוד|גם|אינו|אינה|ו|אל|בשעה)$/,
    joins: /^(ולכן|לכן|כי|וכי|אבל|אך|אם|ואם|כאשר|אז|ואז|ש־|כש־|עדיין|גם)$/u,
    constant:
      /^(מאת|מתוך|מספר|מיום|מאז|מול|מלבד|נגד|כמו|לפי|עמוד|יום|תיק|יתרת|יהיה|תהיה|תיקון|נוסף|כולל|סכום|בתור|שורה|דוגמה|תאריך)$/u,
  },
  ar: {
    after:
      /^و?(س?[يت]ُ?\p{L}{2}[\p{L}\p{M}]*|أُ[\p{L}\p{M}]+|\p{L}ُ\p{L}[\p{L}\p{M}]*|صدرت?|ملغاة|ملغى|مفتوحة?|مغلقة?|مسددة?|موقعة?)$/u,
    before: /^و?(ي[\p{L}\p{M}]{3,}|ت?ُ[\p{L}\p{M}]+|[\p{L}]ُ\p{L}[\p{L}\p{M}]*|صدرت?|وصلت?|ألغيت?|أوقفت?)$/u,
    preposition: /^([بل]|(في|من|إلى|على)$)/u,
    between: /^(لا|لم|لن|قد|ما|زال|زالت|أيضًا)$/,
    joins: /^(لذلك|لأن|لكن|أن|إذا|ثم|كي)$/u,
    constant: /^(تحت|تم|يوم)$/u,
  },
  ru: {
    after:
      /^(\p{L}+(ан|ен|ён|ят|ыт)[ао]?|\p{L}{2,}(л|ла|ло)(сь|ся)?|\p{L}{2,}(ый|ий|ая|ое|ым|ой)|должен|должна|должно)$/u,
    before: /^(\p{L}+(ан|ен|ён|ят|ыт)[ао]?|\p{L}{2,}(л|ла|ло)(сь|ся)?|\p{L}{2,}(ый|ий|ая|ое))$/u,
    preposition: /^(в|с|на|по|от|для|как)$/u,
    between: /^(не|уже|ещё|всё|также|был|была|было|будет|и)$/u,
    joins: /^(поэтому|что|чтобы|если|и|но|когда|потому)$/u,
    constant: /^(файл|цена|замена|смена|отмена|измена|доступ|обмен)$/u,
  },
  fr: {
    after: /^(\p{L}+(é|ée|is|ise|it|ite|uel|elle)|\p{L}{3,}(u|ue)|joint|jointe|ouvert|ouverte|clos|close)$/u,
    before: /^(\p{L}{3,}(é|ée|is|ise)|joint|jointe)$/u,
    preposition: /^(par|au|à|le|la|dans|pour|de|avec)$/u,
    between: /^(du|au|le|est|n’est|sera|ne|pas|a|été|n’a|était|déjà|toujours|encore|et|aussi)$/u,
    joins: /^(que|si|et|mais|donc|car|quand)$/u,
    constant: /^(continue|depuis|puis|avis|dans|vous)$/u,
  },
}

/** A message without what is chosen by a gender, and of other choices each branch as a separate sentence. */
function sentencesOf(message: string): string[] {
  const at = message.search(/\{\w+, (select|plural),/)
  if (at < 0) return [message]
  let depth = 0
  let end = at
  const branches: string[] = []
  let from = 0
  for (; end < message.length; end++) {
    if (message[end] === '{' && ++depth === 2) from = end + 1
    if (message[end] === '}') {
      if (depth-- === 2) branches.push(message.slice(from, end))
      if (depth === 0) break
    }
  }
  const rest = (inside: string) => message.slice(0, at) + inside + message.slice(end + 1)
  const isByGender = new RegExp(`^\\{(\\w+)${genderOf('')}, select`).test(message.slice(at))
  return (isByGender ? ['\u0000'] : branches).flatMap((branch) => sentencesOf(rest(branch)))
}

const wordsIn = (text: string): string[] => text.split(/[\s\u00a0\u202f,]+/u).filter(Boolean)

/** What in a message agrees with a document's name in one fixed form: 'issued {name}'. Empty: it is sound. */
export function fixedForms(language: InflectedLanguage, key: string, message: string): string[] {
  const { after, before, preposition, between, joins, constant } = grammars[language]
  const all = namesDocuments.test(key) ? [...nouns, 'name'] : nouns

  const found = new Set<string>()
  for (const sentence of sentencesOf(message).map((one) => one.replace(/[«»„”“]\s?/gu, '')))
    for (const hole of sentence.matchAll(new RegExp(`\\{(${all.join('|')})\\}`, 'g'))) {
      const shown = hole[0]
      // Up to the end of the clause on either side. A colon after the name joins it to what follows; one
      // before it makes a label of what precedes, which is in no form of anything.
      const left = sentence
        .slice(0, hole.index)
        .split(/[.:;,،؛!?؟\n–(]/u)
        .at(-1)!
      const following = sentence.slice(hole.index + shown.length)
      const afterColon = following.replace(/^\s*[:–]\s*/u, ' ')
      const right = afterColon.split(/[.;:!?؟\n–,،)»]/u)[0]!
      const leftWords = wordsIn(left)
      const last = leftWords.at(-1)
      const inflects = (word: string | undefined, shape: RegExp) =>
        word !== undefined && shape.test(word) && !constant.test(word.toLowerCase())
      if (inflects(last, before)) found.add(`${last} ${shown}`)
      // After a noun or a preposition the name is not what the verb agrees with.
      if (last !== undefined && !inflects(last, before) && !joins.test(last)) continue
      const [next, second] = wordsIn(right).filter((word) => !/[{\u0000]/u.test(word) && !between.test(word))
      // After a colon a word may belong to another noun: 'quote 3: no number needed'.
      const isOwn = afterColon === following || second === undefined || preposition.test(second)
      if (isOwn && inflects(next, after)) found.add(`${shown} ${next}`)
    }
  return [...found]
}

/** The genders that nouns of a language have here. */
const genders: Record<Language, readonly string[]> = {
  he: ['f', 'm'],
  ar: ['f', 'm'],
  ru: ['f', 'm', 'n'],
  fr: ['f', 'm'],
  en: ['n'],
}

/** What is wrong with the words of one file: fixed forms beside a document's name, types without a gender. */
export function checkAgreement(language: Language, words: Readonly<Record<string, string>>): string[] {
  const types = Object.keys(words).filter((key) => key.startsWith('documents.types.'))
  return [
    ...types
      .map((key) => key.replace('.types.', '.gender.'))
      .filter((key) => !genders[language].includes(words[key] ?? ''))
      .map((key) => `${language}: ${key} is to be one of ${genders[language].join(', ')}`),
    ...(language === 'en'
      ? []
      : Object.entries(words).flatMap(([key, message]) =>
          fixedForms(language, key, message).map(
            (found) =>
              `${language}: ${key} says '${found}', which agrees with one gender only; choose by {…Gender, select, …}`,
          ),
        )),
  ]
}
