import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { languages } from '#kit/server/words.ts'
import { brokenWalls } from './walls.ts'

/*
 * A document type and a state are added to a copy of the checkout, as `npm run new` adds them. The compiler, the walls
 * and the documents' own tests then say whether any place was forgotten.
 */
let copy = ''

const leftOut = new Set(['node_modules', '.git', '.data', 'dist', 'pictures', 'test-results'])

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pinkas-new-'))
  for (const name of readdirSync(root))
    if (!leftOut.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true })
  // Packages are shared, caches are not.
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
}, 120_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** A program in the copy, without what this test runner set for itself. */
function run(...args: string[]): { status: number | null; said: string } {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^VITEST|^TEST$|^NODE_ENV$/.test(name)),
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, said: `${stdout}${stderr}` }
}

const add = (...args: string[]) => run('--import', 'tsx', 'tools/new.ts', ...args)

/** Files of the product that differ from the checkout, without words and generated ones. */
function changedFiles(): string[] {
  const found = ['src', 'db'].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  const isOther = (path: string) => {
    try {
      return readFileSync(join(root, path), 'utf8') !== readFileSync(join(copy, path), 'utf8')
    } catch (e) {
      return (e as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }
  return found
    .filter((path) => /\.(tsx?|sql)$/.test(path) && path !== 'db/tables.ts' && isOther(path))
    .map((path) => path.replace(/\/\d{4}-/, '/'))
    .toSorted()
}

describe('a document type and a state of documents', () => {
  test('a type is added to its facts, its description and the check of the database', () => {
    const { status, said } = add(
      'documentType',
      'proforma',
      '--one=Proforma',
      '--many=Proformas',
      '--new=New proforma',
    )
    expect(said).toContain('made db/tables.ts')
    expect(status).toBe(0)
    expect(changedFiles()).toEqual([
      'db/migrations/type-proforma.sql',
      'src/domain/documents/kinds.ts',
      'src/features/sales/documents/types/index.ts',
      'src/features/sales/documents/types/proforma.ts',
    ])
    for (const language of languages) {
      const words = (file: string) =>
        JSON.parse(
          readFileSync(join(copy, `src/features/sales/documents/text/${file}${language}.json`), 'utf8'),
        ) as Record<string, string>
      expect(words('')['documents.types.proforma']).toBe('Proforma')
      expect(words('')['documents.typesPlural.proforma']).toBe('Proformas')
      expect(words('')['documents.newType.proforma']).toBe('New proforma')
      expect(words('paper.')['paper.title.proforma']).toBe('Proforma')
    }
    expect(add('documentType', 'receipt', '--one=x', '--many=x', '--new=x').said).toContain(
      'receipt is a document type already',
    )
  }, 180_000)

  test('a state is added to the list and to the database, and the tests of the facts know it', () => {
    expect(add('documentState', 'disputed', '--stage=sideways', '--label=Disputed').said).toContain(
      'a new state is one of open, closed, cancelled',
    )
    const before = changedFiles()
    const { status, said } = add('documentState', 'disputed', '--stage=open', '--label=Disputed')
    expect(said).toContain('made db/tables.ts')
    expect(status).toBe(0)
    expect(changedFiles().filter((path) => !before.includes(path))).toEqual([
      'db/migrations/state-disputed.sql',
      'src/domain/documents/facts.test.ts',
      'src/kit/server/data/documentFacts.test.ts',
    ])
    expect(add('documentState', 'settled', '--stage=closed', '--label=Settled').status).toBe(0)
    expect(add('documentState', 'voided', '--stage=cancelled', '--label=Voided').status).toBe(0)
  }, 180_000)

  test.each(['tsconfig.node.json', 'tsconfig.web.json'])(
    '%s compiles',
    (config) => {
      const { status, said } = run('node_modules/typescript/bin/tsc', '--singleThreaded', '-p', config)
      expect(said).toBe('')
      expect(status).toBe(0)
    },
    180_000,
  )

  test('the walls stand, and every word is there', () => {
    expect(brokenWalls(join(copy, 'src'))).toEqual([])
    const { said } = run(
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      "const { checkWords } = await import('./tools/words.ts'); console.log(JSON.stringify(checkWords()))",
    )
    expect(said.trim()).toBe('[]')
  }, 60_000)

  test('the tables of facts, and the database with its functions and indexes, agree', () => {
    const { status, said } = run(
      'node_modules/vitest/vitest.mjs',
      'run',
      'src/domain/documents',
      'src/kit/server/data/documentFacts.test.ts',
      'src/features/sales/documents/facts.test.ts',
      'src/features/sales/documents/papers.test.ts',
    )
    expect(said).not.toContain('FAIL')
    expect(status).toBe(0)
  }, 300_000)
})
