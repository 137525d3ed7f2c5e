import { isDay, type Day } from '../../day.ts'
import { sum, type Agorot } from '../../money.ts'
import { isBankDay } from '../../bankDays.ts'
import {
  codes,
  detail,
  end,
  header,
  recordLength,
  total,
  type Code,
  type Direction,
  type LayoutField,
} from './layout.ts'
import { nameBytes, nameFrom } from './letters.ts'

export interface Payment {
  /** Two digits at most, as on cheques. */
  bank: string
  branch: string
  /** Digits; dashes and spaces are left out. */
  account: string
  /** Nine digits, or empty. */
  taxId: string
  name: string
  amountAgorot: Agorot
  /** Up to twenty digits: what the bank sends back with a payment that returns. */
  reference: string
}

export interface MasavFile {
  direction: Direction
  /** Eight digits, given by the centre. */
  institution: string
  /** Five digits, of the person who brings the file. */
  sender: string
  name: string
  payDay: Day
  madeOn: Day
  serial: number
  code: Code
  payments: Payment[]
}

export interface Problem {
  /** Of the payments, counted from 0; none when it is the file's own. */
  row?: number
  field:
    | 'institution'
    | 'sender'
    | 'name'
    | 'payDay'
    | 'bank'
    | 'branch'
    | 'account'
    | 'taxId'
    | 'amount'
    | 'reference'
    | 'payments'
  code: 'need' | 'notDigits' | 'tooLong' | 'beforeMade' | 'notBankingDay' | 'notPositive'
}

const onlyDigits = (text: string): string => text.replace(/[\s\-/]/g, '')

/** What the centre would refuse, told before a file is written. */
export function problemsOf(file: MasavFile): Problem[] {
  const problems: Problem[] = []
  const number = (field: Problem['field'], text: string, most: number, row?: number, need = true) => {
    const at = row === undefined ? {} : { row }
    if (text === '') {
      if (need) problems.push({ ...at, field, code: 'need' })
    } else if (!/^\d+$/.test(text)) problems.push({ ...at, field, code: 'notDigits' })
    else if (text.length > most) problems.push({ ...at, field, code: 'tooLong' })
  }
  number('institution', file.institution, 8)
  number('sender', file.sender, 5)
  if (file.name.trim() === '') problems.push({ field: 'name', code: 'need' })
  if (file.payDay < file.madeOn) problems.push({ field: 'payDay', code: 'beforeMade' })
  else if (!isBankDay(file.payDay)) problems.push({ field: 'payDay', code: 'notBankingDay' })
  if (file.payments.length === 0) problems.push({ field: 'payments', code: 'need' })
  file.payments.forEach((p, row) => {
    number('bank', p.bank, 2, row)
    number('branch', p.branch, 3, row)
    number('account', onlyDigits(p.account), 9, row)
    number('taxId', p.taxId, 9, row, false)
    number('reference', p.reference, 20, row, false)
    if (!Number.isSafeInteger(p.amountAgorot) || p.amountAgorot <= 0)
      problems.push({ row, field: 'amount', code: 'notPositive' })
    else if (String(p.amountAgorot).length > 13) problems.push({ row, field: 'amount', code: 'tooLong' })
  })
  return problems
}

type Values = Record<string, string>

function record(fields: readonly LayoutField[], values: Values, code: Code): number[] {
  return fields.flatMap(({ name, length, kind, fixed }) => {
    const value = values[name] ?? ''
    if (kind === 'name') return [...nameBytes(value, length, code)]
    const text =
      kind === 'fixed'
        ? fixed!
        : kind === 'day'
          ? value.slice(2, 4) + value.slice(5, 7) + value.slice(8)
          : value.padStart(length, '0')
    if (text.length !== length) throw new RangeError(`${name}: ${text} is not ${length} long`)
    return [...text].map((c) => c.charCodeAt(0))
  })
}

/**
 * The bytes of a file. RangeError when the centre would refuse it: the person who writes has asked `problemsOf`
 * before.
 */
export function buildMasav(file: MasavFile): Uint8Array {
  const [first] = problemsOf(file)
  if (first) throw new RangeError(`${first.field}: ${first.code}`)
  const { direction, code, institution, payDay } = file
  const serial = String(file.serial)
  const inAll = String(sum(file.payments.map((p) => p.amountAgorot)))
  const count = String(file.payments.length)
  const isCredit = direction === 'credit'
  const common = { institution, payDay, serial }
  const records = [
    record(header, { ...common, madeOn: file.madeOn, sender: file.sender, name: file.name }, code),
    ...file.payments.map((p) =>
      record(
        detail,
        {
          institution,
          bank: p.bank,
          branch: p.branch,
          account: onlyDigits(p.account),
          taxId: p.taxId,
          name: p.name,
          amount: String(p.amountAgorot),
          reference: p.reference,
          code: codes[direction],
        },
        code,
      ),
    ),
    record(
      total,
      {
        ...common,
        creditSum: isCredit ? inAll : '',
        debitSum: isCredit ? '' : inAll,
        credits: isCredit ? count : '',
        debits: isCredit ? '' : count,
      },
      code,
    ),
    [...end].map((c) => c.charCodeAt(0)),
  ]
  return Uint8Array.from(records.flatMap((bytes) => [...bytes, 13, 10]))
}

