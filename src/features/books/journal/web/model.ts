import { balance } from '#domain/ledger/entry.ts'
import { entriesOf, faultOf, postingsOf, splitVat, sumsOf, type Movement } from '#domain/ledger/movement.ts'
import type { Agorot } from '#domain/money.ts'
import type { Day } from '#domain/day.ts'
import type { JournalFacts, JournalLine, LineInput } from '../endpoints.ts'

/** A line as it is typed. */
export interface Draft {
  id: string
  position: number
  kindId: string | null
  day: Day
  valueDay: Day | null
  reference: string
  details: string
  debitAccountId: string | null
  creditAccountId: string | null
  amountAgorot: Agorot | null
  vatCodeId: string | null
  vatAgorot: Agorot | null
  projectId: string | null
  currency: string | null
  foreignAgorot: Agorot | null
}

/**
 * UUIDv7, made here so that a line has its name before the server has seen it; randomUUID is missing without
 * TLS.
 */
export function newLineId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const now = Date.now()
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) % 256
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const draftOf = (line: JournalLine): Draft => ({
  id: line.id,
  position: line.position,
  kindId: line.kindId,
  day: line.day,
  valueDay: line.valueDay,
  reference: line.reference,
  details: line.details,
  debitAccountId: line.debitAccountId,
  creditAccountId: line.creditAccountId,
  amountAgorot: line.amountAgorot,
  vatCodeId: line.vatCodeId,
  vatAgorot: line.vatAgorot,
  projectId: line.projectId,
  currency: line.currency,
  foreignAgorot: line.foreignAgorot,
})

export const inputOf = (draft: Draft): LineInput => ({ ...draft, amountAgorot: draft.amountAgorot ?? 0 })

/** The lines as the server has them once it kept some of them. */
export function withLines(
  rows: readonly JournalLine[],
  put: readonly Draft[],
  drop: readonly string[],
): JournalLine[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const line of put) byId.set(line.id, { ...line, amountAgorot: line.amountAgorot ?? 0, entryId: null })
  for (const one of drop) byId.delete(one)
  return [...byId.values()].toSorted((left, right) => left.position - right.position)
}

export function movementOf(draft: Draft, facts: JournalFacts): Movement {
  const code = facts.vatCodes.find((one) => one.id === draft.vatCodeId)
  return {
    day: draft.day,
    debit: draft.debitAccountId,
    credit: draft.creditAccountId,
    amount: draft.amountAgorot ?? 0,
    vatCode: code ? { ...code, account: code.accountId } : null,
    vat: draft.vatAgorot,
    // Which of its accounts move the currency is the server's to say.
    foreign:
      draft.currency === null && draft.foreignAgorot === null
        ? null
        : { currency: draft.currency ?? '', amount: draft.foreignAgorot ?? 0, debit: false, credit: false },
  }
}

/** The footer: both sides, and what the entry that is being typed still lacks. */
export function standing(lines: readonly Draft[], facts: JournalFacts) {
  const movements = lines.map((line) => movementOf(line, facts))
  const { entries } = entriesOf(movements)
  return { ...sumsOf(movements), entries: entries.length, open: entries.at(-1)?.difference ?? 0 }
}

/**
 * The next line: the kind and the day of the last one, and when its entry is not closed yet, its reference
 * and the sum that closes it. A kind brings its accounts and its VAT code.
 */
export function nextDraft(lines: readonly Draft[], facts: JournalFacts, today: Day): Draft {
  const last = lines.at(-1)
  const { open } = last ? standing(lines, facts) : { open: 0 }
  const begun: Draft = {
    id: newLineId(),
    position: (last?.position ?? -1) + 1,
    kindId: null,
    day: last?.day ?? today,
    valueDay: null,
    reference: '',
    details: '',
    debitAccountId: null,
    creditAccountId: null,
    amountAgorot: null,
    vatCodeId: null,
    vatAgorot: null,
    projectId: null,
    currency: null,
    foreignAgorot: null,
  }
  if (last && open !== 0)
    return {
      ...begun,
      reference: last.reference,
      details: last.details,
      projectId: last.projectId,
      amountAgorot: Math.abs(open),
    }
  return last?.kindId ? withKind(begun, last.kindId, facts) : begun
}

/** A kind of movement fills what it knows. */
export function withKind(draft: Draft, kindId: string | null, facts: JournalFacts): Draft {
  const kind = facts.kinds.find((one) => one.id === kindId)
  if (!kind) return { ...draft, kindId: null }
  return {
    ...draft,
    kindId,
    debitAccountId: kind.debitAccountId ?? draft.debitAccountId,
    creditAccountId: kind.creditAccountId ?? draft.creditAccountId,
    vatCodeId: kind.vatCodeId,
    vatAgorot: null,
    details: draft.details === '' ? kind.details : draft.details,
  }
}

export type Cell = Exclude<keyof Draft, 'id' | 'position'>

const cellOfFault = {
  noAccount: 'debitAccountId',
  sameAccount: 'creditAccountId',
  noAmount: 'amountAgorot',
  vatTooMuch: 'vatAgorot',
  noVatAccount: 'vatCodeId',
  noForeign: 'foreignAgorot',
  otherDay: 'day',
  open: 'amountAgorot',
} as const

/** What is wrong with the line that is typed, before it is sent: the word of the error by its cell. */
export function faultsOf(
  draft: Draft,
  facts: JournalFacts,
): Partial<Record<Cell, { code: string; number?: string }>> {
  const faults: Partial<Record<Cell, { code: string; number?: string }>> = {}
  const fault = faultOf(movementOf(draft, facts))
  if (fault) faults[cellOfFault[fault]] = { code: `journal.${fault}` }
  for (const cell of ['debitAccountId', 'creditAccountId'] as const) {
    const account = facts.accounts.find((one) => one.id === draft[cell])
    if (account?.control)
      faults[cell] = {
        code: account.control === 'customers' ? 'journal.controlCustomers' : 'journal.controlSuppliers',
        number: account.number,
      }
  }
  return faults
}

/**
 * What lines that are not in the books yet would move an account until a day: debit less credit. `since` is
 * the first day that counts.
 */
export function movedBy(
  account: string,
  lines: readonly Draft[],
  facts: JournalFacts,
  { since, day }: { since: Day | null; day: Day },
): Agorot {
  // It is asked at every key: lines that do not touch the account are not worked out.
  const codes = new Set(facts.vatCodes.filter((code) => code.accountId === account).map(({ id }) => id))
  const touches = (line: Draft) =>
    line.debitAccountId === account ||
    line.creditAccountId === account ||
    (line.vatCodeId !== null && codes.has(line.vatCodeId))
  const movements = lines
    .filter((line) => line.day <= day && (since === null || line.day >= since) && touches(line))
    .map((line) => movementOf(line, facts))
    .filter((one) => faultOf(one) === undefined)
  return balance(movements.flatMap(postingsOf).filter((one) => one.account === account))
}

/** The VAT of a line as it will be posted. */
export const vatOf = (draft: Draft, facts: JournalFacts): Agorot => splitVat(movementOf(draft, facts)).vat
