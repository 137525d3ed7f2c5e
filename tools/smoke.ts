import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
// @ts-expect-error plain JavaScript without types: it must run before anything is installed
import { build } from './start.mjs'

// `npm run smoke -- [name …] [--all]`: the screens named, in all twenty looks; without names every screen in two looks,
// with --all every one in twenty. Findings are listed at the end: each fault once, with the looks that have it.
const names = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'pinkas-smoke-'))
const file = join(folder, 'findings')
build()
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/@playwright/test/cli.js'),
    'test',
    'tests/journeys/smoke.spec',
    '--reporter=line',
    '--quiet',
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'ignore'],
    env: {
      ...process.env,
      SMOKE_FINDINGS: file,
      ...(names.length ? { SMOKE_SCREENS: names.join(',') } : {}),
      ...(process.argv.includes('--all') ? { SMOKE: 'all' } : {}),
    },
  },
)
type Found = { screen: string; path: string; found: [look: string, problems: string[]][] }
const all = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Found)
  : []
rmSync(folder, { recursive: true, force: true })
for (const screen of [...new Set(all.map((one) => one.screen))].sort()) {
  const looks = new Map<string, string[]>()
  for (const { found } of all.filter((one) => one.screen === screen))
    for (const [look, problems] of found)
      for (const problem of problems) looks.set(problem, [...(looks.get(problem) ?? []), look])
  console.log(`\n${screen}  ${all.find((one) => one.screen === screen)!.path}`)
  for (const [problem, where] of looks)
    console.log(
      `  ${problem}\n    ${where.length > 4 ? `${where.length} looks, such as ${where[0]}` : where.join(', ')}`,
    )
}
process.exit(status ?? 1)
