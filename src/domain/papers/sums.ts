import type { Day } from '../day.ts'
import { timesRate, type Agorot } from '../money.ts'
import { vatTolerance } from '../vat/bills.ts'
import { vatRateOn, vatRatesBefore } from '../vat/rates.ts'
import { currencyIn, readFigure, type Figure } from './figures.ts'
import { readDay } from './days.ts'
import type { Found, Role } from './labels.ts'
import { grouped } from './letters.ts'
import type { Line, Token } from './lines.ts'
import type { Reason } from './proposal.ts'

/** An amount and its position on the bill. */
export interface Sum extends Figure {
  readonly tokens: readonly Token[]
  readonly line: Line
  /** Its place in the order of lines, 0 at the top of the first page and 1 at the end of the last. */
  readonly depth: number
  readonly scores: Partial<Record<MoneyRole, number>>
}

export type MoneyRole = 'total' | 'net' | 'vat' | 'prepaid' | 'other'
const moneyRoles: readonly Role[] = ['total', 'net', 'vat', 'prepaid', 'other']

export interface Sums {
  readonly total: Picked
  /** Absent, as the VAT, where the bill says nothing of VAT: not found is not zero. */
  readonly net: Picked | undefined
  readonly vat: Picked | undefined
  readonly prepaid: Picked | undefined
}
export interface Picked {
  readonly agorot: Agorot
  readonly confidence: number
  readonly reason: Reason
  readonly tokens: readonly Token[]
}

/** Every number that may be a sum, with what the labels around it say. */
export function sumsOf(lines: readonly Line[], labels: readonly Found[], taken: ReadonlySet<Token>): Sum[] {
  const labelled = new Set(labels.filter((label) => label.role !== 'number').flatMap((label) => label.tokens))
  const sums: Sum[] = lines.flatMap((line, index) => {
    const depth = lines.length < 2 ? 1 : index / (lines.length - 1)
    return figuresIn(line, taken, labelled).map(({ figure, tokens }) => ({
      ...figure,
      tokens,
      line,
      depth,
      scores: {},
    }))
  })
  const money = labels.filter((label) => moneyRoles.includes(label.role))
  for (const label of money)
    for (const [sum, near] of valuesOf(label, sums, money))
      give(sum, label.role as MoneyRole, label.weight * near)
  return sums
}

const give = (sum: Sum, role: MoneyRole, score: number) =>
  void (sum.scores[role] = Math.max(sum.scores[role] ?? 0, score))

function figuresIn(
  line: Line,
  taken: ReadonlySet<Token>,
  labelled: ReadonlySet<Token>,
): { figure: Figure; tokens: Token[] }[] {
  const row = line.tokens.toSorted((a, b) => a.x - b.x)
  const out: { figure: Figure; tokens: Token[] }[] = []
  for (let at = 0; at < row.length; at++) {
    const token = row[at]!
    if (taken.has(token) || labelled.has(token) || readDay(token.text) || !/\d/.test(token.text)) continue
    if (/%/.test(token.text) || /^%$/.test(row[at + 1]?.text ?? '') || /^%$/.test(row[at - 1]?.text ?? ''))
      continue
    const beside = currencyIn(row[at + 1]?.text ?? '') ?? currencyIn(row[at - 1]?.text ?? '')
    // A machine may part '1,234.56' into '1,234' and '.56', or '12 345.00' into two.
    const next = row[at + 1]
    if (next && !taken.has(next) && next.x - (token.x + token.w) < token.h * 0.7) {
      const glued = token.text + next.text
      const parted =
        /[.,]$/.test(token.text) ||
        /^[.,]\d{2}\D?$/.test(next.text) ||
        (/^₪?-?\d{1,3}$/.test(token.text) && /^\d{3}[.,]\d{2}\D?$/.test(next.text))
      const figure = parted && /\d/.test(next.text) ? readFigure(glued) : undefined
      if (figure) {
        out.push({
          figure: { ...figure, sure: figure.sure * 0.9, currency: figure.currency ?? beside },
          tokens: [token, next],
        })
        at++
        continue
      }
    }
    const figure = readFigure(token.text)
    if (!figure) continue
    // Long numbers without agorot are numbers of something.
    if (!figure.decimals && !figure.currency && !beside && /^\D*\d{7,}\D*$/.test(token.text)) continue
    const withCurrency = { ...figure, currency: figure.currency ?? beside }
    out.push({ figure: withCurrency, tokens: [token] })
    // A point that the machine did not see: '123456' for '1234.56'. A weak second thought that only
    // arithmetic can raise.
    if (!figure.decimals && /^\d{4,8}$/.test(token.text.replace(/\D/g, '')) && token.confidence < 1)
      out.push({
        figure: { ...withCurrency, agorot: figure.agorot / 100, decimals: true, sure: 0.35 },
        tokens: [token],
      })
  }
  return out
}