export interface Fault {
  /** Of the file, counted from 1. */
  line: number
  code:
    | 'length'
    | 'fixed'
    | 'notDigits'
    | 'notADay'
    | 'institution'
    | 'order'
    | 'count'
    | 'sum'
    | 'kind'
    | 'noEnd'
    | 'empty'
}

export interface ReadMasav extends Omit<MasavFile, 'code'> {
  code: Code
}

/**
 * Reads a file of one or several logical files, with everything that is wrong in it by line. Bytes above 0x7f
 * mean code B.
 */
export function readMasav(bytes: Uint8Array): { files: ReadMasav[]; faults: Fault[] } {
  const faults: Fault[] = []
  const code: Code = bytes.some((b) => b >= 0x80) ? 'B' : 'A'
  const files: ReadMasav[] = []
  let open: ReadMasav | undefined
  let ended = false
  const lines = split(bytes)
  if (lines.length === 0) faults.push({ line: 1, code: 'empty' })
  lines.forEach((bytesOfLine, i) => {
    const line = i + 1
    const say = (fault: Fault['code']) => faults.push({ line, code: fault })
    if (bytesOfLine.length !== recordLength) return void say('length')
    const text = String.fromCharCode(...bytesOfLine)
    if (text === end) {
      if (open) say('order')
      ended = true
      return
    }
    if (ended) return void say('order')
    const fields = { K: header, 1: detail, 5: total }[text[0]!]
    if (!fields) return void say('order')
    const values = valuesOf(fields, bytesOfLine, code, say)
    if (text[0] === 'K') {
      if (open) say('order')
      open = {
        direction: 'credit',
        institution: values.institution!,
        sender: values.sender!,
        name: values.name!,
        payDay: values.payDay!,
        madeOn: values.madeOn!,
        serial: Number(values.serial),
        code,
        payments: [],
      }
      return
    }
    if (!open) return void say('order')
    if (values.institution !== open.institution) say('institution')
    if (text[0] === '1') {
      const direction = values.code === codes.debit ? 'debit' : 'credit'
      if (values.code !== codes[direction] || (open.payments.length > 0 && direction !== open.direction))
        say('kind')
      open.direction = direction
      open.payments.push({
        bank: String(Number(values.bank)),
        branch: String(Number(values.branch)),
        account: values.account!.replace(/^0+/, ''),
        taxId: /^0+$/.test(values.taxId!) ? '' : values.taxId!,
        name: values.name!,
        amountAgorot: Number(values.amount),
        reference: values.reference!.replace(/^0+/, ''),
      })
      return
    }
    const isCredit = open.direction === 'credit'
    if (Number(isCredit ? values.credits : values.debits) !== open.payments.length) say('count')
    if (
      Number(isCredit ? values.creditSum : values.debitSum) !== sum(open.payments.map((p) => p.amountAgorot))
    )
      say('sum')
    files.push(open)
    open = undefined
  })
  if (lines.length > 0 && !ended) faults.push({ line: lines.length, code: 'noEnd' })
  return { files, faults }
}

function split(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  for (let i = 0; i <= bytes.length; i++) {
    if (i < bytes.length && bytes[i] !== 10) continue
    const to = bytes[i - 1] === 13 ? i - 1 : i
    if (to > from) lines.push(bytes.subarray(from, to))
    from = i + 1
  }
  return lines
}

function valuesOf(
  fields: readonly LayoutField[],
  line: Uint8Array,
  code: Code,
  say: (code: Fault['code']) => void,
): Values {
  const values: Values = {}
  let at = 0
  for (const { name, length, kind, fixed } of fields) {
    const bytes = line.subarray(at, at + length)
    at += length
    if (kind === 'name') {
      values[name] = nameFrom(bytes, code)
      continue
    }
    const text = String.fromCharCode(...bytes)
    if (kind === 'fixed') {
      if (text !== fixed) say('fixed')
    } else if (kind === 'digits') {
      if (!/^\d+$/.test(text)) say('notDigits')
      values[name] = text
    } else {
      const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`
      if (!isDay(day)) say('notADay')
      values[name] = day
    }
  }
  return values
}
