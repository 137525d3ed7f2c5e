import { addDays, addMonths, endOfMonth, type Day } from '../day.ts'
import { fold } from '../fold.ts'
import { isTaxId } from '../taxId.ts'
import { readDay, readLongDay } from './days.ts'
import { asDigits, rightToLeft, skeleton } from './letters.ts'
import type { Found, Role } from './labels.ts'
import { blocksOf, textOf, type Line, type Token } from './lines.ts'
import type { PaperKind, Reason } from './proposal.ts'
import type { Zone } from './zones.ts'

export interface Fact<T> {
  readonly value: T
  readonly confidence: number
  readonly reason: Reason
  readonly tokens: readonly Token[]
}

export interface DayAt {
  readonly day: Day
  readonly tokens: readonly Token[]
  readonly line: Line
  readonly index: number
}

/** Every day on the paper, in figures or with a month's name. */
export function daysIn(lines: readonly Line[]): DayAt[] {
  const out: DayAt[] = []
  lines.forEach((line, index) => {
    for (let at = 0; at < line.tokens.length; at++) {
      const rest = line.tokens.slice(at)
      const day = readDay(rest[0]!.text)
      const long = day ? { day, length: 1 } : (readLongDay(rest.map((t) => t.text)) ?? parted(rest))
      if (!long) continue
      out.push({ day: long.day, tokens: rest.slice(0, long.length), line, index })
      at += long.length - 1
    }
  })
  return out
}

/**
 * '20 / 11 / 2025' and '20.11. 2025', which machines part at the signs; a line read from the right shows the
 * year first.
 */
function parted(tokens: readonly Token[]): { day: Day; length: number } | undefined {
  for (const length of [2, 3, 5]) {
    const some = tokens.slice(0, length).toSorted((a, b) => a.x - b.x)
    if (some.length < length || some.some((t, i) => i > 0 && t.x - (some[i - 1]!.x + some[i - 1]!.w) > t.h))
      continue
    const day = readDay(some.map((t) => t.text).join(''))
    if (day) return { day, length }
  }
  return undefined
}

/**
 * How near a value is to a label: on its line after it (1), before it, below it; 0 when it does not belong to it.
 */
export function nearness(label: Found, tokens: readonly Token[], line: Line): number {
  const first = Math.min(...label.tokens.map((t) => t.x))
  const last = Math.max(...label.tokens.map((t) => t.x + t.w))
  const x = Math.min(...tokens.map((t) => t.x))
  const right = Math.max(...tokens.map((t) => t.x + t.w))
  const size = Math.max(line.height, label.line.height)
  if (line === label.line) {
    const after = label.line.isHebrew ? right <= first + 2 : x >= last - 2
    const gap = Math.max(x, first) - Math.min(right, last)
    const between = line.tokens.filter(
      (t) =>
        !label.tokens.includes(t) &&
        !tokens.includes(t) &&
        t.x > Math.min(right, last) - 1 &&
        t.x + t.w < Math.max(x, first) + 1 &&
        t.bare.length > 2,
    ).length
    return Math.max(0.15, (after ? 1 : 0.55) - (gap / size) * 0.02 - between * 0.15)
  }
  if (line.page !== label.line.page) return 0
  const down = line.top - label.line.bottom
  if (down < -size * 0.4 || down > size * 3.5) return 0
  const overlaps = right > first - size && x < last + size
  return overlaps ? 0.7 - Math.max(0, down / size) * 0.1 : 0
}

/** The label that claims a value most. */
export function claimOf(
  labels: readonly Found[],
  tokens: readonly Token[],
  line: Line,
  roles: readonly Role[],
): { role: Role; score: number } | undefined {
  let top: { role: Role; score: number } | undefined
  for (const label of labels) {
    if (!roles.includes(label.role)) continue
    const score = nearness(label, tokens, line) * label.weight
    if (score > 0 && (!top || score > top.score)) top = { role: label.role, score }
  }
  return top
}

