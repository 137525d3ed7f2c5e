import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from '#kit/server/settings.ts'
import { mutants, type Mutant } from './mutants/table.ts'

// `npm run mutants -- [part of a path …]`: breaks one rule at a time (a sign, a bound, a right, a filter) and runs the tests that stand for it. A rule that can
// be broken without a test that fails is held by nobody: the test is added, or the rule goes. Nothing is written to the files themselves.
const wanted = process.argv.slice(2)

/** A path as the table says it, wherever the wing is that its feature stands in. */
function placeOf(path: string): string {
  const plain = join(root, path)
  if (existsSync(plain)) return plain
  const rest = path.replace(/^src\/features\//, '')
  const wing = readdirSync(join(root, 'src/features')).find((one) => existsSync(join(root, 'src/features', one, rest)))
  if (wing === undefined) throw new Error(`${path}: there is no such file`)
  return join(root, 'src/features', wing, rest)
}

const chosen = mutants.filter(({ file }) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
const problems: string[] = []
for (const { file, text, instead } of chosen) {
  const count = readFileSync(placeOf(file), 'utf8').split(text).length - 1
  if (count !== 1) problems.push(`${file}: ‘${text}’ stands there ${count} times`)
  if (text === instead) problems.push(`${file}: ‘${text}’ is no other`)
}
if (problems.length) {
  console.error(problems.join('\n'))
  process.exit(1)
}

let broken: { file: string; code: string } | undefined
const vitest = await createVitest(
  'test',
  { watch: false, root, reporters: [{}], bail: 1, maxWorkers: 1, isolate: true },
  { plugins: [{ name: 'mutant', enforce: 'pre', load: (id) => (broken && id.split('?')[0] === broken.file ? broken.code : undefined) }] },
)
// Broken off, it takes its database with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void vitest.close().finally(() => process.exit(130)))

/** Whether every test passes. */
async function passes(tests: readonly string[], name?: string): Promise<boolean> {
  if (name) vitest.setGlobalTestNamePattern(name)
  else vitest.resetGlobalTestNamePattern()
  const files = new Set(tests.map(placeOf))
  const specs = (await vitest.globTestSpecifications()).filter(({ moduleId }) => files.has(moduleId))
  if (specs.length < files.size) throw new Error(`no test file: ${tests.join(', ')}`)
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs)
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok())
}

const survivors: Mutant[] = []
let caught = 0
const begun = Date.now()
for (const mutant of chosen) {
  const file = placeOf(mutant.file)
  broken = { file, code: readFileSync(file, 'utf8').replace(mutant.text, () => mutant.instead) }
  vitest.invalidateFile(file)
  const from = Date.now()
  const isMissed = await passes(mutant.tests, mutant.name)
  broken = undefined
  vitest.invalidateFile(file)
  if (isMissed) survivors.push(mutant)
  else caught++
  console.log(
    `${isMissed ? '✗ nobody saw' : '✓'} ${mutant.file}: ${mutant.text} → ${mutant.instead} (${((Date.now() - from) / 1000).toFixed(1)} s)`,
  )
}
// A test that fails of itself would catch everything.
const suites = [...new Map(chosen.map(({ tests, name }) => [`${tests.join()} ${name}`, { tests, name }])).values()]
const sick: string[] = []
for (const { tests, name } of suites) if (!(await passes(tests, name))) sick.push(tests.join(', '))
await vitest.close()
console.log(`\n${caught} of ${chosen.length} caught in ${Math.round((Date.now() - begun) / 1000)} s`)
for (const { file, text, instead } of survivors) console.log(`nobody saw: ${file}: ${text} → ${instead}`)
for (const test of sick) console.log(`fails without any fault: ${test}`)
process.exit(survivors.length + sick.length ? 1 : 0)
