import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { conditionsIn } from './conditions.ts'
import { brokenCode, draw, readSources, sourcesOfRules, type Source } from './draw.ts'
import { breaksOf, kinds, type Kind } from './kinds.ts'
import { Nearness } from './near.ts'
import { replacedIn, timesIn } from './places.ts'

const brokenWays = (code: string, kind: Kind): string[] =>
  breaksOf('src/domain/a.ts', code)
    .filter((way) => way.kind === kind)
    .map((way) => brokenCode(code, way))

test.each<[Kind, string, string[]]>([
  ['comparison', 'f = (a) => a === 1', ['f = (a) => a !== 1']],
  ['comparison', 'f = (a) => a < b', ['f = (a) => a >= b']],
  ['bound', 'f = (a) => a < b', ['f = (a) => a <= b']],
  ['bound', 'f = (a) => a >= b', ['f = (a) => a > b']],
  ['arithmetic', 'f = (a) => a + 2', ['f = (a) => a - 2']],
  ['arithmetic', 'f = (a) => -a', ['f = (a) => (a)']],
  ['logical', 'f = (a) => !a', ['f = (a) => (a)']],
  ['logical', 'f = (a) => a && b', ['f = (a) => ((a) || (b))', 'f = (a) => (a)', 'f = (a) => (b)']],
  ['refusal', "if (a) throw fail('x')", ['{}']],
  ['refusal', "if (a) { throw failField('x', 'y') }", ['{}']],
  ['refusal', 'if (a) refuse(1)', ['{}']],
  ['refusal', "for (;;) if (a) throw fail('x')", ['for (;;) {}']],
  ['await', 'f = async () => { await checkIt(a) }', ['f = async () => { void checkIt(a) }']],
  ['deed', 'f = async () => { await post(a) }', ['f = async () => { {} }']],
  ['swap', 'f(from, to)', ['f(to, from)']],
  ['swap', 'f = () => a - b', ['f = () => (b) - (a)']],
  ['constant', 'f = () => 0', ['f = () => 1']],
  ['constant', 'f = { isOn: true }', ['f = { isOn: false }']],
  ['ternary', 'f = a ? b : c', ['f = a ? c : b']],
  [
    'condition',
    'sql`select 1 from a where b = 1 and c = ${d} order by e`',
    ['sql`select 1 from a where c = ${d} order by e`', 'sql`select 1 from a where b = 1 order by e`'],
  ],
])('%s: %s', (kind, code, broken) => {
  const plain = (text: string) => text.replace(/\s+/g, ' ')
  expect(brokenWays(code, kind).map(plain)).toEqual(broken.map(plain))
})

test.each([
  // Types, imports and what only types say.
  'type A = 0 | 1 | true',
  'interface A { b: true; c: (d: 0) => false }',
  "import a from 'b'",
  'let a: 0 | 1',
  // The wording of a refusal, messages, and text that only people read.
  "throw fail('x', { count: a - 1, isOn: true })",
  "f = () => failField('x', 'y', { count: a - b })",
  "ctx.audit('x', 'y', id, undefined, { done: true })",
  'log.info({ a: 0 })',
  "f = { summary: a ? 'b' : 'c', message: a + b }",
  // The same either way.
  'f = (a) => (a, b)',
  'f = Math.max(a.b, c.d)',
  "f = a + 'text'",
  'f = `${a}` + b',
  // Which of two equals is first.
  'f = Math.min(a, b)',
  // Locks, which only a second caller notices.
  'f = async () => { await sql`select 1 from a for update`.execute(tx) }',
  "f = async () => { await ctx.audit('x') }",
  'f = lock ? sql`for update` : sql``',
  'f = (id, lock = false) => id',
  'async function one(ctx: Ctx, id: string, lock?: boolean) {}; f = (ctx) => one(ctx, id, true)',
  // A file that is left open harms no result.
  'f = async () => { try { g() } finally { await file.close() } }',
  // How often something is done.
  'f = (a) => Date.now() - a.b > c',
])('nothing is broken in %s', (code) => {
  expect(breaksOf('src/domain/a.ts', code).map((way) => brokenCode(code, way))).toEqual([])
})

test('a key that is not given is looked up in vain', () => {
  expect(brokenWays('f = (a, m) => a && m.get(a)', 'logical')).toEqual([
    'f = (a, m) => ((a) || (m.get(a)))',
    'f = (a, m) => (a)',
  ])
})

test('what is closed as a part of the work is broken', () => {
  expect(brokenWays('f = async () => { try { await file.close() } finally { g() } }', 'deed')).toEqual([
    'f = async () => { try { {} } finally { g() } }',
  ])
})

test('a bound is left where it is the same either way', () => {
  expect(brokenWays('f = (a, b) => (a < b ? a : b)', 'bound')).toEqual([])
  expect(brokenWays('f = (a, b) => (a && a < b ? a : b)', 'bound')).toEqual([])
  expect(brokenWays('f = a.toSorted((b, c) => (b < c ? -1 : 1))', 'bound')).toEqual([])
})

test('of what a feature describes only its functions are broken', () => {
  const code = 'export const a = { b: true, c: () => 0 }'
  const ways = breaksOf('src/features/a/b/c.ts', code, { insideFunctions: true })
  expect(ways.map((way) => brokenCode(code, way))).toEqual(['export const a = { b: true, c: () => 1 }'])
})

const dropped = (sql: string): string[] => {
  const given = `\`${sql}\``
  const holes = [...given.matchAll(/\$\{([^}]*)\}/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[1]!,
  }))
  return conditionsIn(given, 0, holes).map(({ start, end, instead }) =>
    (given.slice(0, start) + instead + given.slice(end)).slice(1, -1).replace(/\s+/g, ' ').trim(),
  )
}

