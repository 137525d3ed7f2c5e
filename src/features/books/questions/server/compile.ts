import { sql, type RawBuilder } from 'kysely'
import {
  dimensionNamed,
  factNamed,
  limits,
  periodOf,
  type DimensionName,
  type Filter,
  type Measure,
  type Question,
} from '#domain/questions/model.ts'
import type { Ctx } from '#kit/server/context.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { joinsFor, sources, type Join } from './catalogue.ts'

type Sql = RawBuilder<unknown>

/** Who asks, and when: what a query needs to know beside the question. */
export type Asker = Pick<Ctx, 'companyId' | 'today' | 'caller'>

/** The key of the row that holds all that is not among the first. No text of a business holds a sign that cannot be typed. */
export const othersKey = '\u0001'

/** A text of the catalogue, its two marks filled as parameters. */
function written(text: string, { companyId, today }: Asker): Sql {
  const parts = text.split(/(?<!:):(company|today)\b/)
  return sql.join(
    parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : part === 'company' ? sql`${companyId}::uuid` : sql`${today}::date`)),
    sql.raw(''),
  )
}

const join = (parts: readonly Sql[], by: string): Sql => sql.join([...parts], sql.raw(by))
const every = (parts: readonly Sql[]): Sql => join(parts, ' and ')

const told = (question: Question, name: DimensionName) => sources[question.fact].dimensions[name]!

/** A native group as the text a cell is known by; nothing is the empty text. */
const keyOf = (question: Question, name: DimensionName, x: string): Sql =>
  sql.raw(`coalesce((${(told(question, name).key ?? 'x').replace(/\bx\b/g, x)})::text, '')`)

/** The condition of one filter. */
function conditionOf(question: Question, filter: Filter, asker: Asker): { where: Sql; joins: readonly Join[] } {
  const source = sources[question.fact]
  if (filter.kind === 'period') {
    const { from, to } = periodOf(filter.period, asker.today)
    return { where: sql`${written(source.day!, asker)} between ${from}::date and ${to}::date`, joins: [] }
  }
  if (filter.kind === 'amount') {
    const amount = written(source.amounts[filter.amount]!, asker)
    const ends = [
      ...(filter.from === undefined ? [] : [sql`${amount} >= ${filter.from}`]),
      ...(filter.to === undefined ? [] : [sql`${amount} <= ${filter.to}`]),
    ]
    return { where: every(ends), joins: [] }
  }
  if (filter.kind === 'flag') {
    const flag = written(source.flags[filter.flag]!, asker)
    return { where: filter.not ? sql`not ${flag}` : flag, joins: [] }
  }
  if (filter.kind === 'text')
    return { where: sql`${written(source.text!, asker)} ilike ${`%${filter.has.trim().replace(/[\\%_]/g, '\\$&')}%`}`, joins: [] }
  const { by, joins = [] } = told(question, filter.dimension)
  const { kind } = dimensionNamed(filter.dimension)
  const named = filter.values.filter((value) => value !== '')
  const takesNone = filter.values.includes('')
  const native = written(by, asker)
  // Records are compared by their ids, so that an index of them serves; words by what they are called.
  const isOne =
    kind === 'record'
      ? sql`${native} = any(${named}::uuid[])`
      : sql`${keyOf(question, filter.dimension, `(${by})`)} = any(${named}::text[])`
  const isNone = kind === 'text' ? sql`coalesce(${native}, '') = ''` : sql`${native} is null`
  const parts = [...(named.length ? [isOne] : []), ...(takesNone ? [isNone] : [])]
  return { where: filter.not ? sql`(${join(parts, ' or ')}) is not true` : sql`(${join(parts, ' or ')})`, joins }
}

interface Base {
  from: Sql
  where: Sql
}

