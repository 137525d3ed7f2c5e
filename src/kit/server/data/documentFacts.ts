import { sql, type RawBuilder } from 'kysely'
import { statusesThat, typesThat, type StatusFact, type TypeFact } from '#domain/documents/facts.ts'
import {
  documentStatusNames,
  documentTypes,
  vatKinds,
  type DocumentStatus,
  type DocumentTypeName,
} from '#domain/documents/kinds.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'

/*
 * Facts of documents as SQL: `where d.company_id = … and ${isIssued('d')} and ${isInvoice('d')}`. The meaning of
 * each is in `domain/documents/facts.ts`, under the same name. The fragments are plain text without parameters, so
 * that the planner proves the predicates of partial indexes from them; `documentFacts.test.ts` checks the text and
 * the plans.
 */

/** The names that queries give to `documents`. Fixed, because the name becomes part of the statement. */
export type Alias =
  | ''
  | 'c'
  | 'd'
  | 'down'
  | 'f'
  | 'i'
  | 'm'
  | 'o'
  | 'p'
  | 'r'
  | 's'
  | 'ss'
  | 'sss'
  | 't'
  | 'x'

type Condition = (alias?: Alias) => RawBuilder<boolean>

const column = (alias: Alias, name: string): string => (alias ? `${alias}.${name}` : name)
const list = (values: readonly (number | string)[]): string =>
  values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')

/** `column = 1`, or `column in (1, 2)`. */
const among = (name: string, values: readonly (number | string)[]): string =>
  values.length === 1 ? `${name} = ${list(values)}` : `${name} in (${list(values)})`
/** `column <> 1`, or `column not in (1, 2)`. */
const notAmong = (name: string, values: readonly (number | string)[]): string =>
  values.length === 1 ? `${name} <> ${list(values)}` : `${name} not in (${list(values)})`

const ofTypes =
  (fact: TypeFact): Condition =>
  (alias = '') =>
    sql.raw(among(column(alias, 'type'), typesThat(fact)))
const notOfTypes =
  (fact: TypeFact): Condition =>
  (alias = '') =>
    sql.raw(notAmong(column(alias, 'type'), typesThat(fact)))

export const isInvoice = ofTypes('isInvoice')
export const isNotInvoice = notOfTypes('isInvoice')
export const isCredit = ofTypes('isCredit')
export const isNotCredit = notOfTypes('isCredit')
export const isInvoiceOrCredit = ofTypes('isInvoiceOrCredit')
export const isVatDocument = ofTypes('isVatDocument')
export const isOnAccount = ofTypes('isOnAccount')
export const isPaidInvoice = ofTypes('isPaidInvoice')
export const isSelfBilled = ofTypes('isSelfBilled')
export const isReceipt = ofTypes('isReceipt')
export const isPayment = ofTypes('isPayment')
export const isDonation = ofTypes('isDonation')
export const mayBeIncome = ofTypes('mayBeIncome')
export const asks = ofTypes('asks')
export const doesNotAsk = notOfTypes('asks')
export const isInCustomersFavour = ofTypes('isInCustomersFavour')
export const movesGoods = ofTypes('movesGoods')
export const suppliesGoods = ofTypes('suppliesGoods')
export const returnsGoods = ofTypes('returnsGoods')
export const receivesGoods = ofTypes('receivesGoods')
export const tradesGoods = ofTypes('tradesGoods')
export const takesGoodsIn = ofTypes('takesGoodsIn')
export const waitsForFollowers = ofTypes('waitsForFollowers')
export const isTaxDocument = ofTypes('isTaxDocument')

/** One type by its name, where a rule is about that type alone. */
export const isType = (alias: Alias, type: DocumentTypeName): RawBuilder<boolean> =>
  sql.raw(among(column(alias, 'type'), [documentTypes[type].id]))

/**
 * What of a document is income, before VAT, in shekels: its net less the money that its lines hold in trust. The one
 * definition for every report; a wall rejects `ils_net_agorot` in reports of sales.
 */
export const incomeNet = (alias: Alias = ''): RawBuilder<number> =>
  sql.raw(`(${column(alias, 'ils_net_agorot')} - ${column(alias, 'ils_held_agorot')})`)

/** The part of the income that bears no VAT: exempt and zero rate. */
export const incomeUntaxed = (alias: Alias = ''): RawBuilder<number> =>
  sql.raw(`(${column(alias, 'ils_untaxed_agorot')} - ${column(alias, 'ils_held_agorot')})`)

