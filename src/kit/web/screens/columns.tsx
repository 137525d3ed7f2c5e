import { formatMoney } from '#domain/format.ts'
import { createElement, type ComponentType } from 'react'
import { isAmount, type Field } from '#kit/fields/field.ts'
import { can, type Session } from '#kit/describe/session.ts'
import { cellViews, type FieldFacts, type ViewKind } from '../fields/cellViews.tsx'
import type { Column } from '../parts/DataTable.tsx'
import { Figures, MoneyCell } from '../fields/cells.tsx'
import { wordIfAny, type Words } from '../words/words.tsx'
import { dressOf, type Dress } from './dress.ts'
import { rowSums } from './sums.ts'
import { cardPath, fieldsOf, resourceNamed, searchIn, type AnyResource, type AnyRow } from './resources.ts'

/** Words of a choice: beside the field, unless the field says where they are. */
const choiceWord = (resource: AnyResource, name: string, field: Field, value: string): string =>
  `${field.words ?? `${resource.name}.${name}`}.${value}`

/** The input of a field's inputs, cells and filters besides its value. */
export function factsOf(resource: AnyResource, name: string, t: Words): FieldFacts {
  const field = fieldsOf(resource)[name]!
  const target = field.kind === 'ref' ? resourceNamed(field.to) : undefined
  const choices =
    dressOf(resource).choices?.[name]?.(t) ??
    field.of?.map((value) => ({ value, label: t(choiceWord(resource, name, field, value)) }))
  return {
    ...(choices ? { choices } : {}),
    ...(target ? { search: searchIn(target) } : {}),
    ...(field.max ? { max: field.max } : {}),
  }
}

/** Figures are kept from some people (HideTotalPrices); the server sends them none. */
export const hidesFigures = (field: Field, session: Pick<Session, 'HideTotalPrices'> | undefined): boolean =>
  Boolean(session?.HideTotalPrices) && (field.kind === 'money' || field.kind === 'price')

/**
 * Whether a field is shown to a person. One that leads to hidden records is not: a list of them would only refuse.
 */
export const isReachable = (field: Field, session: Session | undefined): boolean => {
  if (hidesFigures(field, session) || (field.rule && !can(session, field.rule))) return false
  if (field.kind !== 'ref') return true
  const target = resourceNamed(field.to)
  if (!target) return false
  try {
    return can(session, target.allow.see)
  } catch {
    return false
  }
}

/** The value of one field of one record, as its kind (or the feature's dress) shows it. */
export function FieldCell({
  resource,
  name,
  row,
  t,
}: {
  resource: AnyResource
  name: string
  row: AnyRow
  t: Words
}) {
  const Dressed = dressOf(resource).cells?.[name] as
    | ComponentType<{ row: AnyRow; value: unknown }>
    | undefined
  const field = fieldsOf(resource)[name]!
  const value = row[name]
  if (Dressed) return createElement(Dressed, { row, value })
  if (field.kind === 'money') {
    const currency = typeof row.currency === 'string' && !field.inShekels ? row.currency : undefined
    return <MoneyCell value={value as number | null} {...(currency ? { currency } : {})} />
  }
  const Cell = cellViews[field.kind as ViewKind]
  const facts = factsOf(resource, name, t)
  if (field.kind !== 'ref') {
    const choice =
      facts.choices && field.kind !== 'choice'
        ? facts.choices.find((one) => one.value === String(value))
        : undefined
    return choice ? <>{choice.label}</> : <Cell {...facts} value={value} />
  }
  const target = resourceNamed(field.to)
  const href = target && typeof value === 'string' ? cardPath(target, value) : undefined
  return (
    <Cell
      {...facts}
      value={null}
      refName={(row[`${name}Name`] as string | null) ?? null}
      {...(href ? { href } : {})}
    />
  )
}

const shortText = 40

function widthOf(field: Field): Column<AnyRow>['width'] {
  switch (field.kind) {
    case 'text':
      return (field.max ?? 200) <= shortText ? 'fit' : 'trim'
    case 'longText':
    case 'ref':
    case 'tags':
    case 'own':
      return 'trim'
    default:
      return 'fit'
  }
}

/** The heading of a column: a shorter word where the field's own would be wider than its values. */
function headOf(resource: AnyResource, name: string, t: Words): string {
  return wordIfAny(t, `${resource.name}.columns.${name}`) ?? t(`${resource.name}.fields.${name}`)
}

/** Columns of a described list, in the given order. */
export function tableColumns(
  resource: AnyResource,
  names: readonly string[],
  t: Words,
  clothes: Dress<any> = dressOf(resource),
): Column<AnyRow>[] {
  const { columns: dressed = {} } = clothes
  const fields = fieldsOf(resource)
  const amounts = names.filter((name) => isAmount(fields[name]!) && !clothes.choices?.[name])
  const lines = names.filter(
    (name) => name !== resource.title && !amounts.includes(name) && fields[name]!.kind !== 'flag',
  )
  const trims = names.filter((name) => name !== resource.title && widthOf(fields[name]!) === 'trim')
  // A phone's card has room for one sum: the last one, unless the register says which.
  const cardSum = names.some((name) => dressed[name]?.phone === 'amount') ? undefined : amounts.at(-1)
  return names.map((name): Column<AnyRow> => {
    const field = fields[name]!
    const isTitle = name === resource.title
    const phone = isTitle
      ? 'title'
      : name === cardSum
        ? 'amount'
        : lines.slice(0, 2).includes(name)
          ? 'line'
          : undefined
    return {
      key: name,
      title: headOf(resource, name, t),
      cell: (row) => <FieldCell resource={resource} name={name} row={row} t={t} />,
      ...(amounts.includes(name)
        ? { align: 'amount' as const }
        : field.kind === 'flag'
          ? { align: 'middle' as const }
          : {}),
      ...(isTitle
        ? {
            strong: true,
            width: isAmount(field)
              ? 'fit'
              : trims.length > 0
                ? `${Math.max(26, 48 - 8 * trims.length)}%`
                : 'trim',
          }
        : { width: widthOf(field) }),
      sort: !['ref', 'longText', 'tags', 'own'].includes(field.kind),
      ...(phone ? { phone } : {}),
      // A sum is a sum, but a count on a card says nothing without what is counted.
      ...(phone === 'amount' && field.kind === 'number'
        ? { named: (row: AnyRow) => typeof row[name] === 'number' }
        : {}),
      ...dressed[name],
    }
  })
}

/** Totals of what is shown or chosen, a line per totalled field; amounts of different currencies are never mixed. */
export function sumsOf(
  resource: AnyResource,
  rows: readonly AnyRow[],
  t: Words,
): { label: string; value: React.ReactNode }[] {
  return rowSums(resource, rows).map(({ name, isOfSome, byCurrency }) => ({
    label: t(isOfSome ? `${resource.name}.sums.${name}` : `${resource.name}.fields.${name}`),
    value: byCurrency.map(([currency, sum], i) => (
      <span key={currency}>
        {i > 0 && ' · '}
        <Figures text={formatMoney(sum)} />
        {currency !== 'ILS' && ` ${currency}`}
      </span>
    )),
  }))
}