/** What is asked about: the fact of this business alone, of types of documents the caller may see, narrowed by the filters. */
function baseOf(question: Question, asker: Asker, moreJoins: readonly Join[], more: readonly Sql[] = []): Base {
  const source = sources[question.fact]
  const conditions = question.filters.map((filter) => conditionOf(question, filter, asker))
  const { docsAllow } = asker.caller
  const joins = joinsFor(question.fact, [...moreJoins, ...conditions.flatMap((one) => one.joins)])
  return {
    from: sql`${written(source.from, asker)} ${sql.raw(joins)}`,
    where: every([
      written(source.where, asker),
      ...(source.type && docsAllow.length ? [sql`${sql.raw(source.type)} = any(${docsAllow}::int[])`] : []),
      ...conditions.map((one) => one.where),
      ...more,
    ]),
  }
}

const joinsOfAll = (question: Question): Join[] => [
  ...[...question.rows, ...(question.column ? [question.column] : [])].flatMap((name) => told(question, name).joins ?? []),
  ...question.measures.flatMap(({ name }) => sources[question.fact].measures[name]!.joins ?? []),
]

const rowKeys = (question: Question) => question.rows.map((_, n) => `r${n}`)

/** Each measure once, whatever it is shown as. */
export const countedIn = (question: Question): string[] => [...new Set(question.measures.map(({ name }) => name))]

const measureOf = (question: Question, name: string): Measure => factNamed(question.fact).measures[name]!

/** What a leaf keeps of a measure so that any group above it can be worked out. */
function partsOf(question: Question, name: string, n: number, asker: Asker): Sql[] {
  const { of, per } = sources[question.fact].measures[name]!
  const value = of === undefined ? undefined : written(of, asker)
  switch (measureOf(question, name).how) {
    case 'count':
      return [sql`count(*) as m${sql.raw(String(n))}`]
    case 'sum':
      return [sql`sum(${value!}) as m${sql.raw(String(n))}`]
    case 'most':
      return [sql`max(${value!}) as m${sql.raw(String(n))}`]
    case 'average':
      return [
        sql`sum(${value!}) as m${sql.raw(String(n))}`,
        sql`${per ? sql`sum(${written(per, asker)})` : sql`count(*)`} as d${sql.raw(String(n))}`,
      ]
    case 'distinct':
      return [sql`${value!} as m${sql.raw(String(n))}`]
  }
}

/** A group of leaves in one whole figure: agorot, a number, ten-thousandths of a quantity. An average is rounded half away from zero. */
function figureOf(question: Question, name: string, n: number): string {
  const { how, kind } = measureOf(question, name)
  switch (how) {
    case 'count':
      return `coalesce(sum(m${n}), 0)::bigint`
    case 'sum':
      return kind === 'quantity' ? `(coalesce(sum(m${n}), 0) * 10000)::bigint` : `coalesce(sum(m${n}), 0)::bigint`
    case 'most':
      return `round(max(m${n}))::bigint`
    case 'average':
      return `round(sum(m${n})::numeric / nullif(sum(d${n}), 0))::bigint`
    case 'distinct':
      return `count(distinct m${n})`
  }
}

/** The leaves: one row for every meeting of the keys (and of each different thing that is counted), with the parts of every measure. */
function leafOf(question: Question, asker: Asker): Sql {
  const counted = countedIn(question)
  const groups = [
    ...question.rows.map((name, n) => ({ name, as: `r${n}` })),
    ...(question.column ? [{ name: question.column, as: 'c' }] : []),
  ]
  const { from, where } = baseOf(question, asker, joinsOfAll(question))
  const kinds = counted.map((name) => measureOf(question, name).how)
  // Where each part stands among what is selected: an average takes two places.
  const places = counted.map((_, n) => 1 + groups.length + kinds.slice(0, n).reduce((sum, how) => sum + (how === 'average' ? 2 : 1), 0))
  const inner = [
    ...groups.map(({ name, as }) => sql`${written(told(question, name).by, asker)} as ${sql.raw(as)}`),
    ...counted.flatMap((name, n) => partsOf(question, name, n, asker)),
  ]
  const by = [...groups.map((_, n) => String(n + 1)), ...counted.flatMap((_, n) => (kinds[n] === 'distinct' ? [String(places[n])] : []))]
  const outer = [
    ...groups.map(({ name, as }) => sql`${keyOf(question, name, as)} as ${sql.raw(as)}`),
    ...counted.flatMap((_, n) => [sql.raw(`m${n}`), ...(kinds[n] === 'average' ? [sql.raw(`d${n}`)] : [])]),
  ]
  return sql`select ${join(outer, ', ')} from (select ${join(inner, ', ')} from ${from} where ${where} ${
    by.length ? sql.raw(`group by ${by.join(', ')}`) : sql``
  }) x`
}