/**
 * The amounts a label may mean, each with its nearness (0 to 1): beside it on the line, or below it in its column.
 */
function valuesOf(label: Found, sums: readonly Sum[], labels: readonly Found[]): [Sum, number][] {
  const { line } = label
  const first = Math.min(...label.tokens.map((t) => t.x))
  const last = Math.max(...label.tokens.map((t) => t.x + t.w))
  const reach: [Sum, number][] = []
  const sameLine = sums.filter((sum) => sum.line === line)
  for (const side of ['left', 'right'] as const) {
    const after = side === 'left' ? line.isHebrew : !line.isHebrew
    const there = sameLine
      .filter((sum) => (side === 'left' ? sum.tokens[0]!.x < first : sum.tokens[0]!.x > last - 1))
      .toSorted((a, b) =>
        side === 'left' ? b.tokens[0]!.x - a.tokens[0]!.x : a.tokens[0]!.x - b.tokens[0]!.x,
      )
    // The amount is after other numbers ('VAT 18% of 1,000.00 180.00'): the farthest counts for as much as the nearest,
    // the others for less.
    const fence = labels
      .filter((other) => other !== label && other.line === line)
      .map((other) => other.tokens[0]!.x)
    const open = there.filter(
      (sum) =>
        !fence.some((x) =>
          side === 'left' ? x < first && x > sum.tokens[0]!.x : x > last && x < sum.tokens[0]!.x,
        ),
    )
    open.forEach((sum, index) => {
      const isEnd = index === 0 || index === open.length - 1
      reach.push([sum, (after ? 1 : 0.6) * (isEnd ? 1 : 0.5) * (sum.decimals || sum.currency ? 1 : 0.6)])
    })
  }
  if (reach.length > 0) return reach
  // Below: the nearest in the column that the label heads.
  const below = sums
    .filter(
      (sum) =>
        sum.line.page === line.page &&
        sum.line.top >= line.bottom - line.height * 0.3 &&
        sum.line.top - line.bottom < line.height * 4,
    )
    .filter((sum) => {
      const [x, right] = [sum.tokens[0]!.x, sum.tokens.at(-1)!.x + sum.tokens.at(-1)!.w]
      return right > first - line.height && x < last + line.height
    })
    .toSorted((a, b) => a.line.top - b.line.top)
  const nearest = below[0]
  return nearest
    ? below
        .filter((sum) => sum.line === nearest.line)
        .map((sum) => [sum, sum.decimals || sum.currency ? 0.65 : 0.35])
    : []
}

interface Choice {
  score: number
  total: Sum | undefined
  net: Sum | undefined
  vat: Sum | undefined
  amounts: { total: Agorot; net: Agorot; vat: Agorot }
  arithmetic: boolean
}

/**
 * Chooses net, VAT and total together: what the labels say, weighed with whether net + VAT = total at the
 * rate of the day. A figure that is misread fits no sum, so that arithmetic mends most mistakes of the
 * reading.
 */
