import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { documentStatusNames } from '#domain/documents/kinds.ts'
import { wings } from '#kit/describe/wings.ts'
import { root } from '#kit/server/settings.ts'

/** The place of a file in the source. */
interface Place {
  /**
   * 'domain', 'describe', 'fields', 'kitServer', 'kitWeb', 'featureTop', 'featureServer', 'featureWeb',
   * 'entry'
   */
  room: string
  wing?: string
  feature?: string
  /** The file's path below its room. */
  inside: string
}

/** What is one room to those who import: the domain, a part of the kit, a feature with both its halves. */
const roomOf = ({ room, feature }: Place): string => feature ?? room

const height = (wing: string): number => wings.findIndex((w) => w === wing)

function placeOf(path: string): Place {
  const parts = path.split('/')
  if (parts[0] === 'domain') return { room: 'domain', inside: parts.slice(1).join('/') }
  if (parts[0] === 'kit') {
    const room = { describe: 'describe', fields: 'fields', server: 'kitServer', web: 'kitWeb' }[
      parts[1] ?? ''
    ]
    if (room) return { room, inside: parts.slice(2).join('/') }
  }
  if (parts[0] === 'features' && parts.length > 3) {
    const [, wing = '', feature = '', half] = parts
    if (half === 'server') return { room: 'featureServer', wing, feature, inside: parts.slice(4).join('/') }
    if (half === 'web') return { room: 'featureWeb', wing, feature, inside: parts.slice(4).join('/') }
    return { room: 'featureTop', wing, feature, inside: parts.slice(3).join('/') }
  }
  return { room: 'entry', inside: path }
}

/** Rooms that a room may use; a feature's own halves and other features' doors are looked at apart. */
const allowed: Record<string, string[]> = {
  domain: ['domain'],
  describe: ['describe', 'fields', 'domain'],
  fields: ['fields', 'domain'],
  kitServer: ['kitServer', 'describe', 'fields', 'domain'],
  kitWeb: ['kitWeb', 'describe', 'fields', 'domain'],
  featureTop: ['domain', 'describe', 'fields', 'featureTop'],
  featureServer: ['domain', 'describe', 'fields', 'kitServer', 'featureTop', 'featureServer'],
  featureWeb: ['domain', 'describe', 'fields', 'kitWeb', 'featureTop', 'featureWeb'],
  entry: [
    'domain',
    'describe',
    'fields',
    'kitServer',
    'kitWeb',
    'featureTop',
    'featureServer',
    'featureWeb',
    'entry',
  ],
}

/** The folders of `src/kit/server`, each of which uses only those before it. Files beside the folders may use any. */
const serverFolders = [
  'data',
  'rights',
  'contract',
  'work',
  'paper',
  'outside',
  'seal',
  'described',
  'openapi',
  'http',
]

/** The error of an import inside `src/kit/server` that leads to a higher folder, or of a folder without a place. */
export function upwardInServer(from: string, to: string): string | undefined {
  const folder = (path: string) => /^kit\/server\/(\w+)\//.exec(path)?.[1]
  const [mine, theirs] = [folder(from), folder(to)]
  if (!mine || !theirs || from.endsWith('.test.ts')) return undefined
  const [low, high] = [serverFolders.indexOf(mine), serverFolders.indexOf(theirs)]
  if (low === -1)
    return `${from} lies in a folder without a place in the order of src/kit/server (tools/walls.ts)`
  return high > low ? `${from} uses ${theirs}, a higher folder of src/kit/server: ${to}` : undefined
}

/**
 * `readers.ts` is what threads run; its own features' readers use each other's without the server behind
 * `index.ts`.
 */
