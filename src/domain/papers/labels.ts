import type { Line, Token } from './lines.ts'
import { isNearly, skeleton } from './letters.ts'

/**
 * What a label says about the value beside it. `other` holds a sum that is none of ours (change, discount, an
 * earlier balance).
 */
export type Role =
  | 'total'
  | 'net'
  | 'vat'
  | 'other'
  | 'number'
  | 'day'
  | 'dueDay'
  | 'otherDay'
  | 'taxId'
  | 'allocation'
  | 'buyer'
  | 'prepaid'
  | 'title'

export interface Found {
  readonly role: Role
  /** 0 to 1: how surely the label means it. */
  readonly weight: number
  readonly line: Line
  readonly from: number
  /** The first token after it. */
  readonly to: number
  readonly tokens: readonly Token[]
  readonly kind?: string
}

interface Label {
  readonly role: Role
  readonly weight: number
  readonly words: readonly string[]
  readonly whole: string
  readonly kind?: string
}

const list = (role: Role, weight: number, texts: string, kind?: string): Label[] =>
  texts.split('|').map((text) => ({
    role,
    weight,
    words: text.trim().split(/\s+/).map(skeleton),
    whole: text.trim().split(/\s+/).map(skeleton).join(''),
    ...(kind ? { kind } : {}),
  }))

/**
 * The words of bills in Hebrew, English, Arabic, Russian and French. Longer ones are tried first, so that
 * 'סה"כ לפני מע"מ' is not a total.
 */
