import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentText, provideContract } from '#kit/server/openapi/contract.ts'
import { serveReports } from '#kit/server/described/serveReports.ts'
import { implementations, letterhead, reports, wingOf } from '../src/features.ts'

/*
 * What integrators run over the API document: two linters and five generators, whose code must compile under strict
 * settings. They bring 650 packages of 460 MB, more than everything else the tests need, so they are installed apart:
 *
 *   mkdir /tmp/generators && cd /tmp/generators && npm init -y && npm i --ignore-scripts @redocly/cli \
 *     @stoplight/spectral-cli openapi-typescript @hey-api/openapi-ts orval swagger-typescript-api openapi-zod-client typescript@5.9
 *   GENERATORS=/tmp/generators npx vitest run tests/generators.long.test.ts
 *
 * The rules they found broken once are kept without them by tests/api.test.ts; openapi-typescript also runs in
 * tests/clients.long.test.ts.
 */
const home = process.env.GENERATORS ?? ''
const without = !existsSync(join(home, 'node_modules/.bin/redocly'))
const reason = 'needs linters and generators: set GENERATORS to a folder where they are installed'

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

describe('linters find no error and fewer than twenty things to mention', () => {
  test('redocly', { timeout: 300_000 }, ({ skip }) => {
    skip(without, reason)
    const { stdout } = run('redocly', 'lint', '--format', 'json', '--max-problems', '100', file)
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      totals: { errors: number; warnings: number }
    }
    expect([totals.errors, totals.warnings < 20]).toEqual([0, true])
  })
  test('spectral', { timeout: 300_000 }, ({ skip }) => {
    skip(without, reason)
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const { stdout } = run('spectral', 'lint', '-f', 'json', '--ruleset', '.spectral.yaml', file)
    const found = JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)) as {
      severity: number
    }[]
    expect([found.filter(({ severity }) => severity === 0), found.length < 20]).toEqual([[], true])
  })
})

describe('generators make code that compiles under strict settings', () => {
  test.for<[string, string, string[]]>([
    ['openapi-typescript', 'api.d.ts', ['openapi.json', '-o', 'openapi-typescript/api.d.ts']],
    ['openapi-ts', 'index.ts', ['-i', 'openapi.json', '-o', 'openapi-ts', '-c', '@hey-api/client-fetch']],
    ['orval', 'api.ts', ['--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch']],
    [
      'swagger-typescript-api',
      'api.ts',
      ['generate', '-p', 'openapi.json', '-o', 'swagger-typescript-api', '-n', 'api.ts'],
    ],
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
