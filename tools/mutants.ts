import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { openBench } from './mutants/bench.ts'
import { areaOf, brokenCode, draw, readSources, type Drawn } from './mutants/draw.ts'
import { kinds } from './mutants/kinds.ts'
import { Nearness } from './mutants/near.ts'
import { placeOf, replacedIn } from './mutants/places.ts'
import { staleMutants } from './mutants/stale.ts'
import { mutants } from './mutants/table.ts'

// `npm run mutants -- [part of a path …]` breaks the rules of tools/mutants/table.ts one at a time (a sign, a
// bound, a right, a filter) and runs the tests named there for each.
//
// `npm run mutants -- --random 40 --seed 1 [--json FILE] [part of a path …]` breaks places drawn from the whole
// source, the same ones for the same seed and tree, and runs the tests nearest to each, then a wider ring.
// `--wide SECONDS` is how long tests of the wider ring are begun for one mutant; 0 runs the nearest alone.
// `--again FILE` runs what an earlier FILE of `--json` names as missed once more.
//
// A rule that can be broken without a test that fails has no test: the test is added, or the rule is removed.
// Nothing is written to the files themselves.

const given = process.argv.slice(2)
const option = (name: string): string | undefined => {
  const at = given.indexOf(`--${name}`)
  return at < 0 ? undefined : given.splice(at, 2)[1]
}
const random = option('random')
const seed = Number(option('seed') ?? 1)
const json = option('json')
const again = option('again')
/** For the wider ring of a mutant; a file that has begun is run to its end. */
const wideSeconds = Number(option('wide') ?? 60)
const wanted = given
const isWanted = ({ file }: { file: string }) =>
  wanted.length === 0 || wanted.some((part) => file.includes(part))

process.exit(random !== undefined || again !== undefined ? await runRandom() : await runTable())

