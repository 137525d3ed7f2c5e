import { describe, expect, test } from 'vitest'
import { faultsOf, firstQuestion, factNames, periodOf } from './model.ts'
import { understand, type Understood } from './understand.ts'
import { phrases } from './vocabulary.ts'

const today = '2026-11-24'

/**
 * A reading in one line: fact, rows x column, [measures], filters, first so many, «names», ?what was not
 * read.
 */
function said({ question: q, named, unread }: Understood): string {
  const filters = q.filters.map((one) =>
    one.kind === 'period'
      ? 'unit' in one.period
        ? `${one.period.unit}${one.period.from}${one.period.from === one.period.to ? '' : `..${one.period.to}`}`
        : `${one.period.from}..${one.period.to}`
      : one.kind === 'is'
        ? `${one.dimension}=${one.values.join('+')}`
        : one.kind === 'amount'
          ? `${one.amount}${one.from === undefined ? '' : `>=${one.from}`}${one.to === undefined ? '' : `<=${one.to}`}`
          : one.kind === 'flag'
            ? `${one.not ? '!' : ''}${one.flag}`
            : `text~${one.has}`,
  )
  return [
    `${q.fact}:`,
    q.rows.join('+'),
    q.column ? `x ${q.column}` : '',
    `[${q.measures.map(({ name, as }) => (as === 'value' ? name : `${as} ${name}`)).join(' ')}]`,
    ...filters,
    q.top ? `${q.sort === 'least' ? 'bottom' : 'top'} ${q.top.most}` : q.sort === 'least' ? 'least' : '',
    ...named.map(({ dimension, name }) => `${dimension ?? '?'}«${name}»`),
    ...unread.map(({ text, why }) => `?${text}:${why}`),
  ]
    .filter(Boolean)
    .join(' ')
}