/** The day of the paper and the day it must be paid by. */
export function chooseDays(
  found: readonly DayAt[],
  labels: readonly Found[],
  lines: readonly Line[],
  zones: ReadonlyMap<Line, Zone>,
  today: Day,
): { day?: Fact<Day>; dueDay?: Fact<Day> } {
  const latest = addDays(today, 31)
  const claimed = found.map((one) => ({
    ...one,
    claim: claimOf(labels, one.tokens, one.line, ['day', 'dueDay', 'otherDay']),
  }))
  const past = claimed.filter((one) => one.day <= latest && one.day > addDays(today, -3660))
  const eye = (tokens: readonly Token[]) => 0.7 + 0.3 * Math.min(...tokens.map((t) => t.confidence))
  const score = (one: (typeof claimed)[number]) =>
    (one.claim?.role === 'day' ? 1 + one.claim.score : one.claim ? -1 : 0) -
    one.index * 0.004 -
    (one.day > today ? 0.4 : 0) -
    farFromHead[zones.get(one.line) ?? 'head']
  const dayAt = past.reduce<(typeof past)[number] | undefined>(
    (top, one) => (!top || score(one) > score(top) ? one : top),
    undefined,
  )
  const day: Fact<Day> | undefined = dayAt && {
    value: dayAt.day,
    confidence:
      (zones.get(dayAt.line) === 'items'
        ? 0.35
        : dayAt.claim?.role === 'day'
          ? 0.93
          : dayAt.claim
            ? 0.35
            : past.length === 1
              ? 0.8
              : 0.6) * eye(dayAt.tokens),
    reason: dayAt.claim?.role === 'day' ? 'label' : 'position',
    tokens: dayAt.tokens,
  }
  const dueAt = claimed
    .filter(
      (one) =>
        one.claim?.role === 'dueDay' &&
        one !== dayAt &&
        (!day || one.day >= day.value) &&
        one.day < addDays(today, 1100),
    )
    .toSorted((a, b) => b.claim!.score - a.claim!.score)[0]
  const due: Fact<Day> | undefined = dueAt
    ? { value: dueAt.day, confidence: 0.9 * eye(dueAt.tokens), reason: 'label', tokens: dueAt.tokens }
    : day && termsIn(lines, day.value)
  return { ...(day ? { day } : {}), ...(due ? { dueDay: due } : {}) }
}

/** By how much a day weighs less that is not in the head of the bill. */
const farFromHead: Readonly<Record<Zone, number>> = { head: 0, items: 1, foot: 0.3 }

/** 'שוטף + 30' counts from the end of the month, 'net 30' from the day itself. */
function termsIn(lines: readonly Line[], day: Day): Fact<Day> | undefined {
  for (const line of lines) {
    const text = textOf(line.tokens)
    const end = /שוטף\s*\+?\s*(\d{1,3})/.exec(text)
    const net = /\bnet\s+(\d{1,3})\b(?!\.)/i.exec(text)
    const days = Number(end?.[1] ?? net?.[1] ?? 0)
    if (!(days > 0 && days <= 180)) continue
    const value = end ? addMonthsOrDays(endOfMonth(day), days) : addDays(day, days)
    return {
      value,
      confidence: 0.7,
      reason: 'computed',
      tokens: line.tokens.filter((t) => /שוטף|net/i.test(t.text) || t.text.includes(String(days))),
    }
  }
  return undefined
}

/** In the trade thirty days after the end of a month are the end of the next one. */
const addMonthsOrDays = (from: Day, days: number): Day =>
  days % 30 === 0 ? endOfMonth(addMonths(from, days / 30)) : addDays(from, days)

export interface NumberAt {
  readonly digits: string
  readonly tokens: readonly Token[]
  readonly line: Line
}

/** Runs of nine digits, with dashes or without: numbers of dealers and companies, and allocation numbers. */
export function nineDigits(lines: readonly Line[], labels: readonly Found[]): NumberAt[] {
  const own = labels.filter((label) => label.role === 'taxId')
  return lines.flatMap((line) =>
    line.tokens.flatMap((token): NumberAt[] => {
      const plain = token.text.replace(/^[^\d]+|[^\d]+$/g, '').replace(/[-\s]/g, '')
      if (/[./,]/.test(plain) && !/^\d{9}[./]/.test(plain)) return []
      const digits = /^\d+$/.test(plain)
        ? plain
        : token.confidence < 1 && (plain.match(/\d/g)?.length ?? 0) >= 7
          ? asDigits(plain)
          : ''
      if (/^\d{9}$/.test(digits)) return [{ digits, tokens: [token], line }]
      // Eight digits are a number whose first zero was left out, when a label says so.
      if (/^\d{8}$/.test(digits) && own.some((label) => nearness(label, [token], line) > 0.6))
        return [{ digits: `0${digits}`, tokens: [token], line }]
      return []
    }),
  )
}

