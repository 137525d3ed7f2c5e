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
import type { Group } from '#domain/questions/table.ts'
import type { Ctx } from '#kit/server/context.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { joinsFor, sources, type Join } from './catalogue.ts'

type Sql = RawBuilder<unknown>

/** Who asks, and when: what a query needs to know beside the question. */
export type Asker = Pick<Ctx, 'companyId' | 'today' | 'caller'>

/**
 * The key of the row that holds all that is not among the first. No text of a business holds a sign that
 * cannot be typed.
 */
export const othersKey = '\u0001'

/**
 * Replaces null in the database's own type, so that keys can be compared and joined without testing for null.
 */
const noneOf = (question: Question, name: DimensionName): string | undefined => {
  const { kind } = dimensionNamed(name)
  if (kind === 'record') return `'00000000-0000-0000-0000-000000000000'::uuid`
  // Those that come with a key of their own are days, numbers and yes or no, which nothing lacks.
  return told(question, name).key === undefined ? `''` : undefined
}

/** A text of the catalogue, its two marks filled as parameters. */
function written(text: string, { companyId, today }: Asker): Sql {
  const parts = text.split(/(?<!:):(company|today)\b/)
  return sql.join(
    parts.map((part, n) =>
      n % 2 === 0 ? sql.raw(part) : part === 'company' ? sql`${companyId}::uuid` : sql`${today}::date`,
    ),
    sql.raw(''),
  )
}

const join = (parts: readonly Sql[], by: string): Sql => sql.join([...parts], sql.raw(by))
const every = (parts: readonly Sql[]): Sql => join(parts, ' and ')

const told = (question: Question, name: DimensionName) => sources[question.fact].dimensions[name]!

/** What is grouped by, never null. */
const groupOf = (question: Question, name: DimensionName, asker: Asker): Sql => {
  const none = noneOf(question, name)
  const by = written(told(question, name).by, asker)
  return none === undefined ? by : sql`coalesce(${by}, ${sql.raw(none)})`
}

/** A native group as the text a cell is known by; nothing is the empty text. */
const keyText = (question: Question, name: DimensionName, x: string): string => {
  const text = `(${(told(question, name).key ?? 'x').replace(/\bx\b/g, x)})::text`
  return dimensionNamed(name).kind === 'record'
    ? `coalesce(nullif(${text}, '00000000-0000-0000-0000-000000000000'), '')`
    : `coalesce(${text}, '')`
}
const keyOf = (question: Question, name: DimensionName, x: string): Sql => sql.raw(keyText(question, name, x))

/** The condition of one filter. */
function conditionOf(
  question: Question,
  filter: Filter,
  asker: Asker,
): { where: Sql; joins: readonly Join[] } {
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
    return {
      where: sql`${written(source.text!, asker)} ilike
          ${`%${filter.has.trim().replace(/[\\%_]/g, '\\$&')}%`}`,
      joins: source.textJoins ?? [],
    }
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
  return {
    where: filter.not ? sql`(${join(parts, ' or ')}) is not true` : sql`(${join(parts, ' or ')})`,
    joins,
  }
}

interface Base {
  from: Sql
  where: Sql
}

/**
 * What is asked about: the fact of this business alone, of types of documents the caller may see, narrowed by
 * the filters.
 */
function baseOf(
  question: Question,
  asker: Asker,
  moreJoins: readonly Join[],
  more: readonly Sql[] = [],
): Base {
  const source = sources[question.fact]
  const conditions = question.filters.map((filter) => conditionOf(question, filter, asker))
  const { docsAllow } = asker.caller
  const isOwed = question.filters.some((one) => one.kind === 'flag' && !one.not)
  const joins = joinsFor(question.fact, [...moreJoins, ...conditions.flatMap((one) => one.joins)])
  return {
    from: sql`${written(source.from, asker)} ${sql.raw(joins)}`,
    where: every([
      written(isOwed ? (source.whereOwed ?? source.where) : source.where, asker),
      ...(source.type && docsAllow.length ? [sql`${sql.raw(source.type)} = any(${docsAllow}::int[])`] : []),
      ...conditions.map((one) => one.where),
      ...more,
    ]),
  }
}

const joinsOfAll = (question: Question): Join[] => [
  ...[...question.rows, ...(question.column ? [question.column] : [])].flatMap(
    (name) => told(question, name).joins ?? [],
  ),
  ...question.measures.flatMap(({ name }) => sources[question.fact].measures[name]!.joins ?? []),
]

