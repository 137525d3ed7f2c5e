import { fold } from '../fold.ts'
import { normaliseTaxId } from '../taxId.ts'
import {
  addressesIn,
  chooseAllocation,
  chooseBuyerTaxId,
  chooseDays,
  chooseKind,
  chooseName,
  chooseNumber,
  chooseTaxId,
  daysIn,
  isOwnDocument,
  nineDigits,
  placesOf,
  type Fact,
} from './facts.ts'
import { labelsIn, titlesIn, type Found } from './labels.ts'
import { linesOf, spotOf, textOf, type Line, type Token } from './lines.ts'
import type { Guess, PaperMemory, PaperPage, Proposal, ReadOptions, Spot } from './proposal.ts'
import { chooseSums, sumsOf, type MoneyRole, type Picked, type Sum } from './sums.ts'
import { currencyIn } from './figures.ts'
import { speaksOfAnother, zonesOf } from './zones.ts'

/**
 * Reads a bill: words with their positions in, a proposal out. Nothing is certain: each value says how sure it is
 * and where it was found, and a person files it.
 */
export function readPaper(pages: readonly PaperPage[], options: ReadOptions): Proposal {
  const lines = linesOf(pages)
  const found = lines.flatMap(labelsIn)
  const zones = zonesOf(lines, found)
  const named = new Set(found.flatMap((label) => label.tokens))
  const labels = found.map((label) => withoutOthers(label, speaksOfAnother(label, zones, named)))
  const ownTaxId = options.ownTaxId && normaliseTaxId(options.ownTaxId)

  const days = daysIn(lines)
  const { day, dueDay } = chooseDays(days, labels, lines, zones, options.today)
  const nines = nineDigits(lines, labels)
  const allocationNumber = chooseAllocation(nines, labels)
  const taxId = chooseTaxId(nines, labels, ownTaxId, allocationNumber?.tokens ?? [])
  const memory = memoryFor(options.memories ?? [], taxId?.value, lines)
  const taken = new Set<Token>([...days.flatMap((one) => one.tokens), ...nines.flatMap((one) => one.tokens)])

  const allTitles = lines.flatMap(titlesIn)
  const ownTitles = allTitles.filter((title) => !speaksOfAnother(title, zones, named))
  const titles = ownTitles.length ? ownTitles : allTitles
  const documentKind = chooseKind(titles, lines)
  const name = remembered(memory) ?? chooseName(lines, labels, titles, taxId, options.ownName)
  // What is a value of one field is no candidate for another.
  const number = chooseNumber(
    lines,
    labels,
    titles,
    documentKind?.tokens[0],
    new Set([
      ...days.flatMap((one) => one.tokens),
      ...(allocationNumber?.tokens ?? []),
      ...(taxId?.tokens ?? []),
      ...(name?.tokens ?? []),
      ...placesOf(lines, name?.value),
      ...placesOf(lines, options.ownName),
      ...addressesIn(lines),
    ]),
    zones,
  )
  const sums = sumsOf(lines, labels, taken)
  const vatFree = lines.some((line) =>
    /עוסק פטור|פטור ממע|exempt dealer|vat exempt|zero rate|מע"מ 0%|\b0% vat|مصلحة معفاة|معفاة من الضريبة|осек патур|освобожд[её]н|ossek patour|exonéré/iu.test(
      textOf(line.tokens),
    ),
  )
  const chosen = chooseSums(sums, {
    day: day?.value ?? options.today,
    vatFree,
    namesVat: labels.some((label) => label.role === 'vat'),
    near: spotsNear(memory, pages),
  })

  const guess = <T>(fact: Fact<T> | undefined): Guess<T> | undefined =>
    fact && {
      value: fact.value,
      confidence: rounded(fact.confidence),
      reason: fact.reason,
      spots: spotOf(fact.tokens, pages),
    }
  const sum = (picked: Picked | undefined): Guess<number> | undefined =>
    picked && {
      value: picked.agorot,
      confidence: rounded(picked.confidence),
      reason: picked.reason,
      spots: spotOf(picked.tokens, pages),
    }
  const proposal = {
    supplierName: guess(name),
    supplierTaxId: guess(taxId),
    buyerTaxId: guess(chooseBuyerTaxId(nines, labels)),
    ownDocument: guess(
      taxId
        ? undefined
        : isOwnDocument(nines, labels, { taxId: ownTaxId, name: placesOf(lines, options.ownName) }),
    ),
    number: guess(number),
    day: guess(day),
    dueDay: guess(dueDay),
    net: sum(chosen?.net),
    vat: sum(chosen?.vat),
    total: sum(chosen?.total),
    prepaid: sum(chosen?.prepaid),
    currency: currencyOf(lines, sums, chosen?.total),
    allocationNumber: guess(allocationNumber),
    documentKind: guess(documentKind),
  }
  return Object.fromEntries(Object.entries(proposal).filter(([, one]) => one !== undefined)) as Proposal
}

