import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { brokenWalls } from './walls.ts'
import { checkWords } from './words.ts'
import { checkExamples } from './examples.ts'
import { checkDecisions } from './decisions.ts'
import { checkPapers } from './papers.ts'
import { checkEnglish } from './plainEnglish.ts'
import { checkTables } from './tables.ts'
import { checkShards } from './shards.ts'
import { staleMutants } from './mutants/stale.ts'
import { overlongSql } from './sqlWidth.ts'

// Everything that can be said of the source without running it: types, lint, walls, unused code, words, the
// project's own pages.
const bin =
  (path: string, ...args: string[]) =>
  () =>
    new Promise<string[]>((done) => {
      // A young generation this large is collected a tenth as often by the tools that parse the whole source.
      const child = spawn(
        process.execPath,
        ['--max-semi-space-size=128', join(root, 'node_modules', path), ...args],
        {
          cwd: root,
          stdio: ['ignore', 'pipe', 'pipe'],
          // tsc is written in Go and keeps nearly all it allocates: collecting is a quarter of its work and frees little.
          // It starts to collect at the limit, so that a larger source does not take all memory.
          env: { ...process.env, GOGC: 'off', GOMEMLIMIT: '2500MiB' },
        },
      )
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (said += part.toString()))
      child.on('close', (code) => done(code === 0 ? [] : [said.trim()]))
    })

const checks: [string, () => string[] | Promise<string[]>][] = [
  // Several checkers of one program repeat each other's work; two programs side by side use both cores as well.
  [
    'types of server, tools and tests',
    bin('typescript/bin/tsc', '--singleThreaded', '-p', 'tsconfig.node.json'),
  ],
  ['types of the web', bin('typescript/bin/tsc', '--singleThreaded', '-p', 'tsconfig.web.json')],
  ['format', bin('oxfmt/bin/oxfmt', '--check', '.')],
  ['width of SQL', () => overlongSql()],
  ['lint', bin('oxlint/bin/oxlint', '--deny-warnings')],
  ['walls', () => brokenWalls()],
  ['unused code', bin('knip/bin/knip.js', '--no-progress')],
  ['words', () => checkWords()],
  ['tables', () => checkTables()],
  ['statements over many businesses', () => checkShards()],
  ['pages of the project', () => checkPapers()],
  ['plain English', () => checkEnglish()],
  ['examples', () => checkExamples()],
  ['decisions', () => checkDecisions()],
  ['table of mutants', () => staleMutants()],
]

let failed = 0
const waiting = [...checks]
/** Takes one after another until none is left. */
async function work(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, run] = next
    const started = Date.now()
    const problems = await run()
    console.log(`${problems.length ? '✗' : '✓'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    for (const problem of problems) console.error(problem)
    if (problems.length) failed++
  }
}
// Two at once: most of them work on one core.
await Promise.all([work(), work()])
if (failed) process.exit(1)