/** What a record is called, by its key as text. */
function labelOf(name: DimensionName, key: string, { companyId, caller }: Asker): Sql {
  const to = dimensionNamed(name).to
  const id = sql.raw(`nullif(${key}, '${othersKey}')`)
  const one = (table: string, column: string) =>
    sql`(select q.${sql.raw(column)} from ${sql.raw(table)} q where q.company_id = ${companyId} and q.id = nullif(${id}, '')::uuid)`
  switch (to) {
    case 'customers':
    case 'suppliers':
      return one('parties', 'name')
    case 'customerTypes':
      return one('customer_types', 'name')
    case 'customerStatuses':
      return one('customer_statuses', 'name')
    case 'agents':
      return one('agents', 'name')
    case 'projects':
      return one('projects', 'name')
    case 'items':
      return one('items', 'name')
    case 'categories':
      return one('categories', 'name')
    case 'accounts':
      return one('accounts', `number || ' ' || q.name`)
    case 'expensetypes':
      return sql`(select ${expenseTypeName(caller.language, 'q')} from expense_types q where q.company_id = ${companyId} and q.id = nullif(${id}, '')::uuid)`
    default:
      return sql`null::text`
  }
}

/** Names of records that a question holds by their ids, so that a screen can say them. */
export const namesOf = (name: DimensionName, ids: readonly string[], asker: Asker): Sql =>
  sql`select x.id, ${labelOf(name, 'x.id', asker)} as name from unnest(${ids}::text[]) as x (id)`

/** The first so many values of the first row, by the first measure. */
function placesOf(question: Question): Sql {
  const up = question.sort === 'least' ? 'asc' : 'desc'
  return sql.raw(
    `places as materialized (select r0, row_number() over (order by ${figureOf(question, countedIn(question)[0]!, 0)} ${up} nulls last, r0) as place from leaf group by r0)`,
  )
}

/** How the rows stand: each level by its own figure or in its own order. Records go by name, which whoever shows them puts right by language. */
function orderOf(question: Question, asker: Asker): { with: Sql[]; joins: Sql; by: Sql } {
  const rows = rowKeys(question)
  const up = question.sort === 'least' ? 'asc' : 'desc'
  const withs: Sql[] = []
  const joins: Sql[] = []
  const by: Sql[] = []
  rows.forEach((key, n) => {
    // The others stand last, whatever they come to.
    if (n === 0 && question.top) by.push(sql.raw(`(h.r0 = '${othersKey}')`))
    if (question.sort !== 'own') {
      const level = rows.slice(0, n + 1)
      const names = level.join(', ')
      withs.push(sql.raw(`o${n} as (select ${names}, ${figureOf(question, countedIn(question)[0]!, 0)} as v from cut group by ${names})`))
      joins.push(sql.raw(`join o${n} using (${names})`))
      by.push(sql.raw(`o${n}.v ${up} nulls last`))
    } else {
      const { kind, of } = dimensionNamed(question.rows[n]!)
      by.push(sql.raw(`(h.${key} = '')`))
      if (of) by.push(sql`array_position(${[...of]}::text[], ${sql.raw(`h.${key}`)})`)
      if (kind === 'record') by.push(labelOf(question.rows[n]!, `h.${key}`, asker))
    }
    by.push(sql.raw(`h.${key}`))
  })
  return { with: withs, joins: join(joins, ' '), by: join(by, ', ') }
}