const doors: Record<string, string[]> = {
  featureServer: ['index.ts', 'readers.ts'],
  // Nouns and forms apart from the index: their words would otherwise be among those before the first screen.
  featureWeb: ['index.tsx', 'index.ts', 'nouns.ts', 'forms.ts'],
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([.#][^'"]+)['"]|import\(\s*['"]([.#][^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([.#][^'"]+)['"]/g

/** The path below `source` that a file's import leads to; undefined for one that leads out of it. */
function targetOf(source: string, file: string, target: string): string | undefined {
  if (target.startsWith('#')) return target.slice(1)
  const path = relative(source, resolve(dirname(join(source, file)), target)).replaceAll('\\', '/')
  return path.startsWith('..') ? undefined : path
}

/** Which files each file of `source` imports, at once or when they are needed; paths are relative to `source`. */
export function importsOf(source = join(root, 'src')): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue
    const targets = [...readFileSync(join(source, file), 'utf8').matchAll(importPattern)].flatMap(
      (match) => targetOf(source, file, match[1] ?? match[2] ?? match[3]!) ?? [],
    )
    imports.set(file.replaceAll('\\', '/'), new Set(targets))
  }
  return imports
}

const state = `'(?:${documentStatusNames.join('|')})'`
const typeName = String.raw`(?:document_?[tT]ype|DocumentType|\btype)"?`
const statusName = String.raw`(?:\w*_|\b)(?:s|\w*S)tatus"?\)?`

/** How document types and states are spelled out instead of being asked for by name. */
const spellings: readonly RegExp[] = [
  // type in (8, 9), type = 8, type <> 8, type = any (array[8, 9])
  new RegExp(String.raw`${typeName}\s+(?:not\s+)?in\s+\(\s*\d`, 'gi'),
  new RegExp(String.raw`${typeName}\s*(?:=|<>|!=|={3}|!={2})\s*\d`, 'g'),
  new RegExp(String.raw`${typeName}\s*(?:=|<>)\s*(?:any|all)\s*\(\s*(?:array|')`, 'gi'),
  // [8, 9].includes(document.type)
  new RegExp(String.raw`\[\s*\d+(?:\s*,\s*\d+)*,?\s*\]\.includes\([\w.?!]*${typeName}\)`, 'g'),
  // status = 'draft', status not in ('draft'), status === 'draft', 'draft' === status
  new RegExp(
    String.raw`(?<!(?:const|let) )${statusName}\s*(?:=|<>|!=|={3}|!={2}|is (?:not )?distinct from)\s*${state}`,
    'gi',
  ),
  new RegExp(String.raw`${statusName}\s+(?:not\s+)?in\s+\(\s*${state}`, 'gi'),
  new RegExp(String.raw`${statusName}\s*(?:=|<>)\s*(?:any|all)\s*\(\s*(?:array\[${state}|')`, 'gi'),
  new RegExp(String.raw`${state}\s*[=!]==\s*[\w.?!]*${statusName}`, 'g'),
  // ['draft', 'issued'].includes(document.status), case d.status when 'draft'
  new RegExp(String.raw`${state}\s*,?\s*\]\.includes\([\w.?!]*${statusName}`, 'g'),
  new RegExp(String.raw`\bcase\s+(?:\w+\.)?(?:type|status)\s+when\b`, 'gi'),
  // a filter of a list: 'status.in': 'issued,closed'
  new RegExp(String.raw`'status(?:\.\w+)?':\s*'(?:${documentStatusNames.join('|')})\b`, 'g'),
  // a further list of states, which the next state would be missing from
  /'partlyClosed'/g,
]

/** Files in which the same words mean something else. */
const otherMeanings: Readonly<Record<string, string>> = {
  'kit/server/outside/messages.ts': 'types of the nodes of a message',
  'kit/server/seal/plainPdf.ts': 'types of the entries of a cross-reference stream',
  'features/people/letters/server/drafts.ts': 'a letter has states of its own',
  'features/people/letters/server/index.ts': 'a letter has states of its own',
  'features/people/letters/server/sign.ts': 'a letter has states of its own',
}

/**
 * The lines of a file of the kit or of a feature that list numbers of document types or compare with a state's
 * name. The facts of `domain/documents/facts.ts` follow a new type or state; such a line does not.
 */
export function spelledFacts(path: string, text: string): string[] {
  if (!/^(?:kit|features)\//.test(path) || path === 'kit/server/data/documentFacts.ts' || otherMeanings[path])
    return []
  const lines = spellings
    .flatMap((spelling) => [...text.matchAll(spelling)])
    .map(({ index }) => text.slice(0, index).split('\n').length)
  return [...new Set(lines)]
    .toSorted((one, other) => one - other)
    .map(
      (line) =>
        `${path}:${line} spells document types or states out: ask typeFacts, statusFacts or documentFacts.ts by name`,
    )
}

/** Files that ask which documents are income, and add up something else of them. */
const otherNets: Readonly<Record<string, string>> = {
  'features/tax/filings/server/bothWays.ts': 'the accounts of its lines say which of them are turnover',
  'features/reports/questions/server/catalogue.ts': 'a question about all documents asks for their whole net',
}

/**
 * The lines of a file about income that add up the whole net of documents. Money that lines hold in trust is part of it,
 * and is no income: `incomeNet` of documentFacts.ts leaves it out.
 */
export function ownIncome(path: string, text: string): string[] {
  if (path === 'kit/server/data/documentFacts.ts' || otherNets[path]) return []
  if (!/\b(?:isIncome|incomeOf)\(/.test(text)) return []
  return [...text.matchAll(/(?<![\w.])(?:[cdio]\.)?ils_net_agorot\b/g)].map(
    ({ index }) =>
      `${path}:${text.slice(0, index).split('\n').length} adds up the whole net of documents: income is \`incomeNet\` of documentFacts.ts`,
  )
}

/** Files whose timers are not rounds over rows that are due. */
const otherTimers: Readonly<Record<string, string>> = {
  'features/open/webhooks/server/run.ts': 'each address has its own line, with a growing rest',
  'features/purchases/capture/server/mailIn.ts': 'reads a renewed certificate',
}

/**
 * Rows of many businesses that are served in a way in which one that fails would stop the others, or would be tried
 * again at every look: `dueRows.ts` has the way in which it does not.
 */
export function ownSweeps(path: string, text: string): string[] {
  if (!/^features\/.*\/server\//.test(path)) return []
  const at = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`
  const timers = otherTimers[path] ? [] : [...text.matchAll(/\bsetInterval\(/g)]
  const loops = [
    ...text.matchAll(
      /\bfor \((?:const|let) (\w+|\{[^}]*company[^}]*\}) of [^\n]*\)\s*\{?\s*(?:(?:const \S+ = |\S+ (?:\+|\|\||\?\?)?= |return |if \()?!?\(?)await (?:asCaller|inside)(?:<[^>]*>)?\(\s*[\w.]+,\s*(?:systemCaller\(|company|\1\.)/gi,
    ),
  ]
  return [
    ...timers.map(
      ({ index }) => `${at(index)} has another timer than everyRound of #kit/server/work/dueRows.ts`,
    ),
    ...loops.map(
      ({ index }) =>
        `${at(index)} goes over rows of businesses: one that throws would stop the others (dueRows, attempt)`,
    ),
  ]
}

/** Dated tables that are no law, with what they are. */
const otherTables: Readonly<Record<string, string>> = {
  'domain/standingOrders/indices.ts': 'the day on which an index is published',
}

const lawSpellings: readonly (readonly [spelling: RegExp, what: string])[] = [
  // ['2025-01-01', 1800], [2026, 12_283_300]: another table
  [/\[\s*'(?:19|20)\d\d-\d\d-\d\d',\s*(?:\d[\d_]{2,}|\{)/g, 'a dated figure'],
  [/\[\s*(?:19|20)\d\d,\s*\d[\d_]{4,}/g, 'a figure of a year'],
  // vatRate = 1800, VAT_RATE: 0.18
  [/\bvat_?(?:rate|percent)\w*\s*[:=]\s*(?:1[78]00|0\.1[78]|1[78])\b/gi, 'a rate of VAT'],
  // addDays(startOfMonth(addMonths(end, 1)), 14), addDays(period.to, 15), `${month}-15`
  [
    /addDays\((?:startOfMonth\(addMonths|addMonths\(startOfMonth)\([^\n]*\), (?:14|15|22)\)/g,
    'a day of reporting',
  ],
  [/addDays\([\w.]*\b(?:to|end|periodEnd)\b, (?:15|16|23)\)/g, 'a day of reporting'],
  [/\}-(?:15|16|23)`/g, 'a day of reporting'],
  [/['`}](?:\$\{[^}]+\})?-?(?:01-31|04-30|05-31)[`'](?!\])/g, 'a day of reporting of a year'],
  // const reportedFrom = '2026-01-01': a duty that began on a day
  [/\b\w*(?:[Ff]rom|[Ss]ince|Until)\s*=\s*'(?:19|20)\d\d-\d\d-\d\d'/g, 'the day of a duty'],
  // vatRateOn(day ?? '2025-01-01'): the law of a day that nobody meant
  [/\?\?\s*'(?:19|20)(?!00)\d\d-\d\d-\d\d'/g, 'a day in place of the one that is missing'],
  // twoThirds: [2, 3], vat * 2 / 3: the part of a bill's VAT that is deducted
  [
    /\b(?:twoThirds\w*\s*:\s*\[\s*2,|quarter\w*\s*:\s*\[\s*1,\s*4\b)|\b\w*[vV]at\w*\s*\*\s*\(?2\)?\s*\)?\s*\/\s*3\b/g,
    'a share of VAT',
  ],
  // [rate, 1800, 1700], rate * 0.18, <bdi>18%</bdi>
  [
    /\b1[78]00,\s*1[78]00\b|\b(?:net|sum|total|amount|beforeVat)\w*\s*\*\s*0\.1[78]\b|>1[78]%</g,
    'a rate of VAT',
  ],
]

/**
 * The lines of a file that write a dated figure of the law or a day of reporting. Those stand in `domain/law`, each with
 * its source, the day it was checked and the end of what is known; operators enter there what is new.
 */
export function lawElsewhere(path: string, text: string): string[] {
  if (
    path.startsWith('domain/law/') ||
    otherTables[path] ||
    /(?:^|\/)(?:samples|demo\w*|demo\/.*)\.ts$|PartsGallery/.test(path)
  )
    return []
  return lawSpellings.flatMap(([spelling, what]) =>
    [...text.matchAll(spelling)].map(
      ({ index }) =>
        `${path}:${text.slice(0, index).split('\n').length} writes ${what} of the law: it belongs into domain/law (figures.ts, dues.ts)`,
    ),
  )
}

/** Files whose dates are days in UTC by construction: calendars, cells of spreadsheets, a date of security.txt. */
const daysOfUtc = [
  'src/domain/',
  'src/kit/server/http/pages.ts',
  'src/features/registers/imports/server/xlsx.ts',
  'src/features/registers/rates/server/read.ts',
  'src/features/reports/questions/pivots.test.ts',
  'src/features/sales/salesReports/years.long.test.ts',
]

/** Where a day is taken from a moment in UTC: between midnight and morning in Jerusalem it is the day before. */
export const utcDays = (path: string, text: string): string[] =>
  daysOfUtc.some((one) => path.startsWith(one))
    ? []
    : [...text.matchAll(/\.toISOString\(\)\s*\.(?:slice\(0, ?10\)|split\('T'\))/g)].map(
        ({ index }) =>
          `${path}:${text.slice(0, index).split('\n').length} takes the day in UTC: use dayInJerusalem and addDays`,
      )

/** SQL that PostgreSQL 15, the oldest version supported, does not read: figures with `_`, functions of later versions. */
export const newerSql = (path: string, text: string): string[] =>
  [...text.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)].flatMap(({ index, 1: statement }) => {
    const bare = statement!.replace(/\$\{[^}]*\}/g, '').replace(/'[^']*'/g, "''")
    const found =
      /(?<![\w.])\d+_\d+|\b(?:any_value|json_table|json_exists|json_query|json_value|random_normal)\s*\(/i.exec(
        bare,
      )
    return found
      ? [
          `${path}:${text.slice(0, index).split('\n').length} uses ${found[0]}, which PostgreSQL 15 does not read`,
        ]
      : []
  })

/**
 * Where a test starts several calls at once and expects a refusal of each in turn: the second is refused while nobody waits
 * for it, and the process ends with an unhandled rejection when the machine is slow.
 */
export const startedTogether = (text: string): string[] =>
  [
    ...text.matchAll(/for \(const (\w+) of \[\n([\s\S]*?)\n\s+\]\)\s*\{?\s*await expect\(\1\)\.rejects/g),
  ].flatMap(([, name, list]) => (/^ *(?:\w+\.)?\w+\(/m.test(list!) ? [name!] : []))

/** What a journey's configuration gives to a wait, in milliseconds. */
const journeyWait = 30_000

/**
 * Waits of a journey that end before the configured one. On a busy machine they fail although nothing is wrong; the
 * smoke measures how fast pages are, and `support.ts` repeats its short waits.
 */
export const shortWaits = (path: string, text: string): string[] =>
  !path.startsWith('tests/journeys/') || /\/(?:smoke\.spec|support)\.ts$/.test(path)
    ? []
    : [...text.matchAll(/\btimeout: ([\d_]+)/g)].flatMap(({ index, 1: figure }) =>
        Number(figure!.replaceAll('_', '')) < journeyWait
          ? [
              `${path}:${text.slice(0, index).split('\n').length} waits less than other journeys do: leave the timeout out, or use reloadUntil of support.ts`,
            ]
          : [],
      )

function brokenTests(): string[] {
  return ['src', 'tests', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => {
        const path = `${folder}/${file.replaceAll('\\', '/')}`
        const text = readFileSync(join(root, path), 'utf8')
        const together = /\.test\.tsx?$/.test(file) ? startedTogether(text) : []
        return [
          ...together.map(
            (name) =>
              `${path} starts the calls of \`${name}\` together; start each where its refusal is expected`,
          ),
          ...(path.startsWith('tools/walls') ? [] : utcDays(path, text)),
          ...shortWaits(path, text),
        ]
      }),
  )
}

