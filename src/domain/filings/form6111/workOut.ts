import type { AccountKind } from '../../ledger/chart.ts'
import type { Agorot } from '../../money.ts'
import type { FormCode, FormPart } from './codes.ts'
import { countsCredit, mayBeNegative, partOf, sideOf, totalsOf } from './sums.ts'

/**
 * What an account says of a year; debit positive. A control account comes in two: cards in debit, cards in
 * credit.
 */
export interface FormAccount {
  id: string
  number: string
  name: string
  kind: AccountKind
  /** Of form 6111; 0 when the account has none. */
  code: number
  /** Movements of the year, and the balance at its beginning and its end. */
  year: Agorot
  start: Agorot
  end: Agorot
}

export interface FormLine {
  code: number
  /** Whole shekels. */
  shekels: number
  isTotal: boolean
  /** The accounts it is made of, each with its part by the line's own sign. */
  accounts: { account: FormAccount; agorot: Agorot }[]
}

export interface FormProblem {
  code: 'noCode' | 'unknownCode' | 'wrongPart' | 'negative'
  account?: FormAccount
  line?: number
  shekels: number
}

export interface Form6111 {
  lines: Record<FormPart, FormLine[]>
  problems: FormProblem[]
  /** What must hold of the form, in whole shekels. */
  identities: { name: 'balanced' | 'stock' | 'profit'; left: number; right: number; ok: boolean }[]
}

const shekelsOf = (agorot: Agorot): number => Math.sign(agorot) * Math.round(Math.abs(agorot) / 100)
const isResult = (kind: AccountKind): boolean => kind === 'income' || kind === 'expense'

/**
 * The form of a year from its codes and the accounts. Each line is rounded to a whole shekel separately and the
 * totals add up rounded lines; the balance sheet's rounding goes to the accumulated profit. Profit of earlier years
 * that no entry closed is included there.
 */
export function workOut6111(
  codes: readonly FormCode[],
  accounts: readonly FormAccount[],
  adjustments: Readonly<Record<number, number>> = {},
): Form6111 {
  const known = new Set(codes.map(({ code }) => code))
  const totals = totalsOf(codes)
  const isTotal = new Set(totals.map(({ code }) => code))
  const agorot = new Map<number, Agorot>()
  const madeOf = new Map<number, FormLine['accounts']>()
  const add = (account: FormAccount, debit: Agorot) => {
    const { code } = account
    const signed = countsCredit(code) ? -debit : debit
    const to = sideOf(code, signed < 0)
    // On the other side the same debit counts by that line's own sign.
    const part = countsCredit(to) ? -debit : debit
    agorot.set(to, (agorot.get(to) ?? 0) + part)
    madeOf.set(to, [...(madeOf.get(to) ?? []), { account, agorot: part }])
  }
  const problems: FormProblem[] = []
  let accumulated = 0
  let openingStock = 0
  for (const account of accounts) {
    const result = isResult(account.kind)
    if (result) accumulated += account.end
    if (account.code >= 7800 && account.code < 7900) openingStock += account.start
    const amount = result ? account.year : account.end
    if (!amount) continue
    const said = { account, shekels: shekelsOf(amount) }
    if (!account.code) problems.push({ code: 'noCode', ...said })
    else if (!known.has(account.code) || isTotal.has(account.code))
      problems.push({ code: 'unknownCode', ...said })
    else if ((partOf(account.code) === 'profitAndLoss') !== result)
      problems.push({ code: 'wrongPart', ...said })
    else add(account, amount)
  }
  agorot.set(9980, (agorot.get(9980) ?? 0) - accumulated)
  // The books keep the change of the stock; the form asks for both ends of it.
  if (!agorot.get(1400) && (openingStock || agorot.get(1450))) {
    agorot.set(1400, openingStock)
    agorot.set(1450, (agorot.get(1450) ?? 0) + openingStock)
  }
  const shekels = new Map([...agorot].map(([code, sum]) => [code, shekelsOf(sum)]))
  for (const [code, sum] of Object.entries(adjustments))
    if (partOf(Number(code)) === 'taxAdjustment') shekels.set(Number(code), sum)

  const at = (code: number) => shekels.get(code) ?? 0
  const addUp = () => {
    for (const { code, of } of totals)
      shekels.set(
        code,
        of.reduce((sum, one) => sum + Math.sign(one) * at(Math.abs(one)), 0),
      )
  }
  addUp()
  const off = at(8888) - at(9999)
  if (off && Math.abs(off) <= agorot.size) {
    shekels.set(9980, at(9980) + off)
    addUp()
  }
  for (const [code, sum] of shekels)
    if (sum < 0 && !mayBeNegative(code) && !isTotal.has(code))
      problems.push({ code: 'negative', line: code, shekels: sum })

  const lines: Form6111['lines'] = { profitAndLoss: [], taxAdjustment: [], balanceSheet: [] }
  // What every form has, even of a business that stood still.
  const always = new Set([6666, 100, 400, 500, 8888, 9999])
  for (const { code, part } of codes)
    if (at(code) || always.has(code))
      lines[part].push({
        code,
        shekels: at(code),
        isTotal: isTotal.has(code),
        accounts: madeOf.get(code) ?? [],
      })
  const identity = (name: Form6111['identities'][number]['name'], left: number, right: number) => ({
    name,
    left,
    right,
    ok: left === right,
  })
  return {
    lines,
    problems,
    identities: [
      identity('balanced', at(8888), at(9999)),
      identity('stock', at(7800), at(1450) + at(2095)),
      identity('profit', at(100), at(6666)),
    ],
  }
}