/** A row of the answer of the database: a level, its keys, its figures. */
export interface Found {
  level: 'row' | 'cell' | 'column' | 'part' | 'all' | 'whole'
  /** The row's place. */
  at: number | null
  /** How many rows or columns there are in all. */
  many: number | null
  keys: string[] | null
  names: (string | null)[] | null
  c: string | null
  name: string | null
  figures: (number | null)[]
}

/**
 * The whole pivot in one statement: leaves once, then rows, cells, columns, parts of rows and the whole out of them, each worked out anew from the leaves,
 * so that an average of averages never happens. Never more than the cells a screen bears.
 */
export function pivotOf(question: Question, asker: Asker): RawBuilder<Found> {
  const counted = countedIn(question)
  const rows = rowKeys(question)
  const names = rows.join(', ')
  const figures = sql.raw(`array[${counted.map((name, n) => figureOf(question, name, n)).join(', ')}]::bigint[]`)
  const { top, column } = question
  const cut = !top
    ? sql.raw('cut as not materialized (select * from leaf)')
    : sql`${placesOf(question)}, cut as materialized (select ${sql.raw(
        [
          `case when p.place <= ${Number(top.most)} then l.r0 else '${othersKey}' end as r0`,
          ...rows.slice(1).map((key) => `case when p.place <= ${Number(top.most)} then l.${key} else '' end as ${key}`),
          ...(column ? ['l.c'] : []),
          ...counted.flatMap((name, n) => [`l.m${n}`, ...(measureOf(question, name).how === 'average' ? [`l.d${n}`] : [])]),
        ].join(', '),
      )} from leaf l join places p using (r0) ${top.others ? sql`` : sql.raw(`where p.place <= ${Number(top.most)}`)})`
  const order = orderOf(question, asker)
  const isTime = column !== null && dimensionNamed(column).kind === 'time'
  const columns = column
    ? sql.raw(
        `columns as materialized (select c, f, count(*) over () as many, row_number() over (order by ${isTime ? 'c desc' : 'f[1] desc nulls last, c'}) as at from (select c, `,
      )
    : sql``
  // A question without rows is one line: its totals.
  const fits = column
    ? sql.raw(
        `greatest(1, ${limits.cells} / (greatest(1, (select least(count(*), ${limits.columns}) from columns)) * ${question.measures.length}))`,
      )
    : sql.raw(String(Math.floor(limits.cells / question.measures.length)))
  const empty = { keys: sql.raw('null::text[]'), names: sql.raw('null::text[]'), c: sql.raw('null::text') }
  const keysOf = (of: string) => sql.raw(`array[${rows.map((key) => `${of}.${key}`).join(', ')}]`)
  const labels = (of: string) =>
    sql`array[${join(
      question.rows.map((name, n) => labelOf(name, `${of}.r${n}`, asker)),
      ', ',
    )}]`
  const levels: Sql[] = [
    sql`select 'all' as level, null::bigint as at, null::bigint as many, ${empty.keys} as keys, ${empty.names} as names, ${empty.c} as c, null::text as name, ${figures} as figures from cut`,
  ]
  if (rows.length) {
    levels.push(sql`select 'row', h.at, h.many, ${keysOf('h')}, ${labels('h')}, ${empty.c}, null, h.f from heads h where h.at <= ${fits}`)
    if (column)
      levels.push(
        sql`select 'cell', h.at, null, ${empty.keys}, ${empty.names}, l.c, null, ${figures} from cut l join heads h using (${sql.raw(names)}) where h.at <= ${fits}
          and l.c in (select c from columns where at <= ${sql.raw(String(limits.columns))}) group by h.at, l.c`,
      )
    for (let n = 1; n < rows.length; n++) {
      const some = rows.slice(0, n).join(', ')
      const sets = sql.raw(column ? `grouping sets ((${some}), (${some}, c))` : some)
      levels.push(
        sql`select 'part', null, null, ${sql.raw(`array[${some}]`)}, ${empty.names}, ${sql.raw(column ? 'c' : 'null::text')}, null, ${figures} from cut
          where (${sql.raw(some)}) in (select ${sql.raw(some)} from heads where at <= ${fits}) group by ${sets}`,
      )
    }
  }
  if (column)
    levels.push(
      sql`select 'column', at, many, ${empty.keys}, ${empty.names}, c, ${labelOf(column, 'columns.c', asker)}, f from columns where at <= ${sql.raw(String(limits.columns))}`,
    )
  // What a share is a part of, where not all of it is shown.
  if (top && !top.others)
    levels.push(
      sql`select 'whole', null, null, ${empty.keys}, ${empty.names}, ${sql.raw(column ? 'c' : 'null::text')}, null, ${figures} from leaf ${sql.raw(
        column ? 'group by grouping sets ((), (c))' : '',
      )}`,
    )
  const withs = [
    sql`leaf as materialized (${leafOf(question, asker)})`,
    cut,
    ...(column ? [sql`${columns}${figures}${sql.raw(' as f from cut group by c) y)')}`] : []),
    ...(rows.length
      ? [
          ...order.with,
          sql`heads as materialized (select h.*, row_number() over (order by ${order.by}) as at, count(*) over () as many
            from (select ${sql.raw(names)}, ${figures} as f from cut group by ${sql.raw(names)}) h ${order.joins})`,
        ]
      : []),
  ]
  return sql<Found>`with ${join(withs, ', ')} ${join(levels, ' union all ')}`
}