const labels: readonly Label[] = [
  ...list(
    'total',
    1,
    'סה"כ לתשלום|סך הכל לתשלום|סך הכול לתשלום|סהכ סופי לתשלום|סכום לתשלום|יתרה לתשלום|סה"כ כולל מע"מ|סך הכל כולל מע"מ|סה"כ כולל|סכום כולל מע"מ|סה"כ לתשלום כולל מע"מ|סה"כ לתשלום בש"ח|סה"כ לתשלום כולל|לתשלום כולל מע"מ|מחיר כולל מע"מ|total due|amount due|balance due|grand total|total to pay|amount payable|total payable|total amount due|total incl vat|total including vat|total inc vat|total with vat|total incl. vat|סה"כ זיכוי|סה"כ לזיכוי|סכום לזיכוי|סך הכל לזיכוי|סה"כ כללי|סך הכל כללי|סה"כ חשבונית|total credit|credit total|invoice total|amount to pay|סכום העסקה|סכום עסקה|סה"כ שולם|סך התקבול|סכום הקבלה|total paid|amount paid|total amount|סכום סופי|المبلغ للدفع|المبلغ المستحق|المجموع للدفع|المجموع شامل ض.ق.م|الإجمالي شامل الضريبة|المجموع شامل الضريبة|المجموع الكلي|итого к оплате|всего к оплате|сумма к оплате|к оплате|итого с ндс|всего с ндс|итого с учётом ндс|total à payer|net à payer|montant à payer|total ttc|montant ttc|solde à payer|reste à payer',
  ),
  ...list('total', 0.8, 'לתשלום|התקבל סך|סכום כולל|סכום ששולם|the sum of|שולם|סה"כ בש"ח|סה"כ בשקלים'),
  ...list(
    'total',
    0.55,
    'סה"כ|סך הכל|סך הכול|סהכל|סך-הכל|סך-הכול|total|sum total|סך|المجموع|الإجمالي|итого|всего|montant total',
  ),
  ...list(
    'net',
    1,
    'סה"כ לפני מע"מ|סך הכל לפני מע"מ|סכום לפני מע"מ|לפני מע"מ|סה"כ חייב במע"מ|סכום חייב במע"מ|חייב במע"מ|סה"כ ללא מע"מ|ללא מע"מ|לא כולל מע"מ|סה"כ לא כולל מע"מ|סה"כ ביניים|סכום ביניים|סיכום ביניים|subtotal|sub total|sub-total|net amount|net total|total before vat|before vat|total excl vat|excl vat|total excluding vat|excluding vat|taxable amount|total net|amount before vat|סה"כ אחרי הנחה|סה"כ לאחר הנחה|net|المجموع قبل ض.ق.م|المجموع قبل الضريبة|قبل الضريبة|المجموع الفرعي|итого без ндс|всего без ндс|сумма без ндс|без ндс|промежуточный итог|подытог|total ht|montant ht|sous-total|total hors taxes|hors tva|total hors tva',
  ),
  ...list(
    'vat',
    1,
    'סכום המע"מ|סכום מע"מ|סה"כ מע"מ|מע"מ|מס ערך מוסף|vat amount|total vat|vat|v.a.t|v.a.t.|value added tax|מזה מע"מ|מתוכו מע"מ|כולל מע"מ בסך|ض.ق.م|ضريبة القيمة المضافة|قيمة الضريبة|ндс|сумма ндс|в том числе ндс|tva|montant tva|montant de la tva|total tva|dont tva',
  ),
  ...list('vat', 0.25, 'כולל מע"מ|incl vat|including vat'),
  ...list(
    'other',
    1,
    'יתרה קודמת|יתרת פתיחה|חוב קודם|previous balance|הנחה|discount|עודף|change|מזומן|cash|ניכוי מס|ניכוי במקור|ניכוי מס במקור|מחיר|מחיר יחידה|כמות|unit price|price|qty|quantity|פטור ממע"מ|סה"כ פטור|לא חייב במע"מ|עיגול אגורות|עיגול|rounding|הון|טלפון|טל|פקס|נייד|phone|tel|fax|mobile|מיקוד|zip|ת"ד|p.o. box|אשראי|כרטיס|מספר כרטיס|card|visa|סניף|חשבון בנק|בנק|iban|swift|שווי|מונה|קריאה|kwh|קוט"ש|سعر الوحدة|الكمية|خصم|هاتف|فاكس|رصيد سابق|نقدا|الباقي|цена|кол-во|количество|скидка|тел|телефон|факс|предыдущий баланс|наличные|сдача|prix unitaire|prix|qté|quantité|remise|tél|téléphone|solde précédent|espèces|rendu|dont acompte',
  ),
  ...list(
    'prepaid',
    1,
    "שולם מראש|תשלום מראש|סכום ששולם מראש|מקדמה ששולמה|מקדמות ששולמו|בניכוי מקדמה|בקיזוז מקדמה|מקדמה|מיקדמה|prepaid|prepaid amount|pre-paid|paid in advance|advance payment|advance paid|less advance|deposit paid|less deposit|less deposit paid|already paid|مدفوع مقدما|دفعة مقدمة|المدفوع مسبقا|предоплата|аванс|оплачено авансом|acompte|acompte versé|déjà réglé|déjà payé|payé d'avance",
  ),
  ...list(
    'allocation',
    1,
    "מספר הקצאה|מס' הקצאה|מס הקצאה|הקצאה|allocation number|allocation no|allocation no.|allocation #|allocation|رقم التخصيص|номер распределения|numéro d'allocation",
  ),
  ...list(
    'taxId',
    1,
    'ע.מ|ע.מ.|ע"מ|ח.פ|ח.פ.|ח"פ|עוסק מורשה|עוסק פטור|עוסק מורשה מס\'|עוסק מספר|מספר עוסק|מס\' עוסק|מס עוסק|תיק מע"מ|מס\' תאגיד|מספר חברה|ע"ר|ח.פ./ע.מ.|ח.פ/ע.מ|ע.מ/ח.פ|ח"פ/ע"מ|עמ/חפ|vat no|vat no.|vat number|vat id|vat reg no|vat reg. no.|vat registration|tax id|tax no|tax number|company no|company no.|company number|company id|reg. no.|registration no|osek murshe|business id|licensed dealer|dealer no.|c.n.|מורשה|תז|ת.ז|ת.ז.|مصلحة مرخصة|مصلحة معفاة|رقم المصلحة|رقم الشركة|مشتغل مرخص|الرقم الضريبي|осек мурше|осек патур|номер компании|налоговый номер|инн|ossek mourché|ossek patour|n° de société|n° fiscal|n° tva|numéro de tva|licensed dealer no.|exempt dealer|registered dealer',
  ),
  ...list(
    'buyer',
    1,
    "לכבוד|לכב'|שם הלקוח|שם לקוח|לקוח|פרטי הלקוח|bill to|billed to|customer|customer name|client|invoice to|sold to|ship to|עבור לקוח|to:|إلى حضرة|حضرة|العميل|الزبون|кому|покупатель|заказчик|клиент|client|facturé à|destinataire",
  ),
  ...list(
    'dueDay',
    1,
    "לתשלום עד|לתשלום עד יום|לתשלום עד תאריך|מועד תשלום|מועד לתשלום|תאריך לתשלום|תאריך תשלום|תאריך פרעון|תאריך פירעון|מועד פרעון|לפירעון|due date|payment due|due by|pay by|due on|due|מועד אחרון לתשלום|יום אחרון לתשלום|תאריך חיוב|للدفع حتى|تاريخ الاستحقاق|оплатить до|срок оплаты|échéance|date d'échéance|à payer avant le",
  ),
  ...list(
    'otherDay',
    1,
    'תקופת חשבון|תקופה|לתקופה|מתאריך|עד תאריך|תאריך אספקה|תאריך ערך|תאריך הזמנה|תאריך משלוח|period|billing period|delivery date|order date|תאריך הדפסה|הודפס|printed|supply date|תאריך קריאה|תאריך שיק|تاريخ التسليم|تاريخ الطلب|дата поставки|дата заказа|период|date de livraison|date de commande|période',
  ),
  ...list(
    'day',
    1,
    "תאריך|תאריך הפקה|תאריך חשבונית|תאריך החשבונית|תאריך מסמך|תאריך המסמך|תאריך עריכה|date|invoice date|date of issue|issue date|issued|issued on|document date|receipt date|תאריך ושעה|תאריך עסקה|ת. חשבונית|التاريخ|تاريخ الفاتورة|تاريخ الإصدار|дата|дата счёта|дата счета|date de facture|date de facturation|date d'émission",
  ),
  // They introduce the day of the thing named before them.
  ...list('day', 0.5, 'מיום|dated|بتاريخ|от|du'),
  ...list(
    'number',
    1,
    "חשבונית מס'|חשבונית מספר|מספר חשבונית|מס' חשבונית|מספר החשבונית|מספר מסמך|מס' מסמך|מסמך מס'|מסמך מספר|מספר המסמך|קבלה מס'|קבלה מספר|מספר קבלה|מס' קבלה|invoice no|invoice no.|invoice number|invoice #|inv no|inv no.|inv #|inv. no.|document no|document no.|document number|doc no|doc no.|receipt no|receipt no.|receipt number|receipt #|credit note no|credit note no.|credit note number|credit note #|bill no.|bill number|חשבון מס'|חשבון מספר|מספר חשבון מס|זיכוי מס'|זיכוי מספר|number|invoice nr|invoice nr.|رقم الفاتورة|فاتورة رقم|رقم المستند|رقم الإيصال|счёт №|счет №|номер счёта|номер счета|квитанция №|номер документа|facture n°|n° de facture|numéro de facture|n° facture|reçu n°|avoir n°",
  ),
  ...list('number', 0.45, "אסמכתא|מספר|מס'|no.|no|#|ref|reference|סימוכין|חשבון|رقم|№|номер|n°|nº|numéro"),
  ...list(
    'other',
    1,
    "מספר לקוח|מס' לקוח|מספר הזמנה|מס' הזמנה|order no|order no.|customer no|customer no.|customer id|account no|account no.|account number|po number|purchase order|מספר מונה|מס' מונה|מספר חוזה|מס' חוזה|חשבון חוזה|מס' קופה|קופה|קופאי|cashier|terminal|מסוף|מספר רכב|מס' רכב|טבלת|מספר ספק|מק\"ט|עמוד|page|דף|מס' תעודה|תעודת משלוח|תעודת משלוח מס'|מס' תעודת משלוח|delivery note|delivery note no.|رقم الطلب|رقم العميل|رقم الزبون|صفحة|номер заказа|заказ №|номер клиента|накладная №|стр|страница|n° de commande|commande n°|n° client|bon de livraison n°",
  ),
  ...list(
    'title',
    1,
    'חשבונית מס קבלה|חשבונית מס / קבלה|חשבונית מס/קבלה|חשבונית מס-קבלה|חשבונית-מס קבלה|חשבונית קבלה|חשבונית/קבלה|tax invoice receipt|tax invoice / receipt|tax invoice/receipt|invoice receipt|invoice / receipt|invoice/receipt|فاتورة ضريبية/إيصال|فاتورة ضريبية / إيصال|налоговый счёт/квитанция|счёт-квитанция|facture fiscale/reçu|facture-reçu|facture / reçu',
    'invoiceReceipt',
  ),
  ...list(
    'title',
    1,
    "חשבונית זיכוי|חשבונית מס זיכוי|חשבונית מס/זיכוי|הודעת זיכוי|תעודת זיכוי|credit note|credit invoice|credit memo|tax credit invoice|הודעת זכוי|חשבונית זכוי|فاتورة ضريبية دائنة|فاتورة دائنة|إشعار دائن|кредитный налоговый счёт|кредит-нота|facture d'avoir|avoir|note de crédit",
    'credit',
  ),
  ...list(
    'title',
    0.9,
    'חשבונית מס|חשבונית-מס|tax invoice|vat invoice|فاتورة ضريبية|налоговый счёт|налоговый счет|счёт-фактура|счет-фактура|facture fiscale',
    'taxInvoice',
  ),
  ...list('title', 0.6, 'חשבונית|invoice|فاتورة|счёт|счет|facture', 'taxInvoice'),
  ...list('title', 0.8, 'קבלה|receipt|إيصال|квитанция|reçu', 'receipt'),
  ...list(
    'title',
    0.9,
    'חשבון עסקה|חשבונית עסקה|דרישת תשלום|דרישה לתשלום|חשבונית פרופורמה|proforma invoice|pro forma invoice|proforma|pro-forma invoice|payment request|הצעת מחיר|quotation|فاتورة صفقة|طلب دفع|عرض سعر|счёт на оплату|счет на оплату|запрос на оплату|коммерческое предложение|facture pro forma|demande de paiement|devis',
    'request',
  ),
].toSorted((a, b) => b.whole.length - a.whole.length)

