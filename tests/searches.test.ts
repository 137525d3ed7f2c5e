import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Screen } from '#kit/describe/screen.ts'
import type { Session } from '#kit/describe/session.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { ranked } from '#kit/web/parts/rank.ts'
import { findableOf } from '#kit/web/shell/findable.ts'
import { menuOf } from '#kit/web/shell/menu.ts'
import type { MenuLink } from '#kit/web/shell/registry.ts'

type Language = 'he' | 'en' | 'ar' | 'ru' | 'fr'

/** What the palette offers an owner, from the lists and words the application itself reads. */
async function entries() {
  const files = featurePlaces()
    .map(({ path }) => join(root, path, 'web/screens.ts'))
    .filter(existsSync)
  const given = await Promise.all(
    files.map(
      async (file) => (await import(pathToFileURL(file).href)) as { screens: Screen[]; links?: MenuLink[] },
    ),
  )
  const owner = { UserKey: 'k', TypeID: 4, subTypeID: 0, rules: [], docsAllow: [] } as unknown as Session
  return menuOf(
    owner,
    () => true,
    undefined,
    given.flatMap(({ screens }) => screens),
    given.flatMap(({ links = [] }) => links),
  ).flatMap(({ all }) => all)
}
const all = await entries()

function wordsOf(language: Language): (key: string) => string {
  const words: Record<string, string> = {}
  const read = (folder: string) => {
    for (const file of existsSync(folder) ? readdirSync(folder) : [])
      if (file === `${language}.json` || file.endsWith(`.${language}.json`))
        Object.assign(words, JSON.parse(readFileSync(join(folder, file), 'utf8')))
  }
  for (const { path } of featurePlaces()) read(join(root, path, 'text'))
  read(join(root, 'src/kit/web/text'))
  return (key) => words[key] ?? key
}

const searches: Record<Language, [typed: string, first: string][]> = {
  he: [
    ['מעמ', 'vat'],
    ['מע״מ', 'vat'],
    ['מע"מ', 'vat'],
    ['למעמ', 'vat'],
    ['לקוחות', 'customers'],
    ['משימות', 'tasks'],
    ['לוח', 'kanban'],
    ['יומן קשר', 'interactions'],
    ['לידים', 'leads'],
    ['מקורות הגעה', 'leadSources'],
    ['מועדי דיווח', 'law'],
    ['נתוני החוק', 'law'],
    ['קטגוריות לידים', 'leadCategories'],
    ['דוח לידים', 'leadsReport'],
    ['הלקוחות', 'customers'],
    ['לקוחת', 'customers'],
    ['הוצאות', 'expenses'],
    ['ההוצאות', 'expenses'],
    ['ספק', 'suppliers'],
    ['webhook', 'webhooks'],
    ['חנויות', 'shops'],
    ['עדכון תוכנות', 'webhooks'],
    ['קבלות', 'receipts'],
    ['חשבוניות', 'taxInvoices'],
    ['תקציב', 'budget'],
    ['תזרים', 'cashForecast'],
    ['תחזית', 'cashForecast'],
    ['חשבוניות מס', 'taxInvoices'],
    ['מאזן', 'balanceSheet'],
    ['בוחן', 'trialBalance'],
    ['רווח', 'profitLoss'],
    ['הפסד', 'profitLoss'],
    ['כרטסות', 'accounts'],
    ['פקודת', 'journalEntry'],
    ['6111', 'report6111'],
    ['עסק זעיר', 'smallBusiness'],
    ['856', 'report856'],
    ['pcn', 'reportPcn'],
    ['קבלות בלי חשבונית', 'uninvoiced'],
    ['גיול', 'ageing'],
    ['מקדמות', 'reportAdvance'],
    ['טיוטה', 'drafts'],
    ['הצעת מחיר', 'quotes'],
    ['מס״ב', 'masavDebits'],
    ['הוראת קבע', 'retainers'],
    ['דף תשלום', 'payPages'],
    ['דף מנוי', 'retainerPages'],
    ['התאמת סליקה', 'acquirerDeals'],
    ['סירובים', 'cardDeclines'],
    ['קופון', 'coupons'],
    ['הוראות קבע שנכשלו', 'retainersFailed'],
    ['פריט', 'items'],
    ['מחירון', 'priceLists'],
    ['שיקים', 'reportChecks'],
    ['הרשאות', 'permissions'],
    ['עובד', 'workers'],
    ['שעון עבודה', 'mainTime'],
    ['שעות הצוות', 'timeTeam'],
    ['שותפים מפנים', 'affiliates'],
    ['דוח שותפים', 'affiliateReport'],
    ['גִּיבּוּי', 'backup'],
    ['גיבוי', 'backup'],
    ['פרוייקטים', 'projects'],
    ['פיבוט', 'reportBuilder'],
    ['שאלה', 'reportBuilder'],
    ['רווח גולמי', 'profitSales'],
    ['חייבים לפי לקוח', 'oweSummary'],
    ['הזמנות פתוחות לפי מוצר', 'openOrdersByProduct'],
    ['קטלוג', 'itemsCatalogue'],
    ['כרטיס פריט', 'skuCard'],
    ['תמונות', 'expensesBackup'],
    ['חשבון עסקה', 'paymentRequests'],
    ['חשבונית עסקה', 'paymentRequests'],
    ['צק', 'reportChecks'],
    ['צ׳ק', 'reportChecks'],
    ['תור', 'calendar'],
    ['זימון תורים', 'calendar'],
    ['ריטיינר', 'retainers'],
    ['ביטול הוראת קבע', 'retainers'],
    ['דף מכירה', 'payPages'],
    ['ארנונה', 'expenses'],
    ['קופה', 'payments'],
    ['תקרה', 'income'],
    ['אשראי', 'historyPayments'],
    ['kabala', 'receipts'],
    ['invoice', 'documents'],
    ['מי חייב לי', 'ageing'],
  ],
  en: [
    ['vat', 'vat'],
    ['categories of leads', 'leadCategories'],
    ['trial', 'trialBalance'],
    ['expnses', 'expenses'],
    ['suplier', 'suppliers'],
    ['income', 'income'],
    ['invoices', 'taxInvoices'],
    ['cheques', 'reportChecks'],
    ['ledger', 'accounts'],
    ['general leger', 'generalLedger'],
    ['standing orders', 'retainers'],
    ['payment page', 'payPages'],
    ['coupon', 'coupons'],
    ['failed standing', 'retainersFailed'],
    ['backup', 'backup'],
    ['permisions', 'permissions'],
    ['pivot', 'reportBuilder'],
    ['build a report', 'reportBuilder'],
    ['gross profit', 'profitSales'],
    ['open orders by customer', 'openOrdersByCustomer'],
    ['turnover', 'perCustomer'],
    ['debts by document', 'owe'],
  ],
  ar: [
    ['زبائن', 'customers'],
    ['الزبائن', 'customers'],
    ['مصروفات', 'expenses'],
    ['ميزان', 'trialBalance'],
    ['الارباح', 'profitLoss'],
    ['اسعار', 'priceLists'],
    ['قوائم', 'priceLists'],
    ['ض.ق.م', 'vat'],
    ['ميزانيه', 'balanceSheet'],
    ['اصناف', 'items'],
  ],
  ru: [
    ['ндс', 'vat'],
    ['клиенты', 'customers'],
    ['клинты', 'customers'],
    ['отчет', 'income'],
    ['учёта', 'booksProof'],
    ['расходы', 'expenses'],
    ['поставщик', 'suppliers'],
    ['черновик', 'drafts'],
    ['прибыль', 'profitLoss'],
  ],
  fr: [
    ['tva', 'vat'],
    ['depenses', 'expenses'],
    ['dépenses', 'expenses'],
    ['clients', 'customers'],
    ['ecriture', 'journalEntry'],
    ['reglages', 'settings'],
    ['ouverture', 'openingBalances'],
    ['fournisseur', 'suppliers'],
    ['resultat', 'profitLoss'],
    ['brouilons', 'drafts'],
  ],
}

