import type { Meaning } from './meaning.ts'

/*
 * The words of questions in Arabic, Russian and French, and what all five say of times to come. `stem{a,b}` lists endings. A word that says "not", "except" or
 * "without" is never a small word: a question with one that nobody read is answered with a question.
 */
export const abroad: [Meaning, string][] = [
  [
    { is: 'fact', fact: 'income' },
    'дох{од,оды,ода,одов}|выручк{а,и,у}|продаж{а,и,у}|оборот|revenu{,s}|recette{,s}|chiffre d affaires|vente{,s}|دخل|ايرادات|ايراد|مبيعات|مدخولات|مدخول',
  ],
  [{ is: 'fact', fact: 'documents' }, 'документ{,ы,ов}|مستندات|مستند'],
  [
    { is: 'fact', fact: 'payments' },
    'поступлени{е,я,й}|платеж{и,ей}|paiement{,s}|encaissement{,s}|مدفوعات|دفعات|مقبوضات',
  ],
  [
    { is: 'fact', fact: 'expenses' },
    'расход{,ы,а,ов}|затрат{ы,}|трат{ы,}|depense{,s}|achat{,s}|frais|مصروفات|مصاريف|مصروف|نفقات',
  ],
  [
    { is: 'types', types: ['taxInvoice', 'taxInvoiceReceipt'] },
    'счет фактур{а,ы}|счета фактуры|инвойс{,ы,ов}|facture{,s}|فواتير|فاتوره',
  ],
  [{ is: 'types', types: ['receipt'] }, 'квитанци{я,и,й}|recu{,s}|ايصالات|ايصال|وصولات'],
  [
    { is: 'types', types: ['priceQuote'] },
    'коммерческ{ое,ие} предложени{е,я}|смет{а,ы}|devis|عروض اسعار|عرض سعر|عروض الاسعار',
  ],
  [{ is: 'types', types: ['order'] }, 'заказ{,ы,ов}|commande{,s}|طلبيات|طلبيه|طلبات'],
  [{ is: 'dimension', dimension: 'customer' }, 'клиент{ы,ов,ам,ами}|clients|clientes|زبائن|عملاء'],
  [{ is: 'dimension', dimension: 'customer', one: true }, 'клиент{,а,у}|cliente|زبون|عميل'],
  [{ is: 'dimension', dimension: 'supplier' }, 'поставщик{и,ов,ам}|fournisseurs|موردين|موردون|مزودين'],
  [{ is: 'dimension', dimension: 'supplier', one: true }, 'поставщик{,а,у}|fournisseur|مورد|مزود'],
  [
    { is: 'dimension', dimension: 'item' },
    'товар{ы,ов,ам}|услуг{и,ам}|articles|produits|اصناف|منتجات|بضائع|خدمات',
  ],
  [{ is: 'dimension', dimension: 'item', one: true }, 'товар|article|produit|صنف|منتج'],
  [{ is: 'dimension', dimension: 'project' }, 'проект{ы,ов,ам}|projets|مشاريع'],
  [{ is: 'dimension', dimension: 'city' }, 'город{а,ов,ам}|villes|مدن'],
  [
    { is: 'dimension', dimension: 'expenseType' },
    'вид{,ы,ам} расход{а,ов}|тип{,ам} расход{а,ов}|type{,s} de depense{,s}|categorie{,s} de depense{,s}|نوع المصروف|انواع المصاريف',
  ],
  [
    { is: 'dimension', dimension: 'means' },
    'способ{,ы,ам} оплаты|moyen{,s} de paiement|mode{,s} de paiement|وسيله الدفع|طريقه الدفع|طرق الدفع',
  ],
  [{ is: 'unit', unit: 'day' }, 'день|дня|дней|дням|jour{,s}|يوم|ايام'],
  [{ is: 'unit', unit: 'week' }, 'недел{я,и,ю,ь,ям}|semaine{,s}|اسبوع|اسابيع'],
  [{ is: 'unit', unit: 'month' }, 'месяц{,а,е,ев,ам,ы}|mois|شهر|اشهر|شهور'],
  [{ is: 'unit', unit: 'quarter' }, 'квартал{,а,е,ов,ам,ы}|trimestre{,s}|ربع|ارباع'],
  [{ is: 'unit', unit: 'year' }, 'год{,а,у,ы,ам}|году|лет|annee{,s}|ans|سنه|سنوات|عام'],
  [{ is: 'every', unit: 'month' }, 'ежемесячно|помесячно|mensuel{,s,le,les}|شهريا'],
  [{ is: 'measure', names: ['quantity'] }, 'количеств{о,а}|quantite{,s}|كميه|كميات'],
  [{ is: 'measure', names: ['net'] }, 'без ндс|hors taxe{,s}|ht|بدون ضريبه|قبل الضريبه'],
  [{ is: 'measure', names: ['total', 'sum'] }, 'сумм{а,у,ы}|итого|всего|total|totaux|montant{,s}|مجموع|مبلغ'],
  [{ is: 'measure', names: ['vat'] }, 'ндс|tva|ضريبه القيمه المضافه'],
  [{ is: 'howMuch' }, 'сколько|combien|كم'],
  [{ is: 'average' }, 'средн{ий,яя,ее,юю}|moyenne|moyen|متوسط|معدل'],
  [{ is: 'by' }, 'по|par|حسب|لكل'],
  [{ is: 'and' }, 'и|et|و'],
  [
    { is: 'vs' },
    'по сравнению с|против|par rapport a|par rapport au|compare a|contre|مقارنه ب|مقارنه مع|مقابل',
  ],
  [{ is: 'between' }, 'между|entre|بين'],
  [
    { is: 'big' },
    'крупн{ые,ых,ейшие,ейших}|лучш{ие,их,ий}|meilleur{,s,e,es}|principaux|plus gros|plus grosses|اكبر|افضل',
  ],
  [{ is: 'small' }, 'худш{ие,их}|pires|اصغر|اسوا'],
  [{ is: 'over' }, 'более|больше|свыше|выше|plus de|superieur a|superieures a|اكثر من|فوق'],
  [{ is: 'under' }, 'менее|меньше|ниже|moins de|inferieur a|inferieures a|اقل من|تحت'],
  [{ is: 'this' }, 'этот|эта|это|этом|этой|эту|этого|текущ{ий,ем,ую}|ce|cet|cette|هذا|هذه|حالي|حاليه'],
  [
    { is: 'last' },
    'прошл{ый,ая,ое,ом,ой,ую,ого,ые}|последн{ий,ие,их,юю,яя,ем,ей}|предыдущ{ий,ем,ую}|dernier{,s,e,es}|precedent{,e}|passe{,e}|ماضي|ماضيه|سابق|اخير|اخيره',
  ],
  [{ is: 'toDate' }, 'с начала|depuis le debut de|depuis le debut du|منذ بدايه'],
  [{ is: 'since' }, 'начиная с|depuis|منذ'],
  [{ is: 'from' }, 'с|со|от|من'],
  [{ is: 'until' }, 'до|по настоящее|jusqu a|jusqu au|حتي|الي'],
  [{ is: 'period', unit: 'year', from: -1, to: -1 }, 'an dernier|l an dernier|l an passe'],
  [{ is: 'period', unit: 'day', from: 1, to: 1 }, 'מחר|tomorrow|завтра|demain|غدا'],
  [
    { is: 'period', unit: 'week', from: 1, to: 1 },
    'שבוע הבא|next week|следующ{ая,ей,ую} недел{я,е,ю}|semaine prochaine|اسبوع القادم|اسبوع المقبل',
  ],
  [
    { is: 'period', unit: 'month', from: 1, to: 1 },
    'חודש הבא|next month|следующ{ий,ем,его} месяц{,е,а}|mois prochain|شهر القادم|شهر المقبل',
  ],
  [
    { is: 'period', unit: 'year', from: 1, to: 1 },
    'שנה הבאה|next year|следующ{ий,ем} год{,у}|annee prochaine|an prochain|سنه القادمه|سنه المقبله',
  ],
  [{ is: 'day', back: 0 }, 'сегодня|aujourd hui|aujourdhui|اليوم'],
  [{ is: 'day', back: -1 }, 'вчера|hier|امس'],
  [
    { is: 'flag', flag: 'unpaid' },
    'неоплаченн{ый,ая,ые,ых}|не оплачен{,а,ы,ные,ных}|impaye{,s,e,es}|non paye{,s,e,es}|غير مدفوع{,ه}',
  ],
  [
    { is: 'flag', flag: 'overdue' },
    'просроченн{ый,ая,ые,ых}|en retard|echu{,s,e,es}|متاخر{,ه,ات}|مستحق{,ه} السداد',
  ],
  [{ is: 'choice', dimension: 'means', value: 'cash' }, 'наличн{ые,ыми}|especes|نقدا|نقد'],
  [{ is: 'choice', dimension: 'means', value: 'cheque' }, 'чек{,и,ами,ов}|شيك|شيكات'],
  [
    { is: 'choice', dimension: 'means', value: 'card' },
    'картой|карта|кредитн{ая,ой} карт{а,ой}|carte{,s}|carte{,s} de credit|carte bancaire|بطاقه|بطاقه ائتمان',
  ],
  [{ is: 'choice', dimension: 'means', value: 'transfer' }, 'перевод{,ы,ом}|virement{,s}|حواله|تحويل|تحويلات'],
  ...[
    'январ{ь,я,е}|janvier|يناير|كانون الثاني',
    'феврал{ь,я,е}|fevrier|فبراير|شباط',
    'март{,а,е}|mars|مارس|اذار',
    'апрел{ь,я,е}|avril|ابريل|نيسان',
    'ма{й,я,е}|mai|مايو|ايار',
    'июн{ь,я,е}|juin|يونيو|حزيران',
    'июл{ь,я,е}|juillet|يوليو|تموز',
    'август{,а,е}|aout|اغسطس|اب',
    'сентябр{ь,я,е}|septembre|سبتمبر|ايلول',
    'октябр{ь,я,е}|octobre|اكتوبر|تشرين الاول',
    'ноябр{ь,я,е}|novembre|نوفمبر|تشرين الثاني',
    'декабр{ь,я,е}|decembre|ديسمبر|كانون الاول',
  ].map((words, n): [Meaning, string] => [{ is: 'month', month: n + 1 }, words]),
  ...(
    [
      [2, 'два|две|deux|اثنان'],
      [3, 'три|трех|trois|ثلاثه|ثلاث'],
      [6, 'шесть|шести|six|سته|ست'],
      [10, 'десять|десяти|dix|عشره|عشر'],
    ] as [number, string][]
  ).map(([n, words]): [Meaning, string] => [{ is: 'number', n }, words]),
  [
    { is: 'noise' },
    'покажи|покажите|мне|мои|моих|мой|моя|мое|наш|наши|наших|у|меня|нас|за|в|во|на|какой|какая|какие|каков|какова|что|кто|есть|было|была|были|был|шекел{ь,ей,я}|пожалуйста|список|отчет|montre|montrez|moi|mes|mon|ma|nos|notre|le|la|les|l|d|du|de|des|au|aux|en|sur|pour|quel|quelle|quels|quelles|est|sont|etait|etaient|ont|j|ai|il|y|ci|s il vous plait|liste|rapport|shekels|ما|هي|هو|ماذا|اعرض|لي|عندي|لدي|في|خلال|من فضلك|قائمه|تقرير|شيكل',
  ],
]

/** `stem{a,b}` written out. */
export function endings(text: string): string[] {
  const found = /^(.*?)\{([^}]*)\}(.*)$/u.exec(text)
  return found ? found[2]!.split(',').flatMap((end) => endings(`${found[1]}${end}${found[3]}`)) : [text]
}