// prettier-ignore
const table: [string, string][] = [
  ['הכנסות לפי לקוח ברבעון האחרון', 'income: customer [net count] quarter-1'],
  ['הכנסות השנה', 'income: [net count] year0'],
  // A quote at the end of a word opens what is named, and is no part of the word.
  ['הכנסות״ לפי לקוח״ השנה', 'income: [net count] year0 ?« לפי לקוח»'],
  ['מה היו ההכנסות החודש?', 'income: [net count] month0'],
  ['הכנסות לפי חודש השנה', 'income: month [net count] year0'],
  ['הכנסות חודשיות 2025', 'income: month [net count] 2025-01-01..2025-12-31'],
  ['מכירות לפי פריט באוקטובר', 'lines: item [quantity net] 2026-10-01..2026-10-31'],
  ['10 הלקוחות הגדולים השנה', 'income: customer [net count] year0 top 10'],
  ['עשרת הפריטים הנמכרים ביותר החודש', 'lines: item [quantity net] month0 top 10'],
  ['5 הספקים היקרים ברבעון הזה', 'expenses: supplier [net bills] quarter0 top 5'],
  ['חמשת הלקוחות הקטנים ב-2025', 'income: customer [net count] 2025-01-01..2025-12-31 bottom 5'],
  ['הוצאות לפי ספק השנה לעומת אשתקד', 'expenses: supplier x year [net bills] year-1..0'],
  ['הוצאות לפי סוג הוצאה ולפי חודש', 'expenses: expenseType x month [net bills]'],
  ['הכנסות לפי לקוח וחודש', 'income: customer x month [net count]'],
  ['הכנסות לפי סוכן ולקוח', 'income: agent+customer [net count]'],
  ['חשבוניות שלא שולמו מעל 5,000 ש"ח', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid total>=500000'],
  ['חשבוניות שלא שולמו מעל 5,000 ש״ח לפי לקוח', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid total>=500000'],
  ['חשבוניות באיחור לפי לקוח', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt overdue'],
  ['כמה חשבוניות הוצאתי באוקטובר?', 'documents: [count] 2026-10-01..2026-10-31 type=taxInvoice+taxInvoiceReceipt'],
  ['כמה הכנסות היו החודש', 'income: [net count] month0'],
  ['מספר הקבלות לפי חודש', 'documents: month [count] type=receipt'],
  ['תקבולים לפי אמצעי תשלום ב-30 הימים האחרונים', 'payments: means [sum count] day-29..0'],
  ['תקבולים במזומן לפי חודש', 'payments: month [sum count] means=cash'],
  ['תקבולים בביט מעל 1,000', 'payments: [sum count] means=paymentApp sum>=100000'],
  ['הכנסות מלקוח כהן ב-2025', 'income: [net count] 2025-01-01..2025-12-31 customer«כהן»'],
  ['הכנסות מלקוח "בית קפה תכלת" לפי חודש', 'income: month [net count] customer«בית קפה תכלת»'],
  ['הכנסות של "כהן ובניו" השנה', 'income: [net count] year0 ?«כהן ובניו»'],
  ['הוצאות מספק בזק השנה', 'expenses: [net bills] year0 supplier«בזק»'],
  ['מע"מ לפי חודש 2026', 'income: month [vat] 2026-01-01..2026-12-31'],
  ['מע״מ לפי רבעון', 'income: quarter [vat]'],
  ['הוצאות מעל 2,000 לפי ספק', 'expenses: supplier [net bills] total>=200000'],
  ['הצעות מחיר פתוחות לפי לקוח', 'documents: customer [open count] type=priceQuote ?פתוחות:notHere'],
  ['הזמנות לפי לקוח החודש', 'documents: customer [count total] month0 type=order'],
  ['הכנסות מ-1.1.2026 עד 31.3.2026 לפי לקוח', 'income: customer [net count] 2026-01-01..2026-03-31'],
  ['מכירות מינואר עד מרץ 2026', 'income: [net count] 2026-01-01..2026-03-31'],
  ['הכנסות בין 1/1/26 ל-30/6/26', 'income: [net count] 2026-01-01..2026-06-30'],
  ['הכנסות ינואר-מרץ', 'income: [net count] 2026-01-01..2026-03-31'],
  ['הכנסות מאז ספטמבר לפי שבוע', 'income: week [net count] 2026-09-01..2026-11-24'],
  ['הכנסות ברבעון השלישי של 2025', 'income: [net count] 2025-07-01..2025-09-30'],
  ['הכנסות ברבעון 2', 'income: [net count] 2026-04-01..2026-06-30'],
  ['הכנסות במחצית הראשונה של 2026', 'income: [net count] 2026-01-01..2026-06-30'],
  ['הכנסות ב-3 החודשים האחרונים', 'income: [net count] month-3..-1'],
  ['הכנסות בששת החודשים האחרונים לפי חודש', 'income: month [net count] month-6..-1'],
  ['הכנסות מתחילת השנה', 'income: [net count] year0'],
  ['הכנסות אתמול', 'income: [net count] day-1'],
  ['הכנסות השבוע לפי יום', 'income: day [net count] week0'],
  ['הכנסות בשנה שעברה לפי רבעון', 'income: quarter [net count] year-1'],
  ['החודש לעומת החודש הקודם הכנסות לפי סוכן', 'income: agent x month [net count] month-1..0'],
  ['הכנסות 2026 מול 2025 לפי לקוח', 'income: customer x year [net count] 2025-01-01..2026-12-31'],
  ['הכנסות מצטברות לפי חודש השנה', 'income: month [net running net count] year0'],
  ['נתח הכנסות לפי לקוח השנה', 'income: customer [net share net count] year0'],
  ['לקוחות לפי עיר', 'customers: city [count]'],
  ['כמה לקוחות יש לפי סוג לקוח', 'customers: customerType [count]'],
  ['הכנסה ממוצעת לפי סוכן', 'income: agent [average]'],
  ['כמות לפי פריט בדצמבר', 'lines: item [quantity] 2025-12-01..2025-12-31'],
  ['כמות מעל 10 לפי פריט', 'lines: item [quantity net] quantity>=100000'],
  ['מכירות לפי קטגוריה ורבעון', 'lines: category x quarter [quantity net]'],
  ['יתרות לפי חשבון ב-2025', 'entries: account [balance] 2025-01-01..2025-12-31'],
  ['הכנסות לפי יום בשבוע', 'income: weekday [net count]'],
  ['חוב פתוח לפי לקוח', 'income: customer [open]'],
  ['הכנסות עד 5,000 ש"ח', 'income: [net count] total<=500000'],
  ['חשבוניות בין 1,000 ל-5,000 החודש', 'documents: customer [count total] month0 type=taxInvoice+taxInvoiceReceipt total>=100000<=500000'],
  ['הכנסות מעל 10 אלף', 'income: [net count] total>=1000000'],
  ['זיכויים לפי לקוח השנה', 'documents: customer [count total] year0 type=creditInvoice'],
  ['הכנסות לפי עיר לפני מע"מ', 'income: city [net]'],
  ['הכנסות והוצאות לפי חודש', 'income: month [net count] ?והוצאות:second'],
  ['לקוחות שקנו מעל 10,000', 'customers: [count] ?שקנו:unknown ?מעל 10,000:notHere'],
  ['הכנסות לפי לקוח ברבעון האחרון בלי חיפה', 'income: customer [net count] quarter-1 ?בלי:unknown ?חיפה:unknown'],
  ['income by customer last quarter', 'income: customer [net count] quarter-1'],
  ['unpaid invoices over 5,000', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid total>=500000'],
  ['unpaid invoices over ₪5,000 by customer', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid total>=500000'],
  ['expenses by supplier this year vs last', 'expenses: supplier x year [net bills] year-1..0'],
  ['top 10 items by quantity in October', 'lines: item [quantity] 2026-10-01..2026-10-31 top 10'],
  ['top 5 customers this year', 'income: customer [net count] year0 top 5'],
  ['bottom 3 items by quantity last month', 'lines: item [quantity] month-1 bottom 3'],
  ['10 biggest suppliers in 2025', 'expenses: supplier [net bills] 2025-01-01..2025-12-31 top 10'],
  ['best selling items this month', 'lines: item [quantity net] month0'],
  ['monthly income 2026', 'income: month [net count] 2026-01-01..2026-12-31'],
  ['income per month this year', 'income: month [net count] year0'],
  ['quarterly sales by agent', 'income: agent x quarter [net count]'],
  ['how much income did we have last month?', 'income: [net count] month-1'],
  ['how many invoices were issued in September 2025', 'documents: [count] 2025-09-01..2025-09-30 type=taxInvoice+taxInvoiceReceipt'],
  ['number of receipts by month', 'documents: month [count] type=receipt'],
  ['payments by method in the last 30 days', 'payments: means [sum count] day-29..0'],
  ['payments in cash last week', 'payments: [sum count] week-1 means=cash'],
  ['cheques by month', 'payments: month [sum count] means=cheque'],
  ['sales by item for customer "Cohen Ltd"', 'lines: item [quantity net] customer«Cohen Ltd»'],
  ['income of customer Cohen Ltd in 2025', 'income: [net count] 2025-01-01..2025-12-31 customer«Cohen Ltd»'],
  ['income from 1.1.2026 to 31.3.2026 by month', 'income: month [net count] 2026-01-01..2026-03-31'],
  ['sales from January to March 2026', 'income: [net count] 2026-01-01..2026-03-31'],
  ['sales from November to February', 'income: [net count] 2025-11-01..2026-02-28'],
  ['income since September', 'income: [net count] 2026-09-01..2026-11-24'],
  ['income between 1/1/26 and 30/6/26', 'income: [net count] 2026-01-01..2026-06-30'],
  ['income in Q3 2025', 'income: [net count] 2025-07-01..2025-09-30'],
  ['income in the third quarter', 'income: [net count] 2026-07-01..2026-09-30'],
  ['revenue in the first half of 2026', 'income: [net count] 2026-01-01..2026-06-30'],
  ['sales in the last 6 months by month', 'income: month [net count] month-6..-1'],
  ['income this month vs last month by agent', 'income: agent x month [net count] month-1..0'],
  ['2026 vs 2025 income by customer', 'income: customer x year [net count] 2025-01-01..2026-12-31'],
  ['2026 vs 2024 income', 'income: [net count] 2026-01-01..2026-12-31 ?vs 2024:second'],
  ['cumulative income by month this year', 'income: month [net running net count] year0'],
  ['share of income by customer this year', 'income: customer [net share net count] year0'],
  ['customers by city', 'customers: city [count]'],
  ['how many customers by type of customer', 'customers: customerType [count]'],
  ['average invoice by agent', 'documents: agent [average] type=taxInvoice+taxInvoiceReceipt'],
  ['invoices between 1,000 and 5k', 'documents: customer [count total] type=taxInvoice+taxInvoiceReceipt total>=100000<=500000'],
  ['expenses over 10 thousand by type of expense', 'expenses: expenseType [net bills] total>=1000000'],
  ['overdue invoices by customer', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt overdue'],
  ['quotes by customer this month', 'documents: customer [count total] month0 type=priceQuote'],
  ['income by weekday', 'income: weekday [net count]'],
  ['journal entries by account in 2025', 'entries: account [debit credit balance] 2025-01-01..2025-12-31'],
  ['balance by account kind', 'entries: accountKind [balance]'],
  ['vat by month', 'income: month [vat]'],
  ['debit and credit by account this year', 'entries: account [debit credit] year0'],
  ['paid invoices this month', 'documents: customer [count total] month0 type=taxInvoice+taxInvoiceReceipt !unpaid'],
  ['income by customer excluding Haifa', 'income: customer [net count] ?excluding:unknown ?Haifa:unknown'],
  ['profit by item', 'lines: item [quantity net] ?profit:unknown'],
  ['income and expenses by month', 'income: month [net count] ?expenses:second'],
  ['income; drop table users', 'income: [net count] ?drop:unknown ?users:unknown'],
  ['income over 12,50', 'income: [net count] ?over:unknown ?12,50:unknown'],
  ['invoices over 5,000 and over 6,000', 'documents: customer [count total] type=taxInvoice+taxInvoiceReceipt total>=500000 ?over 6,000:second'],
  ['income in 31.2.2026', 'income: [net count] ?31.2.2026:unknown'],
  ['הוצאות על דלק החודש', 'expenses: [net bills] month0 ?על:unknown ?דלק:unknown'],
  ['שיקים שהתקבלו ברבעון', 'payments: [sum count] quarter0 means=cheque'],
  ['חובה וזכות לפי כרטיס השנה', 'entries: account [debit credit] year0'],
  ['יתרות לפי סוג חשבון', 'entries: accountKind [balance]'],
  ['הכנסות ב־2025 לפי רבעון', 'income: quarter [net count] 2025-01-01..2025-12-31'],
  ['מכירות בחודש אוקטובר 2025', 'income: [net count] 2025-10-01..2025-10-31'],
  ['מכירות ב-10/2025', 'income: [net count] 2025-10-01..2025-10-31'],
  ['הכנסות ב-15.10.2026', 'income: [net count] 2026-10-15..2026-10-15'],
  ['הכנסות לפי פרויקט', 'income: project [net count]'],
  ['קבלות לפי אמצעי תשלום השנה', 'payments: means [sum count] year0 type=receipt'],
  ['הוצאות לא ששולמו', 'expenses: [net bills] unpaid'],
  ['הוצאות פתוחות לפי ספק', 'expenses: supplier [net bills] unpaid'],
  ['פריטים לפי קטגוריה', 'items: category [count]'],
  ['מחיר ממוצע לפי פריט החודש', 'lines: item [price] month0'],
  ['כמויות לפי יחידת מידה', 'lines: unit [quantity]'],
  ['אחוז ההכנסות לפי סוג מסמך השנה', 'income: type [net share net count] year0'],
  ['הכנסות ברבעון הראשון 2026 לפי לקוח ולפי חודש', 'income: customer x month [net count] 2026-01-01..2026-03-31'],
  ['top customers', 'income: customer [net count]'],
  ['income by customer and by month this year', 'income: customer x month [net count] year0'],
  ['payments of customer «Cohen» this month', 'payments: [sum count] month0 customer«Cohen»'],
  ['overdue expenses', 'expenses: [net bills] ?overdue:notHere'],
  ['sales by customer over 5,000 including VAT', 'income: customer [total] total>=500000'],
  ['quantity between 2 and 10 by item', 'lines: item [quantity net] quantity>=20000<=100000'],
  ['sales yesterday', 'income: [net count] day-1'],
  ['הכנסות לפי לקוח ב-1 עד 15 באוקטובר', 'income: customer [net count] 2026-10-01..2026-10-31 ?ב-1:unknown ?עד:unknown ?15:unknown'],
  ['כמה הכנסתי החודש?', 'income: [net count] month0'],
  ['כמה מכרתי השנה', 'income: [net count] year0'],
  ['מה ההכנסה שלי החודש לעומת חודש שעבר', 'income: x month [net count] month-1..0'],
  ['מי הלקוחות הכי גדולים שלי', 'income: customer [net count]'],
  ['הלקוחות הכי טובים ברבעון', 'income: customer [net count] quarter0'],
  ['מי לא שילם', 'documents: customer [open count] unpaid'],
  ['מי חייב לי כסף', 'documents: customer [open count] unpaid'],
  ['כמה חייבים לי', 'documents: [open] unpaid'],
  ['חובות של לקוחות', 'income: customer [open]'],
  ['חובות לפי לקוח', 'income: customer [open]'],
  ['כמה שילמתי לספקים השנה', 'expenses: supplier [net bills] year0 ?שילמתי:unknown'],
  ['כמה הוצאתי החודש', 'expenses: [net bills] month0'],
  ['על מה הוצאתי הכי הרבה', 'expenses: [net bills] ?על:unknown ?הרבה:unknown'],
  ['הוצאות דלק', 'expenses: [net bills] ?דלק:unknown'],
  ['הוצאות לפי קטגוריה', 'expenses: expenseType [net bills]'],
  ['הכנסות לפי חודשים', 'income: month [net count]'],
  ['הכנסות לפי שנים', 'income: year [net count]'],
  ['מכירות לפי מוצר', 'lines: item [quantity net]'],
  ['המוצר הנמכר ביותר', 'lines: item [quantity net] top 1'],
  ['מוצרים נמכרים', 'lines: item [quantity net]'],
  ['חשבוניות פתוחות', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid'],
  ['חשבוניות פתוחות מעל 10,000 שקל', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid total>=1000000'],
  ['חשבוניות שלא שולמו מ-2025', 'documents: customer [open count] 2025-01-01..2025-12-31 type=taxInvoice+taxInvoiceReceipt unpaid'],
  ['חשבוניות לפי סטטוס', 'documents: status [count total] type=taxInvoice+taxInvoiceReceipt'],
  ['קבלות בין 1/1/2026 ל 31/3/2026', 'documents: customer [count total] 2026-01-01..2026-03-31 type=receipt'],
  ['הכנסות מהרבעון הקודם', 'income: [net count] quarter-1'],
  ['ההכנסות בשנת 2025 לפי רבעונים', 'income: quarter [net count] 2025-01-01..2025-12-31'],
  ['הכנסות בשלושת הרבעונים האחרונים', 'income: [net count] quarter-3..-1'],
  ['ממוצע הכנסות לחודש', 'income: [average] ?לחודש:unknown'],
  ['ממוצע חשבונית לפי לקוח', 'documents: customer [average] type=taxInvoice+taxInvoiceReceipt'],
  ['מספר לקוחות חדשים לפי חודש', 'customers: month [count]'],
  ['לקוחות חדשים החודש', 'customers: [count] month0'],
  ['תשלומים בכרטיס אשראי החודש', 'payments: [sum count] month0 means=card ?תשלומים:unknown'],
  ['תקבולים לפי לקוח ואמצעי תשלום', 'payments: customer+means [sum count]'],
  ['סה"כ הכנסות כולל מע"מ השנה', 'income: [total] year0'],
  ['how much did I earn this month', 'income: [net count] month0'],
  ['who owes me money', 'documents: customer [open count] unpaid'],
  ['open invoices', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid'],
  ['top customers by revenue this year', 'income: customer [net count] year0'],
  ['best customers', 'income: customer [net count]'],
  ['revenue by product', 'lines: item [quantity net]'],
  ['revenue by month for 2025', 'income: month [net count] 2025-01-01..2025-12-31'],
  ['sales by month last year compared to this year', 'income: monthOfYear x year [net count] year-1..0'],
  ['income last month vs the month before', 'income: [net count] month-1 ?vs:unknown ?month:unknown ?before:unknown'],
  ['expenses this month', 'expenses: [net bills] month0'],
  ['how much did I spend on fuel', 'expenses: [net bills] ?fuel:unknown'],
  ['expenses by category', 'expenses: expenseType [net bills]'],
  ['biggest expenses this year', 'expenses: [net bills] year0 ?biggest:unknown'],
  ['invoices from January 2026', 'documents: customer [count total] 2026-01-01..2026-01-31 type=taxInvoice+taxInvoiceReceipt ?from:unknown'],
  ['invoices since 1/9/2026', 'documents: customer [count total] 2026-09-01..2026-11-24 type=taxInvoice+taxInvoiceReceipt'],
  ['number of invoices by customer', 'documents: customer [count] type=taxInvoice+taxInvoiceReceipt'],
  ['number of customers by city', 'customers: city [count]'],
  ['total sales by agent in Q1', 'income: agent [total] 2026-01-01..2026-03-31'],
  ['average sale by customer', 'income: customer [average]'],
  ['new customers by month', 'customers: month [count]'],
  ['payments by credit card this year', 'payments: [sum count] year0 means=card'],
  ['cash payments', 'payments: [sum count] means=cash'],
  ['quotes over 10,000', 'documents: customer [count total] type=priceQuote total>=1000000'],
  ['orders by status', 'documents: status [count total] type=order'],
  ['income by customer type', 'income: customerType [net count]'],
  ['sales of "ייעוץ" by month', 'income: month [net count] ?«ייעוץ»'],
  ['income from Haifa', 'income: [net count] ?Haifa:unknown'],
  ['unpaid invoices older than 30 days', 'documents: customer [open count] type=taxInvoice+taxInvoiceReceipt unpaid ?older:unknown ?than:unknown ?30:unknown ?days:unknown'],
  ['income by day this week', 'income: day [net count] week0'],
  ['income in the last quarter by customer top 5', 'income: customer [net count] quarter-1 top 5'],
  ['5 לקוחות מובילים', 'income: customer [net count] top 5'],
  ['הכנסות לפי לקוח, 5 הגדולים', 'income: customer [net count] top 5'],
  ['10 ההוצאות הגדולות', 'expenses: [net bills] ?10:unknown ?הגדולות:unknown'],
]

describe('questions in words', () => {
  test.each(table)('%s', (asked, expected) => {
    expect(said(understand(asked, today))).toBe(expected)
  })

  test('are read alike however quotes, points, marks of direction and commas are written', () => {
    const wanted = said(understand('חשבוניות שלא שולמו מעל 5,000 ש"ח לפי לקוח', today))
    for (const asked of [
      'חשבוניות שלא שולמו מעל 5000 ש״ח לפי לקוח',
      'חשבוניות שלא שולמו מעל 5,000 שח לפי לקוח',
      'חשבוניות שלא שולמו מעל ₪5,000 לפי לקוח',
      'חשבוניות שלא שולמו מעל 5 אלף ש"ח לפי לקוח',
      'חשבוניות שלא שולמו מעל ל-5,000 ש"ח לפי הלקוח',
      'חֶשְׁבּוֹנִיּוֹת שלא שולמו מעל 5,000 שקלים, לפי לקוחות?',
      '\u200fחשבוניות\u200f שלא שולמו יותר מ-5,000.00 ש"ח לפי לקוח.',
    ])
      expect(said(understand(asked, today)), asked).toBe(wanted)
    const english = said(understand('unpaid invoices over 5,000 by customer', today))
    for (const asked of [
      'UNPAID INVOICES OVER 5000 BY CUSTOMER',
      'unpaid invoices above ₪5,000, per client',
      'open invoices more than 5k by customer?',
    ])
      expect(said(understand(asked, today)), asked).toBe(english)
  })

  test('days are written day before month, and a month without a year is the last that began', () => {
    for (const asked of [
      'הכנסות מ-1.2.2026 עד 3.4.2026',
      'הכנסות מ-1/2/26 עד 3/4/26',
      'income from 01.02.2026 to 03.04.2026',
      'income between 1/2/2026 and 3/4/2026',
    ])
      expect(understand(asked, today).question.filters, asked).toEqual([
        { kind: 'period', period: { from: '2026-02-01', to: '2026-04-03' } },
      ])
    expect(said(understand('income in December', today))).toContain('2025-12-01..2025-12-31')
    expect(said(understand('income in November', today))).toContain('2026-11-01..2026-11-30')
    expect(periodOf({ unit: 'quarter', from: -1, to: -1 }, today)).toEqual({
      from: '2026-07-01',
      to: '2026-09-30',
    })
    expect(periodOf({ unit: 'week', from: 0, to: 0 }, today)).toEqual({
      from: '2026-11-22',
      to: '2026-11-28',
    })
  })

  test('what is not read is told with its place, whole', () => {
    const asked = 'הכנסות פלאים לפי לקוח'
    const { unread } = understand(asked, today)
    expect(unread).toEqual([{ from: 7, to: 12, text: 'פלאים', why: 'unknown' }])
    expect(asked.slice(unread[0]!.from, unread[0]!.to)).toBe('פלאים')
    expect(understand('שלום לך', today).any).toBe(false)
  })
})

/** What people who mean harm write. */
const hostile = [
  "income'; drop table documents; --",
  'הכנסות לפי לקוח"; delete from users where ""="',
  'income by customer union select password_hash from users',
  "income of customer \"x' or '1'='1\"",
  'הכנסות מלקוח "א\' or company_id <> company_id --"',
  'income by (select 1)',
  'top 10; select pg_sleep(10)',
  'income over 1e309',
  'income over 99999999999999999999999999',
  'expenses by __proto__ and constructor',
  'income by toString',
  'הכנסות ב-${process.env.SECRETS}',
  'income \u0000\u0001 by customer',
  '{"fact":"income","rows":["customer; --"]}',
  '%00%27 income',
  'income /* by */ customer -- by month',
  `income ${'by customer '.repeat(100)}`,
  '"'.repeat(300),
  `${'ב-'.repeat(140)}5`,
  '\u202eincome\u202c by \u2066customer\u2069',
]

describe('whatever is said', () => {
  test.each(hostile)('gives a question of the model or none: %s', (asked) => {
    const { question } = understand(asked, today)
    expect(faultsOf(question)).toEqual([])
    // Nothing of what was said is in it but figures: names are handed over apart, for somebody who knows the
    // records.
    for (const filter of question.filters)
      expect(
        filter.kind === 'text' ||
          (filter.kind === 'is' && filter.values.some((one) => !/^[a-zA-Z]+$/.test(one))),
      ).toBe(false)
  })

  test('in any order of its own words, is a question that can be asked', () => {
    const words = [...phrases.values()].flat().map(({ words: of }) => of.join(' '))
    words.push('5,000', '2025', '10', '1.2.2026', '10/2026', '"כהן"', 'בלה', '-', '31.2.2026', '₪7')
    let state = 7
    const roll = (sides: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * sides)
    }
    for (let n = 0; n < 4000; n++) {
      const asked = Array.from({ length: 1 + roll(9) }, () => words[roll(words.length)]!).join(' ')
      const { question, unread, named } = understand(asked, today)
      expect(faultsOf(question), asked).toEqual([])
      for (const { from, to, text } of [...unread, ...named]) expect(asked.slice(from, to), asked).toBe(text)
    }
  })
})

test('the question each fact begins with can be asked', () => {
  for (const name of factNames) expect(faultsOf(firstQuestion(name)), name).toEqual([])
})

describe('a word that changes the meaning', () => {
  const changing =
    'לא|חוץ|בלי|מעל 60 יום|₪700|ינואר 2019|not|except|over 60 days|january 2019|кроме|sauf|غير'.split('|')
  test('changes the question or is named, wherever it is inserted', () => {
    const skipped: string[] = []
    for (const [asked] of table.filter((_, n) => n % 3 === 0)) {
      const words = asked.split(' ')
      const plain = said(understand(asked, today))
      for (const more of changing)
        for (let place = 0; place <= words.length; place++) {
          const other = [...words.slice(0, place), more, ...words.slice(place)].join(' ')
          if (said(understand(other, today)) === plain) skipped.push(other)
        }
    }
    expect(skipped).toEqual([])
  })
})
