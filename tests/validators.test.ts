import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentText, provideContract } from '#kit/server/openapi/contract.ts'
import { serveReports } from '#kit/server/described/serveReports.ts'
import { root } from '#kit/server/settings.ts'
import { implementations, letterhead, reports, wingOf } from '../src/features.ts'

/*
 * What integrators run over the API document: two linters, and two generators whose code must compile under strict
 * settings. Three more generators are in generators.long.test.ts.
 */
const patienceMs = 300_000
const client = join(root, 'clients/typescript/node_modules')

let folder: string
let file: string
let text: string
beforeAll(async () => {
  const all = [...implementations, ...serveReports(reports, letterhead)]
  provideContract({ endpoints: all.map(({ endpoint }) => endpoint), version: '1.0.0', wingOf })
  text = await documentText('en')
  folder = mkdtempSync(join(tmpdir(), 'pinkas-validators-'))
  file = join(folder, 'openapi.json')
  writeFileSync(file, text)
}, patienceMs)

const run = (...of: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, of, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  return [status, status === 0 ? '' : `${stdout.slice(-2000)}${stderr.slice(-2000)}`]
}

describe('linters find no error and fewer than twenty things to mention', () => {
  test('redocly', { timeout: patienceMs }, async () => {
    const found = await lintFromString({
      source: text,
      absoluteRef: file,
      // It compares addresses without what their parts hold; tests/api.test.ts tells alike ones apart by that.
      config: await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } }),
    })
    expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
    expect(found.map(({ ruleId, message }) => `${ruleId} ${message}`).slice(19)).toEqual([])
  })
  test('spectral', { timeout: patienceMs }, async () => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [oas as never] })
    const found = await spectral.run(text)
    expect(found.filter(({ severity }) => severity === 0).map(({ message }) => message)).toEqual([])
    expect(found.map(({ code, path }) => `${code} ${path.join('.')}`).slice(19)).toEqual([])
  })
})

describe('generators make code that compiles under strict settings', () => {
  test.for<[name: string, program: string, made: string, of: string[]]>([
    [
      'openapi-typescript',
      join(client, 'openapi-typescript/bin/cli.js'),
      'api.d.ts',
      ['openapi.json', '-o', 'openapi-typescript/api.d.ts'],
    ],
    [
      'swagger-typescript-api',
      join(root, 'node_modules/swagger-typescript-api/dist/cli.mjs'),
      'api.ts',
      ['generate', '-p', 'openapi.json', '-o', 'swagger-typescript-api', '-n', 'api.ts'],
    ],
  ])('%s', { timeout: patienceMs }, ([name, program, made, of]) => {
    mkdirSync(join(folder, name), { recursive: true })
    expect(run(program, ...of)).toEqual([0, ''])
    const settings =
      '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable'
    expect(run(join(client, 'typescript/bin/tsc'), ...settings.split(' '), join(folder, name, made))).toEqual(
      [0, ''],
    )
  })
})