/** Every import that goes through a wall or the wrong way about, every circle of features, and what tests must not do. */
export function brokenWalls(source = join(root, 'src')): string[] {
  const problems: string[] = brokenTests()
  const uses = new Map<string, Set<string>>()
  const imports = new Map<string, Set<string>>()
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (f) => /\.(ts|tsx)$/.test(f) && !/\.test\.tsx?$/.test(f),
  )
  for (const file of files) {
    const path = file.replaceAll('\\', '/')
    const from = placeOf(path)
    const asks = new Set<string>()
    imports.set(path, asks)
    const text = readFileSync(join(source, file), 'utf8')
    problems.push(
      ...spelledFacts(path, text),
      ...ownIncome(path, text),
      ...ownSweeps(path, text),
      ...lawElsewhere(path, text),
      ...newerSql(path, text),
    )
    if (from.room === 'featureWeb' && /\.setQueryData\b/.test(text))
      problems.push(
        `${path} puts an answer itself: a fetch under way would replace it (putAnswer, changeAnswer of #kit/web/calls/call.ts)`,
      )
    for (const match of text.matchAll(importPattern)) {
      const target = match[1] ?? match[2] ?? match[3]!
      const toPath = target.startsWith('#')
        ? target.slice(1)
        : relative(source, resolve(dirname(join(source, file)), target)).replaceAll('\\', '/')
      if (toPath.startsWith('..')) {
        if (!(from.room === 'kitServer' && toPath === '../db/tables.ts'))
          problems.push(`${path} reaches out of src: ${target}`)
        continue
      }
      if (/\.(json|css|typ)$/.test(toPath)) continue
      // What is fetched when it is needed makes no circle.
      if (match[2] === undefined) asks.add(toPath)
      const to = placeOf(toPath)
      const upward = upwardInServer(path, toPath)
      if (upward) problems.push(upward)
      if (
        (roomOf(from) === roomOf(to)) === target.startsWith('#') &&
        from.room !== 'entry' &&
        to.room !== 'entry'
      )
        problems.push(
          `${path} uses ${toPath} as ${target}: inside a room by relative paths, from one to another by #`,
        )
      const other = to.feature !== undefined && to.feature !== from.feature
      if (!allowed[from.room]!.includes(to.room))
        problems.push(`${path} (${from.room}) may not use ${toPath} (${to.room})`)
      else if (other && from.feature !== undefined && doors[to.room] && !doors[to.room]!.includes(to.inside))
        problems.push(`${path} uses ${toPath} past the door of ${to.feature}`)
      if (from.wing && to.wing && height(to.wing) > height(from.wing))
        problems.push(
          `${path} (wing ${from.wing}) may not use ${toPath}: the wing ${to.wing} stands above it`,
        )
      if (other && from.feature !== undefined)
        (uses.get(from.feature) ?? uses.set(from.feature, new Set()).get(from.feature)!).add(to.feature!)
    }
  }
  return [...problems, ...circles(uses), ...filesInCircles(imports), ...domainInCircles(imports)]
}