/** All words in reading order, for search and for the eye. */
export const textOfPages = (pages: readonly PaperPage[]): string =>
  linesOf(pages)
    .map((line) => textOf(line.tokens))
    .join('\n')

/** A label that speaks of another document says nothing of this one, but what it claims is not free. */
const withoutOthers = (label: Found, isOfAnother: boolean): Found =>
  !isOfAnother
    ? label
    : label.role === 'day'
      ? { ...label, role: 'otherDay', weight: 1 }
      : label.role === 'number'
        ? { ...label, role: 'other' }
        : label

const rounded = (share: number) => Math.round(Math.max(0, Math.min(1, share)) * 100) / 100

/** The supplier's number identifies the supplier; without one, a name among the first lines. */
function memoryFor(
  memories: readonly PaperMemory[],
  taxId: string | undefined,
  lines: readonly Line[],
): PaperMemory | undefined {
  const byNumber = taxId && memories.find((one) => one.taxId === taxId)
  if (byNumber) return byNumber
  if (taxId) return undefined
  const head = fold(
    lines
      .slice(0, 8)
      .map((line) => textOf(line.tokens))
      .join(' '),
  )
  return memories.find((one) => one.name && one.name.length >= 4 && head.includes(fold(one.name)))
}

function remembered(memory: PaperMemory | undefined): Fact<string> | undefined {
  return memory?.name ? { value: memory.name, confidence: 0.96, reason: 'memory', tokens: [] } : undefined
}

/** Adds to an amount at the earlier position of this supplier's total. */
function spotsNear(memory: PaperMemory | undefined, pages: readonly PaperPage[]) {
  const spots = memory?.spots
  return (sum: Sum, role: MoneyRole): number => {
    const spot = role === 'other' ? undefined : spots?.[role]
    const here = spot && spotOf(sum.tokens, pages)[0]
    return here && here.page === spot.page ? closeness(here, spot) * 0.8 : 0
  }
}

const closeness = (a: Spot, b: Spot): number => {
  const far = Math.hypot(a.x + a.w - (b.x + b.w), a.y - b.y)
  return far > 60 ? 0 : 1 - far / 60
}

/** The currency by the total, else the most frequent one; shekels where none is printed. */
function currencyOf(lines: readonly Line[], sums: readonly Sum[], total: Picked | undefined): Guess<string> {
  const beside = sums.find((sum) => sum.tokens === total?.tokens)?.currency
  if (beside) return { value: beside, confidence: 0.95, reason: 'label', spots: [] }
  const counts = new Map<string, number>()
  for (const line of lines)
    for (const token of line.tokens) {
      const currency = currencyIn(token.text)
      if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1)
    }
  const most = [...counts].toSorted((a, b) => b[1] - a[1])[0]
  return most
    ? { value: most[0], confidence: 0.8, reason: 'label', spots: [] }
    : { value: 'ILS', confidence: 0.7, reason: 'position', spots: [] }
}
