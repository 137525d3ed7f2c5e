import type { Language } from '#kit/server/context.ts'

interface Rule {
  /** What a text of the product does not contain. */
  not: RegExp
  say: string
  /** Beginnings of keys whose texts quote or explain: they may contain it. */
  except?: string[]
}

// docs/style says how each language is written; these are the rules that a machine can check.
const rules: Record<Language, Rule[]> = {
  en: [
    { not: /\bwhoever\b/i, say: 'anyone who, the person who' },
    { not: /\b(?:he|his|him|himself)\b/i, say: 'they, their' },
    { not: /\be-mails?\b/i, say: 'email' },
    { not: /\bnobody\b/i, say: 'no one' },
    { not: /\banew\b/i, say: 'again' },
    { not: /\bby (?:itself|themselves)\b/i, say: 'automatically' },
    { not: /\b(?:thrown?|puts?|threw) away\b/i, say: 'deleted, discarded, archived' },
    { not: /\bgood for (?:\d|\{|one|ten)/i, say: 'valid for' },
    { not: /\bin force\b/i, say: 'valid, applies from' },
    { not: /\b(?:tied?|ties) to\b/i, say: 'linked to, mapped to' },
    { not: /\b(?:licensed|exempt) dealers?\b/i, say: 'VAT-registered business, exempt business' },
    { not: /\bdealer number\b/i, say: 'tax number' },
    { not: /\bworkers?\b/i, say: 'team member, employee', except: ['law.'] },
    { not: /^State$/, say: 'Status' },
    { not: /\btax authority\b/, say: 'Tax Authority' },
    { not: /\bmend(?:s|ed)?\b/i, say: 'fix' },
    { not: /\byearly\b/i, say: 'annual' },
    { not: /\balready\.?$/i, say: 'already before the verb' },
    { not: /\bWrite (?:a|an|the) (?:number|name|rate|month|amount)\b/, say: 'Enter' },
    {
      not: /\b(?:do|does|did|is|are|was|were|has|have|could|would) not\b|\bcannot\b/i,
      say: 'a contraction; in legal texts the full form',
      except: [
        'legal.',
        'time.notice.',
        'errors.standingOrders.noticeMissed',
        'docs.',
        'api.',
        'trade.',
        'law.',
        'signing.consent',
        'bookings.health',
        'paper.',
      ],
    },
  ],
  he: [
    { not: /רשות המיסים/, say: 'רשות המסים' },
    { not: /["„“”]/, say: '״' },
    {
      not: /(?<![א-ת])תכנית|(?<![א-ת])הכל(?![א-ת])|פרעון|קבצי /,
      say: 'כתיב מלא: תוכנית, הכול, פירעון, קובצי',
    },
    { not: /להשליך|השלכה|השלכת/, say: 'למחוק, מחיקה' },
    { not: /דלת לקבצ/, say: 'קליטת קובצי בנק' },
    { not: /מעצמ[והםן](?![א-ת])/, say: 'אוטומטית' },
    { not: /לחתימתך|(?<![א-ת])שלך(?![א-ת])/, say: 'שלכם' },
  ],
  ar: [
    { not: /اً/, say: 'ًا' },
    { not: /عميل|عملاء/, say: 'زبون، زبائن' },
    { not: /منشأة|منشآت/, say: 'مصلحة، مصالح' },
    { not: /كلمة السر/, say: 'كلمة المرور' },
    { not: /[?;]/, say: '؟ ؛', except: ['docs.', 'api.', 'trade.'] },
  ],
  ru: [
    { not: /номер(?:а|ом|у|е)? распределения/, say: 'номер аллокации' },
    { not: /счёт-фактур/, say: 'налоговый счёт' },
    { not: /"/, say: '« »', except: ['docs.', 'api.', 'trade.'] },
  ],
  fr: [
    { not: /avant le \{/, say: 'au plus tard le, d’ici le', except: ['webhooks.'] },
    { not: /\bcourriels?\b/i, say: 'e-mail', except: ['agents.search.'] },
    { not: /\bordres? permanents?\b/i, say: 'paiement récurrent, prélèvement' },
    { not: /numéros? d[’']allocation/i, say: 'numéro d’attribution' },
    { not: /moyens? de paiement/i, say: 'mode de paiement' },
    { not: /\bJeter\b/, say: 'Supprimer' },
    { not: /[a-zé]'[a-zé]/i, say: '’', except: ['docs.', 'api.', 'trade.'] },
  ],
}

/** What a text of the product says that the style of its language avoids; code in it and names of placeholders are not read. */
export function checkStyle(language: Language, key: string, text: string): string[] {
  // What people type to find a screen is theirs.
  if (key.startsWith('terms.') || key.endsWith('.also')) return []
  const prose = text.replace(/`[^`]*`|https?:\S+|\{\w+(?:,\s*\w+,?)?/g, ' ')
  return rules[language].flatMap(({ not, say, except = [] }) => {
    const found = not.exec(prose)
    return found && !except.some((beginning) => key.startsWith(beginning))
      ? [`${language} ${key}: ‘${found[0]}’; write: ${say}`]
      : []
  })
}