function circles(uses: Map<string, Set<string>>): string[] {
  const found = new Set<string>()
  const walk = (feature: string, path: string[]) => {
    const at = path.indexOf(feature)
    if (at >= 0) {
      const circle = path.slice(at)
      const first = circle.indexOf([...circle].sort()[0]!)
      found.add([...circle.slice(first), ...circle.slice(0, first)].join(' -> '))
      return
    }
    for (const next of uses.get(feature) ?? []) walk(next, [...path, feature])
  }
  for (const feature of uses.keys()) walk(feature, [])
  return [...found].map((c) => `features go in a circle: ${c}`)
}

/** The groups of two or more nodes of a graph that reach each other (Tarjan's components), each sorted. */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = []
  const number = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): number => {
    const mine = number.size
    number.set(node, mine)
    lowest.set(node, mine)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!number.has(next)) lowest.set(node, Math.min(lowest.get(node)!, visit(next)))
      else if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, number.get(next)!))
    }
    if (lowest.get(node) === mine) {
      const circle = stack.splice(stack.indexOf(node))
      if (circle.length > 1) found.push(circle.sort())
    }
    return lowest.get(node)!
  }
  for (const node of graph.keys()) if (!number.has(node)) visit(node)
  return found
}

/**
 * Files that import each other, for their types too: one of them contains what both need, which belongs in a
 * separate file.
 */