describe.each(Object.keys(searches) as Language[])('in %s', (language) => {
  const t = wordsOf(language)
  test.each(searches[language])('"%s" offers %s first', (typed, first) => {
    const found = ranked(all, typed, (entry) => findableOf(t, entry))
    expect(found[0]?.item.name ?? '').toBe(first)
  })
})

test('there are sixty searches and more', () => {
  expect(Object.values(searches).flat().length).toBeGreaterThanOrEqual(60)
})

test('every screen of the menu says what it is for, in each language and in a line', () => {
  for (const language of Object.keys(searches) as Language[]) {
    const t = wordsOf(language)
    const silent = all
      .filter(({ name }) => t(`screensFor.${name}`) === `screensFor.${name}`)
      .map(({ name }) => name)
    expect(silent, language).toEqual([])
    expect(
      all.filter(({ name }) => t(`screensFor.${name}`).length > 70).map(({ name }) => `${language} ${name}`),
    ).toEqual([])
  }
})

/** What people call a screen, in their own words, slang and Latin letters: each leads to its screen first. */
describe.each(Object.keys(searches) as Language[])('the vocabulary in %s', (language) => {
  const t = wordsOf(language)
  const vocabulary = all.flatMap(({ name }) => {
    const said = t(`terms.${name}`)
    return said.startsWith('terms.') ? [] : said.split(',').map((term) => [term.trim(), name] as const)
  })
  test('has at least 300 terms, none of two screens', () => {
    expect(vocabulary.length).toBeGreaterThanOrEqual(300)
    const terms = vocabulary.map(([term]) => term.toLowerCase())
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
  })
  test('leads each term to its screen first', () => {
    const wrong = vocabulary.flatMap(([term, name]) => {
      const first = ranked(all, term, (entry) => findableOf(t, entry))[0]?.item.name
      return first === name ? [] : [`${term}: ${first ?? 'nothing'}, not ${name}`]
    })
    expect(wrong).toEqual([])
  })
})
