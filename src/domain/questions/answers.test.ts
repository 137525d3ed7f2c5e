import { describe, expect, test } from 'vitest'
import { readAnswer, readingNames, type Read } from './answers.ts'

const today = '2026-11-24'

/** A reading in one line: its name, the period, the age, what it is compared with. */
function said({ reading, unread }: Read): string {
  if (!reading) return unread.map(({ text }) => `?${text}`).join(' ') || '?'
  const { name, period, age, beside, question } = reading
  return [
    name,
    period &&
      ('unit' in period
        ? `${period.unit}${period.from}${period.from === period.to ? '' : `..${period.to}`}`
        : `${period.from}..${period.to}`),
    age && `${age.count}${age.unit}`,
    beside && `vs ${beside}`,
    question?.top && `top ${question.top.most}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** What is expected, then the question in Hebrew, English, Arabic, Russian and French. */
// prettier-ignore
const questions: [string, string, string, string, string, string][] = [
  ['profit month0', 'מה הרווח שלי החודש', "What's my profit this month?", 'ما هو الربح هذا الشهر', 'Какая прибыль за этот месяц?', "Quel est mon bénéfice ce mois-ci ?"],
  ['profit year-1', 'כמה הרווחתי בשנה שעברה', 'How much profit did we have last year', 'كم كان الربح في السنة الماضية', 'Какая была прибыль в прошлом году', "Quel était notre bénéfice l'année dernière"],
  ['vatToPay', 'כמה מע״מ אני צריך לשלם', 'How much VAT do I need to pay?', 'كم ضريبة القيمة المضافة علي ان ادفع', 'Сколько НДС мне нужно заплатить', 'Combien de TVA dois-je payer ?'],
  ['bankBalance', 'כמה כסף יש לי בבנק', 'How much money do I have in the bank', 'كم رصيدي في البنك', 'Сколько денег в банке', "Combien d'argent ai-je en banque"],
  ['debts', 'מי חייב לי כסף', 'Who owes me money?', 'من مدين لي', 'Кто мне должен', "Qui me doit de l'argent ?"],
  ['oldDebts 60day', 'מי חייב לי כסף מעל 60 יום', 'Who owes me money for more than 60 days', 'من مدين لي منذ اكثر من 60 يوم', 'Кто должен мне больше 60 дней', "Qui me doit de l'argent depuis plus de 60 jours"],
  ['oldDebts 90day', 'אילו חשבוניות לא שולמו מעל 90 יום', 'Which invoices are unpaid for over 90 days', 'اي فواتير غير مدفوعة اكثر من 90 يوم', 'Какие счета не оплачены более 90 дней', 'Quelles factures impayées depuis plus de 90 jours'],
  ['debts', 'כמה חייבים לי', 'How much am I owed?', 'كم ديون الزبائن', 'Сколько мне должны', 'Combien me doivent mes clients'],
  ['lateDebts', 'אילו לקוחות מאחרים בתשלום', 'Which customers are late?', 'من هم الزبائن المتأخرون', 'Какие клиенты просрочили', 'Quels clients sont en retard'],
  ['lostCustomers 6month', 'אילו לקוחות לא קנו חצי שנה', "Which customers haven't bought for half a year", 'اي زبائن لم يشتروا منذ نصف سنة', 'Какие клиенты не покупали полгода', "Quels clients n'ont rien acheté depuis 6 mois"],
  ['bestCustomers year0 top 10', 'מי הלקוחות הכי טובים השנה', 'Who are my best customers this year', 'من هم افضل الزبائن هذه السنة', 'Кто лучшие клиенты в этом году', 'Qui sont mes meilleurs clients cette année'],
  ['bestCustomers top 5', 'מי 5 הלקוחות הגדולים', 'top 5 customers', 'اكبر 5 زبائن', 'лучшие 5 клиентов', 'les 5 meilleurs clients'],
  ['expensesBySupplier year0', 'הוצאות לפי ספק השנה', 'Expenses by supplier this year', 'مصروفات حسب المورد هذه السنة', 'Расходы по поставщикам в этом году', 'Dépenses par fournisseur cette année'],
  ['expensesByType month-1', 'הוצאות לפי סוג בחודש שעבר', 'Expenses by type last month', 'مصاريف حسب النوع الشهر الماضي', 'Расходы по видам за прошлый месяц', 'Dépenses par type le mois dernier'],
  ['expenses month0', 'כמה הוצאתי החודש', 'How much did I spend this month', 'كم مصروفات هذا الشهر', 'Сколько я потратил в этом месяце', "Combien ai-je dépensé ce mois-ci"],
  ['biggestExpenses year0 top 10', 'מה ההוצאות הכי גדולות השנה', 'What are my biggest expenses this year', 'ما هي اكبر المصاريف هذه السنة', 'Какие самые большие расходы в этом году', 'Quelles sont mes plus grosses dépenses cette année'],
  ['incomeBeside month0 vs year', 'הכנסות החודש לעומת שנה שעברה', 'Income this month vs last year', 'دخل هذا الشهر مقارنة بالسنة الماضية', 'Доход за этот месяц по сравнению с прошлым годом', "Revenus de ce mois par rapport à l'an dernier"],
  ['income month0', 'כמה הכנסות היו לי החודש', 'How much income do I have this month', 'كم الدخل هذا الشهر', 'Какой доход за этот месяц', 'Quels sont mes revenus ce mois-ci'],
  ['incomeByMonth year0', 'הכנסות לפי חודש השנה', 'Income by month this year', 'ايرادات حسب الشهر هذه السنة', 'Доходы по месяцам в этом году', 'Revenus par mois cette année'],
  ['billsToPay', 'אילו חשבונות לא שולמו לספקים', 'Which bills are unpaid?', 'اي فواتير الموردين غير مدفوعة', 'Какие счета поставщиков не оплачены', 'Quelles factures fournisseurs sont impayées'],
  ['billsToPay', 'כמה אני חייב לספקים', 'How much do I owe suppliers', 'كم علي ان ادفع للموردين', 'Сколько я должен поставщикам', 'Combien dois-je payer aux fournisseurs'],
  ['unpaidInvoices', 'אילו חשבוניות לא שולמו', 'Which invoices are not paid', 'اي فواتير غير مدفوعة', 'Какие счета не оплачены', 'Quelles factures ne sont pas payées'],
  ['comingOrders', 'אילו הוראות קבע קרובות', 'Which standing orders are upcoming', 'ما هي الاوامر الدائمة القادمة', 'Какие предстоящие подписки', 'Quels sont les prochains prélèvements'],
  ['failedOrders', 'אילו הוראות קבע נכשלו', 'Which standing orders failed', 'اي اوامر دائمة فشلت', 'Какие регулярные платежи не прошли', 'Quels prélèvements ont échoué'],
  ['ceilingLeft', 'כמה נשאר לי עד התקרה', 'How much is left till the ceiling', 'كم بقي من السقف', 'Сколько осталось до потолка', 'Combien reste-t-il du plafond'],
  ['hours month0', 'כמה שעות עבדו העובדים החודש', 'How many hours did the workers work this month', 'كم ساعات عمل الموظفين هذا الشهر', 'Сколько часов отработали сотрудники в этом месяце', "Combien d'heures ont travaillé les employés ce mois-ci"],
  ['lowStock', 'אילו פריטים חסרים במלאי', 'Which items are low in stock', 'اي اصناف ناقصة في المخزون', 'Какие товары заканчиваются на складе', 'Quels articles manquent en stock'],
  ['stockValue', 'מה שווי המלאי', 'What is the stock worth', 'ما هي قيمة المخزون', 'Какая стоимость склада', 'Quelle est la valeur du stock'],
  ['bestItems year0 top 10', 'מה המוצרים הנמכרים ביותר השנה', 'What products are best selling this year', 'ما هي افضل المنتجات هذه السنة', 'Какие лучшие товары в этом году', 'Quels sont les meilleurs produits cette année'],
  ['openQuotes', 'אילו הצעות מחיר פתוחות', 'Which quotes are open?', 'ما هي عروض الاسعار المعلقة', 'Какие коммерческие предложения открыты', 'Quels devis sont en attente'],
  ['cheques', 'אילו שיקים צריך להפקיד', 'Which cheques should I deposit', 'اي شيكات للايداع', 'Какие чеки сдать', 'Quels chèques dois-je encaisser'],
  ['advance', 'כמה מקדמות מס הכנסה לשלם', 'How much income tax advance should I pay', 'كم سلف ضريبة الدخل علي ان ادفع', 'Сколько авансовых платежей заплатить', "Combien d'acomptes dois-je payer"],
  ['averageInvoice year0', 'מה החשבונית הממוצעת השנה', 'What is the average invoice this year', 'ما هو متوسط الفاتورة هذه السنة', 'Какой средний счёт в этом году', 'Quelle est la facture moyenne cette année'],
  ['newCustomers month0', 'כמה לקוחות חדשים יש החודש', 'How many new customers this month', 'كم زبائن جدد هذا الشهر', 'Сколько новых клиентов в этом месяце', 'Combien de nouveaux clients ce mois-ci'],
  ['leads', 'אילו לידים חדשים יש לי', 'What new leads do I have', 'ما هي الاستفسارات الجديدة', 'Какие новые заявки', 'Quels sont les nouveaux prospects'],
  ['tasks day0', 'מה המשימות שלי היום', 'What are my tasks today', 'ما هي مهامي اليوم', 'Какие у меня задачи сегодня', "Quelles sont mes tâches aujourd'hui"],
  ['appointments day1', 'אילו פגישות יש לי מחר', 'What appointments do I have tomorrow', 'ما هي المواعيد غدا', 'Какие записи завтра', 'Quels rendez-vous demain'],
  ['forecast', 'מה תחזית תזרים המזומנים', 'What is my cash flow forecast', 'ما هو التدفق النقدي', 'Какой прогноз денег', 'Quelles sont les prévisions de trésorerie'],
  ['received month0', 'כמה כסף נכנס החודש', 'How much money was received this month', 'كم مال استلمت هذا الشهر', 'Сколько денег поступило в этом месяце', "Combien d'argent ai-je reçu ce mois-ci"],
]

const languages = ['he', 'en', 'ar', 'ru', 'fr'] as const

describe.each(languages)('questions of an owner in %s', (language) => {
  const at = languages.indexOf(language) + 1
  test.each(questions.map((row) => [row[at]!, row[0]]))('%s', (asked, expected) => {
    expect(said(readAnswer(asked, today))).toBe(expected)
  })
})

test('there are thirty questions, and every reading occurs', () => {
  expect(questions.length).toBeGreaterThanOrEqual(30)
  const asked = new Set(questions.map(([expected]) => expected.split(' ')[0]))
  expect(readingNames.filter((name) => !asked.has(name))).toEqual(['debtors', 'customers'])
})

/** Words that change the question, in any place. */
const changing: Record<(typeof languages)[number], string[]> = {
  he: [
    'לא',
    'חוץ מ',
    'למעט',
    'בלי',
    'ללא',
    'אף',
    'רק',
    'פחות מ-30 יום',
    'מעל 5,000',
    'ב-2024',
    '1.2.2026',
    '₪700',
    '12',
    'כהן',
    'בחיפה',
  ],
  en: [
    'not',
    'no',
    'except',
    'without',
    'never',
    'only',
    'older than 30 days',
    'less than 30 days',
    'over 5,000',
    '2024',
    '1.2.2026',
    '₪700',
    '12',
    'Cohen',
    "don't",
    'before',
    'after',
  ],
  ar: [
    'لا',
    'ليس',
    'غير',
    'بدون',
    'ما عدا',
    'فقط',
    'اقل من 30 يوم',
    'اكثر من 5,000',
    '2024',
    '1.2.2026',
    '700',
    'حيفا',
  ],
  ru: [
    'не',
    'нет',
    'кроме',
    'без',
    'только',
    'менее 30 дней',
    'более 5,000',
    '2024',
    '1.2.2026',
    '700',
    'Хайфа',
  ],
  fr: [
    'ne',
    'pas',
    'sauf',
    'sans',
    'jamais',
    'seulement',
    'moins de 30 jours',
    'plus de 5,000',
    '2024',
    '1.2.2026',
    '700',
    'Haifa',
  ],
}

describe.each(languages)('a word that changes the meaning in %s', (language) => {
  const at = languages.indexOf(language) + 1
  test('is answered or named, wherever it is inserted', () => {
    const skipped: string[] = []
    for (const row of questions) {
      const words = row[at]!.split(' ')
      const plain = JSON.stringify(readAnswer(row[at]!, today).reading)
      for (const more of changing[language])
        for (let place = 0; place <= words.length; place++) {
          const asked = [...words.slice(0, place), more, ...words.slice(place)].join(' ')
          const { reading, unread } = readAnswer(asked, today)
          if (reading ? JSON.stringify(reading) === plain : unread.length === 0) skipped.push(asked)
          for (const { from, to, text } of unread) expect(asked.slice(from, to)).toBe(text)
        }
    }
    expect(skipped).toEqual([])
  })

  test('a word of nobody is named, and the nearest questions are offered', () => {
    for (const row of questions) {
      const { reading, unread, nearest } = readAnswer(`${row[at]!} blorptang`, today)
      expect(reading, row[at]).toBeUndefined()
      expect(
        unread.map(({ text }) => text),
        row[at],
      ).toContain('blorptang')
      expect(nearest.map(({ name }) => name)[0], row[at]).toBe(row[0].split(' ')[0])
    }
  })
})