const filesInCircles = (imports: Map<string, Set<string>>): string[] =>
  circlesOf(imports).map((circle) => `files import each other: ${circle.join(', ')}`)

/**
 * Subjects of the domain (its folders, and the files beside them as the ground) that use each other: money and days
 * know no document, documents no entry, entries no bill.
 */
export function domainInCircles(imports: Map<string, Set<string>>): string[] {
  const subject = (path: string) => /^domain\/(?:(\w+)\/)?[^/]/.exec(path)?.[1] ?? 'the ground'
  const graph = new Map<string, Set<string>>()
  const examples = new Map<string, string>()
  for (const [file, targets] of imports) {
    if (!file.startsWith('domain/') || file.endsWith('.test.ts')) continue
    const from = subject(file)
    const uses = graph.get(from) ?? graph.set(from, new Set()).get(from)!
    for (const target of targets) {
      if (!target.startsWith('domain/') || subject(target) === from) continue
      uses.add(subject(target))
      examples.set(`${from} ${subject(target)}`, `${file} uses ${target}`)
    }
  }
  return circlesOf(graph).map((circle) => {
    const arrows = circle.flatMap((a) => circle.map((b) => examples.get(`${a} ${b}`))).filter(Boolean)
    return `subjects of the domain use each other: ${circle.join(', ')} (${arrows.join('; ')})`
  })
}

if (process.argv[1]?.endsWith('walls.ts')) {
  const problems = brokenWalls()
  for (const p of problems) console.error(p)
  process.exit(problems.length ? 1 : 0)
}
