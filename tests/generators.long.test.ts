import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentText, provideContract } from '#kit/server/openapi/contract.ts'
import { serveReports } from '#kit/server/described/serveReports.ts'
import { implementations, letterhead, reports, wingOf } from '../src/features.ts'

/*
 * Three more generators than tests/validators.test.ts runs. They bring 500 packages of 350 MB, more than everything else
 * the tests need, so they are installed apart:
 *
 *   mkdir /tmp/generators && cd /tmp/generators && npm init -y && npm i --ignore-scripts \
 *     @hey-api/openapi-ts orval openapi-zod-client typescript@5.9
 *   GENERATORS=/tmp/generators npx vitest run tests/generators.long.test.ts
 */
const home = process.env.GENERATORS ?? ''
const without = !existsSync(join(home, 'node_modules/.bin/orval'))
const reason = 'needs generators: set GENERATORS to a folder where they are installed'

let folder: string
let file: string
beforeAll(async () => {
  if (without) return
  const all = [...implementations, ...serveReports(reports, letterhead)]
  provideContract({ endpoints: all.map(({ endpoint }) => endpoint), version: '1.0.0', wingOf })
  folder = mkdtempSync(join(existsSync(home) ? home : tmpdir(), 'pinkas-generators-'))
  file = join(folder, 'openapi.json')
  writeFileSync(file, await documentText('en'))
}, 120_000)

const run = (program: string, ...of: string[]) =>
  spawnSync(join(home, 'node_modules/.bin', program), of, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })

describe('generators make code that compiles under strict settings', () => {
  test.for<[string, string, string[]]>([
    ['openapi-ts', 'index.ts', ['-i', 'openapi.json', '-o', 'openapi-ts', '-c', '@hey-api/client-fetch']],
    ['orval', 'api.ts', ['--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch']],
    ['openapi-zod-client', 'api.ts', ['openapi.json', '-o', 'openapi-zod-client/api.ts']],
  ])('%s', { timeout: 600_000 }, ([program, made, of], { skip }) => {
    skip(without, reason)
    mkdirSync(join(folder, program), { recursive: true })
    const generated = run(program, ...of)
    expect([generated.status, generated.stderr.slice(-500)]).toEqual([0, expect.any(String)])
    // Packages that the code imports are looked for from where it is.
    const settings =
      '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable'
    const compiled = run('tsc', ...settings.split(' '), join(folder, program, made))
    expect([compiled.stdout.slice(0, 2000), compiled.status]).toEqual(['', 0])
  })
})