export function chooseSums(
  sums: readonly Sum[],
  options: {
    day: Day
    vatFree: boolean
    /** Whether the bill names VAT anywhere: without that none is worked out of a total. */
    namesVat: boolean
    near?: (sum: Sum, role: MoneyRole) => number
  },
): Sums | undefined {
  const rate = vatRateOn(options.day)
  // The day may be misread, and a bill late: its rate may be an earlier one.
  const rates = [...new Set([rate, ...vatRatesBefore(options.day)])]
  const candidates = best(
    sums.filter((sum) => sum.agorot !== 0),
    options.near,
  )
  const zeroVat = sums.find((sum) => sum.agorot === 0 && (sum.scores.vat ?? 0) >= 0.5)
  const prepaid = prepaidIn(sums)
  // Where nearly all figures show agorot, one without them is a quantity, a number of something, or half
  // seen.
  const bare = candidates.filter((c) => !c.sum.decimals).length
  const barePenalty = bare > 0 && bare < candidates.length * 0.4 ? 0.7 : 0
  const largest = Math.max(...candidates.map((c) => c.sum.agorot), 0)
  const choices: Choice[] = []
  /** What is left to pay of it after what was paid ahead is printed too. */
  const leavesRest = (agorot: Agorot) =>
    prepaid !== undefined &&
    prepaid.agorot < agorot &&
    candidates.some((c) => c.sum.agorot === agorot - prepaid.agorot && c.total > 0.5)
  const asTotal = (c: Candidate) =>
    (leavesRest(c.sum.agorot) ? 1.5 : 0) +
    c.total * 1.6 +
    c.sum.depth * 0.35 +
    (c.sum.agorot === largest ? 0.3 : 0) +
    (c.sum.decimals ? 0.15 : -barePenalty) +
    (c.sum.currency ? 0.1 : 0) +
    c.sum.sure * 0.4 -
    c.other * 0.8 -
    (c.net > c.total ? 0.4 : 0) -
    (c.vat > c.total ? 0.6 : 0)
  const byValue = grouped(candidates, (c) => c.sum.agorot)
  for (const total of candidates) {
    const base = asTotal(total)
    const only = { net: total.sum.agorot, vat: 0 }
    if (options.vatFree)
      choices.push({
        score: base + 0.35,
        total: total.sum,
        net: undefined,
        vat: undefined,
        amounts: { total: total.sum.agorot, ...only },
        arithmetic: false,
      })
    if (zeroVat)
      choices.push({
        // The same figure before VAT and after it says once more that there is none.
        score: base + 0.9 + (total.net > 0.4 ? 0.55 + total.net * 0.7 : 0.1),
        total: total.sum,
        net: total.net > 0.4 ? total.sum : undefined,
        vat: zeroVat,
        amounts: { total: total.sum.agorot, ...only },
        arithmetic: total.net > 0.4,
      })
    const fromRate = withoutVat(total.sum.agorot, rate)
    choices.push({
      score: base,
      total: total.sum,
      net: undefined,
      vat: undefined,
      amounts: { total: total.sum.agorot, ...fromRate },
      arithmetic: false,
    })
    for (const net of candidates) {
      const vatAmount = total.sum.agorot - net.sum.agorot
      if (vatAmount < 0 || net.sum === total.sum) continue
      const isRate = rates.some(
        (r) => Math.abs(timesRate(net.sum.agorot, r, 'halfAwayFromZero') - vatAmount) <= 3,
      )
      if (vatAmount === 0) continue
      // The VAT is what is printed beside its label, also where it was rounded otherwise than the total.
      const printed =
        byValue.get(vatAmount) ??
        candidates.filter((c) => c.vat > 0.5 && Math.abs(c.sum.agorot - vatAmount) <= roundedApart)
      for (const vat of [...printed, undefined]) {
        if (vat && (vat.sum === total.sum || vat.sum === net.sum)) continue
        // Without the rate the three must be called by their names: any three numbers add up now and then.
        if (
          !isRate &&
          !(vat && vat.vat > 0.4 && (net.net > 0.4 || total.total > 0.4) && vatAmount < net.sum.agorot * 0.2)
        )
          continue
        if (!vat && !(isRate && (net.net > 0.3 || total.total > 0.3))) continue
        const fit = (vat ? 0.9 : 0.35) + (isRate ? 0.55 : 0)
        choices.push({
          score:
            base +
            fit +
            net.net * 0.7 +
            (vat?.vat ?? 0) * 0.7 +
            net.sum.sure * 0.1 +
            (vat?.sum.sure ?? 0) * 0.1,
          total: total.sum,
          net: net.sum,
          vat: vat?.sum,
          amounts: {
            total: total.sum.agorot,
            net: total.sum.agorot - (vat?.sum.agorot ?? vatAmount),
            vat: vat?.sum.agorot ?? vatAmount,
          },
          arithmetic: !!vat || isRate,
        })
      }
    }
    for (const vat of candidates) {
      const net = total.sum.agorot - vat.sum.agorot
      if (vat.vat < 0.3 || vat.sum === total.sum || net <= 0) continue
      const isRate = rates.some((r) => Math.abs(timesRate(net, r, 'halfAwayFromZero') - vat.sum.agorot) <= 3)
      const small = vat.sum.agorot < net * 0.2
      if (!isRate && !small) continue
      choices.push({
        score: base + (isRate ? 0.75 : 0.05) + vat.vat * 0.6,
        total: total.sum,
        net: undefined,
        vat: vat.sum,
        amounts: { total: total.sum.agorot, net, vat: vat.sum.agorot },
        arithmetic: isRate,
      })
    }
  }
  // The total itself was misread, but net and VAT agree.
  for (const net of candidates)
    for (const vat of candidates) {
      if (net.sum === vat.sum) continue
      const isNamed = net.net >= 0.5 && vat.vat >= 0.5
      if (!isNamed && !followEachOther(net.sum, vat.sum)) continue
      if (
        !rates.some((r) => Math.abs(timesRate(net.sum.agorot, r, 'halfAwayFromZero') - vat.sum.agorot) <= 2)
      )
        continue
      // What is called the total may contain amounts without VAT as well; only one that is too small cannot be right.
      if (candidates.some((c) => c.total >= 0.8 && c.sum.agorot >= net.sum.agorot + vat.sum.agorot)) continue
      choices.push({
        score: (isNamed ? 1.7 : 2.55) + net.net * 0.9 + vat.vat * 0.9 + net.sum.depth * 0.2,
        total: undefined,
        net: net.sum,
        vat: vat.sum,
        amounts: { total: net.sum.agorot + vat.sum.agorot, net: net.sum.agorot, vat: vat.sum.agorot },
        arithmetic: true,
      })
    }
  const chosen = choices.reduce<Choice | undefined>(
    (top, one) => (!top || one.score > top.score ? one : top),
    undefined,
  )
  return chosen && sumsOfChoice(chosen, candidates, { ...options, rate, prepaid })
}

