import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { breaksOf, kinds, type Break, type Kind } from './kinds.ts'

/** A place in the tree that is broken one way. */
export interface Drawn extends Break {
  /** From the root, with slashes. */
  file: string
  line: number
  /** What is there, and what it becomes, in one line each. */
  before: string
  after: string
}

/**
 * Files that simulate the outside world, show things, contain words or lay out documents, for which pictures are
 * compared: no rule of the product is there.
 */
const beside =
  /\/(?:demo|text|articles|releases|samples|simulator|openapi|paper)\/|\/(?:demo|samples|examples|words|labels|vocabulary|text|texts|[a-z]*[sS]imulator)\.ts$/
/** What runs before the tests begin or around the server: tests cannot see it broken. */
const around =
  /^src\/kit\/server\/(?:embeddedPostgres|groupedImports|migrate|settings|start|house|housekeeping)\.ts$/

/** The sources whose rules are drawn from: the domain, the server's kit, and features without their screens. */
export function sourcesOfRules(): string[] {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      `${folder}/${file}`.replaceAll(sep, '/'),
    )
  return ['src/domain', 'src/kit/server', 'src/kit/fields', 'src/kit/describe', 'src/features']
    .flatMap(below)
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !file.endsWith('.test.ts') &&
        !/^src\/features\/[^/]+\/[^/]+\/(?!server\/)[^/]+\//.test(file) &&
        !beside.test(file) &&
        !around.test(file),
    )
    .toSorted()
}

export const areaOf = (file: string): 'domain' | 'kit' | 'features' =>
  file.startsWith('src/domain/') ? 'domain' : file.startsWith('src/kit/') ? 'kit' : 'features'

/** Numbers that look random and are the same for the same seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Of one file at most. */
const mostInFile = 2

export interface Source {
  file: string
  code: string
}

const known = new WeakMap<Source, Break[]>()

/**
 * So many places, each broken one way: kinds in turn, files by their size, the same for the same seed and
 * sources.
 */
export function draw(count: number, seed: number, sources: readonly Source[]): Drawn[] {
  const roll = dice(seed)
  const ways = new Map<string, Break[]>()
  for (const source of sources) {
    const { file, code } = source
    // What a feature describes beside its functions is walked by tests of all features.
    const isTop = /^src\/features\/[^/]+\/[^/]+\/[^/]+\.ts$/.test(file)
    if (!known.has(source)) known.set(source, breaksOf(file, code, { insideFunctions: isTop }))
    ways.set(file, known.get(source)!)
  }
  const codeOf = new Map(sources.map(({ file, code }) => [file, code]))
  const taken = new Map<string, number>()
  const found: Drawn[] = []
  const byKind = new Map<Kind, { file: string; size: number }[]>(
    kinds.map((kind) => [
      kind,
      sources
        .filter(({ file }) => ways.get(file)!.some((way) => way.kind === kind))
        .map(({ file, code }) => ({ file, size: code.length })),
    ]),
  )
  let misses = 0
  for (let n = 0; found.length < count && misses < kinds.length * 50; n++) {
    const kind = kinds[n % kinds.length]!
    const files = byKind.get(kind)!.filter(({ file }) => (taken.get(file) ?? 0) < mostInFile)
    if (!files.length) {
      misses++
      continue
    }
    let at = roll(files.reduce((sum, { size }) => sum + size, 0))
    const { file } = files.find(({ size }) => (at -= size) < 0)!
    const code = codeOf.get(file)!
    const some = ways.get(file)!.filter((way) => way.kind === kind)
    const way = some[roll(some.length)]!
    // No place twice, nor inside one that is broken already.
    if (found.some((one) => one.file === file && one.start < way.end && way.start < one.end)) {
      misses++
      // The kind keeps its turn: there are as many of each.
      n--
      continue
    }
    taken.set(file, (taken.get(file) ?? 0) + 1)
    found.push({
      ...way,
      file,
      line: code.slice(0, way.start).split('\n').length,
      before: inOneLine(code.slice(way.of.start, way.of.end)),
      after: inOneLine(code.slice(way.of.start, way.start) + way.instead + code.slice(way.end, way.of.end)),
    })
  }
  return found
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const brokenCode = (code: string, { start, end, instead }: Break): string =>
  code.slice(0, start) + instead + code.slice(end)

export const readSources = (): Source[] =>
  sourcesOfRules().map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))
