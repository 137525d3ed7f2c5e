import { fold } from '../fold.ts'
import type { Meaning } from './meaning.ts'
import { abroad, endings } from './vocabularyAbroad.ts'

/*
 * The words of questions, each with the one thing it means here; Hebrew and English are below, the other languages in
 * a table of the same shape. A word with two meanings that its context does not settle is not listed: it is reported
 * as not understood.
 */

const table: [Meaning, string][] = [
  [
    { is: 'fact', fact: 'income' },
    'הכנסתי|הכנסנו|מכרתי|מכרנו|earn|earned|sale|הכנסות|הכנסה|הכנסותי|הכנסותינו|מכירות|מכירה|מחזור|מחזור מכירות|פדיון|income|incomes|revenue|revenues|sales|sold|turnover',
  ],
  [{ is: 'fact', fact: 'documents' }, 'מסמכים|מסמך|ניירות|documents|document|papers'],
  [{ is: 'fact', fact: 'lines' }, 'שורות מכירה|שורות מסמך|שורות|sale lines|document lines|lines'],
  [
    { is: 'fact', fact: 'payments' },
    'תקבולים|תקבול|תשלומים שהתקבלו|תשלומים מלקוחות|כסף שנכנס|גביה|גבייה|payments|payment|receipts of money|money in|payments received|collections|collected',
  ],
  [
    { is: 'fact', fact: 'expenses' },
    'הוצאות|הוצאה|הוצאותי|הוצאותינו|קניות|רכש|expenses|expense|spending|spend|spent|purchases|costs',
  ],
  [
    { is: 'fact', fact: 'entries' },
    'פקודות יומן|פקודות|תנועות בספרים|תנועות|יומן|journal entries|journal|entries|postings',
  ],
  // Of papers it is what was issued, else what was spent.
  [{ is: 'spent' }, 'הוצאתי|הוצאנו|שהוצאתי|שהוצאנו'],
  [{ is: 'new' }, 'חדשים|חדשות|new'],
  [
    { is: 'owing' },
    'מי חייב לי כסף|מי חייב לי|מי חייב|מי לא שילם|מי שלא שילם|who owes me money|who owes me|who owes us|who did not pay|who has not paid',
  ],
  [
    { is: 'owed' },
    'כמה חייבים לי|כמה חייבים לנו|כמה כסף חייבים לי|how much am i owed|how much are we owed|how much is owed to me',
  ],
  [
    { is: 'types', types: ['taxInvoice', 'taxInvoiceReceipt'] },
    'חשבוניות|חשבונית|חשבוניות מס|חשבונית מס|invoices|invoice|tax invoices|tax invoice',
  ],
  [
    { is: 'types', types: ['taxInvoiceReceipt'] },
    'חשבוניות מס קבלה|חשבונית מס קבלה|חשבוניות קבלה|invoice receipts|tax invoice receipts',
  ],
  [
    { is: 'types', types: ['creditInvoice'] },
    'זיכויים|זיכוי|חשבוניות זיכוי|חשבונית זיכוי|credits|credit notes|credit note|credit invoices|credit invoice',
  ],
  [{ is: 'types', types: ['receipt'] }, 'קבלות|קבלה|receipts|receipt'],
  [
    { is: 'types', types: ['priceQuote'] },
    'הצעות מחיר|הצעת מחיר|הצעות|quotes|quote|price quotes|quotations|estimates',
  ],
  [{ is: 'types', types: ['order'] }, 'הזמנות|הזמנה|orders|order|sales orders'],
  [{ is: 'types', types: ['deliveryNote'] }, 'תעודות משלוח|תעודת משלוח|delivery notes|delivery note'],
  [{ is: 'types', types: ['returnNote'] }, 'תעודות החזרה|תעודת החזרה|return notes'],
  [
    { is: 'types', types: ['paymentRequest'] },
    'דרישות תשלום|דרישת תשלום|בקשות תשלום|payment requests|payment request|proformas|proforma',
  ],
  [{ is: 'types', types: ['purchaseOrder'] }, 'הזמנות רכש|הזמנת רכש|purchase orders|purchase order'],
  [{ is: 'types', types: ['donationReceipt'] }, 'קבלות תרומה|תרומות|תרומה|donation receipts|donations'],
  [{ is: 'dimension', dimension: 'customer' }, 'לקוחות|customers|clients'],
  [{ is: 'dimension', dimension: 'customer', one: true }, 'לקוח|לקוחה|customer|client'],
  [{ is: 'dimension', dimension: 'supplier' }, 'ספקים|suppliers|vendors'],
  [{ is: 'dimension', dimension: 'supplier', one: true }, 'ספק|supplier|vendor'],
  [{ is: 'dimension', dimension: 'item' }, 'פריטים|מוצרים|שירותים|items|products|services'],
  [{ is: 'dimension', dimension: 'item', one: true }, 'פריט|מוצר|item|product'],
  [{ is: 'dimension', dimension: 'category' }, 'קטגוריות|קבוצות פריטים|categories|item categories'],
  [{ is: 'dimension', dimension: 'category', one: true }, 'קטגוריה|קטגוריית|category'],
  [
    { is: 'dimension', dimension: 'agent' },
    'סוכנים|נציגים|אנשי מכירות|עובדים|agents|salespeople|reps|sales reps',
  ],
  [
    { is: 'dimension', dimension: 'agent', one: true },
    'סוכן|סוכנת|נציג|נציגה|איש מכירות|עובד|agent|salesperson|rep|sales rep',
  ],
  [{ is: 'dimension', dimension: 'project' }, 'פרויקטים|projects'],
  [{ is: 'dimension', dimension: 'project', one: true }, 'פרויקט|project'],
  [{ is: 'dimension', dimension: 'city' }, 'ערים|יישובים|cities|towns'],
  [{ is: 'dimension', dimension: 'city', one: true }, 'עיר|יישוב|city|town'],
  [
    { is: 'dimension', dimension: 'customerType' },
    'סוג לקוח|סוגי לקוחות|סוג הלקוח|customer type|customer types|type of customer|kind of customer',
  ],
  [{ is: 'dimension', dimension: 'customerStatus' }, 'סטטוס לקוח|סטטוס הלקוח|customer status'],
  [{ is: 'dimension', dimension: 'account' }, 'חשבונות|כרטיסים|accounts'],
  [{ is: 'dimension', dimension: 'account', one: true }, 'כרטיס|חשבון|account'],
  [
    { is: 'dimension', dimension: 'accountKind' },
    'סוג חשבון|סוג כרטיס|account kind|account type|kind of account',
  ],
  [{ is: 'dimension', dimension: 'entryKind' }, 'סוג תנועה|סוג פקודה|entry kind|kind of entry|entry type'],
  [
    { is: 'dimension', dimension: 'expenseType' },
    'סוג הוצאה|סוגי הוצאות|סוג ההוצאה|סיווג|expense type|expense types|expense kind|kind of expense|type of expense',
  ],
  [
    { is: 'dimension', dimension: 'means' },
    'אמצעי תשלום|אמצעי התשלום|אמצעי|אופן תשלום|means of payment|payment method|payment methods|payment means|method|means',
  ],
  [
    { is: 'dimension', dimension: 'type' },
    'סוג מסמך|סוגי מסמכים|סוג המסמך|document type|document types|type of document|kind of document|type',
  ],
  [{ is: 'dimension', dimension: 'status' }, 'סטטוס|מצב|status|state'],
  [{ is: 'dimension', dimension: 'currency' }, 'מטבע|מטבעות|currency|currencies'],
  [{ is: 'dimension', dimension: 'unit' }, 'יחידת מידה|יחידה|unit of measure|unit'],
  [
    { is: 'dimension', dimension: 'weekday' },
    'יום בשבוע|ימי השבוע|ימי שבוע|weekday|weekdays|day of the week|day of week',
  ],
  [{ is: 'unit', unit: 'day' }, 'יום|ימים|day|days'],
  [{ is: 'unit', unit: 'week' }, 'שבוע|שבועות|week|weeks'],
  [{ is: 'unit', unit: 'month' }, 'חודש|חודשים|חדש|חדשים|month|months'],
  [{ is: 'unit', unit: 'quarter' }, 'רבעון|רבעונים|רבע שנה|quarter|quarters'],
  [{ is: 'unit', unit: 'year' }, 'שנה|שנת|שנים|year|years'],
  [{ is: 'every', unit: 'day' }, 'יומי|יומיות|יומיים|יומית|daily'],
  [{ is: 'every', unit: 'week' }, 'שבועי|שבועיות|שבועיים|שבועית|weekly'],
  [{ is: 'every', unit: 'month' }, 'חודשי|חודשיות|חודשיים|חודשית|monthly'],
  [{ is: 'every', unit: 'quarter' }, 'רבעוני|רבעוניות|רבעוניים|רבעונית|quarterly'],
  [{ is: 'every', unit: 'year' }, 'שנתי|שנתיות|שנתיים|שנתית|yearly|annual|annually'],
  [{ is: 'measure', names: ['quantity'] }, 'כמות|כמויות|quantity|quantities|units sold'],
  [
    { is: 'measure', names: ['net'] },
    'נטו|לפני מעמ|ללא מעמ|בלי מעמ|net|before vat|without vat|excluding vat|ex vat',
  ],
  [
    { is: 'measure', names: ['total', 'sum'] },
    'ברוטו|כולל מעמ|עם מעמ|סכום|סכומים|סהכ|סך הכל|סך|gross|including vat|with vat|incl vat|total|totals|amount|amounts|sum|sums|value',
  ],
  [{ is: 'measure', names: ['recognisedVat'] }, 'מעמ מוכר|מעמ תשומות מוכר|recognised vat|deductible vat'],
  [{ is: 'measure', names: ['vat'] }, 'מעמ|מע מ|vat'],
  [
    { is: 'measure', names: ['open'] },
    'חוב פתוח|חובות פתוחים|יתרה פתוחה|יתרות פתוחות|יתרה לתשלום|חוב|חובות|open balance|open amount|outstanding|debt|debts|owed',
  ],
  [{ is: 'measure', names: ['debit'] }, 'חובה|debit|debits'],
  [{ is: 'measure', names: ['credit'] }, 'זכות|credit'],
  [{ is: 'measure', names: ['balance'] }, 'יתרה|יתרות|balance|balances'],
  [{ is: 'measure', names: ['price'] }, 'מחיר ממוצע|average price|avg price'],
  [{ is: 'measure', names: ['creditLimit'] }, 'מסגרת אשראי|אובליגו|credit limit|credit limits'],
  [{ is: 'howMuch' }, 'כמה|how much'],
  [{ is: 'count' }, 'מספר|מניין|how many|number of|count of|count|no of'],
  [{ is: 'average' }, 'ממוצע|ממוצעת|ממוצעים|בממוצע|average|avg|mean'],
  [{ is: 'most' }, 'מקסימום|הגבוה ביותר|maximum|max|largest single'],
  [
    { is: 'share' },
    'אחוז מהסך|אחוז מהכל|אחוזים|אחוז|נתח|חלק יחסי|share|share of total|percent of total|percentage|percent',
  ],
  [{ is: 'running' }, 'מצטבר|מצטברת|מצטברות|מצטברים|במצטבר|cumulative|running|running total|accumulated'],
  [
    { is: 'by' },
    'לפי|על פי|עפי|לכל|פר|בחלוקה ל|בחלוקה לפי|by|per|for each|for every|broken down by|grouped by|split by|each',
  ],
  [{ is: 'and' }, 'ו|וגם|גם|and|&|also'],
  [
    { is: 'vs' },
    'לעומת|מול|בהשוואה ל|בהשוואה|ביחס ל|vs|versus|against|compared to|compared with|compare to|compared',
  ],
  [{ is: 'between' }, 'בין|between'],
  [{ is: 'top' }, 'טופ|top|best'],
  [
    { is: 'big' },
    'גדולים|גדולות|גדול|מובילים|מובילות|טובים|טובות|נמכרים ביותר|נמכר ביותר|נמכרת ביותר|הכי נמכר|הכי נמכרת|הכי גדול|הכי טוב|טוב|גדולה|מוביל|מובילה|נמכר|נמכרים|נמכרות|נמכרות ביותר|הכי גדולים|הכי גדולות|הכי נמכרים|יקרים|יקרות|biggest|largest|highest|leading|most sold|best selling|bestselling',
  ],
  [{ is: 'small' }, 'קטנים|קטנות|הכי קטנים|הכי קטנות|נמוכים|נמוכות|חלשים|חלשות|smallest|lowest|bottom|worst'],
  [
    { is: 'over' },
    'מעל|מעל ל|יותר מ|למעלה מ|לפחות|החל מ|גדול מ|גדולות מ|גדולים מ|גבוה מ|over|above|more than|greater than|at least|larger than|exceeding|>|>=',
  ],
  [
    { is: 'under' },
    'מתחת|מתחת ל|פחות מ|עד סכום|לכל היותר|קטן מ|קטנות מ|קטנים מ|נמוך מ|under|below|less than|up to|at most|smaller than|<|<=',
  ],
  [{ is: 'this' }, 'זה|זו|זאת|נוכחי|נוכחית|this|current'],
  [{ is: 'last' }, 'אחרון|אחרונה|אחרונים|אחרונות|שעבר|שעברה|עבר|עברה|קודם|קודמת|last|previous|past|prior'],
  [
    { is: 'toDate' },
    'מתחילת|מאז תחילת|to date|since the start of|since the beginning of|from the start of|from the beginning of',
  ],
  [{ is: 'since' }, 'מאז|החל מתאריך|מתאריך|since|starting'],
  [{ is: 'from' }, 'from'],
  [{ is: 'until' }, 'עד|עד תאריך|to|until|till|through|-'],
  [{ is: 'period', unit: 'year', from: 0, to: 0 }, 'ytd|year to date'],
  [{ is: 'period', unit: 'year', from: -1, to: -1 }, 'אשתקד'],
  [{ is: 'period', unit: 'month', from: 0, to: 0 }, 'mtd|month to date'],
  [{ is: 'day', back: 0 }, 'היום|today'],
  [{ is: 'day', back: -1 }, 'אתמול|yesterday'],
  [{ is: 'day', back: -2 }, 'שלשום'],
  [
    { is: 'flag', flag: 'unpaid' },
    'שלא שולמו|שלא שולמה|לא שולמו|לא משולמות|לא משולמים|פתוחות|פתוחים|פתוחה|שטרם שולמו|טרם שולמו|unpaid|not paid|open|not yet paid|outstanding unpaid|that were not paid',
  ],
  [{ is: 'flag', flag: 'unpaid', not: true }, 'ששולמו|שולמו|משולמות|סגורות|paid|that were paid|fully paid'],
  [{ is: 'flag', flag: 'overdue' }, 'באיחור|בפיגור|שעבר מועדן|שעבר מועדם|שמועדן עבר|overdue|past due|late'],
  [{ is: 'choice', dimension: 'means', value: 'cash' }, 'מזומן|במזומן|cash'],
  [
    { is: 'choice', dimension: 'means', value: 'cheque' },
    'המחאות|המחאה|שיקים|שיק|צקים|צק|cheques|cheque|checks|check',
  ],
  [
    { is: 'choice', dimension: 'means', value: 'transfer' },
    'העברות בנקאיות|העברה בנקאית|העברה|העברות|bank transfers|bank transfer|transfers|transfer',
  ],
  [
    { is: 'choice', dimension: 'means', value: 'card' },
    'כרטיס אשראי|כרטיסי אשראי|אשראי|credit card|credit cards|card|cards',
  ],
  [{ is: 'choice', dimension: 'means', value: 'paymentApp' }, 'ביט|אפליקציית תשלום|bit|payment app|paybox'],
  [{ is: 'choice', dimension: 'means', value: 'payPal' }, 'פייפאל|paypal'],
  [
    { is: 'choice', dimension: 'means', value: 'withheldTax' },
    'ניכוי מס במקור|ניכוי במקור|withheld tax|withholding',
  ],
  [{ is: 'choice', dimension: 'accountKind', value: 'income' }, 'חשבונות הכנסה|income accounts'],
  [{ is: 'choice', dimension: 'accountKind', value: 'expense' }, 'חשבונות הוצאה|expense accounts'],
  [
    { is: 'choice', dimension: 'expenseState', value: 'waiting' },
    'ממתינות לאישור|שממתינות לאישור|waiting for approval|awaiting approval',
  ],
  [{ is: 'choice', dimension: 'expenseState', value: 'approved' }, 'מאושרות|שאושרו|approved'],
  [{ is: 'half' }, 'מחצית|חציון|half'],
  ...[
    'ינואר|january|jan',
    'פברואר|february|feb',
    'מרץ|מרס|march|mar',
    'אפריל|april|apr',
    'מאי|may',
    'יוני|june|jun',
    'יולי|july|jul',
    'אוגוסט|august|aug',
    'ספטמבר|september|sep|sept',
    'אוקטובר|october|oct',
    'נובמבר|november|nov',
    'דצמבר|december|dec',
  ].map((words, n): [Meaning, string] => [{ is: 'month', month: n + 1 }, words]),
  ...[
    'ראשון|ראשונה|first|1st|q1',
    'שני|שנייה|שניה|second|2nd|q2',
    'שלישי|שלישית|third|3rd|q3',
    'רביעי|רביעית|fourth|4th|q4',
  ].map((words, n): [Meaning, string] => [{ is: 'ordinal', n: n + 1 }, words]),
  ...(
    [
      [2, 'two'],
      [3, 'שלושת|שלושה|שלוש|three'],
      [4, 'ארבעת|ארבעה|ארבע|four'],
      [5, 'חמשת|חמישה|חמש|five'],
      [6, 'ששת|שישה|שש|six'],
      [7, 'שבעת|שבעה|שבע|seven'],
      [8, 'שמונת|שמונה|eight'],
      [9, 'תשעת|תשעה|תשע|nine'],
      [10, 'עשרת|עשרה|עשר|ten'],
      [12, 'twelve'],
      [20, 'עשרים|twenty'],
    ] as [number, string][]
  ).map(([n, words]): [Meaning, string] => [{ is: 'number', n }, words]),
  [{ is: 'times', n: 1000 }, 'אלף|אלפים|thousand|thousands|k'],
  [{ is: 'times', n: 1_000_000 }, 'מיליון|million|millions|m'],
  [
    { is: 'noise' },
    'את|של|שלי|שלנו|הצג|הציגי|הראה|תראה|תראי|לי|לנו|תן|תני|רשימת|רשימה|דוח|דוחות|טבלת|טבלה|כל|היו|היה|היתה|הייתה|יש|אני|אנחנו|מה|מהן|מהם|מי|הן|הם|ש|ה|ב|מ|ל|כ|שח|שקל|שקלים|nis|ils|shekel|shekels|show|me|the|of|in|for|on|at|a|an|what|which|were|was|is|are|my|our|us|all|list|report|table|give|please|did|we|i|do|does|have|had|from customers|during|over time|נא|בבקשה|ביותר|הכי|by value|made|with|issued|הונפקו|שהונפקו|קיבלתי|קיבלנו|הבא|הבאות|התקבלו|שהתקבלו|received|עם|באמצעות|אצל',
  ],
]

