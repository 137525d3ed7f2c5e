import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { brokenWalls } from './walls.ts'
import { checkWords } from './words.ts'
import { checkPapers } from './papers.ts'

// Everything that can be said of the source without running it: types, lint, walls, unused code, words, the project's own pages.
const bin =
  (path: string, ...args: string[]) =>
  () => {
    const done = spawnSync(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root, encoding: 'utf8' })
    return done.status === 0 ? [] : [`${done.stdout}${done.stderr}`.trim()]
  }

const checks: [string, () => string[]][] = [
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
for (const [name, run] of checks) {
  const started = Date.now()
  const problems = run()
  console.log(`${problems.length ? '✗' : '✓'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  for (const problem of problems) console.error(problem)
  if (problems.length) failed++
}
if (failed) process.exit(1)