const titles = labels.filter((label) => label.role === 'title')

/** Every label of a line, the longest at each place; the words of one never overlap those of another. */
export const labelsIn = (line: Line): Found[] => search(line, labels)

/** What the paper calls itself, also where the same words lead to its number ('חשבונית מס 1004'). */
export const titlesIn = (line: Line): Found[] => search(line, titles)

function search(line: Line, among: readonly Label[]): Found[] {
  const found: Found[] = []
  let at = 0
  while (at < line.tokens.length) {
    const hit = labelAt(line, at, among)
    if (hit) {
      found.push(hit)
      at = hit.to
    } else at++
  }
  return found
}

function labelAt(line: Line, from: number, among: readonly Label[]): Found | undefined {
  if (line.tokens[from]!.bare === '') return undefined
  let top: { label: Label; to: number; worth: number } | undefined
  const start = line.tokens[from]!.bare
  for (const label of among) {
    const { whole } = label
    // One of the first two letters must agree: quicker than to look at each label closely.
    if (start[0] !== whole[0] && start[1] !== whole[1]) continue
    // They stand from long to short: nothing that follows can be worth more.
    if (top && whole.length <= top.worth) break
    const hit = matches(line, from, label.words.length, whole)
    // A misread letter costs a little more than two: 'Invoice no' is not a misread 'Invoice to'.
    const worth = whole.length - (hit?.exact ? 0 : 2.5)
    if (hit && (!top || worth > top.worth)) top = { label, to: hit.to, worth }
  }
  return (
    top && {
      role: top.label.role,
      weight: top.label.weight,
      line,
      from,
      to: top.to,
      tokens: line.tokens.slice(from, top.to),
      ...(top.label.kind ? { kind: top.label.kind } : {}),
    }
  )
}

/** The words of a label in a row, over signs between them; also run together into one ('חשבוניתמס'). */
function matches(
  line: Line,
  from: number,
  words: number,
  whole: string,
): { to: number; exact: boolean } | undefined {
  let at = from
  let seen = ''
  let near: { to: number; exact: boolean } | undefined
  for (let n = 0; at < line.tokens.length && n < words + 2; n++) {
    const token = line.tokens[at]!
    const before = line.tokens[at - 1]
    if (n > 0 && before && gap(before, token) > Math.max(token.h, before.h) * 2.2) break
    if (n > 0 && token.bare === '' && near) break
    seen += token.bare
    at++
    if (seen === whole) return { to: at, exact: true }
    if (!near && seen.length >= whole.length - 1 && isNearly(seen, whole)) near = { to: at, exact: false }
    if (seen.length > whole.length) break
  }
  return near
}

const gap = (a: Token, b: Token) => Math.max(a.x, b.x) - Math.min(a.x + a.w, b.x + b.w)