export function chooseTaxId(
  found: readonly NumberAt[],
  labels: readonly Found[],
  ownTaxId: string | undefined,
  allocation: readonly Token[],
): Fact<string> | undefined {
  const buyers = labels.filter((label) => label.role === 'buyer')
  const rated = found
    .filter(
      (one) =>
        isTaxId(one.digits) &&
        one.digits !== ownTaxId &&
        !allocation.includes(one.tokens[0]!) &&
        !buyers.some((label) => isBuyers(label, one)),
    )
    .map((one) => {
      const claim = claimOf(labels, one.tokens, one.line, ['taxId', 'allocation', 'number', 'other'])
      // Values in the block of the buyer, below its label and beside no other block.
      const isBuyers = buyers.some((label) => isBelow(label, one, 7, 0.33))
      const score =
        (claim?.role === 'taxId' ? claim.score : claim ? -0.5 : 0) -
        (one.line.page > 0 ? 0.2 : 0) -
        (one.line.top / one.line.pageHeight) * 0.3 -
        (isBuyers ? 0.6 : 0)
      return { one, claim, score }
    })
    .toSorted((a, b) => b.score - a.score)
  const top = rated[0]
  if (!top || top.score < -0.35) return undefined
  const clear = rated.every(({ one, score }) => one.digits === top.one.digits || top.score - score > 0.25)
  const labelled = top.claim?.role === 'taxId'
  return {
    value: top.one.digits,
    confidence: (labelled ? 0.95 : 0.6) * (clear ? 1 : 0.75),
    reason: labelled ? 'label' : 'checkDigit',
    tokens: top.one.tokens,
  }
}

/** Values in the block of a label: below it, and beside no other block. */
const isBelow = (label: Found, one: NumberAt, rows: number, share: number): boolean =>
  label.line.page === one.line.page &&
  one.line.top >= label.line.top - 1 &&
  one.line.top - label.line.bottom < label.line.height * rows &&
  Math.abs(middle(label.tokens) - middle(one.tokens)) < one.line.pageWidth * share

/** After the label of the buyer in its own piece of the line, or in the column under it. */
function isBuyers(label: Found, one: NumberAt): boolean {
  if (one.line === label.line) {
    const block = blocksOf(label.line).find((tokens) => tokens.includes(label.tokens[0]!)) ?? []
    return block.indexOf(one.tokens[0]!) > block.indexOf(label.tokens[0]!)
  }
  const block = blocksOf(one.line).find((tokens) => tokens.includes(one.tokens[0]!)) ?? []
  const apart = Math.abs(edge(label.tokens, label.line.isHebrew) - edge(block, label.line.isHebrew))
  return isBelow(label, one, 4, 1) && apart < one.line.pageWidth * 0.04
}

/**
 * Whether the business that reads the bill issued it: its name is at the head of the page, its number is printed as the
 * issuer's, and there is no other.
 */
export function isOwnDocument(
  found: readonly NumberAt[],
  labels: readonly Found[],
  own: { taxId: string | undefined; name: readonly Token[] },
): Fact<boolean> | undefined {
  const buyers = labels.filter((label) => label.role === 'buyer')
  const number = found.find(
    (one) =>
      one.digits === own.taxId &&
      claimOf(labels, one.tokens, one.line, ['taxId', 'number', 'other'])?.role === 'taxId' &&
      !buyers.some((label) => isBuyers(label, one) || isBelow(label, one, 7, 0.33)),
  )
  const isAtHead = own.name.some(
    (token) =>
      token.page === 0 &&
      number !== undefined &&
      token.y < number.line.pageHeight * 0.25 &&
      !buyers.some((label) => label.line.page === 0 && label.line.top <= token.y + token.h),
  )
  return number && isAtHead
    ? { value: true, confidence: 0.9, reason: 'label', tokens: number.tokens }
    : undefined
}