/** Letters that Hebrew writes onto the word after them. */
const prefixes = /^[והשלבכמ]{1,3}/
/** What Arabic writes onto it: the article, and, for, in, as. */
const arabicPrefixes = ['ال', 'لل', 'و', 'ب', 'ل', 'ك', 'وال', 'بال', 'ول', 'وب']

export interface Form {
  /** The word without what was written onto it. */
  word: string
  prefix: string
}

/**
 * A word as it may stand in the table: as it is, and without one to three letters that mean and, the, that,
 * to, in, as, from.
 */
export function formsOf(folded: string): Form[] {
  const forms: Form[] = [{ word: folded, prefix: '' }]
  const most = prefixes.exec(folded)?.[0].length ?? 0
  for (let n = 1; n <= most; n++)
    if (folded.length - n >= 2) forms.push({ word: folded.slice(n), prefix: folded.slice(0, n) })
  for (const prefix of arabicPrefixes)
    if (folded.startsWith(prefix) && folded.length - prefix.length >= 2)
      forms.push({ word: folded.slice(prefix.length), prefix })
  return forms
}

export interface Phrase {
  words: readonly string[]
  meaning: Meaning
}

/** By the first word, the longest first. */
export const phrases: ReadonlyMap<string, readonly Phrase[]> = (() => {
  const all = new Map<string, Phrase[]>()
  for (const [meaning, words] of [...table, ...abroad])
    for (const one of words.split('|').flatMap(endings)) {
      const parts = fold(one).split(' ').filter(Boolean)
      // What folding treats as a separator between words stays as it is.
      const kept = parts.length ? parts : [one]
      all.set(kept[0]!, [...(all.get(kept[0]!) ?? []), { words: kept, meaning }])
    }
  for (const list of all.values()) list.sort((a, b) => b.words.length - a.words.length)
  return all
})()