test('a condition of SQL ends where the next thing begins', () => {
  expect(dropped('select 1 from a where b between 1 and 2 and c is not distinct from d limit 1')).toEqual([
    'select 1 from a where c is not distinct from d limit 1',
    'select 1 from a where b between 1 and 2 limit 1',
  ])
  expect(
    dropped("select 1 from a where (b = 1 or c = 2) and d in (select e from f where g = ' and ')"),
  ).toEqual([
    "select 1 from a where d in (select e from f where g = ' and ')",
    'select 1 from a where (b = 1 or c = 2)',
    'select 1 from a where (b = 1 or c = 2) and d in (select e from f where true )',
  ])
  expect(dropped('select 1 from a where case when b then c and d else e end and f')).toEqual([
    'select 1 from a where f',
    'select 1 from a where case when b then c else e end and f',
    'select 1 from a where case when b then c and d else e end',
  ])
  // The code inserted after a condition is a separate one.
  expect(dropped('select 1 from a where b = ${c} and d = ${e} ${more} order by 1')).toEqual([
    'select 1 from a where d = ${e} ${more} order by 1',
    'select 1 from a where b = ${c} ${more} order by 1',
  ])
})

test('whose business a row is, is asked again by row-level security, but not of the system', () => {
  expect(dropped('select 1 from a where company_id = ${ctx.companyId} and b = 1')).toEqual([
    'select 1 from a where company_id = ${ctx.companyId}',
  ])
  expect(dropped('select 1 from a where a.company_id = b.company_id and c')).toEqual([
    'select 1 from a where a.company_id = b.company_id',
  ])
  expect(dropped('select 1 from a where company_id = ${companyId}')).toEqual(['select 1 from a where true'])
})

const sources = readSources()

test('the draw is the same for the same seed, another for another, and of all kinds', () => {
  const some = draw(44, 7, sources)
  expect(draw(44, 7, sources)).toEqual(some)
  expect(draw(44, 8, sources)).not.toEqual(some)
  for (const kind of kinds) expect(some.filter((one) => one.kind === kind)).toHaveLength(4)
  const files = some.map(({ file }) => file)
  expect(Math.max(...files.map((file) => files.filter((one) => one === file).length))).toBeLessThan(3)
  // Larger sources are drawn more often, and all parts of the house.
  for (const part of ['src/domain/', 'src/kit/', 'src/features/'])
    expect(draw(200, 7, sources).some(({ file }) => file.startsWith(part))).toBe(true)
})

test('every drawn place is another program that can be read', () => {
  const codeOf = new Map(sources.map(({ file, code }) => [file, code]))
  const wrong = [1, 2, 3].flatMap((seed) =>
    draw(110, seed, sources).filter((one) => {
      const code = codeOf.get(one.file)!
      const broken = brokenCode(code, one)
      return broken === code || parseSync(one.file, broken).errors.length > 0 || one.before === one.after
    }),
  )
  expect(wrong).toEqual([])
})

test('no tests, simulators, demo or words are drawn from', () => {
  const files = sourcesOfRules()
  expect(files).toContain('src/domain/money.ts')
  expect(files).toContain('src/features/base/ledger/server/addEntry.ts')
  expect(files).toContain('src/features/base/ledger/endpoints.ts')
  expect(files.filter((file) => /\.test\.|\/web\/|\/demo|[sS]imulator|\/text\//.test(file))).toEqual([])
})

test('sources that cannot be read are named', () => {
  const broken: Source[] = [{ file: 'src/domain/a.ts', code: 'const a = = 1' }]
  expect(() => draw(1, 1, broken)).toThrow('src/domain/a.ts')
})

test('the nearest tests are those beside a file, then those who use it', () => {
  const nearness = new Nearness([
    'src/domain/money.test.ts',
    'src/domain/vat/openItems.test.ts',
    'src/features/books/assets/assets.test.ts',
    'src/features/base/ledger/ledger.test.ts',
    'src/features/base/ledger/long.test.ts',
    'src/features/base/ledger/years.long.test.ts',
    'tests/books/books.test.ts',
  ])
  expect(nearness.ringsOf('src/domain/money.ts').near[0]).toBe('src/domain/money.test.ts')
  expect(nearness.ringsOf('src/domain/vat/papers.ts').near[0]).toBe('src/domain/vat/openItems.test.ts')
  expect(nearness.ringsOf('src/features/books/assets/server/actions.ts').near[0]).toBe(
    'src/features/books/assets/assets.test.ts',
  )
  const { near, wide } = nearness.ringsOf('src/features/base/ledger/server/addEntry.ts', { near: 2 })
  expect(near).toEqual(['src/features/base/ledger/ledger.test.ts', 'src/features/base/ledger/long.test.ts'])
  // Assets post by the ledger's door. What takes long comes after what does not.
  expect(wide).toEqual([
    'src/features/base/ledger/years.long.test.ts',
    'src/features/books/assets/assets.test.ts',
    'tests/books/books.test.ts',
  ])
  expect(nearness.ringsOf('src/features/calendar/timetable/server/readBusy.ts').viaReaders).toBe(true)
  expect(nearness.ringsOf('src/features/base/ledger/server/addEntry.ts').viaReaders).toBe(false)
})

test('a text of the table is found however it is broken into lines', () => {
  const code = 'if (a)\n    throw b\nif (a) return'
  expect(timesIn(code, 'if (a) throw b')).toBe(1)
  expect(timesIn(code, 'if (a)')).toBe(2)
  expect(replacedIn(code, 'if (a) throw b', '$&')).toBe('$&\nif (a) return')
})
