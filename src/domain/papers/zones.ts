import { skeleton } from './letters.ts'
import type { Found } from './labels.ts'
import { blocksOf, type Line, type Token } from './lines.ts'

/*
 * Where a value is printed says what it can be. The head of a bill tells of the bill; its lines and notes tell of
 * anything, also of other documents.
 */
export type Zone = 'head' | 'items' | 'foot'

/** Heads of the columns of goods. A line with two of them begins the lines of the bill. */
const columnHeads = new Set(
  [
    'תיאור תאור פירוט פריט מוצר שם כמות יחידות מחיר מק"ט',
    'description item product details qty quantity price rate sku',
    'التفاصيل الوصف البيان الصنف الكمية السعر سعر',
    'наименование описание товар услуга кол-во количество цена артикул',
    'désignation description article produit qté quantité prix référence',
  ].flatMap((words) => words.split(' ').map(skeleton)),
)

const isTableHead = (line: Line): boolean =>
  !line.tokens.some((token) => /\d/.test(token.text)) &&
  new Set(line.tokens.map((token) => token.bare).filter((bare) => columnHeads.has(bare))).size >= 2

/** The zone of each line. Without a table of goods, everything above the first total is the head. */
export function zonesOf(lines: readonly Line[], labels: readonly Found[]): Map<Line, Zone> {
  const sums = new Map<Line, Found[]>()
  for (const label of labels)
    if (['total', 'net', 'vat'].includes(label.role) && label.weight > 0.3)
      sums.set(label.line, [...(sums.get(label.line) ?? []), label])
  const zones = new Map<Line, Zone>()
  let zone: Zone = 'head'
  for (const line of lines) {
    if (isTableHead(line)) {
      zone = 'items'
      zones.set(line, zone)
      continue
    }
    // A row of totals begins with its label and has a figure; the same words inside a description do not begin a row.
    if (
      zone !== 'foot' &&
      sums.get(line)?.some((label) => beginsItsBlock(label)) &&
      (zone === 'items' || hasMoney(line))
    )
      zone = 'foot'
    zones.set(line, zone)
  }
  return zones
}

const hasMoney = (line: Line): boolean => line.tokens.some((token) => /\d[.,]\d{2}\D?$/.test(token.text))

const beginsItsBlock = (label: Found): boolean =>
  blocksOf(label.line).some((block) => block[0] === label.tokens[0])

const isWord = (token: Token): boolean => (token.bare.match(/\p{L}/gu)?.length ?? 0) >= 2

/** Words that lead to another document: what follows them is its number or its day. */
const pointing = new Set(
  [
    'בגין עבור לפי עפ"י ע"פ בהמשך בהתאם כנגד תמורת זיכוי הפרשי תשלום לתשלום של',
    'for per against regarding re ref of credits refund',
    'عن مقابل بخصوص حسب استنادا للفاتورة',
    'за по согласно к на',
    'pour sur selon concernant relatif avoir',
  ].flatMap((words) => words.split(' ').map(skeleton)),
)

/**
 * Whether a label speaks of another document: it is in a line of goods, or inside a sentence. 'Tax invoice 1004 of
 * 10/10/2026' at the head of a bill is its own.
 */
export function speaksOfAnother(
  label: Found,
  zones: ReadonlyMap<Line, Zone>,
  named: ReadonlySet<Token>,
): boolean {
  const zone = zones.get(label.line)
  if (zone === 'items') return true
  const block = blocksOf(label.line).find((one) => one.includes(label.tokens[0]!)) ?? []
  const before = block.slice(0, block.indexOf(label.tokens[0]!))
  if (before.some((token) => pointing.has(token.bare) && !named.has(token))) return true
  // Other labels before it ('Invoice no. 7 Date') are no sentence; plain words are.
  const plain = before.filter((token) => isWord(token) && !named.has(token))
  return plain.length >= (zone === 'foot' ? 1 : 3)
}