/** Which cell is meant: a key for every row asked (fewer for a part), a key of the column or none for the row's total. */
export interface Cell {
  rows: string[]
  column: string | null
  /** The row of all others. */
  others?: boolean | undefined
}

/** The records a figure is made of, newest first. */
export function linesOf(question: Question, asker: Asker, cell: Cell, most: number, after: number): RawBuilder<unknown> {
  const source = sources[question.fact]
  const isKey = (name: DimensionName, key: string): Sql => {
    const { by } = told(question, name)
    if (dimensionNamed(name).kind === 'record')
      return key === '' ? sql`${written(by, asker)} is null` : sql`${written(by, asker)} = ${key}::uuid`
    return sql`${keyOf(question, name, `(${by})`)} = ${key}`
  }
  const first = question.rows[0]
  const conditions = [
    ...cell.rows.map((key, n) => isKey(question.rows[n]!, key)),
    ...(cell.column !== null && question.column ? [isKey(question.column, cell.column)] : []),
    // With no others shown the totals are of the first alone.
    ...(question.top && first && (cell.others || (cell.rows.length === 0 && !question.top.others))
      ? [
          sql`${keyOf(question, first, `(${told(question, first).by})`)} ${cell.others ? sql`not in` : sql`in`} (select r0 from places where place <= ${question.top.most})`,
        ]
      : []),
  ]
  const { line } = source
  const named = countedIn(question).find((name) => ['sum', 'average', 'most'].includes(measureOf(question, name).how))
  const value = named && measureOf(question, named).kind !== 'number' ? source.measures[named]!.of : undefined
  const { from, where } = baseOf(question, asker, [...joinsOfAll(question), ...(line.joins ?? [])], conditions)
  const withs = question.top ? sql`with leaf as materialized (${leafOf(question, asker)}), ${placesOf(question)} ` : sql``
  const figure = value
    ? sql`(${written(value, asker)}${sql.raw(measureOf(question, named!).kind === 'quantity' ? ' * 10000' : '')})::bigint`
    : sql`null::bigint`
  return sql`${withs}select ${sql.raw(line.id)} as id, ${sql.raw(line.day)} as day, ${sql.raw(line.type ?? 'null::int')} as "typeId", ${sql.raw(line.number)} as number,
      ${sql.raw(line.who)} as who, ${sql.raw(line.what)} as what, ${figure} as figure, ${sql.raw(line.open)} as open
    from ${from} where ${where} order by 2 desc nulls last, 1 desc limit ${most + 1} offset ${after}`
}