const rowKeys = (question: Question) => question.rows.map((_, n) => `r${n}`)

/** Each measure once, whatever it is shown as. */
export const countedIn = (question: Question): string[] => [
  ...new Set(question.measures.map(({ name }) => name)),
]

const measureOf = (question: Question, name: string): Measure => factNamed(question.fact).measures[name]!

/** What a leaf keeps of a measure so that any group above it can be worked out. */
function partsOf(question: Question, name: string, n: number, asker: Asker): Sql[] {
  const { of, per } = sources[question.fact].measures[name]!
  const value = of === undefined ? undefined : written(of, asker)
  switch (measureOf(question, name).how) {
    case 'count':
      return [sql`count(*) as m${sql.raw(String(n))}`]
    case 'sum':
      // Totals of whole agorot stay whole numbers: adding them up again is several times as fast.
      return [
        sql`sum(${value!})${sql.raw(measureOf(question, name).kind === 'money' ? '::bigint' : '')} as
            m${sql.raw(String(n))}`,
      ]
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

/**
 * A group of leaves in one whole figure: agorot, a number, ten-thousandths of a quantity. An average is
 * rounded half away from zero.
 */
function figureOf(question: Question, name: string, n: number, isOnce = false): string {
  const { how, kind } = measureOf(question, name)
  switch (how) {
    case 'count':
      return `coalesce(sum(m${n}), 0)::bigint`
    case 'sum':
      return kind === 'quantity'
        ? `(coalesce(sum(m${n}), 0) * 10000)::bigint`
        : `coalesce(sum(m${n}), 0)::bigint`
    case 'most':
      return `round(max(m${n}))::bigint`
    case 'average':
      return `round(sum(m${n})::numeric / nullif(sum(d${n}), 0))::bigint`
    case 'distinct':
      return isOnce ? `count(m${n})` : `count(distinct m${n})`
  }
}

/**
 * The rows a level is aggregated from: each distinct counted thing occurs once for each of its keys, so that
 * counting rows is enough; distinguishing by sorting takes several times as long. One row cannot serve two such
 * measures, so these are counted as distinct.
 */
function onceBy(
  question: Question,
  keys: readonly string[],
  from: string,
): { from: string; isOnce: boolean } {
  const counted = countedIn(question)
  if (counted.filter((name) => measureOf(question, name).how === 'distinct').length !== 1)
    return { from, isOnce: false }
  const parts = counted.flatMap((name, n) => {
    const { how } = measureOf(question, name)
    if (how === 'distinct') return [`m${n}`]
    return [
      `${how === 'most' ? 'max' : 'sum'}(m${n}) as m${n}`,
      ...(how === 'average' ? [`sum(d${n}) as d${n}`] : []),
    ]
  })
  const thing = `m${counted.findIndex((name) => measureOf(question, name).how === 'distinct')}`
  return {
    from: `(select ${[...keys, ...parts].join(', ')} from ${from} group by ${[...keys, thing].join(', ')}) once`,
    isOnce: true,
  }
}

/**
 * The leaves: one row for every meeting of the keys (and of each different thing that is counted), with the
 * parts of every measure.
 */
function leafOf(question: Question, asker: Asker): Sql {
  const counted = countedIn(question)
  const groups = [
    ...question.rows.map((name, n) => ({ name, as: `r${n}` })),
    ...(question.column ? [{ name: question.column, as: 'c' }] : []),
  ]
  const { from, where } = baseOf(question, asker, joinsOfAll(question))
  const kinds = counted.map((name) => measureOf(question, name).how)
  // The position of each part in the select list: an average takes two.
  const places = counted.map(
    (_, n) =>
      1 + groups.length + kinds.slice(0, n).reduce((sum, how) => sum + (how === 'average' ? 2 : 1), 0),
  )
  const inner = [
    ...groups.map(({ name, as }) => sql`${groupOf(question, name, asker)} as ${sql.raw(as)}`),
    ...counted.flatMap((name, n) => partsOf(question, name, n, asker)),
  ]
  const by = [
    ...groups.map((_, n) => String(n + 1)),
    ...counted.flatMap((_, n) => (kinds[n] === 'distinct' ? [String(places[n])] : [])),
  ]
  return sql`select ${join(inner, ', ')} from ${from}
    where ${where} ${by.length ? sql.raw(`group by ${by.join(', ')}`) : sql``}`
}

/** What a record is called, by its id in the database's own type. */
function labelOf(name: DimensionName, id: string, { companyId, caller }: Asker): Sql {
  const one = (table: string, column: string) =>
    sql`(select q.${sql.raw(column)} from ${sql.raw(table)} q where q.company_id = ${companyId}
        and q.id = ${sql.raw(id)})`
  const { to } = dimensionNamed(name)
  if (to === 'expensetypes')
    return sql`(select ${expenseTypeName(caller.language, 'q')} from expense_types q
      where q.company_id = ${companyId} and q.id = ${sql.raw(id)})`
  const place = to && namedIn[to]
  return place ? one(...place) : sql`null::text`
}

/** Where records stand, and by what they are called there. */
const namedIn: Partial<Record<string, [table: string, column: string]>> = {
  customers: ['parties', 'name'],
  suppliers: ['parties', 'name'],
  customerTypes: ['customer_types', 'name'],
  customerStatuses: ['customer_statuses', 'name'],
  agents: ['agents', 'name'],
  projects: ['projects', 'name'],
  items: ['items', 'name'],
  categories: ['categories', 'name'],
  accounts: ['accounts', `number || ' ' || q.name`],
}

/** Names of records that a question holds by their ids, so that a screen can say them. */
export const namesOf = (name: DimensionName, ids: readonly string[], asker: Asker): Sql =>
  sql`select x.id, ${labelOf(name, 'x.id', asker)} as name from unnest(${ids}::uuid[]) as x (id)`

/** The first so many values of the first row, by the first measure. */
function placesOf(question: Question): Sql {
  const up = question.sort === 'least' ? 'asc' : 'desc'
  return sql.raw(
    `places as materialized (select r0, row_number() over (order by ${figureOf(question, countedIn(question)[0]!, 0)} ${up} nulls last, ${keyText(question, question.rows[0]!, 'r0')}) as place from leaf group by r0)`,
  )
}

/**
 * How the rows stand: each level by its own figure or in its own order. Records go by name, which the person who
 * shows them puts right by language.
 */
function orderOf(question: Question, asker: Asker): { with: Sql[]; joins: Sql; by: Sql } {
  const rows = rowKeys(question)
  const up = question.sort === 'least' ? 'asc' : 'desc'
  const withs: Sql[] = []
  const joins: Sql[] = []
  const by: Sql[] = []
  // The others stand last, whatever they come to.
  if (question.top) by.push(sql.raw('h.o'))
  rows.forEach((key, n) => {
    if (question.sort === 'own') {
      const { kind, of } = dimensionNamed(question.rows[n]!)
      const text = keyText(question, question.rows[n]!, `h.${key}`)
      by.push(sql.raw(`(${text} = '')`))
      if (of) by.push(sql`array_position(${[...of]}::text[], ${sql.raw(text)})`)
      if (kind === 'record') by.push(labelOf(question.rows[n]!, `h.${key}`, asker))
    } else if (n === rows.length - 1) by.push(sql.raw(`h.f[1] ${up} nulls last`))
    else {
      const names = [...(question.top ? ['o'] : []), ...rows.slice(0, n + 1)].join(', ')
      withs.push(
        sql.raw(
          `o${n} as (select ${names}, ${figureOf(question, countedIn(question)[0]!, 0)} as v from cut group by ${names})`,
        ),
      )
      joins.push(sql.raw(`join o${n} using (${names})`))
      by.push(sql.raw(`o${n}.v ${up} nulls last`))
    }
    by.push(sql.raw(keyText(question, question.rows[n]!, `h.${key}`)))
  })
  return { with: withs, joins: join(joins, ' '), by: join(by, ', ') }
}

/**
 * Leaves of the first rows as they are, those of all others as one row; the keys of that row are some one key
 * and mean nothing.
 */
function cutOf(question: Question, isFirst: string): Sql {
  const rows = rowKeys(question)
  const selected = [
    `not (${isFirst}) as o`,
    ...rows.map((key) => `case when ${isFirst} then l.${key} else any_one.${key} end as ${key}`),
    ...(question.column ? ['l.c'] : []),
    ...countedIn(question).flatMap((name, n) => {
      const { how } = measureOf(question, name)
      if (how === 'distinct') return [`l.m${n}`]
      return [
        `${how === 'most' ? 'max' : 'sum'}(l.m${n}) as m${n}`,
        ...(how === 'average' ? [`sum(l.d${n}) as d${n}`] : []),
      ]
    }),
  ]
  return sql.raw(
    `select ${selected.join(', ')} from leaf l join places p using (r0) cross join (select ${rows.join(', ')} from leaf limit 1) any_one`,
  )
}

/** By what they are put together: everything that is no figure, by its place. */
function cutGroups(question: Question): Sql {
  const heads = 1 + question.rows.length + (question.column ? 1 : 0)
  let place = heads
  const more = countedIn(question).flatMap((name) => {
    const { how } = measureOf(question, name)
    place += how === 'average' ? 2 : 1
    return how === 'distinct' ? [place] : []
  })
  return sql.raw(`group by ${[...Array.from({ length: heads }, (_, n) => n + 1), ...more].join(', ')}`)
}

/**
 * The whole pivot in one statement: leaves once, then rows, cells, columns, parts of rows and the whole out
 * of them, each worked out again from the leaves, so that an average of averages never happens. Never more
 * than the cells a screen bears.
 */
export function pivotOf(question: Question, asker: Asker): RawBuilder<Group> {
  const counted = countedIn(question)
  const { top, column } = question
  const rows = rowKeys(question)
  // Groups that are not expanded have no inner rows, and their keys mean nothing.
  const keys = [...(top ? ['o'] : []), ...rows]
  const names = keys.join(', ')
  const figuresOf = (isOnce: boolean) =>
    sql.raw(`array[${counted.map((name, n) => figureOf(question, name, n, isOnce)).join(', ')}]::bigint[]`)
  const figures = figuresOf(false)
  const all = onceBy(question, [], 'cut')
  const byRows = onceBy(question, keys, 'cut')
  const byColumn = onceBy(question, ['c'], 'cut')
  const isFirst = `p.place <= ${Number(top?.most)}`
  const cut = top
    ? sql`${placesOf(question)},
        cut as materialized (${cutOf(question, isFirst)} ${top.others ? sql`` : sql.raw(`where ${isFirst}`)}
        ${cutGroups(question)})`
    : sql.raw('cut as not materialized (select * from leaf)')
  const order = orderOf(question, asker)
  const mostColumns = sql.raw(String(limits.columns))
  // A question without rows is one line: its totals.
  const fits = column
    ? sql.raw(
        `greatest(1, ${limits.cells} / (greatest(1, (select least(count(*), ${limits.columns}) from columns)) * ${question.measures.length}))`,
      )
    : sql.raw(String(Math.floor(limits.cells / question.measures.length)))
  const empty = { keys: sql.raw('null::text[]'), c: sql.raw('null::text') }
  const rowText = (of: string, n: number) => {
    const text = keyText(question, question.rows[n]!, `${of}.r${n}`)
    return top ? `case when ${of}.o then '${othersKey}' else ${text} end` : text
  }
  const keysOf = (of: string, depth = rows.length) =>
    sql.raw(
      `array[${rows
        .slice(0, depth)
        .map((_, n) => rowText(of, n))
        .join(', ')}]`,
    )
  const labels = sql`array[${join(
    question.rows.map((name, n) => labelOf(name, `h.r${n}`, asker)),
    ', ',
  )}]`
  const columnText = (of: string) => (column ? sql.raw(keyText(question, column, of)) : empty.c)
  const levels: Sql[] = [
    sql`select 'all' as level, null::bigint as at, null::bigint as many, ${empty.keys} as keys,
        ${empty.keys} as names, ${empty.c} as c, null::text as name, ${figuresOf(all.isOnce)} as figures
        from ${sql.raw(all.from)}`,
  ]
  if (rows.length) {
    levels.push(
      sql`select 'row', h.at, h.many, ${keysOf('h')}, ${labels}, ${empty.c}, null, h.f from heads h
        where h.at <= ${fits}`,
    )
    if (column)
      levels.push(
        sql`select 'cell', h.at, null, ${empty.keys}, ${empty.keys}, ${columnText('l.c')}, null,
            ${figuresOf(byRows.isOnce)} from cut l join heads h using (${sql.raw(names)})
          where h.at <= ${fits} and l.c in (select c from columns where at <= ${mostColumns})
          group by h.at, l.c`,
      )
    for (let n = 1; n < rows.length; n++) {
      const some = [...(top ? ['o'] : []), ...rows.slice(0, n)].join(', ')
      const sets = column ? `grouping sets ((${some}), (${some}, c))` : some
      levels.push(
        sql`select 'part', null, null, ${keysOf('y', n)}, ${empty.keys},
            ${column ? sql`case when y.isall then null else ${columnText('y.c')} end` : empty.c}, null, y.f
          from (select ${sql.raw(some)},
            ${figures} as f ${sql.raw(column ? ', c, grouping(c) = 1 as isall' : '')} from cut
            where (${sql.raw(some)}) in (select ${sql.raw(some)} from heads where at <= ${fits})
            group by ${sql.raw(sets)}) y`,
      )
    }
  }
  if (column)
    levels.push(
      sql`select 'column', at, many, ${empty.keys}, ${empty.keys}, ${columnText('columns.c')},
          ${labelOf(column, 'columns.c', asker)}, f from columns where at <= ${mostColumns}`,
    )
  // What a share is a part of, where not all of it is shown.
  if (top && !top.others) {
    levels.push(
      sql`select 'whole', null, null, ${empty.keys}, ${empty.keys}, ${empty.c}, null, ${figures} from leaf`,
    )
    if (column)
      levels.push(
        sql`select 'whole', null, null, ${empty.keys}, ${empty.keys}, ${columnText('c')}, null, ${figures}
          from leaf group by c`,
      )
  }
  const isTime = column !== null && dimensionNamed(column).kind === 'time'
  const withs = [
    sql`leaf as materialized (${leafOf(question, asker)})`,
    cut,
    ...(column
      ? [
          sql`columns as materialized (select c, f, count(*) over () as many,
              row_number() over
              (order by ${sql.raw(isTime ? 'c desc' : `f[1] desc nulls last, ${keyText(question, column, 'y.c')}`)}) as at
            from (select c, ${figuresOf(byColumn.isOnce)} as f from ${sql.raw(byColumn.from)} group by c) y)`,
        ]
      : []),
    ...(rows.length
      ? [
          ...order.with,
          sql`heads as materialized (select h.*, row_number() over (order by ${order.by}) as at,
              count(*) over () as many
            from (select ${sql.raw(names)}, ${figuresOf(byRows.isOnce)} as f from ${sql.raw(byRows.from)}
            group by ${sql.raw(names)}) h ${order.joins})`,
        ]
      : []),
  ]
  return sql<Group>`with ${join(withs, ', ')} ${join(levels, ' union all ')}`
}

/**
 * Which cell is meant: a key for every row asked (fewer for a part), a key of the column or none for the
 * row's total.
 */
export interface Cell {
  rows: string[]
  column: string | null
  /** The row of all others. */
  others?: boolean | undefined
}

/** The records a figure is made of, newest first. */
export function linesOf(
  question: Question,
  asker: Asker,
  cell: Cell,
  most: number,
  after: number,
): RawBuilder<unknown> {
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
          sql`${keyOf(question, first, `(${told(question, first).by})`)}
              ${cell.others ? sql`not in` : sql`in`} (select ${keyOf(question, first, 'r0')} from places
              where place <= ${question.top.most})`,
        ]
      : []),
  ]
  const { line } = source
  const named = countedIn(question).find((name) =>
    ['sum', 'average', 'most'].includes(measureOf(question, name).how),
  )
  const value = named && measureOf(question, named).kind !== 'number' ? source.measures[named]!.of : undefined
  const { from, where } = baseOf(
    question,
    asker,
    [...joinsOfAll(question), ...(line.joins ?? [])],
    conditions,
  )
  const withs = question.top
    ? sql`with leaf as materialized (${leafOf(question, asker)}), ${placesOf(question)} `
    : sql``
  const figure = value
    ? sql`(${written(value, asker)}${sql.raw(measureOf(question, named!).kind === 'quantity' ? ' * 10000' : '')})::bigint`
    : sql`null::bigint`
  return sql`${withs}select ${sql.raw(line.id)} as id, ${sql.raw(line.day)} as day,
      ${sql.raw(line.type ?? 'null::int')} as "typeId", ${sql.raw(line.number)} as number,
      ${sql.raw(line.who)} as who, ${sql.raw(line.what)} as what, ${figure} as figure,
      ${sql.raw(line.open)} as open
    from ${from} where ${where} order by 2 desc nulls last, 1 desc limit ${most + 1} offset ${after}`
}