async function runTable(): Promise<number> {
  const chosen = mutants.filter(isWanted)
  const problems = staleMutants(chosen)
  if (problems.length) {
    console.error(problems.join('\n'))
    return 1
  }
  const bench = await openBench()
  const nearness = new Nearness(bench.files.map(fromRoot))
  const seconds = 600
  const missed: string[] = []
  const begun = Date.now()
  for (const { file, text, instead, tests, name } of chosen) {
    const place = placeOf(file)
    const from = Date.now()
    const broken = { file: place, code: replacedIn(readFileSync(place, 'utf8'), text, instead) }
    const { viaReaders } = nearness.ringsOf(fromRoot(place))
    const { passes } = await bench.withBroken(broken, viaReaders, () =>
      bench.run(tests.map(placeOf), { ...(name ? { name } : {}), seconds }),
    )
    if (passes) missed.push(`${file}: ${text} → ${instead}`)
    console.log(`${passes ? '✗ missed' : '✓'} ${file}: ${text} → ${instead} (${secondsSince(from)} s)`)
  }
  // A test that fails without any fault would catch everything.
  const suites = [
    ...new Map(chosen.map(({ tests, name }) => [`${tests.join()} ${name}`, { tests, name }])).values(),
  ]
  const sick: string[] = []
  for (const { tests, name } of suites) {
    const { passes } = await bench.run(tests.map(placeOf), { ...(name ? { name } : {}), seconds })
    if (!passes) sick.push(tests.join(', '))
  }
  await bench.close()
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} caught in ${secondsSince(begun)} s`)
  for (const one of missed) console.log(`missed: ${one}`)
  for (const test of sick) console.log(`fails without any fault: ${test}`)
  return missed.length + sick.length ? 1 : 0
}

interface Result extends Drawn {
  isCaught: boolean
  /** The test that failed, or why it could not end. */
  by: string
  /** Its file; of one that was missed, all that were run. */
  tests: string[]
  seconds: number
}

async function runRandom(): Promise<number> {
  const sources = readSources()
  const codeOf = new Map(sources.map(({ file, code }) => [file, code]))
  const drawn = (again === undefined ? draw(Number(random), seed, sources) : missedIn(again, codeOf)).filter(
    isWanted,
  )
  const bench = await openBench()
  const nearness = new Nearness(bench.files.map(fromRoot))
  const results: Result[] = []
  for (const [n, one] of drawn.entries()) {
    const from = Date.now()
    const { near, wide, viaReaders } = nearness.ringsOf(one.file)
    const ran: string[] = []
    const inRoot = (files: readonly string[]) => files.map((file) => join(root, file))
    const broken = { file: join(root, one.file), code: brokenCode(codeOf.get(one.file)!, one) }
    const verdict = await bench.withBroken(broken, viaReaders, async () => {
      let last = await bench.run(inRoot(near), { seconds: 300 })
      ran.push(...near)
      // File by file, so that a survivor costs no more than it is worth.
      const until = Date.now() + wideSeconds * 1000
      for (const test of wide) {
        if (!last.passes || Date.now() >= until) break
        last = await bench.run(inRoot([test]), { seconds: 300 })
        ran.push(test)
      }
      return last
    })
    const result: Result = {
      ...one,
      isCaught: !verdict.passes,
      by: verdict.by,
      tests: verdict.passes ? ran : verdict.file ? [fromRoot(verdict.file)] : [],
      seconds: Number(secondsSince(from)),
    }
    results.push(result)
    console.log(
      `${String(n + 1).padStart(3)} ${result.isCaught ? '✓ caught' : '✗ missed'} ${one.file}:${one.line} ${one.kind}: ${short(one.before)} → ${short(one.after)} (${result.seconds} s)`,
    )
    if (json) writeFileSync(json, JSON.stringify(results, null, 2))
  }
  // A test that fails without any fault would catch everything. One process runs them all, up to the first that
  // fails: the server is loaded once.
  const sick: string[] = []
  let rest = [
    ...new Set(
      results.flatMap(({ isCaught, tests }) => (isCaught ? tests.map((test) => join(root, test)) : [])),
    ),
  ]
  while (rest.length) {
    const { passes, by, file } = await bench.run(rest, { seconds: 300 + 60 * rest.length })
    if (passes) break
    sick.push(file ? `${fromRoot(file)}: ${by}` : by)
    rest = file ? rest.slice(rest.indexOf(file) + 1) : []
  }
  await bench.close()
  const missed = results.filter(({ isCaught }) => !isCaught)
  console.log(`\n${table('kind', kinds, ({ kind }) => kind, results)}`)
  console.log(`\n${table('area', ['domain', 'kit', 'features'], ({ file }) => areaOf(file), results)}`)
  console.log(
    `\n${results.length - missed.length} of ${results.length} caught, ${(results.reduce((sum, { seconds }) => sum + seconds, 0) / Math.max(results.length, 1)).toFixed(1)} s each`,
  )
  for (const { file, line, kind, before, after } of missed)
    console.log(`missed: ${file}:${line} ${kind}: ${short(before)} → ${short(after)}`)
  for (const test of sick) console.log(`fails without any fault: ${test}`)
  return missed.length + sick.length ? 1 : 0
}

/** What an earlier run names as missed, where its code is still as it was. */
function missedIn(file: string, codeOf: ReadonlyMap<string, string>): Drawn[] {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Result[]
  return results.flatMap((one) => {
    if (one.isCaught) return []
    const code = codeOf.get(one.file)
    const isSame = code?.slice(one.of.start, one.of.end).replace(/\s+/g, ' ').trim() === one.before
    if (!isSame) console.log(`no longer there: ${one.file}:${one.line} ${short(one.before)}`)
    return isSame ? [one] : []
  })
}

function table(
  head: string,
  names: readonly string[],
  of: (one: Result) => string,
  results: Result[],
): string {
  const rows = names.map((name) => {
    const some = results.filter((one) => of(one) === name)
    const caught = some.filter(({ isCaught }) => isCaught).length
    return [name, String(caught), String(some.length - caught)]
  })
  return [[head, 'caught', 'missed'], ...rows]
    .map(([name, caught, missed]) => name!.padEnd(12) + caught!.padStart(8) + missed!.padStart(8))
    .join('\n')
}

function short(text: string): string {
  return text.length > 110 ? `${text.slice(0, 107)}…` : text || '(nothing)'
}

function fromRoot(file: string): string {
  return relative(root, file).replaceAll(sep, '/')
}

function secondsSince(from: number): string {
  return ((Date.now() - from) / 1000).toFixed(1)
}