/** The smallest net that says anything by its VAT alone: of small amounts too many fit. */
const leastTelling: Agorot = 100_00

/** A VAT on the line under its net, both with their agorot: their labels may be misread. */
const followEachOther = (net: Sum, vat: Sum): boolean =>
  net.decimals &&
  vat.decimals &&
  net.agorot >= leastTelling &&
  net.line.page === vat.line.page &&
  vat.line.top > net.line.top &&
  vat.line.top - net.line.bottom < net.line.height * 2.5

/** Net and VAT that were rounded apart differ from the total by an agora or two. */
const roundedApart: Agorot = 2

const prepaidIn = (sums: readonly Sum[]): Sum | undefined =>
  sums
    .filter((sum) => sum.agorot > 0 && (sum.scores.prepaid ?? 0) >= 0.5)
    .toSorted((a, b) => b.scores.prepaid! - a.scores.prepaid!)[0]

interface Candidate {
  sum: Sum
  total: number
  net: number
  vat: number
  other: number
}

/**
 * The candidate amounts, the same value once with all its evidence: most bills print the total several times.
 */
function best(sums: readonly Sum[], near?: (sum: Sum, role: MoneyRole) => number): Candidate[] {
  const groups = grouped(
    sums.filter(
      (sum) => sum.decimals || sum.currency || Object.keys(sum.scores).some((role) => role !== 'other'),
    ),
    (sum) => `${sum.agorot}:${sum.sure < 0.5}`,
  )
  const said = (sum: Sum, role: MoneyRole) => (sum.scores[role] ?? 0) + (near?.(sum, role) ?? 0)
  return [...groups.values()]
    .map((group) => {
      const most = (role: MoneyRole) => Math.max(...group.map((sum) => said(sum, role)))
      const shown = group.reduce((top, sum) =>
        said(sum, 'total') + said(sum, 'net') + said(sum, 'vat') + sum.depth * 0.01 >
        said(top, 'total') + said(top, 'net') + said(top, 'vat') + top.depth * 0.01
          ? sum
          : top,
      )
      // A sum that is somewhere called the total is not spoilt by standing in a column of prices as well.
      const total = most('total')
      return {
        sum: { ...shown, depth: Math.max(...group.map((s) => s.depth)) },
        total,
        net: most('net'),
        vat: most('vat'),
        other: total >= 0.5 ? 0 : Math.max(most('other'), most('prepaid')),
      }
    })
    .toSorted(
      (a, b) => b.total + b.net + b.vat + b.sum.depth * 0.5 - (a.total + a.net + a.vat + a.sum.depth * 0.5),
    )
    .slice(0, 60)
}