/** The number of who the bill is addressed to, where one is printed beside the name. */
export function chooseBuyerTaxId(
  found: readonly NumberAt[],
  labels: readonly Found[],
): Fact<string> | undefined {
  const buyers = labels.filter((label) => label.role === 'buyer')
  const one = found.find(
    (number) => isTaxId(number.digits) && buyers.some((label) => isBuyers(label, number)),
  )
  return one && { value: one.digits, confidence: 0.9, reason: 'label', tokens: one.tokens }
}

const middle = (tokens: readonly Token[]) =>
  (Math.min(...tokens.map((t) => t.x)) + Math.max(...tokens.map((t) => t.x + t.w))) / 2

export function chooseAllocation(
  found: readonly NumberAt[],
  labels: readonly Found[],
): Fact<string> | undefined {
  const top = found
    .map((one) => ({ one, claim: claimOf(labels, one.tokens, one.line, ['allocation', 'taxId', 'number']) }))
    .filter(({ claim }) => claim?.role === 'allocation' && claim.score > 0.4)
    .toSorted((a, b) => b.claim!.score - a.claim!.score)[0]
  return (
    top && {
      value: top.one.digits,
      confidence: 0.95 * (0.7 + 0.3 * top.one.tokens[0]!.confidence),
      reason: 'label',
      tokens: top.one.tokens,
    }
  )
}

/** The kind of the bill: the highest and largest title. */
export function chooseKind(found: readonly Found[], lines: readonly Line[]): Fact<PaperKind> | undefined {
  const heights = lines.map((line) => line.height).toSorted((a, b) => a - b)
  const usual = heights[heights.length >> 1] ?? 1
  const titles = found
    .map((label) => {
      const alone = label.line.tokens.length - (label.to - label.from)
      const height = Math.max(...label.tokens.map((t) => t.h)) / usual
      return {
        label,
        score:
          label.weight +
          Math.min(height - 1, 1.2) * 0.7 -
          (label.line.top / label.line.pageHeight) * 0.8 -
          label.line.page * 0.5 -
          Math.min(alone, 8) * 0.06 -
          (label.from > 1 ? 0.3 : 0),
      }
    })
    .toSorted((a, b) => b.score - a.score)
  const top = titles[0]
  if (!top) return undefined
  return {
    value: top.label.kind as PaperKind,
    confidence: Math.min(0.95, 0.6 + Math.max(0, top.score) * 0.2),
    reason: 'label',
    tokens: top.label.tokens,
  }
}

/** The number of the paper: what a label calls so, or what follows the title. */
export function chooseNumber(
  lines: readonly Line[],
  labels: readonly Found[],
  titles: readonly Found[],
  title: Token | undefined,
  taken: ReadonlySet<Token>,
  zones: ReadonlyMap<Line, Zone>,
): Fact<string> | undefined {
  const asking = [...labels.filter((label) => label.role === 'number'), ...titles]
  const used = new Set(asking.flatMap((label) => label.tokens))
  const titleLine = title && lines.find((line) => line.tokens.includes(title))
  const others = labels.filter((label) =>
    ['other', 'taxId', 'allocation', 'buyer', 'day', 'dueDay', 'otherDay', 'total', 'net', 'vat'].includes(
      label.role,
    ),
  )
  const rated: { value: string; tokens: Token[]; score: number; labelled: boolean }[] = []
  for (const line of lines)
    for (const token of line.tokens) {
      if (taken.has(token) || used.has(token)) continue
      const value = numberText(token)
      if (value === undefined) continue
      let best = 0
      let labelled = false
      for (const label of asking) {
        // 'For tax invoice 1004' speaks of another paper.
        const near = nearness(label, [token], line) * (isInSentence(label) ? 0.5 : 1)
        // After a title only what follows at once is its number. 'No. 7' that is all of a piece of a line is as good
        // as a long label.
        const said =
          label.role === 'number'
            ? near * (isAlone(label, token, line) ? Math.max(label.weight, 0.9) : label.weight)
            : line === label.line && near > 0.8
              ? near * 0.85
              : near > 0.5
                ? near * 0.3
                : 0
        if (said > best)
          [best, labelled] = [
            said,
            label.role === 'number' && (label.weight > 0.5 || isAlone(label, token, line)),
          ]
      }
      if (best === 0) continue
      if (line === titleLine) best += 0.3
      const rival = Math.max(
        0,
        ...others.map((label) => nearness(label, [token], line) * (line === label.line ? 1 : 0.6)),
      )
      rated.push({
        value,
        tokens: [token],
        labelled,
        score:
          best -
          (rival > best ? 0.5 : 0) -
          (line.top / line.pageHeight) * 0.25 -
          line.page * 0.3 -
          (zones.get(line) === 'items' ? 0.8 : zones.get(line) === 'foot' ? 0.2 : 0) -
          // A single digit is the number of a bill only where its label says so at once.
          (value.length < 2 && best < 0.75 ? 0.25 : 0),
      })
    }
  const top = rated.toSorted((a, b) => b.score - a.score)[0]
  if (!top || top.score < 0.12) return undefined
  const eye = 0.6 + 0.4 * top.tokens[0]!.confidence
  return {
    value: top.value,
    confidence: Math.min(0.95, 0.45 + top.score * 0.5) * eye,
    reason: top.labelled ? 'label' : 'position',
    tokens: top.tokens,
  }
}

