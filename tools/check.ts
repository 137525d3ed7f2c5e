import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { brokenWalls } from './walls.ts'
import { checkWords } from './words.ts'
import { checkPapers } from './papers.ts'

// Everything that can be said of the source without running it: types, lint, walls, unused code, words, the project's own pages.
const bin =
  (path: string, ...args: string[]) =>
  () =>
    new Promise<string[]>((done) => {
      const child = spawn(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
      child.on('close', (code) => done(code === 0 ? [] : [said.trim()]))
    })

const checks: [string, () => string[] | Promise<string[]>][] = [
  ['types of the server', bin('typescript/bin/tsc', '-p', 'tsconfig.server.json')],
  ['types of the web', bin('typescript/bin/tsc', '-p', 'tsconfig.web.json')],
  ['types of tools and tests', bin('typescript/bin/tsc', '-p', 'tsconfig.tools.json')],
  ['lint', bin('oxlint/bin/oxlint', '--quiet')],
  ['walls', () => brokenWalls()],
  ['unused code', bin('knip/bin/knip.js', '--no-progress')],
  ['words', () => checkWords()],
  ['tables', bin('tsx/dist/cli.mjs', join(root, 'tools/tables.ts'), '--check')],
  ['pages of the project', () => checkPapers()],
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