function withoutVat(total: Agorot, rate: number): { net: Agorot; vat: Agorot } {
  const net = Math.round((total * 10_000) / (10_000 + rate))
  return { net, vat: total - net }
}

function sumsOfChoice(
  choice: Choice,
  candidates: readonly Candidate[],
  known: { vatFree: boolean; namesVat: boolean; rate: number; prepaid: Sum | undefined },
): Sums {
  const { vatFree, prepaid } = known
  const label = (sum: Sum | undefined, role: 'total' | 'net' | 'vat') =>
    candidates.find((c) => c.sum === sum)?.[role] ?? 0
  const eye = (sum: Sum | undefined) =>
    sum ? Math.min(...sum.tokens.map((t) => t.confidence)) * sum.sure : 1
  const three = !!choice.total && !!choice.net && !!choice.vat
  const pick = (role: 'total' | 'net' | 'vat'): Picked => {
    const sum = choice[role]
    const most = agreesWithRate(choice, known.rate) ? 1 : doubted
    const said = label(sum, role)
    const base =
      three && choice.arithmetic
        ? 0.97
        : choice.arithmetic
          ? 0.85
          : sum
            ? 0.45 + 0.35 * Math.min(said, 1)
            : vatFree
              ? 0.7
              : 0.4
    // Three figures that add up vouch for one another however badly each was seen.
    const confidence = Math.min(
      most,
      three && choice.arithmetic ? base * (0.9 + 0.1 * eye(sum)) : base * (0.6 + 0.4 * eye(sum)),
    )
    return {
      agorot: choice.amounts[role],
      confidence,
      reason: !sum
        ? 'computed'
        : choice.arithmetic
          ? said > 0.3
            ? 'labelAndArithmetic'
            : 'arithmetic'
          : said > 0.3
            ? 'label'
            : 'position',
      tokens: sum?.tokens ?? [],
    }
  }
  const isFound = choice.net || choice.vat || known.namesVat || vatFree
  return {
    total: pick('total'),
    net: isFound ? pick('net') : undefined,
    vat: isFound ? pick('vat') : undefined,
    prepaid:
      prepaid && prepaid.agorot <= choice.amounts.total
        ? {
            agorot: prepaid.agorot,
            confidence: 0.9 * (0.6 + 0.4 * eye(prepaid)),
            reason: 'label',
            tokens: prepaid.tokens,
          }
        : undefined,
  }
}

/** Below what a screen shows without a question. */
const doubted = 0.8

/**
 * Net, VAT and total agree with each other and with the rate of the day; in another currency, or with a printed zero,
 * with each other.
 */
function agreesWithRate(choice: Choice, rate: number): boolean {
  const { total, net, vat } = choice.amounts
  // A total that is printed nowhere was worked out of the others.
  if (!choice.total) return false
  if (Math.abs(net + vat - total) > roundedApart) return false
  if (vat === 0) return true
  const currency = choice.total?.currency ?? choice.net?.currency
  if (currency && currency !== 'ILS') return choice.arithmetic
  return Math.abs(timesRate(net, rate, 'halfAwayFromZero') - vat) <= vatTolerance
}