/** The income with its VAT and rounding. */
export const incomeTotal = (alias: Alias = ''): RawBuilder<number> =>
  sql.raw(`(${column(alias, 'ils_total_agorot')} - ${column(alias, 'ils_held_agorot')})`)

/**
 * Documents whose nets are income: invoices, their credits, and receipts that are their own income. What writes a debt
 * off, or charges what was paid of it later, is an expense and no income.
 */
export const isIncome: Condition = (alias = '') =>
  sql.raw(
    `((${textOf(isInvoiceOrCredit(alias))} and not ${column(alias, 'is_bad_debt')}) or (${textOf(mayBeIncome(alias))} and ${textOf(hasIncome(alias))}))`,
  )

/** Of a receipt: something of it is income. */
export const hasIncome: Condition = (alias = '') =>
  sql.raw(`${column(alias, 'ils_net_agorot')} <> ${column(alias, 'ils_held_agorot')}`)

/**
 * Of a line `l`: it sells something. Money held in trust is owed to its owner; only where an older document posted it
 * among income does it count.
 */
export const isIncomeLine = (): RawBuilder<boolean> =>
  sql.raw(`(l.vat_kind <> ${vatKinds.trustDeposit} or not exists (select 1 from accounts held where held.company_id = l.company_id
    and held.id = l.account_id and held.number = '${systemAccounts.trustDeposits}'))`)

/** -1 for a credit, whose amounts are positive and subtract; 1 for all others. */
export const sign = (alias: Alias = ''): RawBuilder<number> =>
  sql.raw(`case when ${textOf(isCredit(alias))} then -1 else 1 end`)

/** The income of a document with the sign it has for the customer. */
export const signedIncome = (alias: Alias = ''): RawBuilder<number> =>
  sql.raw(
    `case when ${textOf(isCredit(alias))} then -${textOf(incomeNet(alias))} else ${textOf(incomeNet(alias))} end`,
  )

/** A column of amounts with the sign it has for the customer. */
export const signed = (alias: Alias, name: string): RawBuilder<number> => {
  const amount = column(alias, name)
  return sql.raw(`case when ${textOf(isCredit(alias))} then -${amount} else ${amount} end`)
}

const withStatus =
  (fact: StatusFact): Condition =>
  (alias = '') =>
    sql.raw(among(column(alias, 'status'), statusesThat(fact)))
/** Without the states for which a fact does not hold: how indexes of what was issued are written. */
const withoutOther =
  (fact: StatusFact): Condition =>
  (alias = '') =>
    sql.raw(notAmong(column(alias, 'status'), othersThan(fact)))
const withoutStatus =
  (fact: StatusFact): Condition =>
  (alias = '') =>
    sql.raw(notAmong(column(alias, 'status'), statusesThat(fact)))
const othersThan = (fact: StatusFact): readonly DocumentStatus[] => {
  const fitting = statusesThat(fact)
  return documentStatusNames.filter((name) => !fitting.includes(name))
}

export const isDraft = withStatus('isDraft')
export const isIssued = withoutOther('isIssued')
export const isLive = withoutOther('isLive')
export const isNotLive: Condition = (alias = '') =>
  sql.raw(among(column(alias, 'status'), othersThan('isLive')))
export const isOpen = withStatus('isOpen')
export const isUntouched = withStatus('isUntouched')
export const isPartlyClosed = withStatus('isPartlyClosed')
export const isUnfinished = withStatus('isUnfinished')
export const isClosed = withStatus('isClosed')
export const isNotClosed = withoutStatus('isClosed')
export const isCancelled = withStatus('isCancelled')
export const isNotCancelled = withoutStatus('isCancelled')

/** A state as a value, to set it or to compare it with a column of another kind. */
export const status = (name: DocumentStatus): RawBuilder<DocumentStatus> => sql.lit(name)

/** The text of a fragment, for statements that are put together from text. */
export function textOf(fragment: RawBuilder<unknown>): string {
  const { sqlFragments, parameters } = fragment.toOperationNode() as {
    sqlFragments?: readonly string[]
    parameters?: readonly unknown[]
  }
  if (!sqlFragments || parameters?.length)
    throw new TypeError('only a fragment without parameters is plain text')
  return sqlFragments.join('')
}