/** The label and this value are a whole piece of a line: 'No. 7'. */
const isAlone = (label: Found, token: Token, line: Line): boolean =>
  line === label.line &&
  blocksOf(line).some(
    (block) =>
      block.length === label.tokens.length + 1 && block.includes(token) && block.includes(label.tokens[0]!),
  )

/** A plain word right before it, as in 'for invoice'. */
function isInSentence(label: Found): boolean {
  const before = label.line.tokens[label.from - 1]
  const first = label.tokens[0]!
  if (!before || before.bare.length < 2 || /\d/.test(before.text)) return false
  return Math.max(before.x, first.x) - Math.min(before.x + before.w, first.x + first.w) < first.h * 1.2
}

/**
 * A token as the number of a paper: figures with perhaps letters, dashes and slashes; no sum, no day, no
 * telephone.
 */
function numberText(token: Token): string | undefined {
  let text = token.text.replace(/^[#:.,("'״׳]+|[:.,)"'|]+$/g, '').replace(/^מס'?/, '')
  if (rightToLeft.test(text)) return undefined
  if (token.confidence < 1 && /^[\dOolI|]+$/.test(text) && /\d/.test(text)) text = asDigits(text)
  if (!/^[A-Za-z0-9][A-Za-z0-9\-/]{0,23}$/.test(text) || !/\d/.test(text)) return undefined
  if (/^\d{1,3}%$/.test(text) || readDay(text) || /^0\d{1,2}-?\d{7}$/.test(text)) return undefined
  return text
}

const legal = /(בע["'״׳]{0,2}מ|\bltd\b|\binc\b|\bllc\b|\bgmbh\b|ע["״']?ר\b)/i

/**
 * The name at the head of the paper: large, high, perhaps with 'Ltd'; never the buyer's, an address, or a
 * label's line.
 */
export function chooseName(
  lines: readonly Line[],
  labels: readonly Found[],
  titles: readonly Found[],
  taxId: Fact<string> | undefined,
  ownName: string | undefined,
): Fact<string> | undefined {
  const own = ownName && fold(ownName)
  const heights = lines.map((line) => line.height).toSorted((a, b) => a - b)
  const usual = heights[heights.length >> 1] ?? 1
  const buyers = labels.filter((label) => label.role === 'buyer')
  const rated = lines
    .filter((line) => line.page === 0 && line.top < line.pageHeight * 0.5)
    .slice(0, 24)
    .flatMap((line, index) => blocksOf(line).map((tokens) => ({ tokens, line, index })))
    .flatMap(({ tokens, line, index }) => {
      const text = textOf(tokens).replace(/^[^\p{L}\p{Nd}]+|[\s|:;,.\-–]+$/gu, '')
      const letters = text.replace(/[^\p{L}]/gu, '').length
      if (letters < 2 || text.length > 70 || /[@]|www\.|https?:|\.co\.il|\.com/i.test(text)) return []
      const isCompany = legal.test(text)
      const digits = text.replace(/\D/g, '').length
      const labelled = labels.filter(
        (label) => label.line === line && label.tokens.some((t) => tokens.includes(t)),
      )
      // 'Tax invoice' in large letters is what the bill is, not who wrote it.
      if (titles.some((title) => title.line === line && title.tokens[0] === tokens[0])) return []
      if (
        labelled.some((label) => label.from === line.tokens.indexOf(tokens[0]!) && label.role !== 'number') &&
        !isCompany
      )
        return []
      const nearBuyer = buyers.some(
        (label) =>
          line.top >= label.line.top - 2 &&
          line.top - label.line.bottom < label.line.height * 3.2 &&
          (line === label.line
            ? follows(label, tokens, line.isHebrew)
            : Math.abs(edge(label.tokens, line.isHebrew) - edge(tokens, line.isHebrew)) <
              line.pageWidth * 0.12),
      )
      if (own && fold(text).includes(own)) return []
      const nearId =
        taxId?.tokens[0] && taxId.tokens[0].page === line.page
          ? Math.abs(taxId.tokens[0].y - line.top) / line.height
          : 20
      const size = Math.max(...tokens.map((t) => t.h)) / usual
      const score =
        (isCompany ? 0.9 : 0) +
        Math.min(size - 1, 1.2) * 0.9 -
        (line.top / line.pageHeight) * 1.2 -
        index * 0.03 -
        labelled.length * 0.5 -
        (digits > 3 ? 0.6 : 0) -
        (nearBuyer ? 1.2 : 0) +
        (nearId < 5 ? 0.25 : 0) -
        (isAddress(text) ? 0.6 : 0)
      return [{ text, tokens, score, isCompany }]
    })
    .toSorted((a, b) => b.score - a.score)
  const top = rated[0]
  if (!top) return undefined
  const name = top.text.replace(/\s+(ח\.?פ|ע\.?מ|ח"פ|ע"מ|עוסק).*$/u, '').trim()
  const eye = Math.min(...top.tokens.map((t) => t.confidence))
  return {
    value: name,
    confidence: Math.max(0.2, Math.min(0.85, 0.45 + top.score * 0.3)) * (0.5 + 0.5 * eye),
    reason: 'position',
    tokens: top.tokens,
  }
}

/** Right after the label in the order of reading, in the same block. */
function follows(label: Found, tokens: readonly Token[], isHebrew: boolean): boolean {
  const gap = isHebrew
    ? Math.min(...label.tokens.map((t) => t.x)) - Math.max(...tokens.map((t) => t.x + t.w))
    : Math.min(...tokens.map((t) => t.x)) - Math.max(...label.tokens.map((t) => t.x + t.w))
  return tokens.some((t) => label.tokens.includes(t)) || (gap > -2 && gap < label.line.height * 4)
}

const edge = (tokens: readonly Token[], isHebrew: boolean) =>
  isHebrew ? Math.max(...tokens.map((t) => t.x + t.w)) : Math.min(...tokens.map((t) => t.x))
const isAddress = (text: string) =>
  /^(רח'|רחוב|שד'|שדרות|דרך|ת\.?ד)|\b(street|st\.|road|ave)\b/i.test(text) || /^\D{3,}\s\d{1,3},/.test(text)

/**
 * The words of a name wherever it is printed: none of them is a value of another field. A name of a single word counts
 * where nothing is beside it.
 */
export function placesOf(lines: readonly Line[], name: string | undefined): Token[] {
  const wanted = (name ?? '').split(/\s+/).map(skeleton).filter(Boolean)
  if (wanted.join('').length < 2) return []
  return lines.flatMap((line) =>
    blocksOf(line).flatMap((block) => {
      const some = block.filter((token) => token.bare !== '')
      if (wanted.length === 1 && some.length > 1) return []
      for (let at = 0; at + wanted.length <= some.length; at++)
        if (wanted.every((word, i) => some[at + i]!.bare === word)) return some.slice(at, at + wanted.length)
      return []
    }),
  )
}

/** The words of addresses, with their numbers of houses, boxes and postcodes. */
export const addressesIn = (lines: readonly Line[]): Token[] =>
  lines.flatMap((line) =>
    blocksOf(line)
      .filter((block) => isAddress(textOf(block)))
      .flat(),
  )
