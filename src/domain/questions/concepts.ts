import { fold } from '../fold.ts'

/*
 * The words of the questions that owners ask about their business, in five languages. `stem*` is every word that begins
 * with the stem. A word belongs to one concept; "not", "except" and "without" belong to none, so that they are read
 * only inside a phrase that contains them.
 */

const table = {
  profit:
    'רווח|רווחים|רווחי|הרווחתי|הרווחנו|מרוויח|מרוויחים|profit|profits|прибыл*|benefice*|profit*|ربح|ارباح',
  vat: 'מעמ|מע מ|vat|ндс|tva|ضريبه القيمه المضافه|القيمه المضافه',
  pay: 'לשלם|אשלם|נשלם|לתשלום|תשלום|משלם|משלמים|pay|paying|to pay|заплат*|платить|плачу|уплат*|оплат*|к уплате|payer|paye|regler|a payer|ادفع|ندفع|دفع|دفعها|دفعه',
  bank: 'בנק|חשבון בנק|חשבון הבנק|חשבונות הבנק|עוש|bank|bank account|bank accounts|checking account|банк*|на счете|на счету|расчетн* счет*|banque|compte bancaire|comptes bancaires|compte en banque|بنك|مصرف|حساب بنكي|الحساب البنكي',
  money:
    'כסף|יתרה|יתרת|יתרות|money|cash|balance|balances|деньг*|денег|средств*|остаток|остатк*|баланс*|argent|solde|soldes|tresorerie|مال|رصيد*|فلوس|نقود',
  owesMe:
    'חייב לי|חייבת לי|חייבים לי|חייב לנו|חייבים לנו|מי חייב|החייבים|חייבים|owes me|owes us|owe me|owe us|owed to me|owed to us|am i owed|are we owed|owes|owing|should be paid to me|должен мне|должны мне|мне должен|мне должны|нам должны|нам должен|должны нам|должник*|задолжал*|дебитор*|doit|doivent|debiteur*|creances|مدين لي|مدينون لي|يدين لي|يدينون لي|مدين لنا|يدين لنا|مدين|مدينون|مدينين|عليه دين|عليهم دين',
  iOwe: 'אני חייב|אני חייבת|אנחנו חייבים|אנו חייבים|i owe|do i owe|we owe|do we owe|я должен|я должна|мы должны|должен я|должны мы|je dois|nous devons|dois je|devons nous|انا مدين|نحن مدينون|علينا ديون|علي دين',
  debt: 'חוב|חובות|debt|debts|долг*|задолженност*|dette*|impayes clients|دين|ديون',
  customer:
    'לקוח|לקוחות|customer|customers|client|clients|клиент*|покупател*|cliente|clientes|زبون|زبائن|عميل|عملاء',
  supplier:
    'ספק|ספקים|supplier|suppliers|vendor|vendors|поставщик*|fournisseur*|مورد|موردين|موردون|مزود|مزودين',
  invoice:
    'חשבונית|חשבוניות|חשבונית מס|חשבוניות מס|invoice|invoices|счет|счета|счетов|счет фактур*|счета фактур*|инвойс*|facture|factures|فاتوره|فواتير',
  bill: 'חשבונות ספקים|חשבוניות ספקים|חשבוניות של ספקים|חשבוניות מספקים|חשבונות|bill|bills|supplier invoice|supplier invoices|счета поставщик*|счета от поставщик*|factures fournisseurs|factures de fournisseurs|factures des fournisseurs|فواتير الموردين|فواتير موردين|فواتير من الموردين',
  unpaid:
    'לא שולמו|לא שולמה|לא שילם|לא שילמו|טרם שולמו|טרם שילמו|שלא שולמו|שלא שולמה|שלא שילם|שלא שילמו|unpaid|not paid|not been paid|have not paid|has not paid|did not pay|havent paid|hasnt paid|didnt pay|неоплаченн*|не оплачен*|не оплатил*|не заплатил*|impaye*|non paye*|pas paye|pas payes|pas payee|pas payees|ne sont pas payes|ne sont pas payees|n est pas paye|n est pas payee|n ont pas paye|n a pas paye|غير مدفوع*|غير المدفوع*|لم تدفع|لم يدفع|لم يدفعوا',
  late: 'באיחור|מאחר|מאחרים|בפיגור|late|overdue|past due|просроч*|опазды*|en retard|echu*|متاخر*|متاخره',
  best: 'הכי טוב|הכי טובים|טוב|טובים|הטובים ביותר|גדולים|הגדולים ביותר|הכי גדולים|גדולות|הכי גדולות|הגדולות ביותר|מובילים|נמכר|נמכרים|הנמכרים ביותר|הכי נמכר|הכי נמכרים|best|top|biggest|largest|best selling|sells best|sell best|лучш*|крупнейш*|крупн*|самые больш*|meilleur*|plus gros|plus grosses|plus grands|principaux|principales|se vend* le mieux|افضل|اكبر|اهم|اكثر مبيعا',
  notBought:
    'לא קנה|לא קנו|לא הזמין|לא הזמינו|שלא קנה|שלא קנו|שלא הזמינו|not bought|not ordered|have not bought|has not bought|havent bought|hasnt bought|did not buy|didnt buy|не покупал*|не заказывал*|не купил*|pas achete*|n ont pas achete|n a pas achete|n ont rien achete|rien achete|rien commande|n ont pas commande|لم يشتر|لم يشتروا|لم يشتري|لم تشتر|ما اشتروا',
  expense:
    'הוצאות|הוצאה|הוצאתי|הוצאנו|expense|expenses|spend|spent|spending|costs|расход*|затрат*|трат*|потратил*|depense*|depenses|frais|مصروف|مصروفات|مصاريف|نفقات|انفقت|صرفت',
  income:
    'הכנסות|הכנסה|הכנסתי|הכנסנו|מכרתי|מכרנו|מכירות|מחזור|פדיון|income|revenue|revenues|sales|earn|earned|sold|turnover|доход*|выручк*|продаж*|продал*|оборот*|заработал*|revenu*|chiffre d affaires|vente|ventes|vendu|gagne|دخل|ايرادات|مبيعات|بعت|مدخول',
  bySupplier:
    'לפי ספק|לפי ספקים|by supplier|by suppliers|per supplier|by vendor|по поставщик*|par fournisseur*|حسب المورد|حسب الموردين|لكل مورد|حسب المزود',
  byType:
    'לפי סוג|לפי סוגים|לפי קטגוריה|לפי קטגוריות|לפי סוג הוצאה|על מה|by type|by kind|by category|per category|on what|по видам|по вид*|по категори*|по типам|par type|par categorie|par nature|حسب النوع|حسب الفئه|حسب نوع',
  byMonth:
    'לפי חודש|לפי חודשים|חודשי|חודשיות|בכל חודש|by month|per month|monthly|each month|every month|по месяцам|ежемесячно|помесячно|par mois|mensuel*|chaque mois|حسب الشهر|شهريا|كل شهر',
  byCustomer:
    'לפי לקוח|לפי לקוחות|by customer|per customer|by client|по клиентам|par client|حسب الزبون|حسب العميل|لكل زبون|لكل عميل',
  vsLastYear:
    'לעומת שנה שעברה|לעומת השנה שעברה|לעומת אשתקד|מול שנה שעברה|מול השנה שעברה|מול אשתקד|לעומת החודש אשתקד|vs last year|versus last year|compared to last year|compared with last year|against last year|than last year|по сравнению с прошлым годом|против прошлого года|par rapport a l an dernier|par rapport a l annee derniere|compare a l an dernier|compare a l annee derniere|vs l an dernier|مقارنه بالسنه الماضيه|مقارنه بالعام الماضي|مقارنه مع السنه الماضيه|مقابل السنه الماضيه|مقابل العام الماضي',
  vsBefore:
    'לעומת החודש הקודם|לעומת החודש שעבר|לעומת חודש שעבר|מול החודש הקודם|מול חודש שעבר|vs last month|versus last month|compared to last month|compared with last month|than last month|vs the month before|по сравнению с прошлым месяцем|par rapport au mois dernier|compare au mois dernier|مقارنه بالشهر الماضي|مقارنه مع الشهر الماضي',
  standing:
    'הוראת קבע|הוראות קבע|ריטיינר*|מנוי|מנויים|standing order|standing orders|subscription|subscriptions|retainer|retainers|recurring charge|recurring charges|постоянн* поручен*|регулярн* плат*|регулярн* списан*|подписк*|автоплатеж*|prelevement*|abonnement*|ordre permanent|ordres permanents|امر دائم|اوامر دائمه|اوامر الدفع الدائمه|الاوامر الدائمه|اشتراك|اشتراكات',
  upcoming:
    'קרוב|קרובים|קרובות|הבא|הבאה|הבאים|הבאות|צפוי|צפויים|צפויות|upcoming|next|coming|due soon|предстоящ*|ближайш*|следующ*|будущ*|prochain*|a venir|suivant*|قادم|قادمه|مقبل|مقبله|التاليه',
  failed:
    'נכשל|נכשלו|נכשלה|שנכשלו|שנכשל|לא עבר|לא עברו|שלא עברו|failed|declined|bounced|неудач*|не прошл*|не прошел|отклонен*|echoue*|rejete*|refuse*|فشل|فشلت|مرفوض*|مرفوضه|فاشله',
  charge:
    'חיוב|חיובים|charge|charges|списани*|платеж|платежи|платежей|prelevements|paiement|paiements|debits|خصم|خصومات|دفعات',
  ceiling:
    'תקרה|תקרת|עד התקרה|עד תקרת הפטור|תקרת עוסק פטור|תקרת הפטור|ceiling|exempt ceiling|till the ceiling|until the ceiling|to the ceiling|threshold|лимит*|предел*|потолок|потолк*|до потолка|до лимита|до предела|plafond|seuil|سقف|السقف|سقف الاعفاء',
  left: 'נשאר|נשארה|נשאר לי|נותר|נותרה|left|remains|remaining|осталось|остается|reste|restant|il reste|بقي|تبقي|متبقي|المتبقي',
  hours:
    'שעות|שעות עבודה|hours|working hours|часов|часы|рабочих часов|heures|heures de travail|ساعات|ساعات العمل|ساعات عمل',
  worker:
    'עובד|עובדים|עבד|עבדו|worker|workers|employee|employees|team|staff|worked|work|работник*|сотрудник*|работал*|отработал*|employe*|salarie*|equipe|travaille*|عامل|عمال|موظف|موظفين|موظفون|الموظفون|عمل|عملوا',
  stock: 'מלאי|stock|inventory|warehouse|склад*|запас*|inventaire|stocks|مخزون|مستودع',
  low: 'נמוך|נמוכים|חסר|חסרים|נגמר|נגמרים|עומד להיגמר|עומדים להיגמר|אוזל|אוזלים|low|running low|running out|run out|short|out of|заканчива*|законч*|мало|нехват*|не хватает|bas|faible|manque*|en rupture|s epuise*|bientot epuise*|منخفض|منخفضه|ينفد|تنفد|ناقص|ناقصه|قليل|نفد',
  item: 'פריט|פריטים|מוצר|מוצרים|שירות|שירותים|item|items|product|products|service|services|товар*|продукт*|услуг*|article*|produit*|صنف|اصناف|منتج|منتجات|بضاعه',
  value: 'שווי|שווה|value|worth|стоимост*|стоит|valeur|vaut|قيمه',
  quote:
    'הצעת מחיר|הצעות מחיר|הצעות|הצעות המחיר|quote|quotes|quotation|quotations|estimate|estimates|коммерческ* предложен*|кп|смет*|devis|عرض سعر|عروض اسعار|عروض الاسعار|عروض السعر',
  open: 'פתוח|פתוחה|פתוחות|פתוחים|ממתין|ממתינה|ממתינות|ממתינים|open|waiting|pending|outstanding|открыт*|ожида*|ouvert*|en attente|en cours|مفتوح|مفتوحه|معلقه|بانتظار|قيد الانتظار',
  cheque: 'שיק|שיקים|צק|צקים|המחאה|המחאות|cheque|cheques|check|checks|чек|чеки|чеков|cheque*|شيك|شيكات',
  deposit:
    'להפקיד|להפקדה|הפקדה|לפרעון|deposit|to deposit|вклад*|внест*|депозит*|сдать|deposer|remettre|encaisser|a encaisser|ايداع|للايداع|اودع',
  advance:
    'מקדמה|מקדמות|מקדמת|מקדמות מס|מקדמות מס הכנסה|advance|advances|income tax advance|income tax advances|tax advance|tax advances|аванс*|авансов* платеж*|acompte*|acompte* d impot|سلفه|سلف|مقدمات|دفعات مقدمه',
  average: 'ממוצע|ממוצעת|הממוצעת|average|mean|средн*|moyen|moyenne|متوسط|معدل',
  new: 'חדש|חדשים|חדשה|new|нов*|nouveau|nouveaux|nouvelle*|جديد|جدد|جديده',
  lead: 'ליד|לידים|פניה|פניות|פנייה|מתעניין|מתעניינים|lead|leads|enquiry|enquiries|inquiries|лид|лиды|лидов|обращени*|заявк*|prospect*|piste|pistes|demandes|عملاء محتملين|عملاء محتملون|زبائن محتملين|زبائن محتملون|استفسار|استفسارات',
  task: 'משימה|משימות|task|tasks|to do|задач*|дела|tache|taches|مهمه|مهام*',
  appointment:
    'תור|תורים|פגישה|פגישות|שיעור|שיעורים|appointment|appointments|booking|bookings|class|classes|meetings|запис*|встреч*|занят*|rendez vous|reservation*|cours|موعد|مواعيد|حجز|حجوزات|حصص',
  forecast:
    'תזרים|תזרים מזומנים|תזרים המזומנים|תחזית|תחזית תזרים|תחזית תזרים המזומנים|תחזית תזרים מזומנים|יספיק|cash flow|cashflow|forecast|enough|хватит|прогноз*|денежн* поток*|кэшфлоу|flux de tresorerie|prevision*|suffit|suffira|assez|تدفق نقدي|التدفق النقدي|توقعات|يكفي',
  received:
    'נכנס|נכנסו|שנכנס|התקבל|התקבלו|שהתקבל|קיבלתי|תקבולים|received|came in|collected|payments received|поступил*|поступлени*|получил*|recu|recus|encaisse*|rentre|entre|استلمت|دخلت|وصلني|قبضت|مقبوضات',
  thatMany:
    'כמה לקוחות|מספר לקוחות|how many customers|how many clients|number of customers|сколько клиентов|combien de clients|كم زبون|كم زبونا|كم عميل|كم عميلا|عدد الزبائن|عدد العملاء',
  taxes: 'מס הכנסה|income tax|подоходн* налог*|impot sur le revenu|ضريبه الدخل',
  business: 'עסק|business|company|бизнес*|компани*|entreprise|societe|affaire|شركه|مصلحه|محل',
  // What an age and a duration begin with.
  moreThan:
    'מעל|מעל ל|יותר מ|למעלה מ|מזה|כבר|more than|over|older than|longer than|above|for more than|for over|более|больше|свыше|дольше|старше|plus de|depuis plus de|de plus de|depuis|pendant|for|in|за|в течение|اكثر من|منذ|لاكثر من|منذ اكثر من|لمده',
  halfYear:
    'חצי שנה|חצי שנה האחרונה|half a year|half year|полгода|полугода|semestre|demi annee|نصف سنه|نصف عام',
  small:
    'מה|מהו|מהי|מהם|מהן|מי|כמה|אילו|איזה|איזו|של|שלי|שלנו|את|לי|לנו|יש|אני|אנחנו|היו|היה|הייתה|על|עם|זה|הם|הן|כל|ש|ה|ב|ל|מ|צריך|צריכה|צריכים|עלי|עליי|עלינו|תראה|תראי|הראה|הצג|בבקשה|נא|ביותר|הכי|לחודש|הקרובות|בעסק|לרשות|למדינה|what|whats|which|who|whom|whose|how|much|many|is|are|was|were|am|do|does|did|will|have|has|had|i|we|me|us|my|our|the|a|an|of|to|in|on|at|for|from|there|show|list|give|please|it|be|been|that|get|got|should|need|must|most|сколько|какой|какая|какое|какие|каков|какова|кто|что|у|меня|нас|мне|нам|мой|моя|мои|моих|наш|наши|наша|я|мы|есть|это|был|была|было|были|и|в|во|на|за|с|к|ко|от|из|надо|нужно|покажи|покажите|пожалуйста|все|всех|самые|самый|самых|будет|quel|quelle|quels|quelles|qui|que|quoi|combien|est|sont|etait|etaient|a|ai|ont|avons|avez|j|je|nous|me|mon|ma|mes|nos|notre|le|la|les|l|d|du|de|des|au|aux|en|dans|sur|y|il|ils|elle|elles|ce|ci|c|s|moi|dois|doit on|faut|montre|montrez|liste|plus|mieux|sera|t|ما|ماذا|من|هي|هو|هم|كم|اي|انا|نحن|لي|لنا|عندي|لدي|لدينا|عندنا|علي|علينا|يجب|في|عن|الي|ان|اعرض|ارني|قائمه|هل|الذين|الذي|التي|كان|كانت|سوف|و|يوجد|هناك|شراء',
} as const

export type Concept = keyof typeof table

export interface ConceptPhrase {
  concept: Concept
  words: readonly string[]
}

/** The phrases by the first two letters that begin them. */
export const conceptPhrases: ReadonlyMap<string, readonly ConceptPhrase[]> = (() => {
  const all = new Map<string, ConceptPhrase[]>()
  for (const concept of Object.keys(table) as Concept[])
    for (const text of table[concept].split('|')) {
      const words = text
        .split(' ')
        .map((word) => (word.endsWith('*') ? `${fold(word.slice(0, -1))}*` : fold(word)))
      const start = words[0]!.slice(0, 2)
      all.set(start, [...(all.get(start) ?? []), { concept, words }])
    }
  return all
})()
