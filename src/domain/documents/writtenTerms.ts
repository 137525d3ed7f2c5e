const atOnce =
  /^(now|at once|immediate(ly)?|immediate payment|payment at once|due on receipt|cash|מיידי|מידי|מייד|מיד|תשלום מיי?די|מזומן|במזומן|תשלום במזומן|دفع فوري|فوري|نقدا|نقدًا|оплата сразу|сразу|наличные|paiement immédiat|immédiat|comptant)$/
const endOfMonth =
  /^(שוטף|ש|סוף ה?חודש|eom|end of (the )?month|نهاية الشهر|конец месяца|fin de mois)(?=[\s+\d]|$)/
const days = '(ימים|ימי|יום|days?|d|أيام|يوما|يومًا|يوم|дней|дня|день|jours?|de jours?)?'
const after = new RegExp(`^\\s*(\\+|פלוס|plus)?\\s*(\\d{1,3})\\s*${days}$`)
const fromDocument = new RegExp(`^(net|נטו)\\s*(\\d{1,3})\\s*${days}$|^(\\d{1,3})\\s*${days}(\\s+\\D+)?$`)

/**
 * Terms of payment as people and other programs write them ('שוטף + 30', 'EOM 60', 'net 30', 'מיידי'), as we
 * keep them: 'now', 'net:30', 'eom:60'. Undefined where it is not sure what is meant: a bare number may count
 * from the document or from the end of its month.
 */
export function readTerms(text: string): string | undefined {
  const said = text
    .normalize('NFC')
    .replace(/[\u200e\u200f\u2066-\u2069"״'׳]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const kept = /^(?:now|(?:net|eom):(\d{1,3}))$/.exec(said)
  if (kept) return said
  if (atOnce.test(said)) return 'now'
  const end = endOfMonth.exec(said)
  if (end) {
    const rest = said.slice(end[0].length)
    if (rest.trim() === '') return end[0] === 'ש' ? undefined : 'eom:0'
    const more = after.exec(rest)
    return more ? `eom:${Number(more[2])}` : undefined
  }
  const net = fromDocument.exec(said)
  if (!net) return undefined
  // '30' alone may mean either.
  const isBare = net[2] === undefined && net[5] === undefined
  return isBare ? undefined : `net:${Number(net[2] ?? net[4])}`
}
